"""Every chapter shows where a provider's filter stopped, where there is something to show, in both languages (M-6, G-8, G-9)."""

import re
from html.parser import HTMLParser

import pytest
from report_support import tendency_row

from profiles.filters import UNKNOWN, FilterLine
from profiles.report.chapters import chapter_of
from profiles.report.material import Section
from profiles.report.page import render
from schemas.system import System
from tasks.suites import SUITES

LINES = (FilterLine("acme", "DeepInfra", 1, 3, 1496, 1), FilterLine("acme", UNKNOWN, 2, 0, 0, 3))
TABLE = {
    "cs": [
        ["Systém", "Poskytovatel", "Zpráva", "Zastavena", "Prošla", "Nezjištěno"],
        ["Acme Large", "DeepInfra", "1", "3", "1 496", "1"],
        ["Acme Large", "neuveden", "2", "0", "0", "3"],
    ],
    "en": [
        ["System", "Provider", "Message", "Stopped", "Passed", "Not known"],
        ["Acme Large", "DeepInfra", "1", "3", "1,496", "1"],
        ["Acme Large", "not named", "2", "0", "0", "3"],
    ],
}
OWN = {"roleplay", "jury"}
"""The role-play shows the table among its own, the jury asks by panel."""


class Cells(HTMLParser):
    """The cells of one table as they stand in one language; what is marked as the other one is left out."""

    def __init__(self, table: str, lang: str) -> None:
        super().__init__()
        self.table, self.other = table, "l-en" if lang == "cs" else "l-cs"
        self.rows: list[list[str]] = []
        self._inside, self._skipped, self._is_cell = False, 0, False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._inside |= tag == "div" and given.get("aria-labelledby") == self.table
        if self._skipped or self.other in (given.get("class") or "").split():
            self._skipped += 1
        if self._inside and tag == "tr":
            self.rows.append([])
        if self._inside and tag in ("th", "td"):
            self._is_cell = True
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        self._skipped = max(0, self._skipped - 1)
        self._inside &= tag != "table"
        self._is_cell &= tag not in ("th", "td")

    def handle_data(self, data: str) -> None:
        if self._inside and self._is_cell and not self._skipped:
            self.rows[-1][-1] += re.sub(r"\s+", " ", data)


def section(suite: str, lines: tuple[FilterLine, ...] = LINES) -> Section:
    entry = {
        "id": "acme",
        "name": "Acme Large",
        "vendor": "Acme",
        "family": "acme",
        "client": "recorded",
        "suites": (),
        "inputs": ("text",),
    }
    rows = (tendency_row("acme", "coverage", 0.9, suite=suite),)
    return Section(suite, "e1", rows, {"acme": System.model_validate(entry)}, filters=lines)


@pytest.mark.parametrize("lang", ["cs", "en"])
@pytest.mark.parametrize("suite", sorted(set(SUITES) - OWN))
def test_a_chapter_shows_where_a_filter_stopped(suite: str, lang: str) -> None:
    page = render([section(suite)])
    reader = Cells(f"{suite}-by-filter", lang)
    reader.feed(page)
    assert [[cell.strip() for cell in row] for row in reader.rows] == TABLE[lang]
    assert page.count(f'href="#{suite}-filters"') == page.count(f'id="{suite}-filters"') == 1


@pytest.mark.parametrize("suite", sorted(set(SUITES) - OWN))
def test_a_chapter_without_a_filter_shows_no_table(suite: str) -> None:
    assert f"{suite}-by-filter" not in render([section(suite, ())])
    assert "filters" not in chapter_of(section(suite, ())).parts


def test_a_system_that_is_not_shown_has_no_line() -> None:
    assert chapter_of(section("invoices", (FilterLine("other", "DeepInfra", 1, 1, 0, 0),))).filters is None
