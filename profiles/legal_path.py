"""The diagnosis of one legal answer in words: its structure, its errors, and what exactly would have had to be different (G-1)."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from profiles.legal_marks import Marks, Wanted, is_full, usable
from schemas.profile import Step

Structure = Literal["headings", "list", "plain", "empty"]

MISSED_KEY, MISSED, VIOLATED = "missed_key_exception", "missed", "violated"
REFERENCE_ABSENT, REFERENCE_INCOMPLETE = "reference_absent", "reference_incomplete"
ERRORS = (MISSED_KEY, MISSED, VIOLATED, REFERENCE_ABSENT, REFERENCE_INCOMPLETE)
"""Errors of reasoning, the gravest first."""

_HEADING = re.compile(r"^\s{0,3}(#{1,6}\s+\S|\*\*[^*]+\*\*:?\s*$)", re.MULTILINE)
_ITEM = re.compile(r"^\s*([-*•–]|\d{1,2}[.)]|[a-z]\))\s+\S", re.MULTILINE)


def structure_of(text: str) -> Structure:
    """How an answer is laid out: with headings (also a line in bold), else with a list of two items at least, else as plain text.

    >>> structure_of("## Závěr\\nAno."), structure_of("1. Ano.\\n2. Ne."), structure_of("Dne 1. 6. 2025 ano."), structure_of(" ")
    ('headings', 'list', 'plain', 'empty')
    """
    if not text.strip():
        return "empty"
    if _HEADING.search(text):
        return "headings"
    return "list" if len(_ITEM.findall(text)) >= 2 else "plain"


def critical_path(truth: Mapping[str, Any], wanted: Wanted, marks: Marks | None, *, is_refused: bool) -> list[Step]:
    """What would have had to be different: key exceptions first, then the other rules, then references, each in the order of the case.

    marks: those of the mechanical judge. A step of a missed rule expects the rule's text; of a violated one it gives the words that
    violate it, or the rule where no words were kept, and expects nothing: they should not stand there.
    """
    if marks is None:
        return []
    steps = [*_rules(truth, wanted, marks, is_refused), *_references(truth, marks)]
    return sorted(steps, key=lambda step: (step.error != MISSED_KEY, step.error.startswith("reference")))


def _rules(truth: Mapping[str, Any], wanted: Wanted, marks: Marks, is_refused: bool) -> Iterator[Step]:
    for rule in truth["must_contain"]:
        grade = marks.rules.get(rule["id"])
        if is_refused or (usable(grade) and grade is not None and not is_full(grade)):
            error = MISSED_KEY if rule["id"] in wanted.key else MISSED
            yield Step(item=rule["id"], error=error, given=grade.quote if grade else None, expected=rule["text"])
    for rule in truth["must_not_contain"]:
        grade = marks.rules.get(rule["id"])
        if grade is not None and usable(grade) and not is_full(grade):
            yield Step(item=rule["id"], error=VIOLATED, given=grade.quote or rule["text"], expected=None)


def _references(truth: Mapping[str, Any], marks: Marks) -> Iterator[Step]:
    for reference in truth["references"]:
        grade = marks.references.get(reference["id"])
        if grade is not None and usable(grade) and not is_full(grade):
            error = REFERENCE_INCOMPLETE if grade.points > 0 else REFERENCE_ABSENT
            yield Step(item=reference["id"], error=error, given=grade.given, expected=reference["cite"])
