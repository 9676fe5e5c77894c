"""Intervals of 95 % for shares, means and differences of twins (S-1).

Documents are the clusters: an array holds one number a document, in which all fields and trials of that document are pooled, since they
are not independent. Where each document brings exactly one observation of 0 or 1 the share is plain and gets the Wilson interval;
every other share is a ratio of sums and gets the interval of the cluster bootstrap (as `scipy.stats.bootstrap`), bias-corrected and
accelerated (BCa, Efron 1987) up to `BCA_MOST` documents, by percentiles above, where the two no longer differ. Where all documents
agree the bootstrap has no width, and Wilson over documents stands in (`schemas.readings.DEGENERATE_INTERVAL`).

A limit: a failure that only a few documents of the set show is hard to bound. On simulated sets (six distributions, 400 sets each) the BCa
interval held the truth in at least 93 % of sets of 150 documents (percentiles: 90 %). Where 3 % of documents fail as a whole it held it in
81 % of sets of 60 and 64 % of 20, since one in six such sets of 60 shows no such document at all; elsewhere in at least 92 % and 86 %.
A design effect (Clopper and Pearson's interval of an effective number of documents, Korn and Graubard 1998) holds it no more often, since
it is made from the same documents. Only room for what no document shows would (`unseen`), and that makes the interval of a set
without such failures three times as wide, so it is told beside the method and not put into every interval.
"""

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from profiles.resamples import BATCH_ITEMS, N_RESAMPLES, resampled

Array = NDArray[np.float64]

Method = Literal["cluster_bootstrap", "wilson", "none"]

CONFIDENCE = 0.95
BCA_MOST = 1000
"""Documents up to which the interval is BCa; the correction falls with the root of their number, its cost grows with the square."""

SMALL_PRODUCT = 200_000
"""Multiplications in a product of matrices up to which BLAS keeps to one thread; where cores are shared, waking others takes longer."""


@dataclass(frozen=True)
class Estimate:
    """A number and its 95 % interval; None where it cannot be said."""

    value: float | None
    low: float | None = None
    high: float | None = None
    method: Method = "none"


NOTHING = Estimate(None)


def generator(seed: int, *key: str) -> np.random.Generator:
    """The generator of one published number: from the recorded seed and the key of its row, so no order of work changes it (S-4).

    >>> generator(7, "cs", "faultless").integers(1000) == generator(7, "cs", "faultless").integers(1000)
    np.True_
    """
    digest = hashlib.sha256("\0".join((str(seed), *key)).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest))


def wilson(successes: float, n: int) -> tuple[float, float]:
    """Ends of the Wilson interval of a share; n >= 1 observations.

    successes may be broken (documents that are each right to 10/13): then the interval spans those of both neighbouring counts.

    >>> [round(end, 4) for end in wilson(8, 10)]
    [0.4902, 0.9433]
    """
    exact = round(successes, 9)
    return _wilson(math.floor(exact), n)[0], _wilson(math.ceil(exact), n)[1]


@lru_cache(maxsize=1 << 16)
def _wilson(successes: int, n: int) -> tuple[float, float]:
    """The interval of a whole count; scipy works out a test on the way, a millisecond a call, and the same counts come again and again."""
    from scipy.stats import binomtest

    found = binomtest(successes, n).proportion_ci(CONFIDENCE, method="wilson")
    return float(found.low), float(found.high)


def unseen(n: int) -> float:
    """The largest share of documents that can fail in a way that none of n >= 1 documents shows, with 95 % certainty.

    The upper end of Clopper and Pearson's one-sided interval for 0 of n, which the rule of three, 3 / n, approximates.

    >>> [round(unseen(n), 3) for n in (20, 60, 150)]
    [0.139, 0.049, 0.02]
    """
    from scipy.stats import binomtest

    return float(binomtest(0, n, alternative="less").proportion_ci(CONFIDENCE, method="exact").high)


