"""From grades of pages to profiles and tendencies: numbers by hand, and DuckDB as a second implementation (A-5, A-7, A-8, S-5)."""

import json
from typing import Any

import duckdb
import pandas as pd
import pytest
from page_grades import STAMP, answer, case, check, grade, grades

from profiles import artifacts
from profiles.page_scores import score, together, with_medians
from schemas import readings
from schemas.grade import Grade
from schemas.profile import Profile
from schemas.row import to_table
from schemas.tendency import Tendency

MEASURED = [check("page"), check("load"), check("console")]


def profile(told: list[Grade], case_id: str = "t1", trial: int = 1, **other: Any) -> Profile:
    own = [g.model_copy(update={"case_id": case_id, "trial": trial}) for g in told]
    return artifacts.profile(case(case_id, **other), answer(case_id, trial), own)


def scores(found: Profile) -> dict[tuple[str, str], float]:
    return {(s.judge_id, s.metric): s.value for s in found.scores}


def fold(profiles: list[Profile], **stamp: Any) -> dict[tuple[str, str, str, str], Tendency]:
    frame = to_table(Profile, profiles).to_pandas().drop(columns="critical_path")
    rows = artifacts.tendencies(frame, pd.DataFrame(), STAMP.model_copy(update=stamp))
    assert len({(r.dimension, r.group_name, r.metric, r.judge_id) for r in rows}) == len(rows)
    return {(r.dimension, r.group_name, r.metric, r.judge_id): r for r in rows}


def test_a_percentage_is_points_of_the_most_possible_over_shared_criteria() -> None:
    """A-9: equal weights; structure and logic are the judges' own and not part of it."""
    assert score({"conformity": 1, "works": 0.5, "look": 0, "code": 1, "structure": 0, "logic": 0}) == 0.625
    found = scores(profile([*MEASURED, *grades("acme", 1, 0.5, 0, 1), grade("acme", "logic", 0)]))
    assert found["acme", "trial_score"] == 0.625
    assert found["acme", "logic"] == 0


def test_medians_are_of_models_and_of_people_apart() -> None:
    """A-7: of two judges their mean; the mechanical judge is not among them."""
    by_judge = {
        "a": {"look": 0.0}, "b": {"look": 0.5}, "c": {"look": 1.0, "code": 1.0}, "measurements": {"look": 0.0},
        "person-x": {"look": 1.0}, "person-y": {"look": 0.0},
    }  # fmt: skip
    found = with_medians(by_judge)
    assert found["judges"] == {"look": 0.5, "code": 1.0}
    assert found["people"] == {"look": 0.5}
    assert together([{"look": 0.0}, {"look": 0.5}]) == {"look": 0.25}


def test_medians_are_never_written_into_a_profile() -> None:
    """G-5: a profile holds what each judge gave and nothing of several."""
    found = profile([*MEASURED, *grades("a", 1, 1, 1, 1), *grades("b", 0, 0, 0, 0)])
    assert {s.judge_id for s in found.scores} == {"a", "b"}


def test_faults_are_the_critical_path() -> None:
    found = profile([check("page"), check("load"), check("console", "console_errors")])
    assert (found.points, found.max_points, found.is_faultless) == (2, 3, False)
    assert [(s.item, s.error, s.given) for s in found.critical_path] == [("console", "console_errors", "Vada.")]
    assert profile(MEASURED).is_faultless


def test_status_and_grades_have_to_fit() -> None:
    with pytest.raises(ValueError, match="has status 'ok' and 0 grades"):
        artifacts.profile(case(), answer(), [])


def several() -> list[Profile]:
    """Two tasks, two trials each; two models, one person."""
    told = {
        ("t1", 1): [*grades("a", 1, 1, 1, 1), *grades("b", 1, 0, 1, 1), *grades("person-x", 0.5, 0, 1, 1)],
        ("t1", 2): [*grades("a", 0, 0, 0, 0), *grades("b", 0, 0, 1, 0), *grades("person-x", 0, 0, 0, 0)],
        ("t2", 1): [*grades("a", 0.5, 0.5, 0.5, 0.5), *grades("b", 0.5, 1, 1, 0.5)],
        ("t2", 2): [*grades("a", 0.5, 1, 1, 0.5)],
    }
    return [profile([*MEASURED, *some], task, trial) for (task, trial), some in told.items()]


def test_tendencies_by_hand() -> None:
    """Task 1: a is right and wrong, so 0.5; task 2: 0.5 and 0.75; pooled over pages (1 + 0 + 0.5 + 0.75) / 4."""
    found = fold(several())
    assert found["overall", "all", "trial_score", "a"].value == pytest.approx(0.5625)
    row = found["overall", "all", "trial_score", "b"]
    assert (row.value, row.n_documents, row.n_items) == (pytest.approx((0.75 + 0.25 + 0.75) / 3), 2, 3)
    # medians: t1/1 works (1 + 0) / 2, so (1 + 0.5 + 1 + 1) / 4; t1/2 look 0.5; t2/1 (0.5 + 0.75 + 0.75 + 0.5) / 4; t2/2 a alone
    assert found["overall", "all", "trial_score", "judges"].value == pytest.approx((0.875 + 0.125 + 0.625 + 0.75) / 4)
    # sample variance of a: t1 of (1, 0) is 0.5, t2 of (0.5, 0.75) is 0.03125
    assert found["overall", "all", "grade_variance", "a"].value == pytest.approx((0.5 + 0.03125) / 2)
    assert found["task", "t1", "grade_variance", "a"].value == pytest.approx(0.5)
    # beside the person in t1: a is 1 - 0.625 higher, then equal
    assert found["overall", "all", "people_difference", "a"].value == pytest.approx(0.375 / 2)
    assert found["overall", "all", "people_bias", "a"].value == pytest.approx(0.375 / 2)
    assert found["overall", "all", "people_bias", "b"].value == pytest.approx((0.125 + 0.25) / 2)
    assert ("overall", "all", "people_difference", "person-x") not in found
    low, value, high = (getattr(found["overall", "all", "look", "a"], n) for n in ("low", "value", "high"))
    assert low <= value <= high


