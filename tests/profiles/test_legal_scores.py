"""Areas, composites and behaviour of one answer against tables worked out by hand, in both readings where there are two (L-6 to L-10)."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from legal_grades import always_first, in_both, make_case, model, read, references, rules, scores, truth, whole

from schemas import readings
from schemas.grade import Grade

NEAR = {"abs": 1e-12}


@pytest.mark.parametrize(
    ("told", "cited", "extra", "areas", "factor", "flat"),
    [
        # all there: 0.5 + 0.25 + 0.15 + 0.1
        ("M:11 N:1 B:1", "11", 1, (1, 1, 1, 1), 1.0, 1.0),
        # one of two missed, R2 (weight 1 beside 2) incomplete: 0.25 + 0.25 + 0.15 * 2.5/3 + 0 = 0.625
        ("M:10 N:1 B:0", "1h", 0, (0.5, 1, 2.5 / 3, 0), 0.3125, 0.125),
        # one violated: 0.5 + 0 + 0.15 + 0.1 * 1/2 = 0.7
        ("M:11 N:0 B:1", "11", 0, (1, 0, 1, 0.5), 0.35, 0.2),
        # one missed, one violated: 0.25 + 0 + 0.15 + 0.05 = 0.45, a quarter of it; flat 0.45 - 1 ends at 0
        ("M:10 N:0 B:1", "11", 0, (0.5, 0, 1, 0.5), 0.1125, 0.0),
        # nothing
        ("M:00 N:0 B:0", "00", 0, (0, 0, 0, 0), 0.0, 0.0),
    ],
)
def test_atomic_composite_by_hand(
    told: str, cited: str, extra: int, areas: tuple[float, ...], factor: float, flat: float
) -> None:
    """L-6, L-7 in both readings of the 50 %."""
    found = scores(read([*rules(told), *references(cited, extra)]))
    assert [found[a] for a in ("correctness", "avoidance", "grounding", "bonus")] == pytest.approx(areas, **NEAR)
    assert found["atomic_composite"] == pytest.approx(factor, **NEAR)
    assert found["atomic_composite_flat"] == pytest.approx(flat, **NEAR)


def test_three_rules_and_two_more() -> None:
    """2/3, 1/2, 2/3 and 1/3: 0.33333 + 0.125 + 0.1 + 0.03333 = 0.591667, once for the missed and once for the violated."""
    case = make_case(of=truth(m=3, n=2, b=2))
    found = scores(read([*rules("M:110 N:10 B:10"), *references("10")], case))
    assert found["atomic_composite"] == pytest.approx(0.591666666666667 / 4, abs=1e-12)
    assert found["atomic_composite_flat"] == 0


def test_a_case_without_may_contain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Citations beyond the minimum are the whole bonus; in the other reading the three other areas weigh 90."""
    case = make_case(of=truth(b=0))
    grades = [*rules("M:10 N:1"), *references("11", extra=1)]
    assert scores(read(grades, case))["atomic_composite"] == pytest.approx((0.25 + 0.25 + 0.15 + 0.1) / 2, **NEAR)
    monkeypatch.setattr(readings, "BONUS_COUNTS_EXTRA", False)
    found = scores(read(grades, case))
    assert "bonus" not in found
    assert found["atomic_composite"] == pytest.approx((0.25 + 0.25 + 0.15) / 0.9 / 2, **NEAR)


def test_grades_outside_the_denominator_are_left_out_and_counted() -> None:
    """An ungrounded rule is neither fulfilled nor missed (G-7): one of one left, so no penalty; 0.5 + 0.25 + 0.15 + 0.05."""
    found = scores(read([*rules("M:u1 N:1 B:1"), *references("11")]))
    assert (found["correctness"], found["left_out_ungrounded"]) == (1, 1)
    assert found["atomic_composite"] == pytest.approx(0.95, **NEAR)
    assert "key_missed" not in found
    found = scores(read([*rules("M:r? N:1 B:n"), *references("11")]))
    assert [found[f"left_out_{why}"] for why in ("unread", "unasked", "not_judged")] == [1, 1, 1]
    assert "correctness" not in found
    assert "atomic_composite" not in found


@pytest.mark.parametrize("told", ["M:1- N:1 B:1", "M:11 N:- B:1", "M:11 N:1 B:-"])
def test_a_missing_grade_leaves_no_composite(told: str) -> None:
    found = scores(read([*rules(told), *references("11")]))
    assert found["left_out_missing"] == 1
    assert "atomic_composite" not in found
    without = scores(read(rules("M:11 N:1 B:1")))
    assert "grounding" not in without
    assert "atomic_composite" not in without


