"""The pages of the site: what they are made of, and the frame that all of them share.

Every page is a file of its own that opens from disk. Styles and scripts stand in `assets/`, links are relative, and each page holds both
languages, of which it shows one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import Any

from pydantic import ValidationError

from profiles.ranking import Ranking
from profiles.report.chapters import Chapter, chapter_of
from profiles.report.material import Section
from profiles.report.texts import Both, name, text
from schemas.case import Case
from schemas.errata import Erratum
from schemas.exchange import Brief

OVERVIEW, METHOD, RUNS, DATA = "index.html", "method.html", "runs.html", "data.html"


@dataclass(frozen=True)
class Missing:
    """What a store lacks of a suite; what: a key of the texts `site.missing.…`; system: whose it is, empty for the whole edition."""

    suite: str
    edition: str
    what: str
    system: str = ""


@dataclass(frozen=True)
class Ran:
    """A run as its manifest tells it; systems: those asked, by suite; made_with: only of the newest run."""

    id: str
    finished_at: str
    seed: int
    systems: Mapping[str, Sequence[str]]
    n_failed: int
    made_with: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Gates:
    """All gates of one stage for one partition in a run: shards, rows that came, passed and were set aside, rules broken, where bad rows are."""

    run: str
    table: str
    suite: str
    edition: str
    system: str
    judge: str
    n_gates: int
    rows: int
    passed: int
    set_aside: int
    broken: tuple[str, ...] = ()
    quarantine: tuple[str, ...] = ()


@dataclass(frozen=True)
class Site:
    """All that the site is made of, gathered by `tasks/site.py`.

    spent: number of public answers and their cost in USD, by suite and system; files: what stands beside the pages, by its name and path;
    prompts: what systems were told, word for word, by suite and name; views: SQL of the views for analysts, by name; contact: an address
    for mistakes, None where none was given.
    """

    sections: Sequence[Section] = ()
    rankings: Mapping[str, Sequence[Ranking]] = field(default_factory=dict)
    spent: Mapping[tuple[str, str], tuple[int, Decimal]] = field(default_factory=dict)
    missing: Sequence[Missing] = ()
    files: Sequence[tuple[Both, Both]] = ()
    errata: Sequence[Erratum] = ()
    runs: Sequence[Ran] = ()
    gates: Sequence[Gates] = ()
    prompts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    views: Mapping[str, str] = field(default_factory=dict)
    contact: str | None = None

    @cached_property
    def chapters(self) -> dict[str, Chapter]:
        """The chapter of every section, made once for all pages, by the suite's word."""
        return {section.suite: chapter_of(section) for section in self.sections}

    @property
    def systems(self) -> list[str]:
        """Systems that have a page: tested ones that have numbers, neither controls nor panels (J-6)."""
        found = {
            row.system_id
            for section in self.sections
            if section.overview is None
            for row in section.rows
            if not section.systems[row.system_id].is_control
        }
        return sorted(found)


def brief_of(case: Case) -> Brief | None:
    """What a system was told of a case; None where the row holds nothing that can be read, and the page shows the rest."""
    try:
        return Brief.model_validate_json(case.brief)
    except ValidationError:
        return None


def suite_path(suite: str) -> str:
    """Where the page of a suite stands."""
    return f"suite-{suite}.html"


def system_path(system: str) -> str:
    """Where the page of a system stands."""
    return f"system-{system}.html"


def case_path(suite: str, case_id: str) -> str:
    """Where the page of a public case stands."""
    return f"case/{suite}/{case_id}.html"


def claim_path(claim_id: str) -> str:
    """Where the page of a claim stands."""
    return f"claim/{claim_id}.html"


def nav_of(site: Site) -> list[tuple[str, Both]]:
    """What every page links to: the overview, every suite, method, runs, data."""
    suites = [(suite_path(s.suite), name("suite", s.suite)) for s in site.sections]
    fixed = [(METHOD, text("site.method.title")), (RUNS, text("site.runs.title")), (DATA, text("site.data.title"))]
    return [(OVERVIEW, text("site.overview.title")), *suites, *fixed]


def show(template: str, site: Site, path: str, title: Both, **values: Any) -> str:
    """A page in the common frame; path: where it will stand, from which all its links are counted."""
    from profiles.report.page import environment

    root = "../" * path.count("/")
    made: str = (
        environment()
        .get_template(template)
        .render(root=root, here=path, nav=nav_of(site), title=title, site=site, **values)
    )
    return made
