"""Legal cases, answers and grades by hand, told in a few letters; no grader is asked."""

import json
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pandas as pd

from profiles import legal
from schemas.answer import Answer
from schemas.case import Case
from schemas.grade import Grade
from schemas.legal import CONTROL_KINDS
from schemas.profile import Profile
from schemas.row import to_table
from schemas.stamp import Stamp
from schemas.tendency import Tendency

PLACE: dict[str, Any] = {"suite": "legal", "edition": "e1"}
STAMP = Stamp(
    **PLACE, system_id="s1", set_version="1.0", prompt_version="p1", rubric_version="g1", seed=7, run_id="r1", run_date="2026-11-05",
)  # fmt: skip
ORDERS = ("answer_first", "foil_first")
LABELS = {"M": ("missed", "fulfilled"), "N": ("violated", "avoided"), "B": ("absent", "given")}
Rows = dict[tuple[str, str, str, str], Tendency]

MARKS: dict[str, dict[str, Any]] = {
    "1": {"kind": "right", "misses": [], "violates": []},
    "2": {"kind": "right", "misses": [], "violates": []},
    "3": {"kind": "partly", "misses": ["M2"], "violates": []},
    "4": {"kind": "partly", "misses": ["M1"], "violates": []},
    "5": {"kind": "foil", "misses": ["M1", "M2"], "violates": ["N1"]},
}
assert tuple(mark["kind"] for mark in MARKS.values()) == CONTROL_KINDS


def truth(m: int = 2, n: int = 1, b: int = 1, weights: Sequence[float] = (2, 1)) -> dict[str, Any]:
    """M1 is the key exception; texts name their ids."""

    def rules(letter: str, count: int) -> list[dict[str, Any]]:
        return [
            {"id": f"{letter}{i}", "text": f"Pravidlo {letter}{i}.", "key_exception": letter + str(i) == "M1"}
            for i in range(1, count + 1)
        ]

    return {
        "question": "Platí to?", "foil": "Ano, vždy.", "reference": "Ne, jen někdy.", "must_contain": rules("M", m),
        "must_not_contain": rules("N", n), "may_contain": rules("B", b), "controls": MARKS, "signals": {},
        "references": [
            {"id": f"R{i}", "kind": "norm", "cite": f"§ {i} zákona", "short": f"§ {i}", "weight": w} for i, w in enumerate(weights, 1)
        ],
    }  # fmt: skip


def make_case(case_id: str = "a", *, of: dict[str, Any] | None = None, **other: Any) -> Case:
    base: dict[str, Any] = {
        **PLACE, "case_id": case_id, "pair_id": case_id, "language": "cs", "split": "public", "level": "text",
        "variant": "scope-limitation", "layout": "civil", "prompt_version": "p1", "set_version": "1.0", "brief": "{}",
        "truth": json.dumps(of or truth(), ensure_ascii=False), "text": None, "document_sha256": None, "image_sha256": None,
        "canary": None, "area": "civil", "category": "scope-limitation", "meta_task": "classification", "state": "approved",
    }  # fmt: skip
    return Case(**(base | other))


def make_answer(case_id: str = "a", *, system: str = "s1", **other: Any) -> Answer:
    base: dict[str, Any] = {
        **PLACE, "system_id": system, "case_id": case_id, "trial": 1, "status": "ok", "text": "Ne.", "replies": ["Ne."],
        "request_hashes": [], "system_version": "x", "prompt_version": "p1", "error": None, "cost_usd": Decimal("0.002"),
        "latency_ms": 100, "run_id": "r1",
    }  # fmt: skip
    return Answer(**(base | other))


def grade(item: str, points: float, most: float = 1, **other: Any) -> Grade:
    base: dict[str, Any] = {
        **PLACE, "system_id": "s1", "case_id": "a", "trial": 1, "pass_name": "atomic", "judge_id": "signals", "item": item,
        "points": points, "max_points": most, "label": f"{points:g}", "error": None, "expected": None, "given": None, "reason": None,
        "quote": None, "rubric_version": "g1",
    }  # fmt: skip
    return Grade(**(base | other))


def rules(told: str, **other: Any) -> list[Grade]:
    """Rules as `M:10u N:1 B:1`: 1 with all points (an N avoided), 0 without, u ungrounded, r unread, ? unasked, n not judged, - no grade."""
    errors = {"u": "ungrounded", "r": "unread", "?": "unasked"}
    made = []
    for part in told.split():
        letter, marks = part.split(":")
        for number, mark in enumerate(marks, 1):
            if mark in "01":
                points = int(mark)
                error = {"M": "missed", "N": "violated"}.get(letter) if not points else None
                label = LABELS[letter][points]
                made.append(grade(f"{letter}{number}", points, label=label, error=error, **other))
            elif mark != "-":
                label = errors.get(mark, "not_judged")
                made.append(grade(f"{letter}{number}", 0, 0, label=label, error=errors.get(mark), **other))
    return made


