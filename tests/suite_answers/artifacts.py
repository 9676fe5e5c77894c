"""Answers of `artifacts` for the contract of suites: a page on which all is well, and replies without a page."""

from web_support import GOOD, seen

from schemas.answer import BlindAnswer
from schemas.artifacts_html import Artifact, artifact_of
from schemas.case import Case
from schemas.evidence_row import Evidence
from schemas.grade import Verdict


def right(case: Case) -> BlindAnswer:
    """A page that loads, is seen and answers to every use."""
    return _said(case, f"```html\n{GOOD}```")


def wrong(case: Case) -> list[BlindAnswer]:
    """Words, objects, nothing: no page."""
    return [_said(case, reply) for reply in ("", "{}", "Stránku vytvořit nemohu.", "[]", '{"a": ')]


def counts(verdict: Verdict) -> bool:
    """All that could be judged, at least that there is a page at all."""
    return verdict.max_points > 0


def evidence(answer: BlindAnswer) -> Evidence | None:
    """What is collected of a page; of a reply without one nothing is."""
    moving = {"moves": True} if isinstance(artifact_of(answer.text), Artifact) else None
    return seen(**moving) if moving else None


def _said(case: Case, reply: str) -> BlindAnswer:
    return BlindAnswer(case_id=case.case_id, trial=1, status="ok", replies=(reply,))
