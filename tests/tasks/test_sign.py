"""From the gallery to a signed ranking: a person grades by keyboard in a real browser, the file is taken, badges light up (A-5, A-7, A-9)."""

import csv
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from page_grades import grade
from page_store import EDITION, PLACE, SYSTEM, page_store
from playwright.sync_api import Page, sync_playwright

from datasets.store import Store
from datasets.tables import read, rows_of, seal, write_part
from schemas.errors import StageError, UsageError
from schemas.grade import Grade
from tasks.browse import find_browser
from tasks.people import COLUMNS, import_grades
from tasks.publish import publish_report
from tasks.sign import hash_of_grades, sign, signature_of

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    executable = find_browser()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable)
        yield browser.new_page(viewport={"width": 1400, "height": 900}, offline=True, accept_downloads=True)
        browser.close()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return page_store(tmp_path)


def gallery(store: Store, page: Page) -> None:
    publish_report(str(store.root))
    page.goto((store.root / "report" / "gallery-artifacts.html").as_uri())
    page.evaluate("localStorage.clear()")
    page.reload()


def download(page: Page, folder: Path) -> Path:
    with page.expect_download() as found:
        page.click("#download")
    found.value.save_as(folder / "grades.csv")
    return folder / "grades.csv"


def people(store: Store) -> dict[tuple[str, int, str], tuple[float, str | None]]:
    rows = rows_of(Grade, read(store, Grade, PLACE.model_copy(update={"judge": "person-jana-novotna"})))
    return {(g.case_id, g.trial, g.item): (g.points, g.reason) for g in rows}


def test_a_person_grades_by_keyboard_and_the_file_is_taken(store: Store, page: Page, tmp_path: Path) -> None:
    """All with keys: values, reasons, next and previous page; what lacks a reason is left out and told; the columns are the importer's."""
    gallery(store, page)
    assert page.locator("article.page").count() == 4
    assert page.locator("article.page img").count() == 28
    page.keyboard.press("1")  # conformity of the first page, on to the next criterion
    page.keyboard.press("5")  # works, on to its reason
    page.keyboard.type('Tlačítko „Přidat“, "nic", nedělá')
    page.keyboard.press("Enter")
    page.keyboard.press("0")  # look, and no reason
    page.keyboard.press("Enter")
    page.keyboard.press("j")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("1")  # works of the second page
    page.keyboard.press("k")
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("1")  # code of the first page
    assert page.inner_text("#done") == "4"
    assert page.inner_text("#lacking") == "1"
    page.click("#download")
    assert page.locator("#nobody").is_visible()
    page.fill("#who", "Jana Novotná")
    file = download(page, tmp_path)
    with file.open(encoding="utf-8-sig", newline="") as lines:
        table = list(csv.DictReader(lines))
    assert set(table[0]) == {*COLUMNS, "trial"}
    first, second = ((row["case"], int(row["trial"])) for row in (table[0], table[-1]))
    told = import_grades(str(store.root), file, "artifacts")
    assert (told.taken, told.problems) == (4, ())
    assert people(store) == {
        (*first, "conformity"): (1.0, None),
        (*first, "works"): (0.5, 'Tlačítko „Přidat“, "nic", nedělá'),
        (*first, "code"): (1.0, None),
        (*second, "works"): (1.0, None),
    }


def test_what_was_graded_outlives_the_page(store: Store, page: Page) -> None:
    gallery(store, page)
    page.keyboard.press("1")
    page.reload()
    assert page.inner_text("#done") == "1"


def test_pages_have_no_names(store: Store, page: Page) -> None:
    """G-6: nothing that a person sees says who made a page or which trial it is."""
    gallery(store, page)
    seen = page.inner_text("body")
    assert SYSTEM not in seen.split()
    assert "acme" not in seen
    assert "Stránka 1" in seen
    assert "Krok 1: t1." in seen


