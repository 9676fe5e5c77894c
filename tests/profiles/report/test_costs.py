"""True cost and its calculator on the page, in a real browser: numbers by hand, estimates, bad entries, no script (D-17, D-19)."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from report_support import tendency_row

from profiles.money import read_rates, true_cost
from profiles.report import costs
from profiles.report.material import Section
from profiles.report.page import render
from schemas.system import System
from schemas.tendency import Tendency

D = Decimal
RATES = read_rates()
TAXES = {"cs": D("1.60"), "en": D(1), "de": D("1.45"), "pl": D("1.60")}


def rows(system: str, language: str, n: int, faulty: int, usd: str, **more: Any) -> list[Tendency]:
    """What `tendencies` holds of a language: usd is the spend on all n documents together."""
    common: dict[str, Any] = {"dimension": "language", "group_name": language, "n_documents": n, "n_items": n}
    good = (n - faulty) / n
    return [
        tendency_row(
            system, "faultless", good, low=max(0.0, good - 0.05), high=min(1.0, good + 0.05), **common, **more
        ),
        tendency_row(system, "cost_per_1000_usd", float(D(usd)) / n * 1000, **common, **more),
        tendency_row(system, "field_accuracy", 0.9, low=0.8, high=0.95, **common, **more),
    ]


def system(name: str) -> System:
    entry = {"id": name, "name": name, "vendor": "v", "family": "f", "client": "scripted", "suites": (), "inputs": ("text",)}  # fmt: skip
    return System.model_validate(entry)


def section(**change: Any) -> Section:
    """`model` with 150 documents a language, `dear` with tiny spend and many errors, `rules` on a part and for nothing."""
    found = [
        *rows("model", "cs", 150, 12, "0.45", n_left_out=3),
        *rows("model", "en", 150, 6, "0.39"),
        *rows("dear", "cs", 150, 50, "0.0000075"),
        *rows("dear", "en", 150, 50, "0.0000075"),
        *rows("rules", "cs", 45, 0, "0", n_left_out=105),
        *(tendency_row(s, "field_accuracy", 0.9, low=0.8, high=0.95) for s in ("model", "dear", "rules")),
        tendency_row("model", "field_accuracy", 0.8, split="private", n_documents=75),
        tendency_row("model", "faultless", 0.5, split="private", dimension="language", group_name="cs"),
    ]
    base: dict[str, Any] = {
        "suite": "invoices", "edition": "v1.0-s1-n3-ptest", "rows": tuple(found), "n_public": 300,
        "systems": {s: system(s) for s in ("model", "dear", "rules")}, "left_out": {"rules": {"takes_no_image": 105}},
        "taxes": {"model": TAXES},
    }  # fmt: skip
    return Section(**(base | change))


def plain(shown: Any) -> str:
    return str(shown.cs).replace("\u00a0", " ")


def test_lines_by_hand() -> None:
    """150 documents for 0.45 USD, 12 faulty: 3 USD and 80 documents, 4 hours. At the rate of the settings 3 USD are 62.955 Kč.

    The interval: 8 % faulty plus and minus five points are 30 to 130 of 1,000, 1.5 and 6.5 hours.
    """
    czech, english, *_ = costs.groups(section(), ["dear", "model", "rules"])
    assert [x.language for x in (czech, english)] == ["cs", "en"]
    model, dear, rules = czech.lines
    assert [plain(x.system) for x in czech.lines] == ["model", "dear", "rules"]  # from the cheapest, a part at the end
    assert RATES.one_usd["CZK"] == D("20.985")
    assert [plain(x) for x in (model.spend, model.labour, model.total)] == ["62,96 Kč", "1 800,00 Kč", "1 862,96 Kč"]
    assert plain(model.interval) == "737,96–2 987,96 Kč"
    assert (plain(model.share), plain(model.scored)) == ("8,0 %", "150 z 153")
    assert plain(model.left_out) == "mimo hodnocení 3"
    assert (model.spend_usd, model.documents, model.faulty) == ("0.450000000", 150, "12")
    assert plain(dear.spend) == "méně než 0,01 Kč"
    assert plain(dear.total) == plain(dear.labour) == "7 500,00 Kč"
    assert (plain(rules.total), rules.is_partial) == ("0,00 Kč", True)
    american = english.lines[0]
    assert [plain(x) for x in (american.spend, american.labour, american.total)] == [
        "2,60 USD", "80,00 USD", "82,60 USD",
    ]  # fmt: skip


def test_estimates_by_hand() -> None:
    """2.60 USD in English, 3.00 in Czech; German has 0.45 of 0.60 of the excess: 2.90 USD. Polish has all of it: 3.00 USD."""
    _, _, german, polish = costs.groups(section(), ["dear", "model", "rules"])
    assert (german.language, polish.language, german.currency, german.is_estimate) == ("de", "pl", "EUR", True)
    [line] = german.lines  # a system without a tax has no estimate
    assert RATES.one_usd["EUR"] == D("0.8604")
    assert (plain(line.spend), line.spend_usd, line.faulty) == ("≈ 2,50 EUR", "2.900000000", "")
    assert (line.total, line.labour, line.share, line.scored) == (None, None, None, None)
    assert polish.lines[0].spend_usd == "3.000000000"
    flat = costs.groups(section(taxes={"model": {**TAXES, "cs": D("1.005")}}), ["model"])
    assert [plain(g.lines[0].spend) for g in flat if g.is_estimate] == ["nelze odhadnout"] * 2
    assert [g.language for g in costs.groups(section(taxes={}), ["model"])] == ["cs", "en"]


def test_sums_lead_back_to_the_store() -> None:
    """The mean in a row is a float; the sum behind it has nine decimals and comes back to the last digit."""
    for n, usd in ((7, "0.000000001"), (150, "123.456789012"), (99_999, "54321.987654321"), (3, "0.1")):
        [row] = [r for r in rows("model", "cs", n, 0, usd) if r.metric == "cost_per_1000_usd"]
        assert row.value is not None
        assert costs._spent(row.value, n) == D(usd)


def test_without_numbers_by_language_there_is_no_section() -> None:
    bare = section(rows=tuple(r for r in section().rows if r.metric == "field_accuracy"))
    assert costs.groups(bare, ["model"]) == []
    page = render([bare])
    assert 'id="invoices-cost"' not in page
    assert 'class="rates"' not in page


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "index.html"
    path.write_text(render([section()]), encoding="utf-8")
    return path


@pytest.fixture
def page(browser: Browser, report: Path) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    opened = context.new_page()
    told: list[str] = []
    opened.on("console", lambda m: told.append(m.text))
    opened.on("pageerror", lambda e: told.append(str(e)))
    opened.goto(report.as_uri())
    yield opened
    assert told == []
    context.close()


def counted(page: Page) -> list[list[str]]:
    lines = page.locator(".counted tr").all()
    return [[" ".join(c.split()) for c in line.locator("th, td").all_inner_texts()] for line in lines]


def hourly(page: Page) -> tuple[str, str]:
    """The label of the hourly rate with its currency, and what is entered."""
    label = " ".join(page.locator("label[for$=hourly]").inner_text().split())
    return label, page.get_by_role("textbox", name="Hodina práce").input_value()


def shown(number: Decimal, sign: str) -> str:
    return f"{number:,.2f}".replace(",", " ").replace(".", ",") + f" {sign}"


def test_the_calculator_begins_with_the_table(page: Page) -> None:
    assert counted(page) == [
        ["model", "1 862,96 Kč", "62,96 Kč", "1 800,00 Kč"],
        ["dear", "7 500,00 Kč", "méně než 0,01 Kč", "7 500,00 Kč"],
        ["rules jen část dokumentů", "0,00 Kč", "0,00 Kč", "0,00 Kč"],
    ]
    assert hourly(page) == ("Hodina práce člověka, Kč", "450")


@pytest.mark.parametrize(("volume", "rate"), [("1", "450"), ("123 457", "612,5"), ("100.000.000", "0"), ("7", "0.01")])  # fmt: skip
def test_the_calculator_agrees_with_the_decimals(page: Page, volume: str, rate: str) -> None:
    """The oracle is `profiles.money`; the total is the sum of the parts shown."""
    page.get_by_role("textbox", name="Počet dokumentů").fill(volume)
    page.get_by_role("textbox", name="Hodina práce").fill(rate)
    n, wage = int(volume.replace(" ", "").replace(".", "")), D(rate.replace(",", "."))
    cost = true_cost(D("0.45"), 150, 12, "CZK", volume=n, hourly=wage).rounded()
    assert counted(page)[0] == ["model", *(shown(x, "Kč") for x in (cost.total, cost.spend, cost.labour))]


def test_another_language_has_its_currency_and_keeps_the_rate_that_was_entered(page: Page) -> None:
    page.get_by_role("textbox", name="Hodina práce").fill("900")
    page.get_by_role("radio", name="angličtina").check()
    assert hourly(page) == ("Hodina práce člověka, USD", "40")
    assert counted(page)[0] == ["model", "82,60 USD", "2,60 USD", "80,00 USD"]
    page.get_by_role("radio", name="čeština").check()
    assert hourly(page) == ("Hodina práce člověka, Kč", "900")
    assert counted(page)[0][3] == "3 600,00 Kč"


def test_an_estimate_has_tokens_alone(page: Page) -> None:
    """D-19: marked ≈, without accuracy and so without a person's work."""
    page.get_by_role("radio", name="němčina ≈").check()
    page.get_by_role("textbox", name="Počet dokumentů").fill("2000")
    assert counted(page) == [["model", "–", "≈ 4,99 EUR", "bez dokumentů neznámo"]]  # 5.80 USD × 0.8604 = 4.990
    assert page.get_by_role("textbox", name="Hodina práce").is_disabled()