def test_duckdb_counts_the_same() -> None:
    """Every judge's mean of every criterion by task, from the same profiles in SQL."""
    profiles = several()
    found = fold(profiles)
    flat = pd.DataFrame(
        [(p.case_id, s.judge_id, s.metric, s.value) for p in profiles for s in p.scores],
        columns=["task", "judge", "metric", "value"],
    )
    told = duckdb.sql(
        "select task, judge, metric, avg(value) from flat where metric <> 'same_vendor' group by all"
    ).fetchall()
    assert len(told) > 20
    assert flat is not None
    for task, judge, metric, value in told:
        assert found["task", task, metric, judge].value == pytest.approx(value), (task, judge, metric)


def test_an_answer_without_a_page_is_zero_from_everybody() -> None:
    """A judge that could be shown nothing still finds nothing; people's way of working is no matter of the page."""
    none = [grade("measurements", item, 0, error="no_page") for item in ("conformity", "works", "look", "code")]
    found = fold(
        [profile([*MEASURED, *grades("a", 1, 1, 1, 1)], "t1"), profile([check("page", "no_page"), *none], "t2")]
    )
    row = found["overall", "all", "trial_score", "a"]
    assert (row.value, row.n_documents) == (0.5, 2)
    assert found["task", "t2", "logic", "a"].value == 0


def test_fitness_is_the_share_of_controls_graded_exactly_as_expected() -> None:
    """S-5: only criteria that are certain and that the judge grades; one of them wrong is enough to be wrong; none graded is left out."""
    controls = {
        "1": {"kind": "good", "expected": {"works": 1, "look": 1}},
        "2": {"kind": "dead_buttons", "expected": {"works": 0}},
        "3": {"kind": "console_errors", "expected": {"works": 0.5, "look": 1}, "served": ["measurements"]},
    }
    told = {
        1: [*grades("a", 0, 1, 1, 0), grade("measurements", "works", 1)],
        2: [*grades("a", 1, 0.5, 1, 1), grade("b", "look", 1)],
        3: [*grades("a", 1, 0.5, 0, 1), grade("measurements", "works", 0)],  # which served to make it
    }
    profiles = [
        artifacts.profile_control(
            case(controls=json.dumps(controls)),
            answer(trial=n),
            [g.model_copy(update={"trial": n}) for g in (*MEASURED, *some)],
        )
        for n, some in told.items()
    ]
    found = fold(profiles)
    right = {j: found["overall", "all", "control_right_holistic", j] for j in ("a", "measurements")}
    assert (right["a"].value, right["a"].n_items) == (pytest.approx(1 / 3), 3)
    assert found["overall", "all", "control_rules", "a"].value == pytest.approx((1 + 0 + 0.5) / 3)
    assert (right["measurements"].value, right["measurements"].n_items, right["measurements"].n_left_out) == (1, 1, 2)
    assert ("overall", "all", "control_right_holistic", "b") not in found
    assert found["control_kind", "dead_buttons", "control_right_holistic", "a"].value == 0
    assert {row.metric for row in found.values()} == {"control_right_holistic", "control_rules"}


def test_a_control_of_which_nothing_is_known_is_told() -> None:
    with pytest.raises(ValueError, match="nothing is expected of the control page 1"):
        artifacts.profile_control(case(), answer(), MEASURED)


def test_profiles_of_another_system_are_refused() -> None:
    with pytest.raises(ValueError, match="profiles of 's1' among them"):
        fold(several(), system_id="other")


def test_the_board_says_who_is_not_decisive() -> None:
    rows = list(fold(several()).values())
    shown = artifacts.board(rows, ["s1"])
    by_judge = {line["judge"]: line for line in shown.rows}
    assert list(by_judge)[:2] == ["people", "judges"]
    assert by_judge["a"]["score"].startswith("56.2%")
    assert by_judge["a"]["score"].endswith("not decisive")
    assert by_judge["people"]["controls"] == "a person"
    assert "not decisive" not in by_judge["people"]["score"]


def test_the_other_readings_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """G-14: a task with two pages of 1 and one page of 0: two thirds by pages, a half by tasks; the mechanical judge in the median or not."""
    told = [("t1", 1, 1.0), ("t1", 2, 1.0), ("t2", 1, 0.0)]

    def whole() -> float | None:
        profiles = [
            artifacts.profile(
                case(task),
                answer(task, n),
                [g.model_copy(update={"case_id": task, "trial": n}) for g in (*MEASURED, *grades("a", v, v, v, v))],
            )
            for task, n, v in told
        ]
        return fold(profiles)["overall", "all", "trial_score", "a"].value

    assert whole() == pytest.approx(2 / 3)
    monkeypatch.setattr(readings, "TASKS_WEIGH_EQUALLY", True)
    assert whole() == pytest.approx(1 / 2)
    given = {"a": {"works": 1.0}, "measurements": {"works": 0.0}}
    assert with_medians(given)["judges"] == {"works": 1.0}
    monkeypatch.setattr(readings, "MEDIAN_OF_MODELS", False)
    assert with_medians(given)["judges"] == {"works": 0.5}
