"""The page: one HTML file with everything in it, Czech and English, without the network."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from profiles.money import read_rates
from profiles.report import board, cases, costs, numbers, plot
from profiles.report.material import Older, Section
from profiles.report.tables import Table, Tables
from profiles.report.texts import LANGS, Both, count, name, same, text

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = Path(__file__).parent


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
    costs: Sequence[costs.Group]
    cost_lead: Both
    private: Private | None
    sheets: Sequence[board.Sheet]
    cases: Sequence[cases.CaseView]
    columns: Sequence[tuple[str, Both]]
    shown: Both
    stamp: Both

    @property
    def plot_caption(self) -> Both:
        """What the plot shows, in words."""
        return text("plot.caption" if len(self.entries) <= plot.MOST_IN_FULL else "plot.caption_whole")

    @property
    def parts(self) -> list[str]:
        """The parts of the section that there are, by the keys of their headings."""
        there = {"plot": self.plots, "cost": self.costs, "private": self.private, "cases": self.cases}
        return [k for k in ("board", "plot", "tables", "cost", "private", "sheets", "cases") if there.get(k, True)]


def render(sections: Sequence[Section]) -> str:
    """The whole page; with no sections it says that nothing was measured yet."""
    suites = [_suite(section) for section in sections]
    page: str = (
        _environment()
        .get_template("page.html.j2")
        .render(
            suites=suites,
            style=Markup((FOLDER / "style.css").read_text(encoding="utf-8")),
            script=Markup("\n".join((FOLDER / f"{f}.js").read_text(encoding="utf-8") for f in ("page", "calculator"))),
            rates=costs.footer() if any(suite.costs for suite in suites) else None,
            minutes=f"{read_rates().minutes_a_document:f}",
            limits=(costs.MOST_DOCUMENTS, costs.MOST_HOURLY),
            older=[line for section in sections for line in _older(section)],
        )
    )
    return page


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(FOLDER / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
        lstrip_blocks=True,
    )  # fmt: skip
    environment.globals.update(t=text, name=name, count=count)
    return environment


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
        costs=costs.groups(section, systems),
        cost_lead=costs.how(),
        private=Private(private, Tables(section, "private", private_systems).all()) if private else None,
        sheets=board.sheets(section),
        cases=[cases.view(shown, section, systems) for shown in section.cases],
        columns=[(s, same(section.systems[s].name)) for s in systems],
        shown=text("cases.shown", shown=count("counted.documents", len(section.cases)), n=numbers.integer(n)),
        stamp=_stamp(section),
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


def _stamp(section: Section) -> Both:
    """Date of the run, version of the set and of the prompt, as they stand under every table (G-9)."""
    dates = sorted({r.run_date for r in section.rows})
    days = [numbers.day(d) for d in dates]
    run = days[0] if len(days) == 1 else text("stamp.between", first=days[0], last=days[-1])
    return text(
        "stamp.line",
        run=run,
        set=", ".join(sorted({r.set_version for r in section.rows})),
        prompt=", ".join(sorted({r.prompt_version for r in section.rows})),
        graders=", ".join(sorted({r.rubric_version for r in section.rows})),
        edition=section.edition,
    )


def _older(section: Section) -> list[dict[str, Any]]:
    """Lines of the table of older editions: each system's overall numbers of the public part."""
    return [line for older in section.older for line in _older_lines(section, older)]


def _older_lines(section: Section, older: Older) -> list[dict[str, Any]]:
    as_section = Section(section.suite, older.edition, older.rows, section.systems)
    return [
        {"suite": name("suite", section.suite), "edition": older.edition, "entry": entry,
         "date": numbers.day(entry.standing.run_date)}
        for entry in board.entries(as_section, "public")
    ]  # fmt: skip