@pytest.mark.parametrize(
    ("label", "entry"),
    [("Počet dokumentů", x) for x in ("", "0", "-5", "1,5", "abc", "1e3", "100000001", "<b>")]
    + [("Hodina práce", x) for x in ("", "-1", "x", "1000001", "1.2.3", "Infinity")],
)
def test_a_wrong_entry_is_said_and_nothing_is_counted(page: Page, label: str, entry: str) -> None:
    field = page.get_by_role("textbox", name=label)
    field.fill(entry)
    alert = page.get_by_role("alert")
    assert alert.is_visible()
    assert "od 1 do 100 000 000" in alert.inner_text().replace("\u00a0", " ")
    assert field.get_attribute("aria-invalid") == "true"
    assert counted(page) == []
    field.fill("3")
    assert not alert.is_visible()
    assert len(counted(page)) == 3


def test_in_english(page: Page) -> None:
    page.get_by_role("button", name="Read in English").click()
    assert counted(page)[0] == ["model", "1,862.96 CZK", "62.96 CZK", "1,800.00 CZK"]
    assert counted(page)[1][2] == "less than 0.01 CZK"
    page.get_by_role("radio", name="German ≈").check()
    assert counted(page) == [["model", "–", "≈ 2.50 EUR", "unknown without documents"]]
    foot = " ".join(page.locator("footer").inner_text().split())
    assert "1 USD = 20.985 CZK = 0.8604 EUR, at the rate of 6 Mar 2026." in foot


