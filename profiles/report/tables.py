"""The tables of the page: which rows and cells there are, each cell made of one row of `tendencies` (G-2)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from profiles.report import numbers
from profiles.report.material import Section
from profiles.report.standing import BAR, Index, index_of
from profiles.report.texts import Both, count, name, order_of, same, text
from schemas.case import Split
from schemas.tendency import Metric, Tendency

Against = Literal["above", "below", "open"]

GROUPED = ("language", "level", "variant", "layout", "field")
"""Dimensions that get a table of right fields each, in this order."""


@dataclass(frozen=True)
class Cell:
    """One number as shown; `why` stands where there is none.

    bar: low end, value and high end on the line from 0 to 100 %; is_against_bar: whether the bar of D-14 is drawn on that line.
    """

    value: Both | None = None
    interval: Both | None = None
    n: Both | None = None
    bar: tuple[float, float, float] | None = None
    is_against_bar: bool = False
    why: Both | None = None


@dataclass(frozen=True)
class Line:
    """One row of a table: its heading, one cell a system, and a mark for the heading (a layout not seen)."""

    heading: Both
    cells: tuple[Cell, ...]
    is_apart: bool = False


@dataclass(frozen=True)
class Table:
    """A table with one column a system."""

    id: str
    caption: Both
    first: Both
    columns: tuple[Both, ...]
    lines: tuple[Line, ...]


def against_bar(row: Tendency | None) -> Against | None:
    """Where a share lies against the bar of 95 % (D-14): above or below only where its whole interval does."""
    if row is None or row.value is None or row.low is None or row.high is None:
        return None
    return "above" if row.low >= BAR else "below" if row.high < BAR else "open"


def cell_of(row: Tendency | None) -> Cell:
    """A row of `tendencies` as a cell, by its metric."""
    if row is None:
        return Cell(why=text("cell.none"))
    if row.value is None:
        return Cell(why=name("note", row.note or "no_documents"))
    n = count("counted.documents", row.n_documents)
    match row.metric:
        case "language_gap":
            interval = None if row.low is None or row.high is None else numbers.points_between(row.low, row.high)
            return Cell(numbers.points(row.value), interval, count("counted.pairs", row.n_documents))
        case "error_count":
            return Cell(numbers.integer(row.value))
        case "latency_p50_ms" | "latency_p90_ms":
            return Cell(numbers.duration(row.value), n=n)
        case "cost_per_1000_usd":
            interval = None if row.low is None or row.high is None else numbers.usds(row.low, row.high)
            return Cell(numbers.usd(row.value), interval, n)
        case _:
            interval = None if row.low is None or row.high is None else numbers.percents(row.low, row.high)
            bar = None if row.low is None or row.high is None else (100 * row.low, 100 * row.value, 100 * row.high)
            return Cell(numbers.percent(row.value), interval, n, bar, is_against_bar=row.metric == "field_accuracy")


class Tables:
    """The tables of one section and one part of its set."""

    def __init__(self, section: Section, split: Split, systems: Sequence[str]) -> None:
        self.section, self.split, self.systems = section, split, systems
        self.index: Index = index_of(section.rows)

    def row(self, system: str, dimension: str, group: str, metric: Metric) -> Tendency | None:
        """The row behind a cell, or None."""
        return self.index.get((system, self.split, dimension, group, metric))

    def all(self) -> list[Table]:
        """The tables that have any row: by language with the gap, level, variant, layout, field, then the errors."""
        tables = [self.grouped(dimension) for dimension in GROUPED]
        return [t for t in [*tables, self.errors()] if t.lines]

    def grouped(self, dimension: str) -> Table:
        """Right fields by the groups of a dimension."""
        groups = self._groups(dimension, "field_accuracy")
        lines = [
            Line(self._heading(dimension, g), self._cells(dimension, g, "field_accuracy"))
            for g in order_of(dimension, groups)
        ]
        if dimension == "language":
            lines += self._gaps()
        return self._table(dimension, lines)

    def by_field_within(self) -> list[Table]:
        """Right values of each field within each language."""
        dimensions = sorted({d for _, split, d, _, _ in self.index if d.startswith("field_") and split == self.split})
        tables = []
        for dimension in dimensions:
            groups = order_of("field", self._groups(dimension, "field_accuracy"))
            lines = [Line(name("field", g), self._cells(dimension, g, "field_accuracy")) for g in groups]
            caption = text("table.field_within.caption", language=name("language", dimension.removeprefix("field_")))
            tables.append(self._table("field_within", lines, caption, dimension))
        return tables

    def more(self) -> list[Table]:
        """Faultless documents by every group, then valid answers, response times and spend by language and level (D-14, D-16)."""
        wanted: list[tuple[str, Metric, Metric | None, Sequence[str]]] = [
            ("faultless", "faultless", None, GROUPED[:4]),
            ("valid", "valid", "valid_first", GROUPED[:2]),
            ("speed", "latency_p50_ms", "latency_p90_ms", GROUPED[:2]),
            ("spend", "cost_per_1000_usd", None, GROUPED[:2]),
        ]
        made = []
        for key, metric, beside, dimensions in wanted:
            lines: list[Line] = []
            for dimension in dimensions:
                for at, group in enumerate(order_of(dimension, self._groups(dimension, metric))):
                    cells = [self._cell_with(s, dimension, group, metric, beside) for s in self.systems]
                    lines.append(Line(self._heading(dimension, group), tuple(cells), is_apart=at == 0 and bool(lines)))
            made.append(self._table(key, lines))
        return [table for table in made if table.lines]

    def _cell_with(self, system: str, dimension: str, group: str, metric: Metric, beside: Metric | None) -> Cell:
        """A cell with a second number beside it: the share at the first try, the 90th percentile."""
        cell = cell_of(self.row(system, dimension, group, metric))
        second = cell_of(self.row(system, dimension, group, beside)).value if beside else None
        if cell.value is None or second is None:
            return cell
        return replace(cell, n=text(f"table.beside.{beside}", value=second))

    def errors(self) -> Table:
        """How many fields are wrong, by category; categories that no system has are left out."""
        groups = [
            g
            for g in self._groups("error", "error_count")
            if any((r := self.row(s, "error", g, "error_count")) and r.value for s in self.systems)
        ]
        lines = [Line(name("error", g), self._cells("error", g, "error_count")) for g in order_of("error", groups)]
        return self._table("error", lines)

    def _gaps(self) -> list[Line]:
        gaps = []
        if self._groups("overall", "language_gap"):
            cells = self._cells("overall", "all", "language_gap")
            gaps.append(Line(text("table.language.gap"), cells, is_apart=True))
        for level in order_of("level", self._groups("level", "language_gap")):
            heading = text("table.language.gap_at", level=name("level", level))
            gaps.append(Line(heading, self._cells("level", level, "language_gap")))
        return gaps

    def _groups(self, dimension: str, metric: Metric) -> list[str]:
        return sorted({g for s, p, d, g, m in self.index if (p, d, m) == (self.split, dimension, metric)})

    def _cells(self, dimension: str, group: str, metric: Metric) -> tuple[Cell, ...]:
        return tuple(cell_of(self.row(s, dimension, group, metric)) for s in self.systems)

    def _heading(self, dimension: str, group: str) -> Both:
        systems = [self.section.systems[s] for s in self.systems]
        unseen = [s.name for s in systems if group in s.held_out_layouts]
        if dimension == "layout" and unseen:
            return text("table.layout.unseen", layout=name("layout", group), systems=", ".join(unseen))
        return name(dimension, group)

    def _table(self, key: str, lines: Sequence[Line], caption: Both | None = None, slug: str | None = None) -> Table:
        return Table(
            id=f"{self.section.suite}-{self.split}-{slug or key}",
            caption=caption or text(f"table.{key}.caption"),
            first=text(f"table.{key}.first"),
            columns=tuple(same(self.section.systems[s].name) for s in self.systems),
            lines=tuple(lines),
        )
