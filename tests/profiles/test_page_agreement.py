"""Judges beside people, by hand: two levels, bias, tasks, criteria, badges, drift (A-7, A-9, A-10)."""

from collections.abc import Mapping

import pytest

from profiles.page_agreement import Point, agreement, badges, drifts, pairs


def given(conformity: float, works: float, look: float, code: float) -> dict[str, float]:
    return {"conformity": conformity, "works": works, "look": look, "code": code}


PAGES: dict[tuple[str, str, int], Mapping[str, Mapping[str, float]]] = {
    ("one", "t1", 1): {"a": given(1, 1, 1, 1), "person-x": given(1, 1, 1, 0.5), "measurements": {"works": 1}},
    ("one", "t2", 1): {"a": given(0.5, 0.5, 0.5, 0.5), "person-x": given(1, 1, 1, 1)},
    ("two", "t1", 1): {"a": given(0, 0, 0, 0), "b": given(1, 0, 0, 0), "person-x": given(0, 0, 0.5, 0)},
    ("two", "t2", 1): {"a": given(1, 0, 1, 0)},
    ("three", "t1", 1): {"a": given(0.5, 1, 1, 1), "person-x": {"works": 1.0}},
}
"""Differences of a: +0.125, −0.5, −0.125, not graded by the person, and 0 on the one criterion that both grade."""


def test_by_trial() -> None:
    found = agreement(PAGES, "a")
    assert found is not None
    t = found.trials
    assert (t.n, t.mean, t.median, t.largest) == (4, 0.1875, 0.125, 0.5)
    assert (t.close, t.far, t.lower, t.bias) == (0.25, 0.25, 0.5, -0.125)


def test_by_model() -> None:
    """Means first: one 0.75 against 0.9375, two 0 against 0.125, three 1 against 1."""
    found = agreement(PAGES, "a")
    assert found is not None
    assert (found.models.n, found.models.largest) == (3, 0.1875)
    assert found.models.mean == pytest.approx((0.1875 + 0.125 + 0) / 3)
    assert found.models.spearman == pytest.approx(1.0)


def test_by_task_and_by_criterion() -> None:
    found = agreement(PAGES, "a")
    assert found is not None
    assert {task: (t.n, t.bias) for task, t in found.by_task.items()} == {"t1": (3, 0.0), "t2": (1, -0.5)}
    assert {c: t.n for c, t in found.by_criterion.items()} == {"conformity": 3, "works": 4, "look": 3, "code": 3}
    assert found.by_criterion["look"].bias == pytest.approx(-1 / 3)


def test_only_what_both_grade_is_compared() -> None:
    found = agreement(PAGES, "measurements")
    assert found is not None
    assert list(found.by_criterion) == ["works"]
    assert found.trials.n == 1
    assert agreement(PAGES, "nobody") is None


def test_a_badge_lights_up_from_half_a_point_on() -> None:
    """A-7: person against the median of the judges; in two/t1 the median of conformity is 0.5, so it is 0.5 apart."""
    found = [(b.key[0], b.key[1], b.criterion, b.by_person, b.by_judges) for b in badges(PAGES)]
    assert found == [
        ("one", "t1", "code", 0.5, 1.0),
        ("one", "t2", "conformity", 1.0, 0.5),
        ("one", "t2", "works", 1.0, 0.5),
        ("one", "t2", "look", 1.0, 0.5),
        ("one", "t2", "code", 1.0, 0.5),
        ("two", "t1", "conformity", 0.0, 0.5),
        ("two", "t1", "look", 0.5, 0.0),
    ]


def test_judges_beside_each_other_without_people() -> None:
    found = {(p.judge, p.other): p for p in pairs(PAGES)}
    assert set(found) == {("a", "b"), ("a", "measurements")}
    assert found["a", "b"].trials.bias == -0.25


def point(run: str, value: float, low: float | None, high: float | None, judge: str = "a", system: str = "s") -> Point:
    return Point(run, "2026-11-30", system, judge, value, low, high, 8)


def test_drift_is_told_where_the_last_two_runs_do_not_overlap() -> None:
    """A-10; overlapping intervals, a single run, and runs without interval say nothing."""
    first, near, far = point("r1", 0.10, 0.05, 0.15), point("r2", 0.14, 0.10, 0.20), point("r3", 0.40, 0.30, 0.50)
    assert drifts([first]) == []
    assert drifts([first, near]) == []
    assert [(d.before.run, d.now.run) for d in drifts([first, near, far])] == [("r2", "r3")]
    assert drifts([first, near, far, point("r4", 0.35, 0.3, 0.4)]) == []
    assert drifts([first, point("r2", 0.9, None, None)]) == []
    assert drifts([first, point("r2", 0.9, 0.8, 1.0, system="other")]) == []