def references(told: str, extra: int = 0, weights: Sequence[float] = (2, 1), **other: Any) -> list[Grade]:
    """References by the program: 1 right, h incomplete, 0 absent; and citations beyond the minimum."""
    other = {"judge_id": "citations", **other}
    shares = {"1": ("right", 1.0), "h": ("incomplete", 0.5), "0": ("absent", 0.0)}
    made = []
    for number, (mark, weight) in enumerate(zip(told, weights, strict=True), 1):
        label, share = shares[mark]
        error = None if label == "right" else label
        made.append(grade(f"R{number}", weight * share, weight, label=label, error=error, **other))
    return [*made, grade("extra_citations", extra, label="given" if extra else "absent", **other)]


def whole(verdict: float, unsafe: float, *, complete: int = 0, behaviour: str = "none", **other: Any) -> list[Grade]:
    """Pass 2 of the mechanical judge, which does not judge the argument."""
    at = {"pass_name": "holistic", **other}
    numbers = {"verdict": verdict, "unsafe_completeness": unsafe, "looks_complete": complete}
    numbers |= {"citations": 0.5, "completeness": 1.0}
    return [
        *(grade(item, value, **at) for item, value in numbers.items()),
        grade("argument", 0, 0, **{**at, "label": "not_judged"}),
        grade("behaviour", 0, 0, **{**at, "label": behaviour}),
    ]


def in_both(
    verdict: Sequence[float] = (1, 1), unsafe: Sequence[float] = (0, 0), preferred: Sequence[float] = (1, 1), *, complete: Sequence[float] = (0, 0),
    quality: float = 1, behaviour: Sequence[str] = ("none", "none"), faults: Sequence[str | None] = (None, None), **other: Any,
) -> list[Grade]:  # fmt: skip
    """Pass 2 of a model: a number each for the answer standing first and second; faults: the error of a whole reply."""
    at = {"judge_id": "j1", "is_same_vendor": False, **other, "pass_name": "holistic"}
    made = []
    for n, order in enumerate(ORDERS):
        numbers = {"verdict": verdict[n], "unsafe_completeness": unsafe[n], "preferred": preferred[n]}
        numbers |= {"looks_complete": complete[n], "argument": quality, "citations": quality, "completeness": quality}
        error = faults[n]
        for item, value in numbers.items():
            counts = 0 if error else 1
            made.append(grade(f"{item}@{order}", value * counts, counts, **{**at, "error": error}))
        made.append(grade(f"behaviour@{order}", 0, 0, **{**at, "label": error or behaviour[n], "error": error}))
    return made


def model(
    told: str = "M:11 N:1 B:1",
    judge: str = "j1",
    *,
    same: bool = False,
    of_answer: dict[str, Any] | None = None,
    **two: Any,
) -> list[Grade]:
    """Both passes of a model as a judge."""
    at = {"judge_id": judge, "is_same_vendor": same, **(of_answer or {})}
    return [*rules(told, **at), *in_both(**two, **at)]


def always_first(told: str = "M:11 N:1 B:1", judge: str = "j1", **of_answer: Any) -> list[Grade]:
    """A model that prefers whichever text it reads first, and says that the graded one is right when it stands there."""
    return model(told, judge, verdict=(1, 0), unsafe=(0, 1), preferred=(1, 0), of_answer=of_answer)


def scores(profile: Profile, judge: str = "signals") -> dict[str, float]:
    found = {s.metric: s.value for s in profile.scores if s.judge_id == judge}
    assert len(found) == sum(s.judge_id == judge for s in profile.scores), "a metric stands twice"
    return found


def read(grades: Sequence[Grade], case: Case | None = None, *, is_control: bool = False, **answer: Any) -> Profile:
    case = case or make_case()
    made = make_answer(case.case_id, **answer)
    return (legal.profile_control if is_control else legal.profile)(case, made, grades)


def frame(profiles: Sequence[Profile]) -> pd.DataFrame:
    """As they come out of the store: through Arrow, without the critical path."""
    return to_table(Profile, profiles).to_pandas().drop(columns="critical_path")


def folded(profiles: Sequence[Profile], **stamp: Any) -> list[Tendency]:
    shuffled = frame(profiles).sample(frac=1, random_state=1)
    return legal.tendencies(shuffled, pd.DataFrame(), STAMP.model_copy(update=stamp))


def keyed(rows: Sequence[Tendency]) -> Rows:
    found: Rows = {(r.dimension, r.group_name, r.metric, r.judge_id): r for r in rows}
    assert len(found) == len(rows), "a key stands twice"
    return found
