"""Answers of `legal` for the contract of suites: the reference answer of a case is right, an answer without a word of law is wrong."""

from schemas.answer import BlindAnswer
from schemas.case import Case
from schemas.grade import Verdict


def right(case: Case) -> BlindAnswer:
    """The reference answer."""
    return _said(case, case.to_truth()["reference"])


def wrong(case: Case) -> list[BlindAnswer]:
    """Nothing that the question asks for."""
    return [_said(case, reply) for reply in ("", "{}", "Na to neumím odpovědět.", "Přeji Vám hezký den.")]


def counts(verdict: Verdict) -> bool:
    """Required statements, references and the verdict: what a wrong answer cannot have by silence, and a right one cannot do without."""
    return verdict.item[0] in "MR" or verdict.item == "verdict"


def _said(case: Case, reply: str) -> BlindAnswer:
    return BlindAnswer(case_id=case.case_id, trial=1, status="ok", replies=(reply,))
