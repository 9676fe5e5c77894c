"""Answers of `language_tax` for the contract of suites: what is measured stands in the usage, not in the text."""

from schemas.answer import BlindAnswer
from schemas.case import Case


def right(case: Case) -> BlindAnswer:
    """Cut off after one token, with a count."""
    return BlindAnswer(case_id=case.case_id, trial=1, status="truncated", replies=("D",), tokens_in=57)


def wrong(case: Case) -> list[BlindAnswer]:
    """No usage, whatever was said."""
    return [BlindAnswer(case_id=case.case_id, trial=1, status="ok", replies=(text,)) for text in ("", "57", "{}")]