def share(points: Array, possible: Array, rng: np.random.Generator) -> Estimate:
    """The share sum(points) / sum(possible) over documents (D-14); documents with nothing possible are left out.

    points, possible: one number a document, 0 <= points <= possible.
    """
    asked = possible > 0
    points, possible = points[asked], possible[asked]
    n = len(possible)
    if n == 0:
        return NOTHING
    value = float(points.sum() / possible.sum())
    if bool(np.all(possible == 1)) and bool(np.all((points == 0) | (points == 1))):
        return Estimate(value, *wilson(float(points.sum()), n), "wilson")
    ends = _bootstrap((points, possible), _ratio, rng)
    if ends is None:
        return Estimate(value, *wilson(value * n, n), "wilson")
    return Estimate(value, *ends, "cluster_bootstrap")


def shares(points: Array, possible: Array, rng: np.random.Generator) -> list[Estimate]:
    """Many shares over the same documents at once, one a row, each as by `share` with the same generator; rows share their resamples.

    points, possible: one row a share, one column a document, 0 <= points <= possible and possible > 0.
    """
    n = points.shape[1]
    if n == 0:
        return [NOTHING] * len(points)
    values = points.sum(axis=1) / possible.sum(axis=1)
    is_plain = np.all(possible == 1, axis=1) & np.all((points == 0) | (points == 1), axis=1)
    each = points / possible
    is_drawn = ~is_plain & np.any(each != each[:, :1], axis=1)
    ends = dict(zip(np.flatnonzero(is_drawn).tolist(), _drawn(points[is_drawn], possible[is_drawn], rng), strict=True))
    found = []
    for row, value in enumerate(map(float, values)):
        low, high = ends.get(row, (value, value))
        if is_plain[row]:
            found.append(Estimate(value, *wilson(float(points[row].sum()), n), "wilson"))
        elif high - low > 1e-12 * max(abs(low), abs(high)):
            found.append(Estimate(value, low, high, "cluster_bootstrap"))
        else:
            found.append(Estimate(value, *wilson(value * n, n), "wilson"))
    return found


