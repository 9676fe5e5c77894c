"""The page in a real browser: numbers, languages, marks, filter, contrast, keyboard, width (G-2, G-9, G-10, D-13 to D-16, D-20)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from report_support import EDITION, LOW_CONTRAST, fill

from tasks.publish import publish_report


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("store") / "store"
    fill(path)
    return publish_report(str(path)).with_name("suite-invoices.html")


@pytest.fixture
def page(browser: Browser, report: Path) -> Iterator[Page]:
    """The report, opened; nothing but the file may have been asked for, and the console is silent."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    opened = context.new_page()
    asked: list[str] = []
    told: list[str] = []
    opened.on("request", lambda r: asked.append(r.url))
    opened.on("console", lambda m: told.append(m.text))
    opened.on("pageerror", lambda e: told.append(str(e)))
    opened.goto(report.as_uri())
    yield opened
    folder = report.parent.as_uri()
    assert [url for url in asked if not url.startswith(("data:", folder))] == []
    assert told == []
    context.close()


def _text(page: Page, selector: str, nth: int = 0) -> str:
    return " ".join(page.locator(selector).nth(nth).inner_text().split())


def test_numbers_on_the_page_are_those_of_the_rows(page: Page) -> None:
    whole, part = (_text(page, ".board tbody", n) for n in (0, 1))
    assert whole.startswith("ocr-rules 80,0 % 75,0–85,0 % 36 polí, 3 dokumenty ✗ pod laťkou 25,0 % 10,0–40,0 %")
    assert "12,50 USD 3 z 3" in whole
    assert "rules 93,1 % 91,0–95,2 % 24 polí, 2 dokumenty ≈ nerozhodnuto 50,0 % 9,5–90,6 % 100,0 %" in part
    assert "napoprvé 99,9 % 12 ms medián 1,5 s 90. percentil 0 USD 2 z 3" in part
    assert "mimo hodnocení 1: obrázky, které systém nepřijímá" in part
    assert "tyto podíly nelze srovnávat" in part
    assert "tyto podíly nelze srovnávat" not in whole
    language = _text(page, "table.grouped")
    assert "čeština 70,0 %" in language
    assert "čeština minus angličtina −20,0 p. b. −25,0 až −10,0 p. b., 2 dvojice" in language
    errors = _text(page, "table.grouped:has(#invoices-public-error)")
    assert "ztracená diakritika 3" in errors
    assert "sazba" not in errors


def test_private_aggregates_stand_apart(page: Page) -> None:
    private = _text(page, ".private .board")
    assert "ocr-rules 96,0 % 95,5–99,0 %" in private
    assert "✓ nad laťkou" in private
    assert "rules méně než 5 dokumentů, neuvádí se" in private


def test_every_table_carries_its_run_set_and_prompt(page: Page) -> None:
    stamps = [_text(page, ".stamp", n) for n in range(page.locator(".stamp").count())]
    assert len(stamps) >= 5
    assert set(stamps) == {f"Běh 5. 11. 2026, edice {EDITION}, sada 1.0, zadání p1, hodnocení g1."}


def test_limits_rule_of_thumb_and_independence_are_said(page: Page) -> None:
    said = " ".join(page.locator("main").inner_text().split())
    for words in (
        "±1 procentní bod",
        "jen 2 dokumenty v každém jazyce",
        "umělé",
        "jednu stranu",
        "rukou",
        "momentka",
        "nelze koupit",
    ):
        assert words in said, words


def test_one_language_is_seen_and_the_switch_is_remembered(page: Page) -> None:
    assert page.evaluate("document.documentElement.lang") == "cs"
    assert "Pořadí" in page.locator("main").inner_text()
    assert "Standing" not in page.locator("main").inner_text()
    page.get_by_role("button", name="Read in English").click()
    english = page.locator("body").inner_text()
    assert (page.evaluate("document.documentElement.lang"), page.title()) == ("en", "Invoices – Zkušebna")
    assert "Standing" in english
    assert "Pořadí" not in english
    assert "93.1%" in english
    assert "93,1" not in english
    page.reload()
    assert page.evaluate("document.documentElement.lang") == "en"
    page.get_by_role("button", name="Číst česky").click()
    assert "Pořadí" in page.locator("main").inner_text()


