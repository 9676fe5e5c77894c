"""Several judges of the role-play side by side: the median of what they say, and how far apart they are (G-5, R-9, `readings.JUDGES_TOGETHER`).

Computed from the tendencies of single judges when it is shown, and never stored. A judge counts for a number where it gave one; whether a
system is ranked follows from all judges that graded it: where half of them or more exclude every run of it, it is listed and not ranked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import median

from profiles.fitness import FitnessOf
from profiles.roleplay_found import Found
from schemas.tendency import Metric, Tendency


@dataclass(frozen=True)
class Spread:
    """One number by several judges: their values by judge, the median, the lowest and the highest."""

    by_judge: Mapping[str, float]
    is_decisive: bool

    @property
    def middle(self) -> float:
        """The median; with two judges halfway between them.

        >>> Spread({"a": 0.5, "b": 0.75, "c": 1.0}, True).middle, Spread({"a": 0.5, "b": 1.0}, True).middle
        (0.75, 0.75)
        """
        return median(self.by_judge.values())

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest value."""
        return min(self.by_judge.values()), max(self.by_judge.values())


@dataclass(frozen=True)
class Together:
    """One system in one language by all judges that graded it: numbers by metric, who ranks it, who excludes it."""

    system: str
    judges: tuple[str, ...]
    excluding: tuple[str, ...]
    numbers: Mapping[str, Spread]

    @property
    def is_ranked(self) -> bool:
        """Whether more than half of its judges rank it (R-7)."""
        return 2 * len(self.excluding) < len(self.judges)


def together(
    found: Found,
    fitness: FitnessOf,
    language: str,
    systems: Sequence[str],
    judges: Sequence[str],
    metrics: Sequence[Metric],
) -> list[Together]:
    """Systems that two judges or more graded in a language, by falling median of T; those that are not ranked after them."""
    told = [_of(found, fitness, language, system, judges, metrics) for system in systems]
    several = [one for one in told if len(one.judges) > 1]

    def key(one: Together) -> tuple[bool, float, str]:
        sieve = one.numbers.get("sieve")
        return not one.is_ranked, -sieve.middle if sieve else 0.0, one.system

    return sorted(several, key=key)


def _of(
    found: Found, fitness: FitnessOf, language: str, system: str, judges: Sequence[str], metrics: Sequence[Metric]
) -> Together:
    at = {
        (j, m): r for j in judges for m in (*metrics, "sieve") if (r := found.get(("language", language, system, j, m)))
    }
    there = tuple(
        j for j in judges if (r := at.get((j, "sieve"))) and (r.value is not None or r.note == "all_excluded")
    )
    numbers = {m: _spread([(j, at[j, m]) for j in there if (j, m) in at], fitness) for m in metrics}
    return Together(
        system=system, judges=there, excluding=tuple(j for j in there if at[j, "sieve"].value is None),
        numbers={m: spread for m, spread in numbers.items() if spread is not None},
    )  # fmt: skip


def _spread(rows: Sequence[tuple[str, Tendency]], fitness: FitnessOf) -> Spread | None:
    """What judges say of one number; it decides only where each of them is fit (S-5). None where nobody says anything."""
    values = {judge: row.value for judge, row in rows if row.value is not None}
    if not values:
        return None
    return Spread(values, all(fitness.beside(row).is_decisive for judge, row in rows if judge in values))