def test_references_serve_every_judge_unless_it_has_its_own() -> None:
    grades = [*rules("M:11 N:1 B:1"), *references("1h"), *model(), *rules("M:11 N:1 B:1", judge_id="jana")]
    grades += references("00", judge_id="jana")
    profile = read(grades)
    assert [scores(profile, j)["grounding"] for j in ("signals", "j1", "jana")] == pytest.approx([2.5 / 3, 2.5 / 3, 0])


def test_holistic_composite_of_the_mechanical_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    """No argument: citations 0.5 and completeness 1 share the 30 %. 0.4 + 0.3 * 0.8 + 0.3 * 0.75; else (0.4 + 0.24 + 0.15) / 0.9."""
    grades = [*rules("M:11 N:1 B:1"), *references("11"), *whole(1, 0.2)]
    assert scores(read(grades))["holistic_composite"] == pytest.approx(0.865, **NEAR)
    monkeypatch.setattr(readings, "QUALITIES_TOGETHER", False)
    assert scores(read(grades))["holistic_composite"] == pytest.approx(0.79 / 0.9, **NEAR)


def test_the_mean_of_both_orders_counts_and_the_difference_is_kept() -> None:
    """L-8: verdict 0.75, unsafe 0.3, qualities 0.5: 0.3 + 0.21 + 0.15."""
    profile = read(
        [*rules("M:11 N:1 B:1"), *references("11"), *model(verdict=(1, 0.5), unsafe=(0.2, 0.4), quality=0.5)]
    )
    found = scores(profile, "j1")
    assert (found["verdict"], found["order_difference"]) == (0.75, pytest.approx(0.2))
    assert found["holistic_composite"] == pytest.approx(0.66, **NEAR)


def test_a_violation_in_pass_one_makes_the_verdict_wrong_for_that_judge_alone() -> None:
    """L-8: 0 + 0.21 + 0.15 for the one that found it; the other one keeps its verdict."""
    both: dict[str, Any] = {"verdict": (1, 0.5), "unsafe": (0.2, 0.4), "quality": 0.5}
    grades = [*rules("M:11 N:1 B:1"), *references("11"), *model("M:11 N:0 B:1", **both), *model(judge="j2", **both)]
    profile = read(grades)
    assert (scores(profile, "j1")["verdict"], scores(profile, "j2")["verdict"]) == (0, 0.75)
    assert scores(profile, "j1")["holistic_composite"] == pytest.approx(0.36, **NEAR)


def test_one_order_that_cannot_be_used_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    grades = [*rules("M:11 N:1 B:1"), *references("11"), *model(faults=("ungrounded", None))]
    found = scores(read(grades), "j1")
    assert found["left_out_ungrounded"] == 7
    assert not {"verdict", "holistic_composite", "flipped", "order_difference", "aware"} & found.keys()
    assert found["atomic_composite"] == pytest.approx(0.95)
    monkeypatch.setattr(readings, "NEEDS_BOTH_ORDERS", False)
    monkeypatch.setattr(readings, "FLIP_DECIDES_NOTHING", False)
    assert scores(read(grades), "j1")["verdict"] == 1


def test_a_judge_that_prefers_the_first_text_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """It flips, and only that and the difference are kept; pass 1 has no order and stays."""
    grades = [*rules("M:11 N:1 B:1"), *references("11"), *always_first()]
    found = scores(read(grades), "j1")
    assert (found["flipped"], found["order_difference"]) == (1, 1)
    assert (
        not {"verdict", "unsafe_completeness", "holistic_composite", "looks_complete", "unsafe", "aware"} & found.keys()
    )
    assert found["atomic_composite"] == pytest.approx(0.95)
    monkeypatch.setattr(readings, "FLIP_DECIDES_NOTHING", False)
    assert scores(read(grades), "j1")["verdict"] == 0.5


def test_unsafe_needs_both_passes() -> None:
    """L-10: the key exception missed, and the answer presents itself as complete; M2 is no key exception."""
    for told, complete, expected in (("M:01", 1, 1), ("M:01", 0, 0), ("M:10", 1, 0), ("M:11", 1, 0)):
        found = scores(read([*rules(f"{told} N:1 B:1"), *references("11"), *whole(0.5, 0.5, complete=complete)]))
        assert (found["unsafe"], found["key_missed"]) == (expected, float(told == "M:01")), told
    half = scores(read([*rules("M:11 N:1 B:1"), *model("M:01 N:1 B:1", complete=(1, 0))]), "j1")
    assert half["unsafe"] == 0.5