def test_the_footer_states_the_dated_rate_and_the_text_the_constants(page: Page) -> None:
    """D-17."""
    foot = " ".join(page.locator("footer").inner_text().split())
    assert "1 USD = 20,985 Kč = 0,8604 EUR, kurz ze dne 6. 3. 2026." in foot
    lead = " ".join(page.locator("section.money").inner_text().split())
    assert "3 minuty na dokument, 450 Kč, 35 EUR nebo 40 USD za hodinu" in lead
    assert "≈ 2,50 EUR" in lead
    assert page.locator("section.money .stamp").inner_text() == page.locator(".stamp").first.inner_text()


def test_without_scripts_the_table_stands(browser: Browser, report: Path) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report.as_uri())
    assert page.locator("table.costs").is_visible()
    assert "1 862,96 Kč" in page.locator("table.costs").inner_text().replace("\u00a0", " ")
    assert not page.locator(".calculator").is_visible()
    assert "JavaScript" in page.locator("section.money noscript").inner_text()
    context.close()


def test_the_calculator_works_by_keyboard(page: Page) -> None:
    page.get_by_role("radio", name="čeština").focus()
    page.keyboard.press("ArrowDown")
    assert page.get_by_role("radio", name="angličtina").is_checked()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.name") == "volume"
    page.keyboard.press("Control+a")
    page.keyboard.type("2000")
    page.keyboard.press("Enter")
    assert counted(page)[0][1] == "165,20 USD"


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_nothing_sticks_out_of_the_window(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_is_aa_in_both_schemes(page: Page, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    page.get_by_role("textbox", name="Počet dokumentů").fill("x")
    ratios = page.evaluate("""() => {
      const rgb = (c) => c.match(/[\\d.]+/g).map(Number);
      const lum = (c) => { const [r, g, b] = rgb(c).slice(0, 3).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
      const paper = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (rgb(c)[3] !== 0) return c; } };
      return [...document.querySelectorAll('section.money *')].filter(e => e.getClientRects().length).map(e => {
        const a = lum(getComputedStyle(e).color), b = lum(paper(e)); return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); });
    }""")
    assert len(ratios) > 50
    assert min(ratios) >= 4.5