def _drawn(points: Array, possible: Array, rng: np.random.Generator) -> list[tuple[float, float]]:
    """Ends of the intervals of all rows: how often each document is drawn in a resample, times its numbers.

    Rows that are the same are worked out once.
    """
    if not len(points):
        return []
    n = points.shape[1]
    rows, at = np.unique(np.hstack([points, possible]), axis=0, return_inverse=True)
    below, under = np.unique(rows[:, n:], axis=0, return_inverse=True)
    drawn, batch = [], max(1, min(N_RESAMPLES, BATCH_ITEMS // n, SMALL_PRODUCT // (n * len(rows))))
    for start in range(0, N_RESAMPLES, batch):
        size = min(batch, N_RESAMPLES - start)
        picked = rng.integers(0, n, (size, n)) + n * np.arange(size)[:, None]
        times = np.bincount(picked.ravel(), minlength=size * n).reshape(size, n).astype(np.float64)
        drawn.append((times @ rows[:, :n].T) / (times @ below.T)[:, under.ravel()])
    found = np.round(np.concatenate(drawn).T, 12)  # products of matrices of another shape differ in the last digits
    if n <= BCA_MOST:
        each = zip(found, rows, strict=True)
        ends = [_bca(values, _ratio(row[:n], row[n:]), _ratio_without(row[:n], row[n:])) for values, row in each]
        return [ends[row] for row in at.ravel()]
    tail = 100 * (1 - CONFIDENCE) / 2
    low, high = np.percentile(found, [tail, 100 - tail], axis=1, overwrite_input=True)
    return [(float(low[row]), float(high[row])) for row in at.ravel()]


def _bca(drawn: Array, value: float, without: Array) -> tuple[float, float]:
    """Ends of the BCa interval from resamples, the number of the whole and the numbers without each cluster; as scipy has it, but faster.

    The formulas are 14.10, 14.14 and 14.15 of Efron and Tibshirani, An Introduction to the Bootstrap (1993). Where leaving out any cluster
    changes nothing, or every resample lies on one side, only percentiles are left.
    """
    from scipy.special import ndtr, ndtri

    apart = without.mean() - without
    spread = float((apart**2).sum())
    hair = 1e-12 * max(1.0, abs(value))  # sums in another order differ in the last digits
    below = float(((drawn < value - hair).mean() + (drawn <= value + hair).mean()) / 2)
    levels = np.array([(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    if spread > 0 and 0 < below < 1:
        z = ndtri(below) + ndtri(levels)
        levels = ndtr(ndtri(below) + z / (1 - (apart**3).sum() / spread**1.5 / 6 * z))
    low, high = np.percentile(drawn, 100 * levels)
    return float(low), float(high)


def mean(totals: Array, counts: Array, rng: np.random.Generator, *, scale: float = 1.0) -> Estimate:
    """scale × sum(totals) / sum(counts) over documents: money a document, tokens over English tokens; no interval where all agree."""
    if not counts.sum() > 0:
        return NOTHING
    value = float(totals.sum() / counts.sum()) * scale
    ends = _bootstrap((totals, counts), _ratio, rng)
    if ends is None:
        return Estimate(value)
    return Estimate(value, ends[0] * scale, ends[1] * scale, "cluster_bootstrap")


def gap(left: tuple[Array, Array], right: tuple[Array, Array], rng: np.random.Generator) -> Estimate:
    """The difference of two shares of twins, left minus right (D-15); the clusters are the pairs.

    left, right: points and points possible, one number a pair and side, possible > 0. Where all pairs agree Newcombe's interval of a
    difference stands in, made of the Wilson intervals of both sides, each pair one observation a side.
    """
    n = len(left[0])
    if n == 0:
        return NOTHING
    p, q = (float(points.sum() / possible.sum()) for points, possible in (left, right))
    ends = _bootstrap((*left, *right), _difference, rng)
    if ends is not None:
        return Estimate(p - q, *ends, "cluster_bootstrap")
    (p_low, p_high), (q_low, q_high) = wilson(p * n, n), wilson(q * n, n)
    return Estimate(
        p - q, p - q - math.hypot(p - p_low, q_high - q), p - q + math.hypot(p_high - p, q - q_low), "wilson"
    )


def _ratio(points: Array, possible: Array, axis: int = -1) -> Any:
    return points.sum(axis=axis) / possible.sum(axis=axis)


def _ratio_without(points: Array, possible: Array) -> Array:
    """The ratio without each cluster; where one cluster holds all that is possible the rest says nothing, and the whole stands in."""
    rest = possible.sum() - possible
    whole = np.full(len(points), _ratio(points, possible))
    return cast(Array, np.divide(points.sum() - points, rest, out=whole, where=rest > 0))


def _difference(points: Array, possible: Array, other: Array, other_possible: Array, axis: int = -1) -> Any:
    return _ratio(points, possible, axis) - _ratio(other, other_possible, axis)


def _bootstrap(
    data: tuple[Array, ...], statistic: Callable[..., Any], rng: np.random.Generator
) -> tuple[float, float] | None:
    """Ends of the interval with whole clusters drawn; None where it has no width.

    Up to `BCA_MOST` clusters these are the resamples and the ends, to the last digit, that `scipy.stats.bootstrap` gives with this generator
    and this batch; above, clusters of a kind are drawn together (`profiles.resamples`).
    """
    from scipy.stats import quantile

    n = len(data[0])
    if n < 2:
        return None
    found = statistic(*(sums[:, None] for sums in resampled(data, rng, alone=BCA_MOST)))
    tail = (1 - CONFIDENCE) / 2
    low, high = map(float, quantile(found, np.array([tail, 1 - tail])))
    if n <= BCA_MOST and high > low:
        halves = [_ratio_without(*data[i : i + 2]) for i in range(0, len(data), 2)]
        without = halves[0] - halves[1] if len(halves) == 2 else halves[0]
        low, high = _bca(found, float(statistic(*data)), without)
    return (low, high) if high - low > 1e-12 * max(abs(low), abs(high)) else None
