"""Drift between runs, from grades in a store to the first words of the chapter, against SQL and a bootstrap of the test's own (A-9, A-10)."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import duckdb
import pandas as pd
import pytest
from bootstrap_support import plain_bootstrap
from page_grades import STAMP, answer, case, check, grades

from datasets.store import Store
from datasets.systems import load_systems
from profiles import artifacts
from profiles.page_agreement import Point, drifts
from profiles.report.material import Section, ShownCase
from profiles.report.page import render
from schemas.grade import Grade
from schemas.row import to_table
from schemas.system import System
from schemas.tendency import Tendency
from tasks.shown_pages import history

TASKS = tuple(f"t{n}" for n in range(1, 13))
CRITERIA = ("conformity", "works", "look", "code")
NEAR = {task: (1, 1, 1, 0.5 if n % 3 == 0 else 1) for n, task in enumerate(TASKS)}
FAR = {task: (0.5, 0.5, 0 if n % 2 else 0.5, 0 if n % 3 else 1) for n, task in enumerate(TASKS)}
"""What the judge gives in a run; people give the top on everything but the code of every second task."""


def graded(by_judge: dict[str, tuple[float, float, float, float]]) -> list[Grade]:
    told = []
    for n, task in enumerate(TASKS):
        told += grades("acme", *by_judge[task], case_id=task, is_same_vendor=False)
        told += grades("person-x", 1, 1, 1, 0.5 if n % 2 else 1, case_id=task)
        told += [check(item, case_id=task) for item in ("page", "load")]
    return told


def run(
    by_judge: dict[str, tuple[float, float, float, float]], run_id: str, day: str
) -> tuple[list[Grade], list[Tendency]]:
    told = graded(by_judge)
    profiles = [artifacts.profile(case(t), answer(t), [g for g in told if g.case_id == t]) for t in TASKS]
    stamp = STAMP.model_copy(update={"run_id": run_id, "run_date": day})
    return told, artifacts.tendencies(to_table(type(profiles[0]), profiles).to_pandas(), pd.DataFrame(), stamp)


def distances(told: Sequence[Grade]) -> list[float]:
    """By SQL, a page a task: how far the judge's percentage is from the person's."""
    frame = pd.DataFrame([g.model_dump() for g in told if g.pass_name == "holistic"])  # noqa: F841 - DuckDB finds it by its name
    found = duckdb.sql(
        "select abs(avg(points) filter (judge_id = 'acme') - avg(points) filter (judge_id = 'person-x')) from frame "
        "where item in ('conformity', 'works', 'look', 'code') group by case_id order by case_id"
    ).fetchall()
    return [float(row[0]) for row in found]


def ends(values: Sequence[float]) -> tuple[float, float]:
    """The interval of the mean by the tests' own bootstrap, a page a task."""
    low, high, _ = plain_bootstrap([(value, 1.0) for value in values])
    return low, high


@pytest.mark.parametrize(("second", "is_told"), [(FAR, True), (NEAR, False)])
def test_the_report_says_first_that_a_judge_has_moved(
    tmp_path: Path, second: dict[str, tuple[float, float, float, float]], is_told: bool
) -> None:
    store = Store.open(tmp_path / "store")
    first_grades, first_rows = run(NEAR, "r1", "2026-11-01")
    assert drifts(history(store, "artifacts", first_rows)) == []
    second_grades, second_rows = run(second, "r2", "2026-11-29")
    history(store, "artifacts", second_rows)
    points = history(store, "artifacts", second_rows)  # a report that is made again adds nothing
    mine = [p for p in points if p.judge == "acme"]
    assert [p.run for p in mine] == ["r1", "r2"]

    one, two = distances(first_grades), distances(second_grades)
    assert [p.value for p in mine] == pytest.approx([sum(one) / 12, sum(two) / 12])
    for point, (low, high) in zip(mine, (ends(one), ends(two)), strict=True):
        assert (point.low, point.high) == pytest.approx((low, high), abs=0.02)
    assert (ends(two)[0] > ends(one)[1]) is is_told  # what the test itself finds
    assert [(d.now.judge, d.now.run) for d in drifts(points) if d.now.judge == "acme"] == (
        [("acme", "r2")] if is_told else []
    )

    shown = tuple(ShownCase(case(t), None, {}) for t in TASKS)
    section = Section("artifacts", "e1", tuple(second_rows), {"s1": system()}, shown, len(TASKS), history=tuple(points))
    page = render([section])
    told = "acme, pages of s1: the mean difference from people was"
    assert (told in page) is is_told
    if is_told:
        assert page.index(told) < min(page.index(f'id="artifacts-{part}"') for part in ("web_fitness", "web_standing"))
        assert told not in render([replace(section, history=tuple(points[:1]))])


def test_runs_of_other_systems_and_judges_are_no_series() -> None:
    """Only the last two runs of the same judge on the same system's pages are compared."""
    near = Point("r1", "2026-11-01", "s1", "acme", 0.1, 0.05, 0.15, 12)
    far = replace(near, run="r2", value=0.5, low=0.4, high=0.6)
    assert [d.now.run for d in drifts([near, far])] == ["r2"]
    assert drifts([near, replace(far, judge="other")]) == drifts([near, replace(far, system="s2")]) == []
    assert drifts([near, far, replace(far, run="r3")]) == []


def system() -> System:
    return load_systems()["recorded"].model_copy(update={"id": "s1", "name": "s1"})
