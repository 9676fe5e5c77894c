"""The grades of one legal answer by judge, told apart into rules, references and the answer as a whole (L-5).

References are compared by a program, `citations`, and its grades serve every judge; a judge that graded references itself has its own.
A judge is whoever graded a rule or the whole. A judge of models is marked by the task as of the same vendor or not; programs and people
are not marked.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from schemas.grade import Grade

MECHANICAL, CITATIONS = "signals", "citations"
"""The programs that judge rules and references on any machine."""

EXTRA = "extra_citations"
BEHAVIOURS = ("overclaiming", "underclaiming", "aware")
QUALITIES = ("argument", "citations", "completeness")
WHOLE = ("verdict", "unsafe_completeness", "looks_complete", *QUALITIES, "behaviour", "preferred")
"""Items of pass 2, each alone or with the order of the texts behind an `@`."""

FAULTS = ("ungrounded", "unread")
"""Errors of a judge that could not give a usable grade itself; any other grade outside the denominator was not had (`unasked`)."""

NOT_JUDGED = "not_judged"

_RULE, _REFERENCE = re.compile(r"[MNB][1-9]\d*"), re.compile(r"R[1-9]\d*")


@dataclass(frozen=True)
class Wanted:
    """What a case has to be graded by: ids by kind, key exceptions among must."""

    must: tuple[str, ...]
    key: frozenset[str]
    must_not: tuple[str, ...]
    may: tuple[str, ...]
    references: tuple[str, ...]


def wanted_of(truth: Mapping[str, Any]) -> Wanted:
    """The ids of a truth (`schemas.legal.Truth` as a dict)."""

    def ids(kind: str) -> tuple[str, ...]:
        return tuple(entry["id"] for entry in truth[kind])

    key = frozenset(rule["id"] for rule in truth["must_contain"] if rule.get("key_exception"))
    return Wanted(ids("must_contain"), key, ids("must_not_contain"), ids("may_contain"), ids("references"))


@dataclass
class Marks:
    """All that one judge said of one answer, by item; `whole` by criterion, then by order (empty: it was asked once)."""

    judge_id: str
    rules: dict[str, Grade] = field(default_factory=dict)
    references: dict[str, Grade] = field(default_factory=dict)
    whole: dict[str, dict[str, Grade]] = field(default_factory=dict)
    strays: list[Grade] = field(default_factory=list)
    is_model: bool = False
    is_same_vendor: bool = False

    @property
    def is_asked_twice(self) -> bool:
        """Whether answer and foil were shown in two orders (L-8)."""
        return any(order for by_order in self.whole.values() for order in by_order)

    def take(self, grade: Grade) -> None:
        """File one grade; what is no item of this suite is kept among the strays."""
        item, _, order = grade.item.partition("@")
        if grade.pass_name == "atomic" and _RULE.fullmatch(item):
            self.rules[item] = grade
        elif grade.pass_name == "atomic" and (_REFERENCE.fullmatch(item) or item == EXTRA):
            self.references[item] = grade
        elif grade.pass_name == "holistic" and item in WHOLE:
            self.whole.setdefault(item, {})[order] = grade
        else:
            self.strays.append(grade)
        self.is_model |= grade.is_same_vendor is not None
        self.is_same_vendor |= bool(grade.is_same_vendor)


def marks_of(grades: Iterable[Grade]) -> list[Marks]:
    """One entry a judge, in the order of their ids; a grader of references alone is none."""
    found: dict[str, Marks] = {}
    for grade in grades:
        found.setdefault(grade.judge_id, Marks(grade.judge_id)).take(grade)
    shared = found[CITATIONS].references if CITATIONS in found else {}
    judges = [found[j] for j in sorted(found) if found[j].rules or found[j].whole or _was_asked(found[j])]
    for one in judges:
        one.references = {**shared, **one.references}
    return judges


def _was_asked(marks: Marks) -> bool:
    """A judge that gave no grade at all, since its questions about the whole were not answered."""
    return marks.is_model and bool(marks.strays)


def usable(grade: Grade | None) -> bool:
    """Whether a grade stands in a denominator."""
    return grade is not None and grade.max_points > 0


def is_full(grade: Grade) -> bool:
    """Whether a usable grade has all its points: fulfilled, avoided, given."""
    return grade.points >= grade.max_points


def share(grades: Sequence[Grade]) -> float | None:
    """Points of the points possible; None where none of them is usable."""
    possible = sum(g.max_points for g in grades)
    return sum(g.points for g in grades) / possible if possible > 0 else None
