"""The site in a real browser: links, console, requests, both languages, axe, sorting and filtering by keyboard, the form (G-9, G-13, S-2)."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urlparse

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page
from site_support import quiet, systems_file, whole_store

from datasets.invoices import SET_VERSION
from datasets.store import Store
from profiles.report.texts import read_texts
from tasks.errata import read_mistake
from tasks.publish import publish_report

KINDS = (
    "index.html", "suite-invoices.html", "suite-legal.html", "suite-jury.html", "system-rules.html", "system-alfa.html",
    "case/invoices/*.html", "case/legal/*.html", "claim/book-vacation.html", "method.html", "runs.html", "data.html",
)  # fmt: skip
"""A page of every kind; of a pattern the first."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    folder = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(systems_file(folder)))
        patch.setenv("ZKUSEBNA_CONTACT", "chyby@zkusebna.example")
        made = whole_store(folder)
        publish_report(str(made.root))
        yield made


@pytest.fixture(scope="module")
def folder(store: Store) -> Path:
    return store.root / "report"


@pytest.fixture(scope="module")
def opened(browser: Browser, folder: Path) -> Iterator[Page]:
    """One window for all tests; at the end nothing but files of the folder was asked for, and the console was silent."""
    context = browser.new_context(viewport={"width": 1280, "height": 900}, accept_downloads=True)
    page = context.new_page()
    with quiet(page, folder):
        yield page
    context.close()


def file_of(folder: Path, kind: str) -> Path:
    return sorted(folder.glob(kind))[0]


def show(page: Page, folder: Path, kind: str, lang: str) -> None:
    page.goto(f"{file_of(folder, kind).as_uri()}?lang={lang}")


def test_every_internal_link_of_every_page_leads_somewhere(opened: Page, folder: Path) -> None:
    """As the browser resolves them, with the parts of pages that they name."""
    links: dict[str, set[str]] = {}
    ids: dict[Path, set[str]] = {}
    for path in sorted(folder.rglob("*.html")):
        opened.goto(path.as_uri())
        ids[path] = set(opened.evaluate("[...document.querySelectorAll('[id]')].map(e => e.id)"))
        for link in opened.evaluate(
            "[...document.querySelectorAll('a[href], link[href], img[src], script[src]')].map(e => e.href || e.src)"
        ):
            links.setdefault(link, set()).add(path.name)
    for link, pages in links.items():
        at = urlparse(link)
        assert at.scheme in ("file", "mailto", "data"), (link, pages)
        if at.scheme == "file":
            target = Path(unquote(at.path))
            assert target.is_file(), (link, pages)
            assert not at.fragment or target not in ids or unquote(at.fragment) in ids[target], (link, pages)


@pytest.mark.parametrize("kind", KINDS)
def test_one_language_is_seen_and_nothing_of_the_other(opened: Page, folder: Path, kind: str) -> None:
    """Every text of the other language that differs and is long enough to be told is looked for; both languages fill the same places.

    Left aside are parts that say which language they are in: documents, answers, prompts.
    """
    seen = {}
    for lang in ("cs", "en"):
        show(opened, folder, kind, lang)
        opened.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
        assert opened.evaluate("document.documentElement.lang") == lang
        opened.evaluate("document.querySelectorAll('main [lang]:not(.l-cs, .l-en)').forEach(e => e.remove())")
        seen[lang] = " ".join(opened.locator("body").inner_text().split())
        assert "{" not in opened.title()
        assert opened.title().endswith("– Zkušebna")
    for lang, other in (("cs", "en"), ("en", "cs")):
        mine = {" ".join(str(v).split()) for v in read_texts(lang).values() if isinstance(v, str)}
        foreign = {" ".join(str(v).split()) for v in read_texts(other).values() if isinstance(v, str)} - mine
        found = [words for words in foreign if len(words) >= 24 and "{" not in words and words in seen[lang]]
        assert found == []
    counts = opened.evaluate("[document.querySelectorAll('.l-cs').length, document.querySelectorAll('.l-en').length]")
    assert counts[0] == counts[1] > 10


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_no_violation(opened: Page, folder: Path, kind: str, scheme: Literal["light", "dark"]) -> None:
    opened.emulate_media(color_scheme=scheme)
    show(opened, folder, kind, "cs" if scheme == "light" else "en")
    if opened.locator("details").count() < 60:
        opened.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    found = Axe().run(opened, options={"resultTypes": ["violations"], "preload": False}).response["violations"]
    assert [(v["id"], [n["html"][:160] for n in v["nodes"][:3]]) for v in found] == []


@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_is_wider_than_the_window(opened: Page, folder: Path, width: int) -> None:
    opened.set_viewport_size({"width": width, "height": 900})
    for kind in KINDS:
        show(opened, folder, kind, "cs")
        opened.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
        assert opened.evaluate("document.documentElement.scrollWidth") <= width, kind
    opened.set_viewport_size({"width": 1280, "height": 900})


def test_the_language_goes_from_page_to_page_without_a_storage(browser: Browser, folder: Path) -> None:
    context = browser.new_context()
    context.add_init_script("Object.defineProperty(window, 'localStorage', { get() { throw new Error('none'); } });")
    page = context.new_page()
    page.goto((folder / "index.html").as_uri())
    assert page.evaluate("document.documentElement.lang") == "cs"
    page.get_by_role("button", name="Read in English").click()
    page.get_by_role("link", name="Method").first.click()
    page.wait_for_url("**/method.html*")
    assert page.evaluate("document.documentElement.lang") == "en"
    page.get_by_role("link", name="Runs").first.click()
    page.wait_for_url("**/runs.html*")
    assert page.locator("h1").inner_text() == "Runs"
    context.close()


