"""Runs of role-play of one system over a whole edition: every judge's numbers by group, and the fitness of judges from control transcripts.

Dimensions: `overall`, `language`, `case` (a scenario in one language) and `run` (one complete run, `keeper-cs/1`), so the spread over runs
stands beside their mean (R-10). Only complete runs count; the first in order enters the comparison, since none is scheduled after it (M-6).
Of T and R, and of the bonuses, groups of several cases tell the mean over runs that L does not exclude; runs that L1 or L2 exclude are
listed and not ranked (R-7), and stand in `n_left_out`. A case is the cluster of the bootstrap (S-1). Scenarios are public as a whole (R-13).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from profiles import intervals
from profiles.intervals import Array, Estimate
from profiles.roleplay_controls import KIND_OF
from profiles.roleplay_scores import COUNTER
from schemas.stamp import Stamp
from schemas.tendency import Metric, Tendency

if TYPE_CHECKING:
    import pandas as pd

SHARES: tuple[Metric, ...] = ("sieve", "presence", "l2_burnt", "unranked")
COUNTS: tuple[Metric, ...] = (
    "sieve_bonus", "l1_played", "l1_annulled", "l1_not_reached", "l3_own_events", "l4_others_act", "l5_repetition", "l6_out_of_play",
    "l7_kindness", "l8_plays_user", "turns", "cut_off",
)  # fmt: skip
RANKED = ("sieve", "sieve_bonus", "presence")
"""Numbers of which excluded runs are no part, where several cases stand together (R-7)."""

COUNTED: tuple[Metric, ...] = ("turns", "cut_off", "l5_repetition")
CONTROLS: tuple[Metric, ...] = ("control_right_atomic", "control_right_holistic", "control_rules")
NO_RUNS, NOT_JUDGED, ALL_EXCLUDED = "no_runs", "not_judged", "all_excluded"


@dataclass(frozen=True)
class Run:
    """One run: its case, language, trial, how it ended, its cost in USD, its scores by judge and metric."""

    case_id: str
    language: str
    trial: int
    outcome: str
    cost_usd: float
    scores: dict[tuple[str, str], float]
    same_vendor: frozenset[str]

    def is_excluded(self, judge: str) -> bool:
        """Whether L1 or L2 exclude it, by this judge's labels."""
        return bool(self.scores.get((judge, "unranked"), 0.0))


def runs_of(profiles: "pd.DataFrame") -> list[Run]:
    """The runs of a system in the order of case and trial; cases that were not asked have none."""
    found = []
    for row in profiles.sort_values(["case_id", "trial"]).to_dict("records"):
        if row["status"] == "not_asked":
            continue
        scores = _scores(row.get("scores"))
        found.append(
            Run(
                case_id=row["case_id"],
                language=row["language"],
                trial=int(row["trial"]),
                outcome=row["structure"],
                cost_usd=float(row["cost_usd"]),
                scores={(s["judge_id"], s["metric"]): float(s["value"]) for s in scores},
                same_vendor=frozenset(s["judge_id"] for s in scores if s["is_same_vendor"]),
            )
        )
    return found


def _scores(found: Any) -> Sequence[Any]:
    return list(found) if isinstance(found, list | tuple | np.ndarray) else []


def tendencies(profiles: "pd.DataFrame", stamp: Stamp) -> list[Tendency]:
    """All rows of one system; ValueError for profiles of another system, or of private cases."""
    if strangers := set(profiles["system_id"]) - {stamp.system_id}:
        raise ValueError(f"tendencies of {stamp.system_id!r}: profiles of {min(strangers)!r} among them")
    if set(profiles["split"]) - {"public"}:
        raise ValueError(f"tendencies of {stamp.system_id!r}: a private case among them; scenarios are public")
    runs = runs_of(profiles)
    if any(metric == "control_kind" for run in runs for _, metric in run.scores):
        return list(_controls(runs, stamp))
    cases: dict[str, str] = dict(
        profiles.sort_values("case_id")[["case_id", "language"]].drop_duplicates().itertuples(index=False)
    )
    return list(_Fold(runs, cases, stamp).rows())