def test_badges_light_up_in_gallery_and_report(store: Store, page: Page, tmp_path: Path) -> None:
    """A-7: the judge gave works 0.5 in t1, the person 1; 0.5 apart. Hidden in the gallery until asked for."""
    file = tmp_path / "g.csv"
    file.write_text(
        "case,system,item,points,who,when,reason,trial\nt1,s1,works,1,Jana Novotná,2026-11-30,,1\nt2,s1,works,1,Jana Novotná,2026-11-30,,1\n",
        encoding="utf-8",
    )
    assert import_grades(str(store.root), file, "artifacts").taken == 2
    gallery(store, page)
    assert page.locator(".badges").count() == 1
    assert not page.locator(".badges").is_visible()
    number = page.locator("article:has(.badges)").evaluate(
        "a => [...document.querySelectorAll('article.page')].indexOf(a)"
    )
    for _ in range(number):
        page.keyboard.press("j")
    page.keyboard.press("b")
    assert page.locator(".badges").is_visible()
    assert "person-jana-novotna 1,0, posuzovatelé 0,5" in page.inner_text(".badges")
    report = (store.root / "report" / "suite-artifacts.html").read_text(encoding="utf-8")
    assert "Úloha t1, s1, pokus 1, Funguje hned: person-jana-novotna dává 1,0, posuzovatelé 0,5." in report


def test_a_reason_is_needed_below_the_top(store: Store, tmp_path: Path) -> None:
    """A-5; an unknown criterion is told with the known ones."""
    file = tmp_path / "g.csv"
    lines = [
        "t1,s1,works,0.5,Jana,2026-11-30,,1",
        "t1,s1,logic,1,Jana,2026-11-30,,1",
        "t1,s1,look,0.7,Jana,2026-11-30,x,1",
    ]
    file.write_text("case,system,item,points,who,when,reason,trial\n" + "\n".join(lines) + "\n", encoding="utf-8")
    told = import_grades(str(store.root), file, "artifacts")
    assert told.taken == 0
    assert told.problems[0] == "g.csv, line 2: reason: 0.5 for works needs a concrete defect as its reason."
    assert told.problems[1].startswith("g.csv, line 3: there is no item 'logic'")
    assert told.problems[2].startswith("g.csv, line 4: points of look: 0, 0.5 or 1 was expected")


def shown(store: Store) -> str:
    return publish_report(str(store.root)).with_name("suite-artifacts.html").read_text(encoding="utf-8")


def test_the_report_shows_the_signature_its_absence_and_that_grades_have_changed(store: Store) -> None:
    """A-9: who, when, over which grades; a grade that comes later makes the signature outdated."""
    assert "Pořadí nikdo nepodepsal." in shown(store)
    signed = sign(str(store.root), "artifacts", "  Jana   Novotná ", now=NOON)
    assert (signed.who, signed.when, signed.edition, signed.n_grades) == ("Jana Novotná", "2026-11-30", EDITION, 28)
    page = shown(store)
    assert (
        f"Podepsáno: Jana Novotná, 30.\u00a011.\u00a02026, nad všemi hodnoceními edice (28\u00a0hodnocení, otisk {signed.grades_hash[:16]})"
        in page
    )
    place = PLACE.model_copy(update={"judge": "person-x"})
    seal(store, Grade, place, [write_part(store, Grade, place, "p" * 16, 0, [grade("person-x", "look", 1)])])
    assert "Od té doby se změnila, podpis tedy neplatí." in shown(store)
    found = signature_of(store, "artifacts", EDITION)
    assert found is not None
    assert found[1] is False


def test_the_hash_follows_grades_and_nothing_else(store: Store) -> None:
    """The same grades in other parts have the same hash, another point another one."""
    first = hash_of_grades(store, "artifacts", EDITION)
    place = PLACE.model_copy(update={"judge": "acme"})
    rows = rows_of(Grade, read(store, Grade, place))
    seal(store, Grade, place, [write_part(store, Grade, place, f"{n}" * 16, n, rows[n::2]) for n in (0, 1)])
    assert hash_of_grades(store, "artifacts", EDITION) == first
    changed = [rows[0].model_copy(update={"points": 0.0}), *rows[1:]]
    seal(store, Grade, place, [write_part(store, Grade, place, "c" * 16, 0, changed)])
    assert hash_of_grades(store, "artifacts", EDITION)[0] != first[0]


def test_nothing_to_sign_and_nobody_who_signs(store: Store, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="A name was expected as the signature, not ' - '"):
        sign(str(store.root), "artifacts", " - ")
    Store.open(tmp_path / "empty")
    with pytest.raises(StageError, match="There are no answers to artifacts"):
        sign(str(tmp_path / "empty"), "artifacts", "Jana")