def test_a_table_sorts_and_filters_by_keyboard(opened: Page, folder: Path) -> None:
    show(opened, folder, "system-rules.html", "cs")
    opened.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    table = opened.locator("table:has(#invoices-numbers)")
    value = table.locator("thead th").nth(5)
    for direction in ("ascending", "descending"):
        value.locator("button").focus()
        opened.keyboard.press("Enter")
        assert value.get_attribute("aria-sort") == direction
        assert table.locator("thead th[aria-sort]").count() == 1
    documents = table.locator("thead th").nth(7)
    documents.locator("button").focus()
    opened.keyboard.press("Space")
    shown = [int(words) for words in table.locator("tbody tr td:nth-child(8)").all_inner_texts()]
    assert shown == sorted(shown)
    field = opened.locator(".table-filter:has(~ .scroll #invoices-numbers) input").last
    field.focus()
    opened.keyboard.type("ceska cast")
    assert table.locator("tbody tr:visible").count() == 0
    field.fill("čeština")
    rows = table.locator("tbody tr:visible").all_inner_texts()
    assert rows
    assert all("čeština" in row.lower() for row in rows)


def test_the_standing_tells_rank_interval_n_date_and_versions(opened: Page, folder: Path, store: Store) -> None:
    """G-9, S-2: rules and ocr-rules say the same of texts, so they share a rank; beta, which reads nothing, is decisively worse."""
    show(opened, folder, "index.html", "cs")
    rows = [
        " ".join(row.split())
        for row in opened.locator("table:has(#invoices-field_accuracy-all-counted-standing) tbody tr").all_inner_texts()
    ]
    assert len(rows) == 3
    assert [row.split(" ")[:2] for row in rows] == [["ocr-rules", "1."], ["rules", "1."], ["Beta", "3."]]
    assert all("≈ spolu s jedním dalším" in row for row in rows[:2])
    for words in ("%", "20 případů", f"sada {SET_VERSION}, zadání", "2026"):
        assert all(words in row for row in rows), words
    matrix = opened.locator("table:has(#invoices-field_accuracy-all-counted-matrix)")
    cells = [" ".join(c.split()) for c in matrix.locator("tbody td").all_inner_texts()]
    assert [c.split(" ")[0] for c in cells] == ["–", "≈", "✓", "≈", "–", "✓", "✗", "✗", "–"]


def test_a_case_has_the_answers_and_a_form_that_makes_a_file(opened: Page, folder: Path, tmp_path: Path) -> None:
    show(opened, folder, "case/invoices/*.html", "cs")
    case_id = file_of(folder, "case/invoices/*.html").stem
    assert "Nevím <b>nic</b>." in opened.locator("main").inner_text()
    opened.get_by_role("button", name="Stáhnout soubor").click()
    assert opened.locator(".need").is_visible()
    opened.locator("input[value=grading]").check()
    opened.locator("textarea[name=wrong]").fill('Součet "je" jinde.\nA řádek.')
    with opened.expect_download() as waiting:
        opened.get_by_role("button", name="Stáhnout soubor").click()
    waiting.value.save_as(tmp_path / "mistake.json")
    told: dict[str, Any] = json.loads((tmp_path / "mistake.json").read_text(encoding="utf-8"))
    assert (told["case_id"], told["suite"], told["part"], told["wrong"]) == (
        case_id,
        "invoices",
        "grading",
        'Součet "je" jinde.\nA řádek.',
    )
    assert read_mistake(tmp_path / "mistake.json")["from"] == told["rubric_version"]
    mail = opened.locator(".mail")
    mail.evaluate("a => a.addEventListener('click', e => e.preventDefault())")
    mail.click()
    assert (mail.get_attribute("href") or "").startswith("mailto:chyby@zkusebna.example?subject=Chyba%20v")


def test_a_claim_has_both_bars_and_its_log(opened: Page, folder: Path) -> None:
    show(opened, folder, "claim/book-vacation.html", "cs")
    assert opened.locator(".verdicts.wide").count() == 2
    assert opened.locator("table.log tbody tr").count() == 2
    words = " ".join(opened.locator("main").inner_text().split())
    assert "25 %" in words.replace("\u00a0", " ")


def test_runs_tell_gates_and_rules_in_words_and_the_erratum_stands_in_the_method(
    opened: Page, folder: Path, store: Store
) -> None:
    """The rows of the gates are counted again from the tables by their files."""
    import duckdb

    show(opened, folder, "runs.html", "cs")
    opened.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    rows = [" ".join(r.split()) for r in opened.locator("table:has([id^=gates-]) tbody tr").all_inner_texts()]
    files = f"{store.root}/tables/profiles/suite=invoices/**/*.parquet"
    n = len(duckdb.sql(f"SELECT case_id FROM read_parquet('{files}') WHERE system_id = 'rules'").fetchall())
    (told,) = [r for r in rows if r.startswith("profile (profiles)") and " rules " in r and "ocr" not in r]
    assert told.endswith(f"1 {n} {n} 0 –")
    opened.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")
    assert (
        "Žádné dva řádky se neshodují ve všech sloupcích klíče: suite, edition" in opened.locator("main").inner_text()
    )
    show(opened, folder, "method.html", "en")
    assert "A total was off by a cent." in opened.locator("main").inner_text()
