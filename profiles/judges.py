"""Agreement of judges: Krippendorff's alpha, Cohen's kappa, Spearman's rank correlation, bias (S-3).

Only what two judges both graded is compared; a grade outside the denominator is none. The numbers say how far judges agree, not who is
right: that is told by the controls (S-5).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from schemas.grade import Grade

if TYPE_CHECKING:
    import pandas as pd

Unit = tuple[str, ...]
Values = Mapping[str, Mapping[Unit, float]]
"""By judge, what it gave to each unit: an item of an answer."""


@dataclass(frozen=True)
class Pair:
    """Two judges on the units that both graded: kappa, Spearman and bias are None where they are not defined.

    bias: how much higher the first one grades on average, as a share of the points possible.
    """

    first: str
    second: str
    n: int
    agreement: float | None
    kappa: float | None
    spearman: float | None
    bias: float | None


def values_of(grades: Iterable[Grade], items: Sequence[str] = ()) -> dict[str, dict[Unit, float]]:
    """Grades as shares of their points, by judge and unit (system, case, trial, pass, item); orders of an item are units of their own.

    items: only those whose name, without the order, is or begins with one of these.
    """
    found: dict[str, dict[Unit, float]] = {}
    for g in grades:
        name = g.item.split("@")[0]
        if g.max_points > 0 and (not items or name.startswith(tuple(items))):
            unit = (g.system_id, g.case_id, str(g.trial), g.pass_name, name)
            found.setdefault(g.judge_id, {}).setdefault((*unit, g.item), g.points / g.max_points)
    return {judge: _mean(units) for judge, units in found.items()}


def _mean(units: Mapping[Unit, float]) -> dict[Unit, float]:
    """Orders of one item are one unit, their mean."""
    together: dict[Unit, list[float]] = {}
    for unit, value in units.items():
        together.setdefault(unit[:-1], []).append(value)
    return {unit: sum(values) / len(values) for unit, values in together.items()}


def matrix(values: Values) -> "pd.DataFrame":
    """One row a judge, one column a unit, NaN where a judge gave nothing; judges and units in the order of their names."""
    import pandas as pd

    units = sorted({unit for of_one in values.values() for unit in of_one})
    judges = sorted(values)
    told = [[values[judge].get(unit, np.nan) for unit in units] for judge in judges]
    return pd.DataFrame(told, index=judges, columns=range(len(units)))


def alpha(values: Values) -> float | None:
    """Krippendorff's alpha for ordinal grades over all judges; None with fewer than two judges on any unit, or where all grades are one.

    With a single value nothing could have been disagreed about, so there is no agreement to speak of either.
    """
    import krippendorff

    table = matrix(values)
    shared = table.loc[:, table.notna().sum() >= 2] if len(table) else table
    given = shared.to_numpy(dtype=float)
    if given.size == 0 or len(np.unique(given[~np.isnan(given)])) < 2:
        return None
    return float(krippendorff.alpha(reliability_data=given, level_of_measurement="ordinal"))


def kappa(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Cohen's kappa of two judges over the same units, each value a category; None where chance alone would always agree.

    >>> yes_no = [(1, 1)] * 20 + [(1, 0)] * 5 + [(0, 1)] * 10 + [(0, 0)] * 15
    >>> round(kappa(*zip(*yes_no)), 3)
    0.4
    """
    n = len(first)
    if n == 0:
        return None
    categories = sorted({*first, *second})
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    by_chance = sum(list(first).count(c) * list(second).count(c) for c in categories) / n**2
    return None if by_chance == 1 else (observed - by_chance) / (1 - by_chance)


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Spearman's rank correlation, ties with their mean rank; None below three units or where one side has a single value."""
    from scipy.stats import spearmanr

    if len(first) < 3 or len(set(first)) < 2 or len(set(second)) < 2:
        return None
    return float(spearmanr(first, second).statistic)


def bias(first: Sequence[float], second: Sequence[float]) -> float | None:
    """By how much the first judge grades higher on average; None without units."""
    return float(np.mean(np.asarray(first) - np.asarray(second))) if len(first) else None


def pairs(values: Values) -> list[Pair]:
    """Every pair of judges that share a unit, in the order of their names."""
    found = []
    for a, b in combinations(sorted(values), 2):
        units = sorted(values[a].keys() & values[b].keys())
        left, right = ([values[judge][unit] for unit in units] for judge in (a, b))
        if units:
            same = sum(x == y for x, y in zip(left, right, strict=True)) / len(units)
            found.append(Pair(a, b, len(units), same, kappa(left, right), spearman(left, right), bias(left, right)))
    return found
