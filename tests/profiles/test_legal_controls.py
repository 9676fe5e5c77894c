"""Fitness of judges by hand: outcomes of control answers in both passes, shares, and who is fit (S-5)."""

from typing import Any

import pytest
from legal_grades import (
    STAMP,
    Rows,
    always_first,
    folded,
    in_both,
    keyed,
    make_case,
    model,
    read,
    references,
    rules,
    scores,
    truth,
    whole,
)

from profiles.fitness import FitnessOf
from profiles.intervals import wilson
from profiles.legal import profile_control
from schemas import readings
from schemas.grade import Grade
from schemas.profile import Profile
from schemas.tendency import Tendency

RIGHT = {1: "M:11 N:1 B:1", 2: "M:11 N:1 B:0", 3: "M:10 N:1 B:1", 4: "M:01 N:1 B:0", 5: "M:00 N:0 B:0"}
VERDICTS = {1: 1.0, 2: 1.0, 3: 0.5, 4: 0.5, 5: 0.0}


def control(trial: int, told: str, *more: Grade, case_id: str = "a", **of_case: Any) -> Profile:
    at = {"trial": trial, "case_id": case_id}
    grades = [*rules(told, **at), *references("11", **at), *more]
    return read(grades, make_case(case_id, **of_case), is_control=True, trial=trial, system="s1")


def a_set(
    case_id: str, told: dict[int, str], verdicts: dict[int, float] | None = None, **of_case: Any
) -> list[Profile]:
    made = []
    for trial, rules_told in told.items():
        more = whole(verdicts[trial], 0.1, trial=trial, case_id=case_id) if verdicts else []
        made.append(control(trial, rules_told, *more, case_id=case_id, **of_case))
    return made


@pytest.mark.parametrize(
    ("trial", "told", "expected"),
    [
        (1, "M:11 N:1 B:0", 1),
        (1, "M:10 N:1 B:0", 0),
        (1, "M:11 N:0 B:0", 0),
        (3, "M:10 N:1 B:1", 1),
        (3, "M:01 N:1 B:1", 1),  # another one missed than expected: the outcome is right, single rules tell the rest
        (3, "M:11 N:1 B:1", 0),
        (3, "M:00 N:1 B:1", 0),  # nothing of the right answer is no partly right one
        (3, "M:10 N:0 B:1", 0),
        (5, "M:11 N:0 B:1", 1),
        (5, "M:00 N:1 B:0", 1),
        (5, "M:10 N:1 B:0", 0),
        (1, "M:u1 N:1 B:0", 0),  # a quote that is not there is no right grade
        (1, "M:11 N:r B:0", 0),
    ],
)
def test_outcome_of_pass_one(trial: int, told: str, expected: int) -> None:
    assert scores(control(trial, told))["control_right_atomic"] == expected


def test_the_only_statement_of_a_case_may_be_missed_by_a_partly_right_answer() -> None:
    of = truth(m=1)
    of["controls"] = {"3": {"kind": "partly", "misses": ["M1"], "violates": []}}
    assert scores(control(3, "M:0 N:1 B:0", of=of))["control_right_atomic"] == 1


@pytest.mark.parametrize("told", ["M:1- N:1 B:1", "M:1? N:1 B:1", "M:1n N:1 B:1"])
def test_a_question_that_was_not_answered_leaves_the_control_out(told: str) -> None:
    assert "control_right_atomic" not in scores(control(1, told))