def test_without_scripts_the_page_is_czech_alone(browser: Browser, report: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report.as_uri())
    shown = page.locator("body").inner_text()
    assert "Pořadí" in shown
    assert "Standing" not in shown
    assert not page.locator("#switch").is_visible()
    assert not page.locator(".filter").is_visible()
    page.locator("#invoices-cs-0001 > summary").click()
    assert page.locator("#invoices-cs-0001 table").is_visible()
    context.close()


def test_wrong_fields_are_marked_by_sign_and_words(page: Page) -> None:
    assert page.locator(".case").first.get_attribute("id") in ("invoices-cs-0001", "invoices-cs-0002")
    assert page.locator(".case").last.get_attribute("id") == "invoices-en-0001"
    page.locator("#invoices-cs-0001 > summary").click()
    supplier = page.locator("#invoices-cs-0001 tbody tr").nth(0)
    cells = [" ".join(c.split()) for c in supplier.locator("td").all_inner_texts()]
    assert cells == ["Horák & syn", "✗ Horak & syn ztracená diakritika", "✓ správně"]
    total = [
        " ".join(c.split()) for c in page.locator("#invoices-cs-0001 tbody tr").nth(1).locator("td").all_inner_texts()
    ]
    assert total == ["1210.00", "✗ nic chybějící údaj", "✓ 1 210,00 správně, jiný zápis"]
    path = _text(page, "#invoices-cs-0001 .path")
    assert path == (
        "Dodavatel: místo „Horak & syn“ mělo být „Horák & syn“ (ztracená diakritika). "
        "Celkem k úhradě: chybí, mělo být „1210.00“."
    )
    assert page.locator("#invoices-cs-0001 pre").inner_text() == "Faktura <b>1</b> Horák & syn"


def test_an_invented_value_and_a_system_that_was_not_asked(page: Page) -> None:
    assert _text(page, "#invoices-cs-0002 > summary .told") == "ocr-rules ✗ 1 chyba rules · obrázky nepřijímá"
    page.locator("#invoices-cs-0002 > summary").click()
    assert "✗ CZ12345678 vymyšlený údaj" in _text(page, "#invoices-cs-0002 table")
    picture = page.locator("#invoices-cs-0002 img")
    picture.scroll_into_view_if_needed()
    page.wait_for_function("document.querySelector('#invoices-cs-0002 img').naturalWidth > 0")
    assert picture.evaluate("i => [i.naturalWidth, i.naturalHeight, i.loading, i.decoding]") == [
        200,
        280,
        "lazy",
        "async",
    ]


def test_the_filter_counts_and_hides(page: Page) -> None:
    def visible() -> list[str]:
        return [c.get_attribute("id") or "" for c in page.locator(".case").all() if c.is_visible()]

    assert len(visible()) == 3
    page.get_by_label("jen s chybou").check()
    assert visible() == ["invoices-cs-0001", "invoices-cs-0002"]
    page.get_by_role("radio", name="rules", exact=True).check()
    assert visible() == []
    assert page.locator(".none-left").is_visible()
    page.get_by_label("jen s chybou").uncheck()
    assert visible() == ["invoices-cs-0001", "invoices-en-0001"]
    assert page.locator(".found output").inner_text() == "2"
    assert not page.locator("#invoices-cs-0001 .told [data-col='0']").is_visible()


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_nothing_sticks_out_of_the_window(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_is_aa_in_both_schemes(page: Page, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    assert page.evaluate(LOW_CONTRAST) == []
    paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert paper == {"light": "rgb(251, 250, 246)", "dark": "rgb(23, 22, 20)"}[scheme]


def test_an_address_with_a_case_opens_it(browser: Browser, report: Path) -> None:
    page = browser.new_page()
    page.goto(report.as_uri() + "#invoices-en-0001")
    assert page.locator("#invoices-en-0001 table").is_visible()
    page.close()


def test_the_switch_and_the_cases_work_by_keyboard(page: Page) -> None:
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('p').className") == "house"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.documentElement.lang") == "en"
    page.locator("#invoices-en-0001 > summary").focus()
    page.keyboard.press("Enter")
    assert page.locator("#invoices-en-0001 table").is_visible()
