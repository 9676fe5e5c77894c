"""The chapter of suites over documents: standing, plot, tables, true cost, private part, systems, cases."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from profiles.money import read_rates
from profiles.report import board, cases, costs, numbers, plot
from profiles.report.chapters import Chapter
from profiles.report.contact import ContactSheet, contact_sheet
from profiles.report.material import Section
from profiles.report.stamps import stamp
from profiles.report.tables import Table, Tables
from profiles.report.texts import LANGS, Both, count, name, same, text

PARTS = ("board", "plot", "tables", "cost", "private", "sheets", "contact", "cases")
LIMITS = ("synthetic", "page", "run", "identifiers", "compare")


@dataclass(frozen=True)
class Private:
    """The private part of a section: aggregates alone (G-8)."""

    entries: Sequence[board.Entry]
    tables: Sequence[Table]


@dataclass(frozen=True)
class Suite:
    """All that the template needs of one section."""

    section: Section
    title: Both
    lead: Both
    measured: Both
    entries: Sequence[board.Entry]
    rule_of_thumb: Both
    plots: Both | None
    tables: Sequence[Table]
    within: Sequence[Table]
    more: Sequence[Table]
    costs: Sequence[costs.Group]
    cost_lead: Both
    private: Private | None
    sheets: Sequence[board.Sheet]
    contact: ContactSheet | None
    cases: Sequence[cases.CaseView]
    columns: Sequence[tuple[str, Both]]
    shown: Both
    stamp: Both
    minutes: str
    cost_limits: tuple[int, int]

    @property
    def plot_caption(self) -> Both:
        """What the plot shows, in words."""
        return text("plot.caption" if len(self.entries) <= plot.MOST_IN_FULL else "plot.caption_whole")

    @property
    def parts(self) -> list[str]:
        """The parts of the section that there are, by the keys of their headings."""
        there = {
            "plot": self.plots,
            "cost": self.costs,
            "private": self.private,
            "contact": self.contact,
            "cases": self.cases,
        }
        return [k for k in PARTS if there.get(k, True)]


def chapter(section: Section) -> Chapter:
    """A section over documents."""
    view = _suite(section)
    return Chapter(
        section=section, template="documents.html.j2", view=view, parts=view.parts, limits=LIMITS, has_costs=bool(view.costs),
        has_cases=bool(view.cases),
    )  # fmt: skip


def _suite(section: Section) -> Suite:
    found = board.entries(section, "public")
    systems = [entry.standing.system for entry in found]
    tables = Tables(section, "public", systems)
    private = board.entries(section, "private")
    private_systems = [entry.standing.system for entry in private]
    n = section.n_public
    return Suite(
        section=section,
        title=name("suite", section.suite),
        lead=name("lead", section.suite),
        measured=text("suite_line", documents=count("counted.public_documents", n), edition=section.edition),
        entries=found,
        rule_of_thumb=_rule_of_thumb(tables, systems),
        plots=_plots(tables, systems),
        tables=tables.all(),
        within=tables.by_field_within(),
        more=tables.more(),
        costs=costs.groups(section, systems),
        cost_lead=costs.how(),
        private=Private(private, Tables(section, "private", private_systems).all()) if private else None,
        sheets=board.sheets(section),
        contact=contact_sheet(section.cases),
        cases=cases.views(section.cases, section, systems),
        columns=[(s, same(section.systems[s].name)) for s in systems],
        shown=text("cases.shown", shown=count("counted.documents", len(section.cases)), n=numbers.integer(n)),
        stamp=stamp(section),
        minutes=f"{read_rates().minutes_a_document:f}",
        cost_limits=(costs.MOST_DOCUMENTS, costs.MOST_HOURLY),
    )


def _rule_of_thumb(tables: Tables, systems: Sequence[str]) -> Both:
    """The sentence of D-20, and what it means for a set of this size."""
    rows = [r for s in systems for g in ("cs", "en") if (r := tables.row(s, "language", g, "coverage"))]
    n = min((r.n_documents for r in rows), default=0)
    key = "board.rule_enough" if n >= 150 else "board.rule_fewer"
    return text(key, documents=count("counted.documents", n)) if n else text("board.rule")


def _plots(tables: Tables, systems: Sequence[str]) -> Both | None:
    bands = []
    for system in systems:
        dots = []
        for dimension, group in (("overall", "all"), ("language", "cs"), ("language", "en")):
            row = tables.row(system, dimension, group, "field_accuracy")
            if row is not None and row.value is not None:
                dots.append(plot.Dot(name("plot", group), row))
        if dots:
            bands.append(plot.Band(tables.section.systems[system].name, tuple(dots)))
    if not bands:
        return None
    cs, en = (plot.draw(bands, lang, f"{tables.section.suite}-{lang}") for lang in LANGS)
    return Both(Markup(cs), Markup(en))
