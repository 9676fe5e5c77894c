"""Paired comparisons against exact tests, published formulas, a second library and simulated truths (S-2)."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy.stats import kurtosis, ttest_rel, wilcoxon

from profiles import comparison
from profiles.comparison import compare, corrected, ranks, smallest_difference
from profiles.intervals import Array, generator

ONES = np.ones(8)


def flipped_by_hand(differences: list[float]) -> float:
    """Every flip of every sign: the share whose sum is as far from 0 as the one seen."""
    seen = abs(sum(differences))
    sums = [
        abs(sum(s * d for s, d in zip(signs, differences, strict=True)))
        for signs in product((1, -1), repeat=len(differences))
    ]
    return sum(s >= seen - 1e-12 for s in sums) / len(sums)


@pytest.mark.parametrize("right", [[1, 1, 1, 1, 1, 1, 1, 1], [0, 0, 1, 1, 1, 1, 1, 0], [0, 1, 0, 1, 1, 0, 1, 1]])
def test_the_test_is_exact_where_all_flips_can_be_tried(right: list[float]) -> None:
    left = [1.0, 1, 0, 1, 0, 1, 1, 0]
    found = compare((np.array(left), ONES), (np.array(right, dtype=float), ONES), generator(1))
    assert found is not None
    assert found.p_value == pytest.approx(flipped_by_hand([b - a for a, b in zip(left, right, strict=True)]))


def test_three_wins_of_three_are_not_decisive() -> None:
    """Signs of three differences have 8 flips, two of which are as extreme: p = 0.25."""
    found = compare((np.array([0.0, 0, 0, 1, 1]), np.ones(5)), (np.ones(5), np.ones(5)), generator(1))
    assert found is not None
    assert (found.p_value, found.n_differ, found.is_decisive) == (0.25, 3, False)


def test_the_interval_is_that_of_the_paired_t_test_where_clusters_are_equal() -> None:
    """With equally large documents the linearised ratio is the mean of differences (scipy's `ttest_rel`)."""
    rng, size = np.random.default_rng(4), np.full(40, 12.0)
    a, b = rng.binomial(12, 0.8, 40).astype(float), rng.binomial(12, 0.9, 40).astype(float)
    found = compare((a, size), (b, size), generator(1))
    ends = ttest_rel(b / 12, a / 12).confidence_interval(0.95)
    assert kurtosis(b - a) < 0, "tails no heavier than the normal ones, so all degrees of freedom are left"
    assert found is not None
    assert (found.low, found.high) == pytest.approx((ends.low, ends.high))


def test_the_test_agrees_with_a_rank_test_on_a_clear_difference() -> None:
    rng, size = np.random.default_rng(6), np.full(60, 12.0)
    a, b = rng.binomial(12, 0.7, 60).astype(float), rng.binomial(12, 0.9, 60).astype(float)
    found = compare((a, size), (b, size), generator(1))
    assert found is not None
    assert found.p_value <= 0.0002 > wilcoxon(a, b).pvalue


def test_holm_by_hand() -> None:
    """0.01, 0.04, 0.03: the smallest times 3, the next times 2, the last times 1, never falling."""
    rng = generator(1)
    base = compare((np.array([1.0, 0]), np.ones(2)), (np.array([0.0, 1]), np.ones(2)), rng)
    assert base is not None
    family = [replace(base, p_value=p) for p in (0.01, 0.04, 0.03)]
    assert [d.p_holm for d in corrected(family)] == pytest.approx([0.03, 0.06, 0.06])
    assert corrected([]) == []


def test_the_smallest_difference_is_found_in_four_of_five_sets() -> None:
    """A published table of the paired t-test: d = 0.5 needs 34 pairs for a power of 0.80 (Cohen 1988, as G*Power has it)."""
    assert smallest_difference(1.0, 34) == pytest.approx(0.5, abs=0.01)
    assert smallest_difference(0.0, 34) is None
    assert smallest_difference(1.0, 1) is None


def test_equal_sides_have_no_difference_and_an_interval_that_says_how_little_is_known() -> None:
    found = compare((ONES, ONES), (ONES, ONES), generator(1))
    assert found is not None
    reach = 1.959963984540054**2 / (8 + 1.959963984540054**2)
    assert (found.value, found.low, found.high, found.p_value) == pytest.approx((0, -reach, reach, 1))
    assert found.smallest is None


def test_where_every_case_differs_by_the_same_the_interval_is_not_a_point() -> None:
    found = compare((np.zeros(30), np.full(30, 4.0)), (np.ones(30), np.full(30, 4.0)), generator(1))
    assert found is not None
    reach = 1.959963984540054**2 / (30 + 1.959963984540054**2)
    assert (found.low, found.high) == pytest.approx((0.25 - reach, 0.25 + reach))
    assert found.is_decisive


def test_an_interval_of_shares_ends_where_the_scale_does() -> None:
    """Two documents: Student's quantile with one degree of freedom is 12.7, so the ends would lie at 0.5 ± 6.35; of counts they stay there."""
    left, right = (np.array([0.0, 0]), np.ones(2)), (np.array([1.0, 0]), np.ones(2))
    share, count = (compare(left, right, generator(1), is_share=is_share) for is_share in (True, False))
    assert share is not None
    assert count is not None
    assert (share.low, share.high, share.smallest) == (-1.0, 1.0, None)
    reach = 12.706204736 * 0.5
    assert (count.low, count.high) == pytest.approx((0.5 - reach, 0.5 + reach))
    assert (share.value, share.p_value) == (count.value, count.p_value)


def test_cases_without_possible_points_do_not_count_and_none_is_no_comparison() -> None:
    some = compare((np.array([1.0, 0]), np.array([1.0, 0])), (np.array([0.0, 1]), np.ones(2)), generator(1))
    assert some is not None
    assert some.n_clusters == 1
    assert (some.low, some.high, some.p_value) == (None, None, 1.0)
    assert compare((np.zeros(2), np.zeros(2)), (np.ones(2), np.ones(2)), generator(1)) is None


def test_ranks_share_what_cannot_be_told_apart() -> None:
    names, values = ["a", "b", "c", "d"], [0.95, 0.94, 0.90, 0.5]
    apart = {("a", "c"), ("d", "a"), ("b", "d"), ("c", "d")}
    assert ranks(names, values, apart) == {"a": 1, "b": 1, "c": 2, "d": 4}
    assert ranks(names, values, set()) == dict.fromkeys(names, 1)


def sides(rng: np.random.Generator, n: int, kind: str) -> tuple[Array, Array, Array]:
    """Points of A and B and points possible of n documents of 10 to 13 fields, whose own difficulty both sides meet."""
    size, ease = rng.integers(10, 14, n), rng.beta(20, 1, n)
    other = {
        "null": ease,
        "fields": np.clip(ease - 0.03, 0, 1),
        "documents": np.where(rng.random(n) < 0.08, ease / 2, ease),
        "harder": ease**2,
    }[kind]
    return rng.binomial(size, ease).astype(float), rng.binomial(size, other).astype(float), size.astype(float)


def bound(n: int, share: float = 0.05) -> float:
    """The upper end of 99.9 % of binomial counts (one-sided normal, 3.09 standard errors)."""
    return share + 3.09 * float(np.sqrt(share * (1 - share) / n))


@pytest.mark.parametrize("n", [50, 150])
def test_without_a_difference_no_more_than_one_in_twenty_is_decisive(monkeypatch: pytest.MonkeyPatch, n: int) -> None:
    """2,000 sets without any difference: decisive ones within the 99.9 % binomial bound around 5 %."""
    monkeypatch.setattr(comparison, "N_RESAMPLES", 299)
    monkeypatch.setattr(comparison, "smallest_difference", lambda *_: None)
    rng, decisive = np.random.default_rng(31), 0
    for i in range(2000):
        a, b, size = sides(rng, n, "null")
        found = compare((a, size), (b, size), generator(i))
        decisive += found is not None and found.p_value < 0.05
    assert 0.02 < decisive / 2000 < bound(2000)


@pytest.mark.parametrize("n", [50, 150])
@pytest.mark.parametrize("kind", ["fields", "documents", "harder"])
def test_intervals_miss_a_known_difference_no_more_than_one_in_twenty(
    monkeypatch: pytest.MonkeyPatch, kind: str, n: int
) -> None:
    """2,000 sets with a known difference: intervals that miss it within the 99.9 % binomial bound around 5 %, or below."""
    monkeypatch.setattr(comparison, "_flipped", lambda *_: 1.0)  # the interval needs no test
    monkeypatch.setattr(comparison, "smallest_difference", lambda *_: None)
    a, b, size = sides(np.random.default_rng(99), 1_000_000, kind)
    truth = float(b.sum() / size.sum() - a.sum() / size.sum())
    rng, missed = np.random.default_rng(37), 0
    for i in range(2000):
        a, b, size = sides(rng, n, kind)
        found = compare((a, size), (b, size), generator(i))
        assert found is not None
        assert found.low is not None
        assert found.high is not None
        missed += not found.low <= truth <= found.high
    assert missed / 2000 < bound(2000)