def test_single_rules_as_expected() -> None:
    """Trial 4 misses M1: fulfilled M1 is unexpected, M2 and N1 are as expected; an ungrounded rule is out."""
    assert scores(control(4, "M:11 N:1 B:1"))["control_rules"] == pytest.approx(2 / 3)
    assert scores(control(4, "M:01 N:1 B:1"))["control_rules"] == 1
    assert scores(control(4, "M:u1 N:1 B:1"))["control_rules"] == 1
    assert scores(control(5, "M:00 N:1 B:1"))["control_rules"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("trial", "two", "expected"),
    [
        (1, {"verdict": (1, 1)}, 1),
        (1, {"verdict": (1, 0.5)}, 0),
        (3, {"verdict": (0.5, 0.5)}, 1),
        (5, {"verdict": (0, 0), "preferred": (0.5, 0.5)}, 1),
        (1, {"verdict": (1, 1), "preferred": (1, 0)}, 0),  # the preference flips
        (3, {"verdict": (1, 0), "preferred": (1, 0)}, 0),  # a mean of 0.5 by flipping is no judgement
        (1, {"verdict": (1, 1), "faults": ("ungrounded", None)}, 0),
        (1, {"verdict": (1, 1), "faults": ("unasked", None)}, None),
    ],
)
def test_verdict_of_pass_two(trial: int, two: dict[str, Any], expected: int | None) -> None:
    """Before pass 1 lowers it: the judge finds a violation in a right answer, and still the verdict of pass 2 is judged alone."""
    found = scores(control(trial, RIGHT[trial], *model("M:11 N:0 B:1", of_answer={"trial": trial}, **two)), "j1")
    assert found.get("control_right_holistic") == expected


def twelve() -> list[Profile]:
    """Twelve cases, 60 controls: all right in pass 1 but two partly ones of one case; verdicts of all foils of four cases are wrong."""
    made = []
    for n in range(12):
        category = "deadline-calculation" if n < 4 else "scope-limitation"
        verdicts = {**VERDICTS, 5: 0.5} if n < 4 else VERDICTS
        told = {**RIGHT, 3: "M:11 N:1 B:1", 4: "M:11 N:1 B:1"} if n == 0 else RIGHT
        made += a_set(f"c{n}", told, verdicts, category=category, state="draft")
    return made


def test_fitness_by_hand() -> None:
    """58 of 60 and 56 of 60 with Wilson; by kind 22 of 24 partly right ones, by category 18 and 16 of 20."""
    rows: Rows = keyed(folded(twelve()))

    def share(group: tuple[str, str], metric: str) -> tuple[float | None, int, float | None]:
        row = rows[(*group, metric, "signals")]
        return row.value, row.n_documents, row.low

    for group, metric, right, n in (
        (("overall", "all"), "control_right_atomic", 58, 60),
        (("overall", "all"), "control_right_holistic", 56, 60),
        (("control_kind", "right"), "control_right_atomic", 24, 24),
        (("control_kind", "partly"), "control_right_atomic", 22, 24),
        (("control_kind", "foil"), "control_right_holistic", 8, 12),
        (("category", "deadline-calculation"), "control_right_atomic", 18, 20),
        (("category", "deadline-calculation"), "control_right_holistic", 16, 20),
        (("category", "scope-limitation"), "control_right_holistic", 40, 40),
    ):
        assert share(group, metric) == (pytest.approx(right / n), n, pytest.approx(wilson(right, n)[0])), (
            group,
            metric,
        )
    rules_row = rows["overall", "all", "control_rules", "signals"]
    assert (rules_row.value, rules_row.n_documents, rules_row.n_items) == (pytest.approx(1 - 2 / 180), 12, 60)
    assert not {key for key in rows if not key[2].startswith("control")}


def row_of(metric: str, judge: str = "signals", **more: Any) -> Tendency:
    base: dict[str, Any] = {
        **STAMP.model_dump(), "split": "public", "dimension": "overall", "group_name": "all", "metric": metric, "judge_id": judge,
        "value": 0.5, "low": 0.4, "high": 0.6, "method": "wilson", "n_documents": 10, "n_items": 10, "n_left_out": 0, "note": None,
    }  # fmt: skip
    return Tendency(**(base | more))


def fit_rows(judge: str, atomic: int, holistic: int, n: int = 40) -> list[Tendency]:
    made = []
    for metric, right in (("control_right_atomic", atomic), ("control_right_holistic", holistic)):
        low, high = wilson(right, n)
        made.append(row_of(metric, judge, value=right / n, low=low, high=high, system_id="known", n_documents=n))
    return made


