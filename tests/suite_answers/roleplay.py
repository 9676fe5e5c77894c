"""Answers of `roleplay` for the contract of suites: a run of 14 answers is whole; what a program counts in it is no verdict on the play."""

from roleplay_support import CONTROL_TURNS

from schemas.answer import BlindAnswer
from schemas.case import Case
from schemas.grade import Verdict


def right(case: Case) -> BlindAnswer:
    """An answer to every message."""
    return _said(case, CONTROL_TURNS)


def wrong(case: Case) -> list[BlindAnswer]:
    """A run that was broken off at once."""
    return [_said(case, replies) for replies in ((), ("",), (" \n",))]


def counts(verdict: Verdict) -> bool:
    """The turns that were answered; other counts have no points to lose."""
    return verdict.item == "turns"


def _said(case: Case, replies: tuple[str, ...]) -> BlindAnswer:
    return BlindAnswer(case_id=case.case_id, trial=1, status="ok", replies=replies)
