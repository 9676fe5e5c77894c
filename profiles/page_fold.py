"""Web pages of one system over a whole edition: every judge's numbers by group, and the fitness of judges from control pages.

A number is the mean over tasks, all trials of a task pooled; a task is the cluster of the bootstrap (S-1). The medians of judges and of
people are made here, for showing (G-5, A-7). Dimensions: overall, language, task; of controls: overall, control_kind.
n_documents: tasks that the judge graded (controls: pages), n_items: pages, n_left_out: the other tasks.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from profiles import intervals
from profiles.intervals import Estimate
from profiles.page_scores import JUDGES, MECHANICAL, PEOPLE, SCORE, is_model, is_person, nothing_of, score, with_medians
from schemas import readings
from schemas.artifacts import NO_PAGE, OF_JUDGES, OF_PEOPLE, SHARED
from schemas.stamp import Stamp
from schemas.tendency import Metric, Tendency

if TYPE_CHECKING:
    import pandas as pd

CRITERIA: tuple[str, ...] = tuple(dict.fromkeys((*OF_JUDGES, *OF_PEOPLE)))
CONTROLS: tuple[Metric, ...] = ("control_right_holistic", "control_rules")
KIND = "control_kind:"
NOTHING_GRADED = "nothing_graded"


@dataclass(frozen=True)
class Page:
    """One scored answer: its task, its language, and what every judge gave it."""

    task: str
    language: str
    scores: Mapping[tuple[str, str], float]

    @property
    def kind(self) -> str:
        """Of a control page, how it was broken."""
        return next((m.removeprefix(KIND) for _, m in self.scores if m.startswith(KIND)), "")


def tendencies(profiles: "pd.DataFrame", stamp: Stamp) -> list[Tendency]:
    """All rows of one system; ValueError for profiles of another system."""
    if strangers := set(profiles["system_id"]) - {stamp.system_id}:
        raise ValueError(f"tendencies of {stamp.system_id!r}: profiles of {min(strangers)!r} among them")
    ordered = profiles.sort_values(["case_id", "trial"], ignore_index=True)
    tasks = dict(zip(ordered["case_id"].tolist(), ordered["language"].tolist(), strict=True))
    pages = [_page(row) for row in ordered.to_dict("records") if row["is_scored"]]
    fold = _Fold(stamp, tasks, pages)
    return list(fold.controls() if any(page.kind for page in pages) else fold.answers())


def _page(row: Mapping[Any, Any]) -> Page:
    told = row.get("scores")
    scores = {(s["judge_id"], s["metric"]): s["value"] for s in (told if isinstance(told, list | np.ndarray) else ())}
    return Page(task=row["case_id"], language=row["language"], scores=scores)


def grades_of(page: Page, judges: Sequence[str]) -> dict[str, dict[str, float]]:
    """What every judge gave, with medians; without a page 0 from every one of `judges`."""
    by_judge: dict[str, dict[str, float]] = {}
    for (judge, metric), value in page.scores.items():
        if metric in CRITERIA:
            by_judge.setdefault(judge, {})[metric] = value
    if (MECHANICAL, NO_PAGE) in page.scores and readings.NO_PAGE_IS_NOTHING:
        by_judge = {judge: nothing_of(judge) for judge in judges} | by_judge
    return {judge: dict(given) for judge, given in with_medians(by_judge).items()}


@dataclass(frozen=True)
class _Fold:
    stamp: Stamp
    tasks: Mapping[str, str]
    pages: Sequence[Page]

    def answers(self) -> Iterator[Tendency]:
        """Rows of a system under test."""
        judges = sorted({j for page in self.pages for j, _ in page.scores if is_model(j) or is_person(j)})
        given = [grades_of(page, judges) for page in self.pages]
        names = sorted({judge for one in given for judge in one} | {MECHANICAL}, key=_place)
        vendors = {j: v for page in self.pages for (j, m), v in page.scores.items() if m == "same_vendor"}
        for dimension, group, tasks in self.cells():
            for judge in names:
                yield from self.of_judge(dimension, group, tasks, judge, [one.get(judge, {}) for one in given])
            for judge, value in vendors.items() if dimension == "overall" else ():
                yield self.row(
                    dimension, group, "same_vendor", judge, Estimate(value), (len(tasks), len(self.pages), 0)
                )
            yield from self.beside_people(dimension, group, tasks, names, given)
            done = {page.task for page in self.pages}
            n, k = len(tasks), sum(t in done for t in tasks)
            share = Estimate(k / n, *intervals.wilson(k, n), "wilson") if n else intervals.NOTHING
            yield self.row(dimension, group, "coverage", "", share, (n, k, n - k))

    def cells(self) -> Iterator[tuple[str, str, list[str]]]:
        """Groups of tasks: dimension, group, and the tasks in it."""
        yield "overall", "all", list(self.tasks)
        for language in sorted(set(self.tasks.values())):
            yield "language", language, [task for task, spoken in self.tasks.items() if spoken == language]
        for task in self.tasks:
            yield "task", task, [task]

    def of_judge(
        self, dimension: str, group: str, tasks: Sequence[str], judge: str, given: Sequence[Mapping[str, float]]
    ) -> Iterator[Tendency]:
        """A judge's mean of every criterion that it graded, its score, and the variance of its score between trials (A-8)."""
        scores = [score(one) for one in given]
        values: dict[str, list[float | None]] = {SCORE: scores}
        values |= {c: [one.get(c) for one in given] for c in CRITERIA if any(c in one for one in given)}
        for metric, of_pages in values.items():
            estimate, n = self.mean(dimension, group, tasks, of_pages)
            yield self.row(dimension, group, cast(Metric, metric), judge, estimate, n)
        estimate, n = self.variance(dimension, group, tasks, scores)
        if n[0]:
            yield self.row(dimension, group, "grade_variance", judge, estimate, n)

    def beside_people(
        self,
        dimension: str,
        group: str,
        tasks: Sequence[str],
        names: Sequence[str],
        given: Sequence[Mapping[str, Mapping[str, float]]],
    ) -> Iterator[Tendency]:
        """How far each judge is from the people, over the criteria that both grade (A-9, A-10)."""
        for judge in names:
            if is_person(judge) or judge == PEOPLE:
                continue
            gaps = [gap_of(one.get(judge, {}), one.get(PEOPLE, {})) for one in given]
            estimate, n = self.mean(dimension, group, tasks, [None if g is None else abs(g) for g in gaps])
            if n[0]:
                yield self.row(dimension, group, "people_difference", judge, estimate, n)
                known = [g for page, g in zip(self.pages, gaps, strict=True) if g is not None and page.task in tasks]
                bias = Estimate(sum(known) / len(known))
                yield self.row(dimension, group, "people_bias", judge, bias, n)

    def mean(
        self, dimension: str, group: str, tasks: Sequence[str], values: Sequence[float | None]
    ) -> tuple[Estimate, tuple[int, int, int]]:
        """The mean of a number from 0 to 1 over the pages of some tasks, tasks as clusters."""
        totals, counts = np.zeros(len(tasks)), np.zeros(len(tasks))
        place = {task: number for number, task in enumerate(tasks)}
        for page, value in zip(self.pages, values, strict=True):
            if value is not None and page.task in place:
                totals[place[page.task]] += value
                counts[place[page.task]] += 1
        there = counts > 0
        n_pages = int(counts.sum())
        if readings.TASKS_WEIGH_EQUALLY:
            totals[there], counts[there] = totals[there] / counts[there], 1
        n = int(there.sum())
        s = self.stamp
        rng = intervals.generator(s.seed, s.suite, s.edition, s.system_id, dimension, group)
        estimate = intervals.share(totals[there], counts[there], rng) if n else intervals.NOTHING
        return estimate, (n, n_pages, len(tasks) - n)

    def variance(
        self, dimension: str, group: str, tasks: Sequence[str], scores: Sequence[float | None]
    ) -> tuple[Estimate, tuple[int, int, int]]:
        """The mean over tasks of the sample variance between their trials; tasks with two trials at least (A-8)."""
        found, items = [], 0
        for task in tasks:
            own = [s for page, s in zip(self.pages, scores, strict=True) if page.task == task and s is not None]
            if len(own) > 1:
                found.append(float(np.var(own, ddof=1)))
                items += len(own)
        s = self.stamp
        rng = intervals.generator(s.seed, s.suite, s.edition, s.system_id, dimension, group, "variance")
        estimate = intervals.mean(np.array(found), np.ones(len(found)), rng)
        return estimate, (len(found), items, len(tasks) - len(found))

    def controls(self) -> Iterator[Tendency]:
        """Rows of control pages: every page is a cluster of its own."""
        judges = sorted({j for page in self.pages for j, m in page.scores if m in CONTROLS}, key=_place)
        kinds = sorted({page.kind for page in self.pages})
        for dimension, groups in (("overall", ["all"]), ("control_kind", kinds)):
            for group in groups:
                pages = [p for p in self.pages if dimension == "overall" or p.kind == group]
                for judge in judges:
                    for metric in CONTROLS:
                        told = [p.scores[judge, metric] for p in pages if (judge, metric) in p.scores]
                        s = self.stamp
                        rng = intervals.generator(
                            s.seed, s.suite, s.edition, s.system_id, dimension, group, judge, metric
                        )
                        estimate = (
                            intervals.share(np.array(told), np.ones(len(told)), rng) if told else intervals.NOTHING
                        )
                        n = (len(told), len(told), len(pages) - len(told))
                        yield self.row(dimension, group, metric, judge, estimate, n)

    def row(
        self, dimension: str, group: str, metric: Metric, judge: str, estimate: Estimate, n: tuple[int, int, int]
    ) -> Tendency:
        return Tendency(
            **self.stamp.model_dump(), split="public", dimension=dimension, group_name=group, metric=metric, judge_id=judge,
            value=estimate.value, low=estimate.low, high=estimate.high, method=estimate.method, n_documents=n[0], n_items=n[1],
            n_left_out=n[2], note=None if estimate.value is not None else NOTHING_GRADED,
        )  # fmt: skip


def gap_of(judge: Mapping[str, float], people: Mapping[str, float]) -> float | None:
    """How much higher a judge grades than people, as a share, over the criteria that both grade; None where there is none (A-9)."""
    both = [c for c in SHARED if c in judge and c in people]
    mine, theirs = score(judge, both), score(people, both)
    return None if mine is None or theirs is None else mine - theirs


def _place(judge: str) -> tuple[int, str]:
    """Medians first, then the mechanical judge, models, people."""
    order = {JUDGES: 0, MECHANICAL: 1, PEOPLE: 3}
    return order.get(judge, 4 if is_person(judge) else 2), judge
