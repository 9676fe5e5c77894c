"""The overview: how every system stands in every suite, who is decisively better than whom, what is missing, the way to all pages."""

from collections.abc import Sequence
from dataclasses import dataclass

from profiles.report.material import Section
from profiles.report.pages import OVERVIEW, Site, show, suite_path, system_path
from profiles.report.pages.standings import Standing, standings
from profiles.report.tables import Table
from profiles.report.texts import Both, name, same, text


@dataclass(frozen=True)
class Suite:
    """One suite on the overview; states: of claims, where it is one of claims."""

    path: str
    title: Both
    lead: Both
    stamp: Both
    standings: Sequence[Standing]
    states: Table | None
    stats: Both | None


def page(site: Site) -> str:
    """The page `index.html`; of an empty store it says that nothing was measured yet."""
    return show(
        "site_overview.html.j2", site, OVERVIEW, text("site.overview.title"),
        suites=[_suite(site, section) for section in site.sections],
        systems=[(system_path(s), _name(site, s)) for s in site.systems],
        missing=[
            (name("suite", m.suite), m.edition, same(m.system) if m.system else None, text(f"site.missing.{m.what}"))
            for m in site.missing
        ],
    )  # fmt: skip


def _suite(site: Site, section: Section) -> Suite:
    chapter = site.chapters[section.suite]
    states = getattr(chapter.view, "states", None) if section.overview is not None else None
    return Suite(
        path=suite_path(section.suite),
        title=chapter.title,
        lead=name("lead", section.suite),
        stamp=chapter.view.stamp,
        standings=[] if section.overview is not None else standings(site, section, is_short=True),
        states=states,
        stats=chapter.view.measured if section.overview is not None else None,
    )


def _name(site: Site, system: str) -> Both:
    return same(next(s.systems[system].name for s in site.sections if system in s.systems))
