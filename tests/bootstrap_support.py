"""The BCa bootstrap (Efron 1987) once more, in plain Python, for tests of intervals (S-1)."""

import math
import random
from collections.abc import Sequence
from statistics import NormalDist

HAIR = 1e-9
"""Sums in another order differ in the last digits."""


def of_sums(rows: Sequence[tuple[float, ...]]) -> float:
    """A ratio of sums, or the difference of two."""
    sums = [sum(column) for column in zip(*rows, strict=True)]
    return sums[0] / sums[1] - (sums[2] / sums[3] if len(sums) == 4 else 0)


def plain_bootstrap(rows: Sequence[tuple[float, ...]], n_resamples: int = 4000) -> tuple[float, float, float]:
    """Whole clusters drawn with replacement: both ends by BCa, and the standard deviation.

    A row is (points, possible) of one document, or (points, possible, points, possible) of a pair.
    """
    rng, normal, whole = random.Random(11), NormalDist(), of_sums(rows)
    values = sorted(of_sums([rng.choice(rows) for _ in rows]) for _ in range(n_resamples))
    mean = sum(values) / n_resamples
    spread = math.sqrt(sum((v - mean) ** 2 for v in values) / n_resamples)
    below = sum(v < whole - HAIR for v in values) + sum(v <= whole + HAIR for v in values)
    bias = normal.inv_cdf(below / (2 * n_resamples))
    left_out = [of_sums([*rows[:i], *rows[i + 1 :]]) for i in range(len(rows))]
    apart = [sum(left_out) / len(rows) - v for v in left_out]
    acceleration = sum(x**3 for x in apart) / (6 * sum(x**2 for x in apart) ** 1.5)
    ends = []
    for tail in (0.025, 0.975):
        z = bias + normal.inv_cdf(tail)
        at = round(normal.cdf(bias + z / (1 - acceleration * z)) * n_resamples)
        ends.append(values[min(n_resamples - 1, at)])
    return ends[0], ends[1], spread
