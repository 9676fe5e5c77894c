"""All pages of the site, by their paths."""

from collections.abc import Iterator

from profiles.report.page import assets
from profiles.report.pages import (
    DATA,
    METHOD,
    OVERVIEW,
    RUNS,
    Site,
    cases,
    claims,
    data,
    method,
    overview,
    runs,
    suites,
    systems,
)


def files_of(site: Site) -> Iterator[tuple[str, str]]:
    """Path and text of every file of the site, one after the other, so memory holds one page at a time."""
    yield from assets().items()
    yield OVERVIEW, overview.page(site)
    yield from suites.pages(site)
    yield from systems.pages(site)
    yield from cases.pages(site)
    yield from claims.pages(site)
    yield METHOD, method.page(site)
    yield RUNS, runs.page(site)
    yield DATA, data.page(site)