def test_a_judge_is_fit_from_the_lower_end_of_its_interval() -> None:
    """34 of 40 is fit (Wilson 0.709…), 33 is not (0.680…); each pass for itself, and the verdict needs both."""
    assert wilson(33, 40)[0] < readings.FIT_LOW <= wilson(34, 40)[0]
    fitness = FitnessOf(fit_rows("signals", 34, 33))
    assert fitness.beside(row_of("correctness")).is_decisive
    assert not fitness.beside(row_of("unsafe_completeness")).is_decisive
    assert not fitness.beside(row_of("verdict")).is_decisive
    assert fitness.beside(row_of("verdict")).row == fitness.rows["signals", "holistic"]
    assert fitness.beside(row_of("flip_rate")).is_decisive


def test_a_judge_without_graded_controls_decides_nothing() -> None:
    fitness = FitnessOf(fit_rows("signals", 40, 40))
    assert (fitness.beside(row_of("correctness", "jana")).why, fitness.beside(row_of("correctness", "jana")).row) == (
        "no_controls",
        None,
    )


def test_a_mean_of_models_is_decisive_where_each_of_them_is() -> None:
    """j1 comes from the judged's own vendor and is unfit: without it the mean decides."""
    rows = [*fit_rows("j1", 10, 10), *fit_rows("j2", 40, 40)]
    rows += [
        row_of("same_vendor", "j1", value=1.0),
        row_of("same_vendor", "j2", value=0.0),
        row_of("same_vendor", "judges"),
    ]
    fitness = FitnessOf(rows)
    assert (fitness.members("s1", "judges"), fitness.members("s1", "other_vendors")) == (["j1", "j2"], ["j2"])
    assert not fitness.beside(row_of("correctness", "judges")).is_decisive
    assert fitness.beside(row_of("correctness", "other_vendors")).is_decisive
    assert (fitness.is_own("s1", "judges"), fitness.is_own("s1", "other_vendors"), fitness.is_own("s1", "j1")) == (
        True,
        False,
        True,
    )


def test_a_judge_that_always_prefers_the_first_text_is_unfit_and_decides_nothing() -> None:
    controls = []
    for n in range(12):
        for trial, told in RIGHT.items():
            at = {"trial": trial, "case_id": f"c{n}"}
            controls.append(control(trial, told, *always_first(told, **at), case_id=f"c{n}"))
    answers = [
        read(
            [
                *rules("M:11 N:1 B:1", case_id=f"c{n}"),
                *references("11", case_id=f"c{n}"),
                *always_first(case_id=f"c{n}"),
            ],
            make_case(f"c{n}"),
        )
        for n in range(12)
    ]
    known, tested = folded(controls, system_id="s1"), keyed(folded(answers))
    fitness = FitnessOf(known)
    assert fitness.rows["j1", "holistic"].value == 0
    flips = tested["overall", "all", "flip_rate", "j1"]
    assert (flips.value, flips.n_documents) == (1.0, 12)
    composite = tested["overall", "all", "holistic_composite", "j1"]
    assert (composite.value, composite.note, composite.n_left_out) == (None, "nothing_decided", 12)
    assert not fitness.beside(tested["overall", "all", "unsafe_completeness", "j1"]).is_decisive
    assert tested["left_out", "flipped", "error_count", "j1"].value == 12


def test_a_control_of_which_nothing_is_expected_is_an_error() -> None:
    case = make_case(of={**truth(), "controls": {}})
    with pytest.raises(ValueError, match="'a': nothing is expected of the control answer 1; the case tells of none"):
        read(rules("M:11 N:1 B:1"), case, is_control=True)
    assert profile_control.__doc__


def test_an_ordinary_answer_has_no_control_scores() -> None:
    """Every truth tells of its controls, so the trial alone makes nobody a control."""
    assert not [s for s in read([*rules("M:11 N:1 B:1"), *in_both()]).scores if s.metric.startswith("control")]
