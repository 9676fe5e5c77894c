"""Two sides on the same cases: the paired difference, its interval, its test, and what a set of this size can show at all (S-2).

A side is one number a cluster (a document, with all its fields and trials): points and points possible. The compared number is the ratio of
sums, as everywhere (D-14), and the difference is B minus A.

- Interval: the ratio is linearised, cluster by cluster, and Student's interval of the mean stands around it (`scipy.stats`). A few documents
  that fail as a whole make tails so heavy that the spread itself is hardly known; the degrees of freedom follow from the excess kurtosis k,
  2 / (k / n + 2 / (n - 1)), by the variance of a sample's variance. In simulations of skewed sets (`tests/profiles/test_comparison.py`) it
  missed the truth no more often than 5 % of sets allow for; the bootstrap's interval of a difference missed it in up to 8 %. What no
  document of the set shows, no method can see.
- Test: signs of the clusters' differences are flipped (`scipy.stats.permutation_test`), all of them where there are few enough. It
  supposes only that, were there no difference, each cluster could as well have come out the other way round.
- Correction: Holm, over all comparisons that one question makes (`statsmodels.stats.multitest`); what is decisive is decided by it alone.
- The smallest difference that the set can show: that which the paired t-test finds in 80 % of such sets at 5 % (`statsmodels.stats.power`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from profiles.intervals import Array, wilson

ALPHA = 0.05
POWER = 0.8
N_RESAMPLES = 9999
"""Flips drawn where not all can be tried: the smallest p-value is then 0.0001, and 0.05 is told to within 0.002."""

BATCH_ITEMS = 1_000_000
"""Signs drawn at once, 8 MB."""

FEW_CLUSTERS = 2


@dataclass(frozen=True)
class Difference:
    """B minus A of one number over the cases that both have.

    left, right: the numbers of A and B; value: their difference; low, high: its 95 % interval, None with fewer than two clusters.
    p_value: of the permutation test; p_holm: after Holm's correction over its family (equal to p_value before `corrected`).
    n_clusters: documents on both sides; n_differ: of them, where A and B differ. smallest: the smallest difference that a set of
    this size and spread shows in 80 % of cases; None where no cluster differs, or no difference of shares would do.
    """

    left: float
    right: float
    low: float | None
    high: float | None
    p_value: float
    p_holm: float
    n_clusters: int
    n_differ: int
    smallest: float | None

    @property
    def value(self) -> float:
        """B minus A."""
        return self.right - self.left

    @property
    def is_decisive(self) -> bool:
        """Whether the corrected test tells A and B apart at 5 % (S-2)."""
        return self.p_holm < ALPHA


def compare(
    left: tuple[Array, Array], right: tuple[Array, Array], rng: np.random.Generator, *, is_share: bool = True
) -> Difference | None:
    """The difference of two sides; None where they share no cluster with something possible on both sides.

    left, right: points and points possible of A and of B, one number a cluster in the same order; clusters with nothing possible
    on either side are left out. is_share: whether the numbers are shares from 0 to 1; then an end of the interval beyond -1 or 1, where no
    difference can lie, is drawn back to it (Student's interval of two clusters is easily ten times as wide as the scale), and a smallest
    difference beyond 1 is none.
    """
    both = (left[1] > 0) & (right[1] > 0)
    n = int(both.sum())
    if n == 0:
        return None
    (a, a_of), (b, b_of) = ((points[both], possible[both]) for points, possible in (left, right))
    p, q = float(a.sum() / a_of.sum()), float(b.sum() / b_of.sum())
    parts = b / b_of.sum() - a / a_of.sum()
    n_differ = int(np.count_nonzero(np.abs(parts) > 1e-12))
    if n_differ == 0:
        low, high = _agreeing(0.0, n)
        return Difference(p, q, low, high, 1.0, 1.0, n, 0, None)
    tests = _flipped(parts, rng)
    spread = (q - p) + n * ((b - q * b_of) / b_of.sum() - (a - p * a_of) / a_of.sum())
    if n < FEW_CLUSTERS:
        return Difference(p, q, None, None, tests, tests, n, n_differ, None)
    low, high = _ends(spread)
    smallest = smallest_difference(float(np.std(spread, ddof=1)), n)
    if is_share:
        low, high = max(low, -1.0), min(high, 1.0)
        smallest = None if smallest is not None and smallest > 1 else smallest
    return Difference(p, q, low, high, tests, tests, n, n_differ, smallest)


def corrected(found: Sequence[Difference]) -> list[Difference]:
    """A family of differences with Holm's correction of their p-values, in the same order."""
    if not found:
        return []
    from statsmodels.stats.multitest import multipletests

    adjusted = multipletests([d.p_value for d in found], alpha=ALPHA, method="holm")[1]
    return [replace(d, p_holm=float(p)) for d, p in zip(found, adjusted, strict=True)]


def smallest_difference(deviation: float, n: int) -> float | None:
    """The smallest true difference that a paired test of n clusters finds with a power of 80 % at 5 % (D-20).

    deviation: standard deviation of the clusters' differences. None where it is 0, there are fewer than two clusters, or none would do.

    >>> round(smallest_difference(0.1, 150), 4)
    0.023
    """
    if deviation <= 0 or n < FEW_CLUSTERS:
        return None
    from statsmodels.stats.power import TTestPower

    effect = TTestPower().solve_power(nobs=n, alpha=ALPHA, power=POWER, alternative="two-sided")
    size = float(np.asarray(effect).ravel()[0])
    return size * deviation if np.isfinite(size) and size > 0 else None


def ranks(names: Sequence[str], values: Sequence[float], decisive: set[tuple[str, str]]) -> dict[str, int]:
    """The rank of each: 1 more than the number of those that are decisively better; what the data cannot tell apart shares a rank.

    values: higher is better; decisive: pairs of names that the corrected test tells apart, in any order. Where three are told apart only
    from end to end, the middle one shares the rank of the upper end: nobody is decisively better than it.

    >>> ranks(["a", "b", "c"], [0.9, 0.88, 0.5], {("a", "c"), ("c", "b")})
    {'a': 1, 'b': 1, 'c': 3}
    """
    by_name = dict(zip(names, values, strict=True))
    apart = decisive | {(b, a) for a, b in decisive}
    return {n: 1 + sum(by_name[m] > by_name[n] and (n, m) in apart for m in names) for n in names}


def _flipped(parts: Array, rng: np.random.Generator) -> float:
    """The two-sided p-value of the sum of the clusters' differences under flips of their signs; clusters that agree have no sign."""
    from scipy.stats import permutation_test

    some = parts[np.abs(parts) > 1e-12]
    if len(some) < FEW_CLUSTERS:
        return 1.0  # both flips of one difference are as far from 0
    found = permutation_test(
        (some,), _total, permutation_type="samples", vectorized=True, n_resamples=N_RESAMPLES,
        batch=max(1, BATCH_ITEMS // len(some)), alternative="two-sided", rng=rng,
    )  # fmt: skip
    return min(1.0, float(found.pvalue))


def _total(values: Array, axis: int = -1) -> Array:
    """Sums rounded far below any difference of points, so that equal sums in another order are equal."""
    return cast("Array", np.round(values.sum(axis=axis), 12))


def _ends(spread: Array) -> tuple[float, float]:
    if float(np.ptp(spread)) < 1e-9:
        return _agreeing(float(spread.mean()), len(spread))
    return _student(spread)


def _student(spread: Array) -> tuple[float, float]:
    """Student's interval of the mean, with as many degrees of freedom as the variance of so heavy-tailed a sample is known with."""
    from scipy.stats import kurtosis, sem, t

    n = len(spread)
    tails = max(float(kurtosis(spread, bias=False)), 0.0) if n > 3 else 0.0
    freedom = 2 / (tails / n + 2 / (n - 1))
    low, high = t.interval(0.95, freedom, loc=float(spread.mean()), scale=float(sem(spread)))
    return float(low), float(high)


def _agreeing(value: float, n: int) -> tuple[float, float]:
    """Where all clusters say the same the data have no spread: at most what n clusters without one that deviates allow, by Wilson."""
    reach = wilson(0, n)[1]
    return value - reach, value + reach
