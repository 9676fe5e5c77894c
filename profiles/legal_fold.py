"""Legal answers of one system over a whole edition: every judge's numbers by group, and the fitness of judges from control answers.

Approved cases are the standing: dimensions overall, area, category, meta_task. Cases of another state stand apart, as `state` (group
`draft` or `reviewed`) and as `area_draft`, `category_draft` and so on (L-4). Legal sets are public as a whole (G-8).

A number is the mean over cases of what an answer came to, all trials of a case pooled; a case is the cluster of the bootstrap (S-1).
n_documents: cases that the judge decided anything about, n_items: answers, n_left_out: the other cases of the group.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, cast

import numpy as np

from profiles import intervals
from profiles.intervals import Array, Estimate
from profiles.legal_controls import KIND_OF
from profiles.legal_marks import MECHANICAL
from profiles.legal_path import ERRORS
from profiles.legal_scores import LEFT_OUT
from schemas.stamp import Stamp
from schemas.tendency import Metric, Tendency

if TYPE_CHECKING:
    import pandas as pd

Numbers = np.ndarray[Any, np.dtype[np.int_]]

APPROVED = "approved"
GROUPS = ("area", "category", "meta_task")

METRICS: dict[str, Metric] = {
    "atomic_composite": "atomic_composite", "atomic_composite_flat": "atomic_composite_flat", "correctness": "correctness",
    "avoidance": "avoidance", "grounding": "grounding", "bonus": "bonus", "key_missed": "key_missed", "violated": "violated",
    "holistic_composite": "holistic_composite", "unsafe_completeness": "unsafe_completeness", "unsafe": "unsafe_completeness_rate",
    "overclaiming": "overclaiming", "underclaiming": "underclaiming", "aware": "aware", "flipped": "flip_rate",
    "order_difference": "order_difference",
}  # fmt: skip
"""Scores of a profile that are told of every group, with the name of their metric."""

WHOLE_METRICS: dict[str, Metric] = {
    "verdict": "verdict", "argument": "argument", "citations": "citations", "completeness": "completeness",
    "looks_complete": "looks_complete", "same_vendor": "same_vendor",
}  # fmt: skip
"""Those told of whole sets alone."""

ABOUT_JUDGES = frozenset({"flipped", "order_difference"})
"""Scores of judges that are asked in both orders."""

CONTROL_METRICS: tuple[Metric, ...] = ("control_right_atomic", "control_right_holistic", "control_rules")

NO_CASES, NOTHING_DECIDED = "no_cases", "nothing_decided"
"""Why there is no number: no case of the group was answered; the judge decided nothing about any of them."""


@dataclass(frozen=True)
class Cell:
    """A group of cases: `columns` says which."""

    dimension: str
    group: str
    columns: "np.ndarray[Any, np.dtype[np.bool_]]"

    @property
    def is_whole(self) -> bool:
        """Whether it is a whole state, so that parts of composites are told too."""
        return self.dimension in ("overall", "state")


def tendencies(profiles: "pd.DataFrame", stamp: Stamp) -> list[Tendency]:
    """All rows of one system.

    profiles: the columns of `Profile` but `critical_path`, in any order; rows of cases that were not asked may lack `scores`. Where they
    hold scores of control answers the rows are the fitness of judges: overall, by control_kind and by category, over cases of all states.
    ValueError for profiles of another system, or of private cases.
    """
    if strangers := set(profiles["system_id"]) - {stamp.system_id}:
        raise ValueError(f"tendencies of {stamp.system_id!r}: profiles of {min(strangers)!r} among them")
    if set(profiles["split"]) - {"public"}:
        raise ValueError(f"tendencies of {stamp.system_id!r}: a private case among them; legal sets are public")
    fold = _Fold(profiles.sort_values(["case_id", "trial"], ignore_index=True), stamp)
    return list(fold.controls() if fold.are_controls else fold.answers())


class _Score(NamedTuple):
    """One score of one answer, a row of `answers_of`."""

    answer: int
    judge: str
    metric: str
    value: float


class _Fold:
    """The scores of one system as numbers a judge, metric and case."""

    def __init__(self, profiles: "pd.DataFrame", stamp: Stamp) -> None:
        self.profiles, self.stamp = profiles, stamp
        self.answers_of = profiles[profiles["is_scored"].astype(bool)].reset_index(drop=True)

    @cached_property
    def scores(self) -> list[_Score]:
        """All scores of all scored answers."""
        lists = self.answers_of["scores"].tolist() if "scores" in self.answers_of else []
        return [
            _Score(n, s["judge_id"], s["metric"], s["value"]) for n, of_one in enumerate(lists) for s in _list(of_one)
        ]

    @property
    def are_controls(self) -> bool:
        return any(score.metric == "control_kind" for score in self.scores)

    def sums(
        self, metrics: Sequence[str], always: Collection[str], cluster: Numbers, n: int
    ) -> tuple[list[tuple[str, str]], Array, Array]:
        """(judge, metric) by row, and by row and cluster the sum and the count of values.

        Metrics of `always` have a row for every judge, since one that decided nothing is told as well.
        """
        rank = {metric: place for place, metric in enumerate(metrics)}
        wanted = [score for score in self.scores if score.metric in rank]
        there = {(score.judge, score.metric) for score in wanted}
        there |= {(judge, metric) for judge in {score.judge for score in self.scores} for metric in always}
        keys = sorted(there, key=lambda k: (_place(k[0]), rank[k[1]]))
        number = {key: row for row, key in enumerate(keys)}
        rows = np.array([number[score.judge, score.metric] for score in wanted], dtype=int)
        at = rows * n + cluster[np.array([score.answer for score in wanted], dtype=int)]
        values = np.array([score.value for score in wanted], dtype=float)
        total, count = (np.bincount(at, w, len(keys) * n).reshape(len(keys), n) for w in (values, np.ones(len(at))))
        return keys, total.astype(np.float64), count.astype(np.float64)

    def answers(self) -> Iterator[Tendency]:
        """Rows of a system under test."""
        cases = self.profiles.drop_duplicates("case_id").set_index("case_id")
        place = {case_id: number for number, case_id in enumerate(cases.index)}
        cluster = np.array([place[case_id] for case_id in self.answers_of["case_id"].tolist()], dtype=int)
        scored = np.bincount(cluster, minlength=len(cases)).astype(float)
        metrics = {**METRICS, **WHOLE_METRICS}
        keys, total, count = self.sums(list(metrics), METRICS.keys() - ABOUT_JUDGES, cluster, len(cases))
        for cell in _cells(cases):
            used = [row for row, (_, metric) in enumerate(keys) if cell.is_whole or metric in METRICS]
            for row, estimate, n in self.estimates(cell, total[used], count[used]):
                judge, metric = keys[used[row]]
                yield self.row(cell, metrics[metric], judge, estimate, n)
            if cell.is_whole:
                yield self.coverage(cell, scored)
                yield from self.left_out(cell, cluster)
                yield from self.errors(cell, cluster)

    def controls(self) -> Iterator[Tendency]:
        """Rows of control answers; every control is a cluster of its own where it is right or wrong, cases are where rules are counted."""
        answers = self.answers_of
        told: dict[int, str] = {s.answer: KIND_OF[s.value] for s in self.scores if s.metric == "control_kind"}
        graders = {s.judge for s in self.scores if s.metric == "control_kind"}
        self.scores = [s for s in self.scores if s.judge in graders]  # means of judges have no fitness of their own
        frame = answers.assign(control_kind=[told.get(n, "") for n in range(len(answers))])
        for metrics in (CONTROL_METRICS[:2], CONTROL_METRICS[2:]):
            is_each = metrics[0] != "control_rules"
            names = [f"{n}" for n in range(len(frame))] if is_each else sorted(set(frame["case_id"]))
            cluster = (
                np.arange(len(frame)) if is_each else np.array([names.index(c) for c in frame["case_id"]], dtype=int)
            )
            keys, total, count = self.sums(metrics, metrics, cluster, len(names))
            for dimension, groups in (("overall", ["all"]), ("control_kind", None), ("category", None)):
                if dimension == "control_kind" and not is_each:
                    continue
                for group in groups or sorted(set(frame[dimension])):
                    inside = np.ones(len(frame), dtype=bool) if groups else (frame[dimension] == group).to_numpy()
                    cell = Cell(dimension, group, np.bincount(cluster[inside], minlength=len(names)) > 0)
                    for row, estimate, n in self.estimates(cell, total, count):
                        yield self.row(cell, cast(Metric, keys[row][1]), keys[row][0], estimate, n)

    def estimates(self, cell: Cell, total: Array, count: Array) -> Iterator[tuple[int, Estimate, tuple[int, int, int]]]:
        """Each row's share in a cell with its n: documents, items, left out. Rows over the same documents share their resamples."""
        total, count = total[:, cell.columns], count[:, cell.columns]
        together: dict[bytes, list[int]] = {}
        for row, is_there in enumerate(count > 0):
            together.setdefault(is_there.tobytes(), []).append(row)
        found: dict[int, Estimate] = {}
        s = self.stamp
        for there, rows in together.items():
            mask = np.frombuffer(there, dtype=bool)
            key = (s.suite, s.edition, s.system_id, cell.dimension, cell.group, there.hex())
            rng = intervals.generator(s.seed, *key)
            made = intervals.shares(total[rows][:, mask], count[rows][:, mask], rng)
            found |= dict(zip(rows, made, strict=True))
        for row in range(len(total)):
            n = int((count[row] > 0).sum())
            yield row, found[row], (n, int(count[row].sum()), count.shape[1] - n)

    def coverage(self, cell: Cell, scored: Array) -> Tendency:
        """The share of cases with a scored answer."""
        there = scored[cell.columns] > 0
        n, k = len(there), int(there.sum())
        estimate = Estimate(k / n, *intervals.wilson(k, n), "wilson") if n else intervals.NOTHING
        return self.row(cell, "coverage", "", estimate, (n, int(scored[cell.columns].sum()), n - k))

    def left_out(self, cell: Cell, cluster: Numbers) -> Iterator[Tendency]:
        """How many grades of each judge stand outside the denominators, by why; flips are answers that it decided nothing about."""
        told: dict[tuple[str, str], list[float]] = {}
        for score in self.scores:
            if score.metric.startswith((LEFT_OUT, "flipped")) and cell.columns[cluster[score.answer]]:
                told.setdefault((score.judge, score.metric.removeprefix(LEFT_OUT)), []).append(score.value)
        for (judge, why), values in sorted(told.items()):
            yield self._count(cell, "left_out", why, judge, sum(values), len(values))

    def errors(self, cell: Cell, cluster: Numbers) -> Iterator[Tendency]:
        """In how many answers the mechanical judge finds each error of reasoning."""
        here = self.answers_of[cell.columns[cluster]]
        deviations = here["deviations"].map(_list)
        for error in ERRORS if len(here) else ():
            yield self._count(
                cell, "error", error, MECHANICAL, float(sum(error in found for found in deviations)), len(here)
            )

    def _count(self, cell: Cell, dimension: str, group: str, judge: str, value: float, n_items: int) -> Tendency:
        of_state = dimension if cell.dimension == "overall" else f"{dimension}_{cell.group}"
        counted = Cell(of_state, group, cell.columns)
        return self.row(counted, "error_count", judge, Estimate(value), (int(cell.columns.sum()), n_items, 0))

    def row(self, cell: Cell, metric: Metric, judge: str, estimate: Estimate, n: tuple[int, int, int]) -> Tendency:
        note = None if estimate.value is not None else NOTHING_DECIDED if cell.columns.any() else NO_CASES
        return Tendency(
            **self.stamp.model_dump(), split="public", dimension=cell.dimension, group_name=cell.group, metric=metric, judge_id=judge,
            value=estimate.value, low=estimate.low, high=estimate.high, method=estimate.method, n_documents=n[0], n_items=n[1],
            n_left_out=n[2], note=note,
        )  # fmt: skip


def _cells(cases: "pd.DataFrame") -> Iterator[Cell]:
    """The groups of each state; approved cases without a suffix, there also where no case is approved."""
    states = cases["state"].fillna("draft") if "state" in cases else cases["split"].map(lambda _: "draft")
    for state in sorted({APPROVED, *states}):
        inside = (states == state).to_numpy()
        yield Cell("overall", "all", inside) if state == APPROVED else Cell("state", state, inside)
        for dimension in GROUPS:
            name = dimension if state == APPROVED else f"{dimension}_{state}"
            for group in sorted(set(cases.loc[inside, dimension].dropna())) if dimension in cases else ():
                yield Cell(name, group, inside & (cases[dimension] == group).to_numpy())


def _list(found: Any) -> Sequence[Any]:
    """A list column of one row; a row that was not asked has none."""
    return list(found) if isinstance(found, list | tuple | np.ndarray) else []


def _place(judge: str) -> tuple[bool, str]:
    """The mechanical judge first, the others by their ids."""
    return judge != MECHANICAL, judge
