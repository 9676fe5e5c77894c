"""The chapter of the language tax in a real browser: numbers as in the rows, both languages, what is not known (D-18, G-9, G-10)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from report_support import tendency_row

from profiles.report.chapters import chapter_of
from profiles.report.material import Section
from profiles.report.page import render
from schemas.tendency import Metric, Tendency
from tasks.choose import known_systems

SPREAD: dict[Metric, float] = {
    "language_tax_min": 1.5, "language_tax_q1": 1.75, "language_tax_median": 2, "language_tax_q3": 2.25, "language_tax_max": 2.5,
}  # fmt: skip


def row(system: str, metric: Metric, value: float | None, language: str = "cs", **more: Any) -> Tendency:
    given = {"dimension": "language", "group_name": language, "n_documents": 5, **more}
    return tendency_row(system, metric, value, suite="language_tax", **given)


def section() -> Section:
    """One system with a tax from 5 of 6 paragraphs, one whose empty prompt could not be measured."""
    rows = [row("smollm2", "language_tax", 1.7857, low=1.6, high=2.1049, n_left_out=1)]
    rows += [row("smollm2", metric, value) for metric, value in SPREAD.items()]
    rows += [row("smollm2", "language_tax", 2.25, "pl", n_documents=1)]
    rows += [row("smollm2", "tokens_in", 12_345, x) for x in ("cs", "en", "pl")]
    rows += [row("smollm2", "language_tax", 1.0, "en")]
    rows += [row("smollm2", "tokens_in", 30, dimension="overhead", group_name="full_stop")]
    rows += [row("smollm2", "coverage", 0.9, dimension="overall", group_name="all", n_documents=20, n_left_out=2)]
    rows += [
        row("recorded", "language_tax", None, x, note="no_overhead", n_documents=0, n_left_out=6) for x in ("cs", "pl")
    ]
    known = known_systems()
    return Section("language_tax", "e1", tuple(rows), {name: known[name] for name in ("smollm2", "recorded")})


@pytest.fixture
def page(browser: Browser, tmp_path: Path) -> Iterator[Page]:
    file = tmp_path / "page.html"
    file.write_text(render([section()]), encoding="utf-8")
    opened = browser.new_page(viewport={"width": 1200, "height": 900})
    opened.goto(file.as_uri())
    yield opened
    opened.close()


def words(page: Page, selector: str) -> str:
    return " ".join(page.locator(selector).first.inner_text().split())


def test_numbers_are_those_of_the_rows(page: Page) -> None:
    taxes = words(page, "table:has(#language_tax-tax-table)")
    assert "čeština prázdné zadání se nepodařilo změřit 1,79× 1,60–2,10×, 5 z 6 odstavců" in taxes
    assert "polština prázdné zadání se nepodařilo změřit 2,25× 1 odstavec" in taxes
    assert "angličtina" not in words(page, "table:has(#language_tax-tax-table) tbody")
    assert "čeština 1,50× 1,75× 2,00× 2,25× 2,50×" in words(page, "table:has(#language_tax-spread-smollm2-table)")
    counts = words(page, "table:has(#language_tax-counts-table)")
    assert "angličtina – 12 345" in counts
    assert "prázdné zadání (tečka bez jednoho tokenu) – 30" in counts
    assert "změřené zprávy – 18 z 20" in counts
    assert "Sada: 6 odstavců v šesti jazycích" in words(page, "main")


def test_it_reads_in_english_too(page: Page) -> None:
    page.click("#switch")
    whole = words(page, "main")
    assert "Czech the empty prompt could not be measured 1.79× 1.60–2.10×, 5 of 6 paragraphs" in whole
    assert "empty prompt (a full stop less one token)" in whole
    assert "on the line from 0 to 3." in whole


def test_every_table_has_its_stamp_and_the_limits_stand_beside_the_numbers(page: Page) -> None:
    """G-9, G-10."""
    stamps = {" ".join(s.split()) for s in page.locator(".stamp").all_inner_texts()}
    assert stamps == {"Běh 5. 11. 2026, edice e1, sada 1.0, zadání p1, hodnocení g1."}
    assert page.locator(".stamp").count() == 3
    meaning = words(page, "section:has(> #language_tax-meaning)")
    for told in ("rodilí mluvčí je nekontrolovali", "Měří se jen vstup", "výběru odstavců", "Sada je celá veřejná"):
        assert told in meaning


def test_what_is_said_of_documents_is_not_said_here(page: Page) -> None:
    whole = words(page, "body")
    assert "porovnat s dokumentem" not in whole
    assert "Všechny dokumenty jsou umělé" not in whole
    assert "koupit" in whole


def test_every_heading_of_the_contents_is_there_and_nothing_overflows(page: Page) -> None:
    for link in page.locator("nav a").all():
        assert page.locator(str(link.get_attribute("href"))).count() == 1
    page.set_viewport_size({"width": 360, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_a_suite_without_a_chapter_is_shown_like_documents() -> None:
    assert (
        chapter_of(Section("nobody_knows", "e", (tendency_row("rules", "coverage", 1.0),), {})).template
        == "documents.html.j2"
    )
    assert chapter_of(section()).template == "language_tax.html.j2"
