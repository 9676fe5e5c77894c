"""A hundred thousand legal grades: from grades to profiles to tendencies, as the stages `profile` and `tendency` do it.

    python -m benchmarks.legal [--grades N] [--systems N]

Systems answered the same cases, ten as a rule; three judges graded each answer (the mechanical one, and two models in both orders).
"""

import json
import os
import random
import time
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import typer

PLACE: dict[str, Any] = {"suite": "legal", "edition": "bench"}
AREAS = ("civil", "labour", "administrative", "criminal", "tax", "commercial")
CATEGORIES = (
    "exception-to-general-rule",
    "legislative-amendment",
    "case-law-conflict",
    "deadline-calculation",
    "scope-limitation",
)
RULES = ("M1", "M2", "M3", "N1", "N2", "B1", "B2")
WHOLE = ("verdict", "unsafe_completeness", "looks_complete", "argument", "citations", "completeness", "preferred")


def case_row(number: int) -> Any:
    """A case with three must, two must not, two may and two references."""
    from schemas.case import Case

    rules = {
        letter: [{"id": i, "text": i, "key_exception": i == "M1"} for i in RULES if i[0] == letter] for letter in "MNB"
    }
    references = [{"id": f"R{i}", "cite": "§ 1", "weight": 1} for i in (1, 2)]
    truth = {
        "must_contain": rules["M"],
        "must_not_contain": rules["N"],
        "may_contain": rules["B"],
        "references": references,
        "controls": {},
    }
    return Case(
        **PLACE, case_id=f"c{number}", pair_id=f"c{number}", language="cs", split="public", level="text", variant="v", layout="l",
        prompt_version="p", set_version="1", brief="{}", truth=json.dumps(truth), text=None, document_sha256=None, image_sha256=None,
        canary=None, area=AREAS[number % 6], category=CATEGORIES[number % 5], meta_task="classification", state=("draft", "approved")[number % 2],
    )  # fmt: skip


def grades_of(key: dict[str, Any], draw: random.Random) -> Iterator[Any]:
    """63 grades of one answer: 17 of programs, 23 of each model."""
    from schemas.grade import Grade

    def make(judge: str, item: str, pass_name: Any = "atomic", same: bool | None = None, label: str = "x") -> Any:
        points = float(draw.random() < 0.8)
        return Grade(
            **key, pass_name=pass_name, judge_id=judge, item=item, points=0 if label == "aware" else points,
            max_points=0 if label == "aware" else 1, label=label, error=None, expected=None, given=None, reason=None, quote=None,
            rubric_version="g", is_same_vendor=same,
        )  # fmt: skip

    yield from (make("signals", item) for item in RULES)
    yield from (make("citations", item) for item in ("R1", "R2", "extra_citations"))
    yield from (make("signals", item, "holistic") for item in WHOLE[:-2])
    yield from (make("signals", item, "holistic") for item in ("completeness",))
    yield make("signals", "behaviour", "holistic", label="aware")
    for judge, same in (("j1", True), ("j2", False)):
        yield from (make(judge, item, same=same) for item in RULES)
        for order in ("answer_first", "foil_first"):
            yield from (make(judge, f"{item}@{order}", "holistic", same) for item in WHOLE)
            yield make(judge, f"behaviour@{order}", "holistic", same, "aware")


def aggregated(wanted: int, systems: int) -> tuple[int, float, float, float, int]:
    """How many grades, wall seconds from grades to profiles and from profiles to tendencies, seconds of all cores for both, and rows."""
    import pandas as pd

    from profiles import legal
    from schemas.answer import Answer
    from schemas.profile import Profile
    from schemas.row import to_table
    from schemas.stamp import Stamp

    draw = random.Random(7)
    n_cases = max(1, round(wanted / (63 * systems)))
    cases = [case_row(number) for number in range(n_cases)]
    made = {}
    for n in range(systems):
        for case in cases:
            key = {**PLACE, "system_id": f"s{n}", "case_id": case.case_id, "trial": 1}
            answer = Answer(
                **key, status="ok", text="Ne.", replies=["Ne."], request_hashes=[], system_version="1", prompt_version="p", error=None,
                cost_usd=Decimal(0), latency_ms=1, run_id="r",
            )  # fmt: skip
            made[n, case.case_id] = (case, answer, list(grades_of(key, draw)))
    begun, worked = time.perf_counter(), time.process_time()
    profiles = {key: legal.profile(*told) for key, told in made.items()}
    between = time.perf_counter()
    n_rows = 0
    for n in range(systems):
        table = to_table(Profile, [p for (system, _), p in profiles.items() if system == n])
        stamp = Stamp(
            **PLACE, system_id=f"s{n}", set_version="1", prompt_version="p", rubric_version="g", seed=7, run_id="r", run_date="2026-11-05"
        )  # fmt: skip
        n_rows += len(legal.tendencies(table.to_pandas().drop(columns="critical_path"), pd.DataFrame(), stamp))
    ended = time.perf_counter()
    return (
        sum(len(grades) for _, _, grades in made.values()),
        between - begun,
        ended - between,
        time.process_time() - worked,
        n_rows,
    )


def main(grades: int = 100_000, systems: int = 10) -> None:
    """Print what was measured."""
    n, profiling, folding, work, n_rows = aggregated(grades, systems)
    print(
        f"{n} legal grades of {systems} systems: {profiling:.1f} s to profiles, {folding:.1f} s to {n_rows} tendencies,"
    )
    print(
        f"{profiling + folding:.1f} s together, {work:.1f} s of all cores' time; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    )


if __name__ == "__main__":
    typer.run(main)
