"""Ranks and pairs by a set counted by hand; the p-values by all flips written out, Holm's correction by its own words (S-2)."""

from itertools import combinations, product
from typing import Any

import pandas as pd
import pytest

from profiles.ranking import rankings

DOCUMENTS = [f"d{n}" for n in range(8)]
RIGHT = {
    "best": [1, 1, 1, 1, 1, 1, 1, 1],
    "near": [1, 1, 1, 1, 1, 1, 1, 0],
    "poor": [0, 0, 0, 0, 0, 0, 0, 0],
}  # fmt: skip


def frame(points: list[int], documents: list[str] | None = None, **more: Any) -> pd.DataFrame:
    names = documents or DOCUMENTS
    base: dict[str, Any] = {
        "case_id": names, "trial": 1, "pair_id": names, "split": "public", "language": "cs", "state": None, "metric": "faultless",
        "judge_id": "", "item": "", "points": [float(p) for p in points], "possible": 1.0,
    }  # fmt: skip
    return pd.DataFrame(base | {"metric": "field_accuracy"} | more)


def fit(*names: str, judge: str = "") -> set[tuple[str, str, str]]:
    return {(n, judge, "field_accuracy") for n in names}


def by_all_flips(left: list[int], right: list[int]) -> float:
    """Two-sided: the share of all sign patterns whose sum is at least as far from 0 as the one seen."""
    differences = [b - a for a, b in zip(left, right, strict=True) if a != b]
    if not differences:
        return 1.0
    seen = abs(sum(differences))
    sums = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in product((1, -1), repeat=len(differences))
    ]
    return sum(s >= seen for s in sums) / len(sums)


def test_ranks_are_shared_by_what_the_data_cannot_tell_apart() -> None:
    (found,) = rankings({n: frame(p) for n, p in RIGHT.items()}, [("overall", "all")], RIGHT, fit(*RIGHT), 1)
    assert found.ranks == {"best": 1, "near": 1, "poor": 3}
    pairs = list(combinations(sorted(RIGHT), 2))
    plain = {p: by_all_flips(RIGHT[p[0]], RIGHT[p[1]]) for p in pairs}
    ordered, worst = sorted(pairs, key=lambda p: plain[p]), 0.0
    for at, pair in enumerate(ordered):
        worst = max(worst, min(1.0, plain[pair] * (len(pairs) - at)))
        duel = found.between(*pair)
        assert duel is not None
        assert duel.found is not None
        assert (duel.found.p_value, duel.found.p_holm) == (pytest.approx(plain[pair]), pytest.approx(worst))
    assert {(d.left, d.right): d.winner for d in found.duels} == {
        ("best", "near"): None, ("best", "poor"): "best", ("near", "poor"): "near",
    }  # fmt: skip


def test_a_judge_that_is_not_fit_decides_nothing() -> None:
    told = {n: frame(p, judge_id="j") for n, p in RIGHT.items()}
    (found,) = rankings(told, [("overall", "all")], RIGHT, set(), 1)
    assert set(found.ranks.values()) == {1}
    assert all(d.winner is None for d in found.duels)


def test_a_system_that_took_a_part_has_no_rank_and_is_compared_on_what_both_have() -> None:
    told = {"best": frame(RIGHT["best"]), "part": frame([1, 0], DOCUMENTS[:2])}
    (found,) = rankings(told, [("overall", "all")], ["best"], fit("best", "part"), 1)
    assert found.ranks == {"best": 1}
    (duel,) = found.duels
    assert duel.found is not None
    assert (duel.found.n_clusters, duel.found.value) == (2, -0.5)


def test_systems_without_a_shared_case_are_told_apart_by_nothing() -> None:
    told = {"one": frame([1, 1], ["a", "b"]), "two": frame([0, 0], ["c", "d"])}
    (found,) = rankings(told, [("overall", "all")], told, fit("one", "two"), 1)
    assert [d.found for d in found.duels] == [None]
    assert found.ranks == {"one": 1, "two": 1}
    assert found.n_pairs == 0


@pytest.mark.parametrize(("left", "right", "n"), [([1], [0], 1), ([1] * 8, [1] * 8, 8), ([0] * 8, [0] * 8, 8)])
def test_one_case_and_all_right_or_all_wrong_decide_nothing(left: list[int], right: list[int], n: int) -> None:
    names = DOCUMENTS[:n]
    (found,) = rankings(
        {"a": frame(left, names), "b": frame(right, names)}, [("overall", "all")], ["a", "b"], fit("a", "b"), 1
    )
    (duel,) = found.duels
    assert duel.winner is None
    assert duel.found is not None
    assert duel.found.low is None or duel.found.low <= duel.found.value <= (duel.found.high or 0)


def test_private_cases_and_what_nobody_approved_stay_out_of_the_whole() -> None:
    """G-8, L-4: one private case and one draft, each of which would turn the result round."""
    split = ["public"] * 7 + ["private"]
    state = ["approved"] * 6 + ["draft", "approved"]
    told = {n: frame(p, split=split, state=state) for n, p in RIGHT.items()}
    (found,) = rankings(told, [("overall", "all")], RIGHT, fit(*RIGHT), 1)
    counted = {d.found.n_clusters for d in found.duels if d.found}
    assert counted == {6}
