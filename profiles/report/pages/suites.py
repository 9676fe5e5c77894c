"""The page of a suite: its chapter as it is, with the comparison of all pairs and the way to the pages of its cases or claims."""

from collections.abc import Iterator

from profiles.report.jury_claims import words_of
from profiles.report.material import Section
from profiles.report.page import render
from profiles.report.pages import Site, case_path, claim_path, nav_of, suite_path
from profiles.report.pages.standings import standings
from profiles.report.texts import Both, name, same


def pages(site: Site) -> Iterator[tuple[str, str]]:
    """Path and page of every suite."""
    for section in site.sections:
        path = suite_path(section.suite)
        told = [] if section.overview is not None else standings(site, section, is_short=False)
        yield path, render(
            [section], chapters=[site.chapters[section.suite]], title=name("suite", section.suite), site=site, nav=nav_of(site), here=path, root="",
            index=_index(section), is_of_claims=section.overview is not None,
            matrices=[one.matrix for one in told if one.matrix],
        )  # fmt: skip


def _index(section: Section) -> list[tuple[str, Both]]:
    if section.overview is not None:
        return [(claim_path(claim.id), words_of(claim)) for claim in section.overview.claims]
    return [(case_path(section.suite, c.case.case_id), same(c.case.case_id)) for c in section.cases]
