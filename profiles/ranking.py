"""All systems of a suite against each other: each pair over the public cases that both have, and the ranks that follow (S-2).

One ranking answers one question: who is better by one number of one judge in one group of cases. Holm corrects over all its pairs. Systems
that were measured on a part of the set alone are compared on the cases that they share with others, and have no rank.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from profiles.comparison import Difference, compare, corrected, ranks
from profiles.intervals import generator
from profiles.measures import sign_of
from profiles.paired import aligned

if TYPE_CHECKING:
    import pandas as pd

HEADLINES = ("field_accuracy", "atomic_composite", "trial_score", "sieve", "presence")
"""The numbers by which a standing is told, one or two a suite; T and R of the role-play stay apart (R-8)."""

APPROVED = "approved"
"""Of a set whose cases have states only what a person approved is the whole (L-4)."""


@dataclass(frozen=True)
class Duel:
    """Two systems on the cases that both have; found: right minus left, None where they share no scored case.

    is_fit: whether the judge is fit to decide for both (S-5).
    """

    left: str
    right: str
    found: Difference | None
    is_fit: bool = True
    sign: int = 1

    @property
    def winner(self) -> str | None:
        """The system that is decisively better; None where the data cannot tell."""
        if self.found is None or not (self.found.is_decisive and self.is_fit):
            return None
        return self.right if self.found.value * self.sign > 0 else self.left

    def seen_from(self, system: str) -> tuple[str, int]:
        """The other system, and 1 where the difference is to be read as it is, -1 where it turns round."""
        return (self.left, 1) if system == self.right else (self.right, -1)


@dataclass(frozen=True)
class Ranking:
    """One number of one judge in one group of cases: ranks of the systems measured on all of it, and every pair.

    dimension, group: as in `tendencies`; n_pairs: pairs that Holm's correction counts.
    """

    metric: str
    judge_id: str
    dimension: str
    group: str
    ranks: Mapping[str, int]
    duels: tuple[Duel, ...]

    @property
    def n_pairs(self) -> int:
        """Pairs that could be compared."""
        return sum(duel.found is not None for duel in self.duels)

    def of(self, system: str) -> list[Duel]:
        """The pairs of one system."""
        return [duel for duel in self.duels if system in (duel.left, duel.right)]

    def between(self, one: str, other: str) -> Duel | None:
        """The pair of two systems, in whichever order; None where there is none."""
        return next((d for d in self.duels if {d.left, d.right} == {one, other}), None)


def rankings(
    frames: Mapping[str, "pd.DataFrame"],
    groups: Sequence[tuple[str, str]],
    whole: Collection[str],
    fit: Collection[tuple[str, str, str]],
    seed: int,
) -> list[Ranking]:
    """Every ranking that a suite's public answers give.

    frames: `profiles.measures.measures` by system, and the state of each case as a column; groups: (`overall`, `all`) or a value of a dimension;
    whole: systems that were measured on all cases; fit: (system, judge, metric) whose judge may decide; seed: of the test's flips (S-4).
    """
    found = []
    for dimension, group in groups:
        cut = {name: _cut(frame, dimension, group) for name, frame in frames.items()}
        for metric, judge in _questions(cut):
            one = {n: f[(f["metric"] == metric) & (f["judge_id"] == judge)] for n, f in cut.items()}
            there = {n: f for n, f in one.items() if len(f)}
            duels = tuple(_duels(there, (metric, judge), fit, (seed, dimension, group, metric, judge)))
            found.append(Ranking(metric, judge, dimension, group, _ranks(there, whole, duels, sign_of(metric)), duels))
    return found


def _cut(frame: "pd.DataFrame", dimension: str, group: str) -> "pd.DataFrame":
    whole = frame[(frame["item"] == "") & (frame["split"] == "public")]
    if dimension != "overall":
        return whole[whole[dimension] == group]
    approved = whole["state"] == APPROVED if "state" in whole else None
    return whole if approved is None or not approved.any() else whole[approved]


def _questions(frames: Mapping[str, "pd.DataFrame"]) -> list[tuple[str, str]]:
    pairs = {
        (str(m), str(j))
        for f in frames.values()
        for m, j in zip(f["metric"], f["judge_id"], strict=True)
        if m in HEADLINES
    }
    return sorted(pairs, key=lambda p: (HEADLINES.index(p[0]), p[1]))


def _duels(
    frames: Mapping[str, "pd.DataFrame"],
    question: tuple[str, str],
    fit: Collection[tuple[str, str, str]],
    key: tuple[int, str, str, str, str],
) -> Iterator[Duel]:
    metric, judge = question
    seed, *words = key
    pairs = list(combinations(sorted(frames), 2))
    told = {
        pair: compare(*aligned(frames[pair[0]], frames[pair[1]]), generator(seed, "ranking", *words, *pair))
        for pair in pairs
    }
    there = {pair: one for pair, one in told.items() if one is not None}
    adjusted = dict(zip(there, corrected(list(there.values())), strict=True))
    for left, right in pairs:
        is_fit = all((system, judge, metric) in fit for system in (left, right))
        yield Duel(left, right, adjusted.get((left, right)), is_fit, sign_of(metric))


def _ranks(
    frames: Mapping[str, "pd.DataFrame"], whole: Collection[str], duels: Sequence[Duel], sign: int
) -> dict[str, int]:
    names = [name for name in sorted(frames) if name in whole]
    values = [sign * float(frames[n]["points"].sum() / frames[n]["possible"].sum()) for n in names]
    return ranks(names, values, {(d.left, d.right) for d in duels if d.winner is not None})
