"""The chapter of the language tax: taxes with intervals, spread over paragraphs, the counts themselves, what it all means (D-18, G-10)."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from profiles.report import board, numbers
from profiles.report.chapters import Chapter
from profiles.report.material import Section
from profiles.report.stamps import stamp
from profiles.report.tables import Cell, Line, Table, Tables
from profiles.report.texts import Both, count, name, order_of, same, text
from schemas.language_tax import BASE, FULL_STOP, NO_TEXT
from schemas.tendency import Metric, Tendency

SPREAD: tuple[tuple[str, Metric], ...] = (
    ("min", "language_tax_min"), ("q1", "language_tax_q1"), ("median", "language_tax_median"), ("q3", "language_tax_q3"),
    ("max", "language_tax_max"),
)  # fmt: skip
MEANS = ("cost", "quality", "prose", "texts", "interval", "input", "public", "invoices")


@dataclass(frozen=True)
class View:
    """All that the template needs; means: keys of the texts `tax.means.…`."""

    section: Section
    title: Both
    lead: Both
    measured: Both
    taxes: Table
    how: Both
    spreads: Sequence[Table]
    counts: Table
    sheets: Sequence[board.Sheet]
    means: Sequence[str]
    stamp: Both


def chapter(section: Section) -> Chapter:
    """A section of the language tax; systems in the order of their ids."""
    numbers_of = _Numbers(section)
    view = View(
        section=section,
        title=name("suite", section.suite),
        lead=name("lead", section.suite),
        measured=text(
            "tax.measured", paragraphs=count("counted.paragraphs", numbers_of.n_paragraphs), edition=section.edition
        ),
        taxes=numbers_of.taxes(),
        how=text("tax.how", most=numbers.integer(numbers_of.most)),
        spreads=[numbers_of.spread(system) for system in numbers_of.systems],
        counts=numbers_of.counts(),
        sheets=[board.sheet(section, system) for system in numbers_of.systems],
        means=MEANS,
        stamp=stamp(section),
    )
    return Chapter(
        section=section,
        template="language_tax.html.j2",
        view=view,
        parts=("tax", "spread", "counts", "meaning", "sheets"),
        limits=(),
    )


class _Numbers:
    """The rows of a section as tables."""

    def __init__(self, section: Section) -> None:
        self.section = section
        self.systems = sorted({r.system_id for r in section.rows})
        self.tables = Tables(section, "public", self.systems)
        found = {r.group_name for r in section.rows if r.dimension == "language"}
        self.languages = order_of("language", sorted(found))
        taxes = [r for r in section.rows if r.metric == "language_tax"]
        self.n_paragraphs = max((r.n_documents + r.n_left_out for r in taxes), default=0)
        ends = [end for r in taxes for end in (r.value, r.high) if end is not None]
        self.most = max(2, math.ceil(max(ends, default=1)))

    def _table(self, slug: str, caption: Both, columns: Sequence[Both], lines: Sequence[Line]) -> Table:
        return Table(
            id=f"{self.section.suite}-{slug}-table",
            caption=caption,
            first=text("tax.language"),
            columns=tuple(columns),
            lines=tuple(lines),
        )

    def _names(self) -> list[Both]:
        return [same(self.section.systems[system].name) for system in self.systems]

    def _row(self, system: str, language: str, metric: Metric) -> Tendency | None:
        return self.tables.row(system, "language", language, metric)

    def taxes(self) -> Table:
        """A line a language, a column a system; English, which all are compared with, has none."""
        lines = [
            Line(name("language", x), tuple(self._tax(self._row(s, x, "language_tax")) for s in self.systems))
            for x in self.languages
            if x != BASE
        ]
        return self._table("tax", text("tax.caption"), self._names(), lines)

    def _tax(self, row: Tendency | None) -> Cell:
        if row is None or row.value is None:
            return _nothing(row)
        total = row.n_documents + row.n_left_out
        n = (
            count("counted.paragraphs", row.n_documents)
            if not row.n_left_out
            else text("tax.partial", n=numbers.integer(row.n_documents), total=numbers.integer(total))
        )
        if row.low is None or row.high is None:
            return Cell(numbers.times(row.value), n)
        bar = (100 * row.low / self.most, 100 * row.value / self.most, 100 * row.high / self.most)
        return Cell(numbers.times(row.value), numbers.times_between(row.low, row.high), n, bar)

    def spread(self, system: str) -> Table:
        """One system: a line a language, a column a quantile."""
        lines = [
            Line(name("language", x), tuple(_times(self._row(system, x, metric)) for _, metric in SPREAD))
            for x in self.languages
            if x != BASE
        ]
        caption = text("tax.spread_caption", system=self.section.systems[system].name)
        return self._table(f"spread-{system}", caption, [text(f"tax.{key}") for key, _ in SPREAD], lines)

    def counts(self) -> Table:
        """Sums of tokens by language, the empty prompt, and how many messages were counted."""
        lines = [
            Line(name("language", x), tuple(_tokens(self._row(s, x, "tokens_in")) for s in self.systems))
            for x in self.languages
        ]
        for layout, key in ((NO_TEXT, "tax.empty"), (FULL_STOP, "tax.empty_by_stop")):
            rows = [self.tables.row(s, "overhead", layout, "tokens_in") for s in self.systems]
            if any(rows):
                lines.append(Line(text(key), tuple(_tokens(row) for row in rows), is_apart=True))
        covered = [self.tables.row(s, "overall", "all", "coverage") for s in self.systems]
        lines.append(Line(text("tax.coverage"), tuple(_covered(row) for row in covered)))
        return self._table("counts", text("tax.counts_caption"), self._names(), lines)


def _nothing(row: Tendency | None) -> Cell:
    return Cell(why=text("cell.none") if row is None else name("note", row.note or "no_paragraphs"))


def _times(row: Tendency | None) -> Cell:
    return _nothing(row) if row is None or row.value is None else Cell(numbers.times(row.value))


def _tokens(row: Tendency | None) -> Cell:
    return _nothing(row) if row is None or row.value is None else Cell(numbers.integer(row.value))


def _covered(row: Tendency | None) -> Cell:
    if row is None:
        return _nothing(row)
    n, total = row.n_documents - row.n_left_out, row.n_documents
    return Cell(text("board.scored", n=numbers.integer(n), total=numbers.integer(total)))
