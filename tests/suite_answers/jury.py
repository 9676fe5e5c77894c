"""Answers of `jury` for the contract of suites: no claim has a right verdict, so a right answer is one that can be read."""

import json

from schemas.answer import BlindAnswer
from schemas.case import Case


def right(case: Case) -> BlindAnswer:
    """A verdict with its reason."""
    said = {"verdict": "UMÍ", "reason": "Zvládá to několik veřejně dostupných systémů.", "since": "2023-03"}
    return _said(case, json.dumps(said, ensure_ascii=False))


def wrong(case: Case) -> list[BlindAnswer]:
    """No verdict."""
    replies = ("", "{}", "Nevím.", '{"verdict": "MOŽNÁ", "reason": "Záleží."}', '{"verdict": "UMÍ"')
    return [_said(case, reply) for reply in replies]


def _said(case: Case, reply: str) -> BlindAnswer:
    return BlindAnswer(case_id=case.case_id, trial=1, status="ok", replies=(reply,))
