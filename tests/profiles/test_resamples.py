"""Clusters drawn by their kinds, against exact distributions and scipy's bootstrap (S-1)."""

from collections import Counter

import numpy as np
import pytest
from scipy.stats import binom, bootstrap, chisquare, ks_2samp

from profiles import intervals, resamples
from profiles.resamples import Array, resampled

ALONE = intervals.BCA_MOST


def documents(n: int) -> tuple[Array, Array]:
    """Invoices of 11 to 13 fields whose own difficulty differs."""
    draw = np.random.default_rng(n)
    possible = draw.integers(11, 14, n)
    return draw.binomial(possible, draw.beta(9, 1, n)).astype(float), possible.astype(float)


def test_a_rare_kind_is_drawn_as_often_as_the_binomial_distribution_says() -> None:
    """Three of 3,000 documents fail as a whole: how many of them a resample holds is binomial, and the sum of points tells it."""
    points = np.full(3000, 12.0)
    points[[5, 700, 2999]] = 0
    sums, whole = resampled((points, np.full(3000, 12.0)), np.random.default_rng(1), ALONE)
    assert set(whole) == {36_000.0}
    seen = Counter(np.round((whole - sums) / 12).astype(int).tolist())
    expected = [*binom.pmf(range(8), 3000, 3 / 3000), binom.sf(7, 3000, 3 / 3000)]
    found = [*(seen[k] for k in range(8)), sum(v for k, v in seen.items() if k > 7)]
    assert chisquare(found, np.array(expected) * resamples.N_RESAMPLES).pvalue > 0.001


@pytest.mark.parametrize("n", [1001, 5000, 20_000])
def test_kinds_give_the_distribution_that_scipys_clusters_give(n: int) -> None:
    data = documents(n)

    def ratio(p: Array, q: Array, axis: int = -1) -> Array:
        return np.asarray(p.sum(axis=axis) / q.sum(axis=axis))

    theirs = bootstrap(
        data,
        ratio,
        paired=True,
        vectorized=True,
        n_resamples=resamples.N_RESAMPLES,
        batch=20,
        method="percentile",
        rng=2,
    )
    assert resamples._kinds(data) is not None
    sums = resampled(data, np.random.default_rng(3), ALONE)
    assert ks_2samp(sums[0] / sums[1], theirs.bootstrap_distribution).pvalue > 0.001
    told = intervals.share(*data, np.random.default_rng(3))
    spread = float(theirs.standard_error)
    ends = (theirs.confidence_interval.low, theirs.confidence_interval.high)
    assert (told.low, told.high) == pytest.approx(ends, abs=0.3 * spread)


def test_twins_stay_together() -> None:
    """The variance of a paired difference, by the formula of a mean: twins drawn apart would have nearly twice of it."""
    draw = np.random.default_rng(4)
    ease, size = draw.beta(3, 1, 12_000), np.full(12_000, 11.0)
    czech, english = (draw.binomial(11, ease).astype(float) for _ in range(2))
    sums = resampled((czech, size, english, size), np.random.default_rng(5), ALONE)
    expected = np.std((czech - english) / 11) / np.sqrt(12_000)
    assert np.std(sums[0] / sums[1] - sums[2] / sums[3]) == pytest.approx(expected, rel=0.06)


def test_spend_of_many_kinds_keeps_its_mean_and_its_spread() -> None:
    """40,000 different costs become at most 128 kinds: the mean of all is what it was, the spread what the formula of a mean says."""
    cost = np.random.default_rng(6).gamma(4, 0.001, 40_000)
    kinds = resamples._kinds((cost, np.ones(40_000)))
    assert kinds is not None
    rows, counts = kinds
    assert len(counts) <= resamples.STEPS
    assert (rows[:, 0] @ counts, counts.sum()) == pytest.approx((cost.sum(), 40_000), rel=1e-12)
    assert (rows[:, 0] - cost.mean()) ** 2 @ counts / 40_000 == pytest.approx(cost.var(), rel=resamples.LOST)
    sums = resampled((cost, np.ones(40_000)), np.random.default_rng(7), ALONE)
    assert np.std(sums[0] / sums[1]) == pytest.approx(cost.std() / 200, rel=0.06)


def test_where_steps_would_lose_variance_clusters_are_drawn() -> None:
    """One cost that is far beyond all others makes the steps so wide that the others fall into one."""
    cost = np.random.default_rng(8).gamma(4, 0.001, 40_000)
    cost[17] = 10.0
    assert resamples._kinds((cost, np.ones(40_000))) is None
    sums = resampled((cost, np.ones(40_000)), np.random.default_rng(9), ALONE)
    assert np.array_equal(sums, resamples._drawn((cost, np.ones(40_000)), np.random.default_rng(9)))


def test_few_clusters_are_drawn_one_by_one() -> None:
    """Up to `BCA_MOST` documents nothing moves: the draws stay those of scipy, whatever the kinds."""
    data = documents(ALONE)
    sums = resampled(data, np.random.default_rng(1), ALONE)
    assert np.array_equal(sums, resamples._drawn(data, np.random.default_rng(1)))
    assert not np.array_equal(sums, resampled(data, np.random.default_rng(1), ALONE - 1))