def test_behaviour_is_the_judges_label() -> None:
    grades = [*rules("M:11 N:1 B:1"), *whole(1, 0, behaviour="aware"), *model(behaviour=("overclaiming", "none"))]
    names = ("overclaiming", "underclaiming", "aware")
    profile = read(grades)
    assert [scores(profile)[b] for b in names] == [0, 0, 1]
    assert [scores(profile, "j1")[b] for b in names] == [0.5, 0, 0]


def test_a_refusal_is_underclaiming_with_no_correctness(monkeypatch: pytest.MonkeyPatch) -> None:
    """L-9: whatever the judges say; both must_contain count as missed: (0 + 0.25 + 0.15 + 0.05) / 4."""
    grades = [*rules("M:11 N:1 B:1"), *references("11"), *model(behaviour=("aware", "aware"))]
    for judge in ("signals", "j1"):
        found = scores(read(grades, status="refused"), judge)
        assert (found["correctness"], found["underclaiming"], found["aware"], found["key_missed"]) == (0, 1, 0, 1)
        assert found["atomic_composite"] == pytest.approx(0.45 / 4, **NEAR)
    monkeypatch.setattr(readings, "REFUSAL_MISSES_ALL", False)
    assert scores(read(grades, status="refused"), "j1")["correctness"] == 1


def test_the_mean_of_models_with_and_without_the_own_vendor() -> None:
    """Programs and people are none of them."""
    grades = [*rules("M:00 N:0 B:0"), *references("11"), *rules("M:00 N:0 B:0", judge_id="jana")]
    grades += [*model("M:11 N:1 B:1", "j1", same=True), *model("M:10 N:1 B:1", "j2"), *model("M:00 N:1 B:1", "j3")]
    profile = read(grades)
    assert scores(profile, "judges")["correctness"] == pytest.approx(0.5)
    assert scores(profile, "other_vendors")["correctness"] == pytest.approx(0.25)
    own = {s.judge_id: s.is_same_vendor for s in profile.scores}
    assert own == {
        "signals": False,
        "jana": False,
        "j1": True,
        "j2": False,
        "j3": False,
        "judges": True,
        "other_vendors": False,
    }
    assert not [s for s in read([g for g in grades if not g.judge_id.startswith("j")]).scores if s.judge_id == "judges"]


def test_the_mean_is_over_the_judges_that_decided() -> None:
    grades = [
        *rules("M:11 N:1 B:1"),
        *references("11"),
        *always_first(judge="j1"),
        *model(judge="j2", verdict=(0.5, 0.5)),
    ]
    found = scores(read(grades), "judges")
    assert (found["verdict"], found["flipped"]) == (0.5, 0.5)


marks = st.lists(st.sampled_from("01u"), min_size=1, max_size=4).map("".join)


@settings(max_examples=60, deadline=None)
@given(
    marks,
    marks,
    st.lists(st.sampled_from("01"), max_size=3).map("".join),
    st.text("01h", min_size=2, max_size=2),
    st.booleans(),
)
def test_more_right_rules_never_lower_a_composite(m: str, n: str, b: str, r: str, extra: bool) -> None:
    """A law: both stay from 0 to 1, the factor is never the lower reading, and mending one rule never costs anything."""
    case = make_case(of=truth(m=len(m), n=len(n), b=len(b)))

    def found(m: str, n: str) -> dict[str, float]:
        told = f"M:{m} N:{n}" + (f" B:{b}" if b else "")
        return scores(read([*rules(told), *references(r, int(extra))], case))

    first = found(m, n)
    if "atomic_composite" in first:
        assert 0 <= first["atomic_composite_flat"] <= first["atomic_composite"] + 1e-12 <= 1 + 1e-9
        for mended in (found(m.replace("0", "1", 1), n), found(m, n.replace("0", "1", 1))):
            assert mended["atomic_composite"] >= first["atomic_composite"] - 1e-12
            assert mended["atomic_composite_flat"] >= first["atomic_composite_flat"] - 1e-12


def test_the_order_of_grades_has_no_meaning() -> None:
    grades: list[Grade] = [
        *rules("M:10 N:1 B:1"),
        *references("1h"),
        *whole(0.5, 0.2),
        *model(),
        *in_both(judge_id="j2"),
    ]
    assert read(grades).scores == read(grades[::-1]).scores