class _Fold:
    """The runs of one system, and the languages of all cases that there are."""

    def __init__(self, runs: Sequence[Run], cases: dict[str, str], stamp: Stamp) -> None:
        self.runs, self.cases, self.stamp = runs, cases, stamp
        self.judges = sorted({judge for run in runs for judge, _ in run.scores if judge != COUNTER})

    def rows(self) -> Iterator[Tendency]:
        """Rows of all groups."""
        yield from self._group("overall", "all", list(self.cases))
        for language in sorted(set(self.cases.values())):
            yield from self._group("language", language, [c for c, of in self.cases.items() if of == language])
        for case_id in self.cases:
            yield from self._group("case", case_id, [case_id])
        for run in self.runs:
            if run.outcome == "complete":
                yield from self._of_runs("run", f"{run.case_id}/{run.trial}", [run.case_id], [run])

    def _group(self, dimension: str, group: str, cases: Sequence[str]) -> Iterator[Tendency]:
        inside = [run for run in self.runs if run.case_id in cases]
        complete = [run for run in inside if run.outcome == "complete"]
        told = [run for run in inside if run.outcome in ("complete", "extreme")]
        n_extreme = sum(run.outcome == "extreme" for run in told)
        extreme = (
            Estimate(n_extreme / len(told), *intervals.wilson(n_extreme, len(told)), "wilson")
            if told
            else intervals.NOTHING
        )
        n_told = len({run.case_id for run in told})
        yield self._row(dimension, group, "extreme", "", extreme, (n_told, len(told), len(cases) - n_told), NO_RUNS)
        there = len({run.case_id for run in complete})
        coverage = (
            Estimate(there / len(cases), *intervals.wilson(there, len(cases)), "wilson") if cases else intervals.NOTHING
        )
        yield self._row(
            dimension, group, "coverage", "", coverage, (len(cases), len(complete), len(cases) - there), NO_RUNS
        )
        cost = self._estimate(
            "cost_per_run_usd", cases, [(run.case_id, run.cost_usd) for run in inside], (dimension, group)
        )
        yield self._row(
            dimension, group, "cost_per_run_usd", "", cost, (len({r.case_id for r in inside}), len(inside), 0), NO_RUNS
        )
        yield from self._of_runs(dimension, group, cases, complete)
        for judge in self.judges:
            is_own = any(judge in run.same_vendor for run in inside)
            if dimension == "overall":
                n = (there, len(complete), len(cases) - there)
                yield self._row(dimension, group, "same_vendor", judge, Estimate(float(is_own)), n, None)

    def _of_runs(self, dimension: str, group: str, cases: Sequence[str], runs: Sequence[Run]) -> Iterator[Tendency]:
        for judge in (COUNTER, *self.judges):
            for metric in (*SHARES, *COUNTS):
                known = [run for run in runs if (judge, metric) in run.scores]
                if not known and (judge == COUNTER or metric in ("l5_repetition", "turns", "cut_off")):
                    continue
                is_apart = metric in RANKED and dimension in ("overall", "language")
                kept = [run for run in known if not (is_apart and run.is_excluded(judge))]
                values = [(run.case_id, run.scores[judge, metric]) for run in kept]
                estimate = self._estimate(metric, cases, values, (dimension, group, judge))
                n_cases = len({run.case_id for run in kept})
                note = NO_RUNS if not runs else NOT_JUDGED if not known else ALL_EXCLUDED
                yield self._row(
                    dimension, group, metric, judge, estimate, (n_cases, len(kept), len(cases) - n_cases), note
                )

    def _estimate(
        self, metric: Metric, cases: Sequence[str], values: Sequence[tuple[str, float]], key: tuple[str, ...]
    ) -> Estimate:
        """The mean of values with a case as the cluster; none where there is no value."""
        if not values:
            return intervals.NOTHING
        place = {case_id: n for n, case_id in enumerate(cases)}
        total, count = np.zeros(len(cases)), np.zeros(len(cases))
        for case_id, value in values:
            total[place[case_id]] += value
            count[place[case_id]] += 1
        s = self.stamp
        rng = intervals.generator(s.seed, s.suite, s.edition, s.system_id, *key, metric)
        there: Any = count > 0
        if metric in SHARES:
            return intervals.share(cast(Array, total[there]), cast(Array, count[there]), rng)
        return intervals.mean(cast(Array, total[there]), cast(Array, count[there]), rng)

    def _row(
        self,
        dimension: str,
        group: str,
        metric: Metric,
        judge: str,
        estimate: Estimate,
        n: tuple[int, int, int],
        note: str | None,
    ) -> Tendency:
        return _row(self.stamp, dimension, group, metric, judge, estimate, n, note)


def _controls(runs: Sequence[Run], stamp: Stamp) -> Iterator[Tendency]:
    """The fitness of every judge, each control transcript a cluster of its own; and what a program counted in each kind."""
    kinds = {n: KIND_OF[place] for n, run in enumerate(runs) if (place := _kind(run)) is not None}
    judges = sorted(
        {judge for run in runs for judge, metric in run.scores if metric == "control_kind" and judge != COUNTER}
    )
    for judge, metrics in (*((judge, CONTROLS) for judge in judges), (COUNTER, COUNTED)):
        for metric in metrics:
            for kind in ("all", *KIND_OF.values()):
                inside = [runs[n] for n, of in kinds.items() if kind in ("all", of)]
                told = [run for run in inside if (judge, metric) in run.scores]
                values, ones = np.array([run.scores[judge, metric] for run in told]), np.ones(len(told))
                rng = intervals.generator(stamp.seed, stamp.suite, stamp.edition, judge, metric, kind)
                estimate = (intervals.mean if judge == COUNTER else intervals.share)(values, ones, rng)
                dimension = "overall" if kind == "all" else "control_kind"
                yield _row(
                    stamp,
                    dimension,
                    kind,
                    metric,
                    judge,
                    estimate,
                    (len(told), len(told), len(inside) - len(told)),
                    NOT_JUDGED,
                )
    if not judges:
        yield _row(stamp, "overall", "all", "control_rules", "", intervals.NOTHING, (0, 0, len(runs)), NOT_JUDGED)


def _kind(run: Run) -> float | None:
    return run.scores.get((COUNTER, "control_kind"))


def _row(
    stamp: Stamp,
    dimension: str,
    group: str,
    metric: Metric,
    judge: str,
    estimate: Estimate,
    n: tuple[int, int, int],
    note: str | None,
) -> Tendency:
    return Tendency(
        **stamp.model_dump(), split="public", dimension=dimension, group_name=group, metric=metric, judge_id=judge,
        value=estimate.value, low=estimate.low, high=estimate.high, method=estimate.method, n_documents=n[0], n_items=n[1],
        n_left_out=n[2], note=None if estimate.value is not None else note,
    )  # fmt: skip
