"""The figures of one split of one system over documents, before it is decided which may be shown (G-1, D-14 to D-16).

A figure knows the cell (the group of documents) behind it; `Part.hidden` says which cells of a private part are withheld (G-8).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, cast

import numpy as np

from profiles import intervals
from profiles.graded import graded_items
from profiles.intervals import Array, Estimate
from profiles.privacy import Cell
from schemas import readings
from schemas.case import Split
from schemas.field_errors import FIELD_ERRORS
from schemas.fields import Field
from schemas.stamp import Stamp
from schemas.tendency import Metric

if TYPE_CHECKING:
    import pandas as pd

KEY = ["case_id", "trial"]
NUMBERS = ["points", "max_points", "is_scored", "is_faultless", "is_valid", "is_valid_first", "cost_usd", "latency_ms"]
WORDS = ["case_id", "pair_id", "split", "language", "level", "variant", "layout"]
OUTSIDE = ["absent", "invented"]
"""Labels of a field that the document does not have (D-11, D-13)."""

GROUPS = ("language", "level", "variant", "layout")
WHOLE = ("overall", "language", "level")
"""Dimensions that also get validity, response times, cost and coverage; the others get the two shares of D-14."""

ALL: Cell = ("overall", "all")
GAP = "language_gap"


@dataclass(frozen=True)
class Figure:
    """One number with its group, its n, and the cell whose documents stand behind it."""

    cell: Cell
    dimension: str
    group: str
    metric: Metric
    estimate: Estimate
    n_documents: int
    n_items: int
    n_left_out: int


def parts(fields: Sequence[Field], profiles: "pd.DataFrame", grades: "pd.DataFrame", stamp: Stamp) -> Iterator["Part"]:
    """One part for each split that has cases, rows in the order of case and trial, whatever the order given.

    Both splits get the same groups; grades of answers that are not scored are left out.
    """
    answers = profiles[["trial", *WORDS, *NUMBERS]].copy()
    answers[WORDS] = answers[WORDS].astype(
        "category"
    )  # in the order of the words, so sorting by them is sorting by numbers
    answers = answers.sort_values(KEY, ignore_index=True)
    cluster = "pair_id" if readings.BOOTSTRAP_CLUSTER == "pair" else "case_id"
    answers["cluster"] = answers[cluster].cat.codes.astype(int)
    answers["answers"] = 1.0
    answers[NUMBERS] = answers[NUMBERS].astype(float)
    at, marks = graded_items(answers, grades)
    answers["n_fields"] = np.bincount(at[marks["max_points"].to_numpy() > 0], minlength=len(answers)).astype(float)
    shared = answers[["cluster", "case_id", "pair_id", "split", "language", "level"]].take(at)
    items = marks.assign(**{str(name): column.array for name, column in shared.items()})
    groups = {dimension: sorted(set(answers[dimension])) for dimension in GROUPS}
    for split in sorted(set(answers["split"])):
        yield Part(fields, groups, stamp, split, answers[answers["split"] == split], items[items["split"] == split])


@dataclass(frozen=True)
class Part:
    """One split of one system.

    groups: the values of each dimension. answers: one row an answer, scored or not. items: one row a graded field of a scored answer.
    """

    fields: Sequence[Field]
    groups: Mapping[str, Sequence[str]]
    stamp: Stamp
    split: Split
    answers: "pd.DataFrame"
    items: "pd.DataFrame"

    def figures(self) -> Iterator[Figure]:
        """All figures of the part, withheld or not."""
        for dimension, group in self.document_cells():
            yield from self._group(dimension, group)
        for dimension, name in self.field_cells():
            yield self._field(dimension, name)
        yield from self._errors()
        for cell in self.gap_cells():
            yield self._gap(cell)

    def document_cells(self) -> list[Cell]:
        return [ALL, *((dimension, group) for dimension in GROUPS for group in self.groups[dimension])]

    def field_cells(self) -> list[Cell]:
        languages = self.groups["language"]
        cells: list[Cell] = [("field", f.name) for f in self.fields if set(f.languages) & set(languages)]
        return cells + [(f"field_{lang}", f.name) for lang in languages for f in self.fields if lang in f.languages]

    def gap_cells(self) -> list[Cell]:
        return [(GAP, *ALL), *((GAP, "level", level) for level in self.groups["level"])]

    def answers_of(self, dimension: str, group: str) -> "pd.DataFrame":
        return self.answers if dimension == "overall" else self.answers[self.answers[dimension] == group]

    def items_of(self, dimension: str, name: str) -> "pd.DataFrame":
        """Graded fields of one name that count in the denominator, of all documents or of one language's."""
        items = self._counted
        wanted = items["item"] == name
        if dimension != "field":
            wanted &= items["language"] == dimension.removeprefix("field_")
        return items[wanted]

    @cached_property
    def _counted(self) -> "pd.DataFrame":
        """The items that count in a denominator, with what shares of fields are made of."""
        kept = self.items["max_points"] > 0
        return self.items.loc[kept, ["case_id", "item", "language", "cluster", "points", "max_points"]]

    @cached_property
    def _left_out(self) -> dict[Cell, int]:
        """How many documents of all, and of each language, have no scored answer."""
        asked = {cell: self.answers_of(*cell) for cell in (ALL, *(("language", x) for x in self.groups["language"]))}
        return {cell: _n(some) - _n(scored(some)) for cell, some in asked.items()}

    def _generator(self, dimension: str, group: str, metric: Metric) -> np.random.Generator:
        s = self.stamp
        return intervals.generator(s.seed, s.suite, s.edition, s.system_id, self.split, dimension, group, metric)

    def _group(self, dimension: str, group: str) -> Iterator[Figure]:
        """The figures of one group of documents."""
        asked = self.answers_of(dimension, group)
        kept, n_asked = scored(asked), _n(asked)
        n_kept, n_items = _n(kept), len(kept)
        rng = partial(self._generator, dimension, group)

        def figure(metric: Metric, estimate: Estimate, n: int = n_kept, n_items: int = n_items) -> Figure:
            return Figure((dimension, group), dimension, group, metric, estimate, n, n_items, n_asked - n_kept)

        def share(metric: Metric, column: str) -> Figure:
            return figure(metric, intervals.share(*_sums(kept, column, "answers"), rng(metric)))

        points = intervals.share(*_sums(kept, "points", "max_points"), rng("field_accuracy"))
        yield figure("field_accuracy", points, n_items=int(kept["n_fields"].sum()))
        yield share("faultless", "is_faultless")
        if dimension not in WHOLE:
            return
        yield share("valid", "is_valid")
        yield share("valid_first", "is_valid_first")
        times = kept["latency_ms"].to_numpy(dtype=float)
        yield figure("latency_p50_ms", _quantile(times, 0.5))
        yield figure("latency_p90_ms", _quantile(times, 0.9))
        cost = _sums(kept, "cost_usd", "answers")
        yield figure("cost_per_1000_usd", intervals.mean(*cost, rng("cost_per_1000_usd"), scale=1000))
        coverage = intervals.share(*_sums(asked, "is_scored", "answers"), rng("coverage"))
        yield figure("coverage", coverage, n_asked, len(asked))

    def _field(self, dimension: str, name: str) -> Figure:
        """The share of right values of one field."""
        items = self.items_of(dimension, name)
        whole = ("overall", "all") if dimension == "field" else ("language", dimension.removeprefix("field_"))
        rng = self._generator(dimension, name, "field_accuracy")
        estimate = intervals.share(*_sums(items, "points", "max_points"), rng)
        left_out = self._left_out[whole]
        return Figure((dimension, name), dimension, name, "field_accuracy", estimate, _n(items), len(items), left_out)

    def _errors(self) -> Iterator[Figure]:
        """How many fields are wrong, by category; zero where none is."""
        counts = self.items["error"].value_counts()
        n = _n(scored(self.answers))
        for category in FIELD_ERRORS:
            value = Estimate(float(counts.get(category, 0)) if n else None)
            yield Figure(ALL, "error", category, "error_count", value, n, len(self.items), _n(self.answers) - n)

    def pairs(self, cell: Cell) -> "pd.DataFrame":
        """One row a pair with both twins scored: points and points possible of each language over common fields (D-15)."""
        if cell not in self._paired:
            self._paired[cell] = self._paired_of(*cell[1:])
        return self._paired[cell]

    @cached_property
    def _paired(self) -> dict[Cell, "pd.DataFrame"]:
        """What `_pairs` made already: whether a gap may be shown and the gap itself need the same."""
        return {}

    def _paired_of(self, dimension: str, group: str) -> "pd.DataFrame":
        items = self.items if dimension == "overall" else self.items[self.items[dimension] == group]
        items = items[~items["label"].isin(OUTSIDE)]
        n_languages = items.groupby(["pair_id", "item"])["language"].transform("nunique")
        common = items[n_languages == 2].assign(n_items=1)
        sums = common.groupby(["pair_id", "language"])[["points", "max_points", "n_items"]].sum()
        return cast("pd.DataFrame", sums.unstack("language"))

    def _gap(self, cell: Cell) -> Figure:
        """Czech minus English field accuracy."""
        _, dimension, group = cell
        pairs, asked = self.pairs(cell), self.answers_of(dimension, group)["pair_id"].nunique()
        rng = self._generator(dimension, group, "language_gap")
        estimate = intervals.NOTHING
        n_items = 0
        if len(pairs):
            czech, english = ((pairs["points", x].to_numpy(), pairs["max_points", x].to_numpy()) for x in ("cs", "en"))
            estimate = intervals.gap(czech, english, rng)
            n_items = int(pairs["n_items"].to_numpy().sum())
        return Figure(cell, dimension, group, "language_gap", estimate, len(pairs), n_items, int(asked) - len(pairs))


def scored(answers: "pd.DataFrame") -> "pd.DataFrame":
    """The answers that count in shares (G-11)."""
    return answers[answers["is_scored"] == 1]


def names(frame: "pd.DataFrame") -> frozenset[str]:
    """The documents of a frame."""
    return frozenset(frame["case_id"].unique())


def _n(frame: "pd.DataFrame") -> int:
    return int(np.count_nonzero(np.bincount(frame["case_id"].cat.codes)))


def _sums(frame: "pd.DataFrame", points: str, possible: str) -> tuple[Array, Array]:
    """Two columns, each summed within its cluster, clusters in the order of their names."""
    cluster = frame["cluster"].to_numpy()
    is_there = np.bincount(cluster) > 0
    first, second = (np.bincount(cluster, frame[column].to_numpy())[is_there] for column in (points, possible))
    return first.astype(np.float64), second.astype(np.float64)


def _quantile(values: Array, q: float) -> Estimate:
    """A quantile by linear interpolation, without an interval (D-16)."""
    return Estimate(float(np.quantile(values, q))) if len(values) else intervals.NOTHING
