"""Small sets of answers, told document by document; the fixture `kit` hands them to the tests of `profiles`."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pandas as pd
import pytest

from profiles import documents
from schemas.answer import Answer
from schemas.case import Case
from schemas.fields import Field
from schemas.grade import Grade
from schemas.profile import Profile
from schemas.row import to_table
from schemas.stamp import Stamp
from schemas.tendency import Tendency

FIELDS = (
    Field(name="supplier", kind="text"),
    Field(name="tax_id", kind="identifier", languages=("cs",)),
    Field(name="total", kind="amount"),
)
STAMP = Stamp(
    suite="invoices", edition="e1", system_id="s1", set_version="v1", prompt_version="p1", rubric_version="g1", seed=7, run_id="r1",
    run_date="2026-01-31",
)  # fmt: skip
MARKS = {"r": ("right", 1, 1), "w": ("wrong", 0, 1), "a": ("absent", 0, 0), "i": ("invented", 0, 0)}

Rows = dict[tuple[str, str, str, str], Tendency]


def make_case(case_id: str = "cs-1", **other: Any) -> Case:
    base: dict[str, Any] = {
        "suite": "invoices", "edition": "e1", "case_id": case_id, "pair_id": case_id[3:], "language": case_id[:2], "split": "public",
        "level": "text", "variant": "ordinary", "layout": "l1", "prompt_version": "p1", "set_version": "v1", "brief": "{}",
        "truth": "{}", "text": None, "document_sha256": None, "image_sha256": None, "canary": None,
    }  # fmt: skip
    return Case(**(base | other))


def make_answer(case_id: str = "cs-1", **other: Any) -> Answer:
    base: dict[str, Any] = {
        "suite": "invoices", "edition": "e1", "system_id": "s1", "case_id": case_id, "trial": 1, "status": "ok", "text": "{}",
        "replies": ["{}"], "request_hashes": [], "system_version": "x", "prompt_version": "p1", "error": None,
        "cost_usd": Decimal("0.002"), "latency_ms": 100, "run_id": "r1",
    }  # fmt: skip
    return Answer(**(base | other))


def make_grade(item: str, label: str, points: float, possible: float, **other: Any) -> Grade:
    base: dict[str, Any] = {
        "suite": "invoices", "edition": "e1", "system_id": "s1", "case_id": "cs-1", "trial": 1, "pass_name": "atomic",
        "judge_id": "fields", "item": item, "points": points, "max_points": possible, "label": label, "error": None,
        "expected": None, "given": None, "reason": None, "quote": None, "rubric_version": "g1",
    }  # fmt: skip
    return Grade(**(base | other))


def make_grades(
    marks: str, errors: Sequence[str] = (), *, json: int = 1, first: int = 1, shape: str = "json", **other: Any
) -> list[Grade]:
    """Grades of all fields from one letter each (right, wrong, absent, invented); wrong ones take `errors` in order."""
    left = list(errors)
    out = []
    for field, mark in zip(FIELDS, marks, strict=True):
        error = (left.pop(0) if left else "wrong_value") if mark in "wi" else None
        out.append(make_grade(field.name, *MARKS[mark], error=error, given="X", expected=field.name, **other))
    whole = {"pass_name": "holistic", **other}
    out += [
        make_grade("json", "right" if json else "wrong", json, 1, reason=None if json else "why", **whole),
        make_grade("json_first", "right" if first else "wrong", first, 1, **whole),
    ]
    return [*out, make_grade("structure", shape, 1, 1, **whole)]


class Set:
    """A small set of answers of one system, told document by document, as the two frames that `tendencies` receives."""

    def __init__(self) -> None:
        self.profiles: list[Profile] = []
        self.grades: list[Grade] = []

    def add(self, case_id: str, marks: str | None, errors: Sequence[str] = (), **other: Any) -> None:
        """marks None: the provider filtered the answer."""
        of_answer = {k: other.pop(k) for k in ("trial", "latency_ms", "cost_usd") if k in other}
        case = make_case(case_id, **other)
        answer = make_answer(case_id, status="ok" if marks else "filtered", **of_answer)
        grades = make_grades(marks, errors, case_id=case_id, trial=answer.trial) if marks else []
        self.profiles.append(documents.profile(FIELDS, case, answer, grades))
        self.grades += [g for g in grades if g.pass_name == "atomic"]

    def frames(self) -> tuple[pd.DataFrame, pd.DataFrame]:
        """As they come out of the store: through Arrow."""
        columns = ["case_id", "trial", "item", "points", "max_points", "label", "error"]
        profiles = to_table(Profile, self.profiles).to_pandas().drop(columns="critical_path")
        return profiles, to_table(Grade, self.grades).to_pandas()[columns]

    def rows(self, **stamp: Any) -> Rows:
        return keyed(documents.tendencies(FIELDS, *self.frames(), STAMP.model_copy(update=stamp)))


def keyed(rows: Sequence[Tendency]) -> Rows:
    found: Rows = {(r.split, r.dimension, r.group_name, r.metric): r for r in rows}
    assert len(found) == len(rows), "a key stands twice"
    return found


def five_pairs() -> Set:
    """Five pairs; pair 4 is of non-payers (no tax id) and gets one invented, the Czech twin of pair 5 was filtered."""
    made = Set()
    photo = {"level": "photo"}
    made.add("cs-1", "rrr", latency_ms=900)
    made.add("en-1", "raa", latency_ms=800)  # the English twin prints no total
    made.add("cs-2", "rwr", ["missing"], latency_ms=700)
    made.add("en-2", "waw", ["lost_diacritics", "wrong_value"], latency_ms=600)
    made.add("cs-3", "rrw", ["base_instead_of_total"], latency_ms=500, **photo)
    made.add("en-3", "rar", latency_ms=400, **photo)
    made.add("cs-4", "rir", latency_ms=300, **photo)
    made.add("en-4", "rar", latency_ms=200, **photo)
    made.add("cs-5", None, latency_ms=9999, cost_usd=Decimal(0), **photo)
    made.add("en-5", "rar", latency_ms=100, **photo)
    return made


class Kit:
    """What the tests of `profiles` make their objects with."""

    Set = Set
    FIELDS = FIELDS
    STAMP = STAMP
    make_case = staticmethod(make_case)
    make_answer = staticmethod(make_answer)
    make_grade = staticmethod(make_grade)
    make_grades = staticmethod(make_grades)
    keyed = staticmethod(keyed)
    five_pairs = staticmethod(five_pairs)


@pytest.fixture(scope="session")
def kit() -> Kit:
    return Kit()
