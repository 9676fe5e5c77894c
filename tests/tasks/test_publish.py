"""The report from a small hand-written store to a page in a real browser (G-2, G-8, G-9, G-10, D-14 to D-17, D-20)."""

import io
import itertools
import json
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from datasets.store import Store
from datasets.tables import Place, seal, write_part
from profiles.report.leak import ReportLeak
from schemas.case import Case
from schemas.exchange import Brief
from schemas.grade import Grade
from schemas.profile import Profile, Step
from schemas.row import Row
from schemas.tendency import Tendency
from tasks.choose import known_systems
from tasks.publish import leaderboard, publish_report, show_leaderboard

SUITE, EDITION = "invoices", "v1.0-s1-n3-ptest"
NBSP = "\u00a0"
CANARY = "ZKUSEBNA-CANARY-00112233445566778899aabbccddeeff"
SECRET_NAME = "Tajná Pekárna Ořech, s.r.o."
VOID = {"meta", "link", "img", "input", "br", "hr", "path", "use"}


# ---- a small store


def _picture() -> bytes:
    out = io.BytesIO()
    Image.linear_gradient("L").resize((300, 420)).save(out, "PNG", dpi=(150, 150))
    return out.getvalue()


def _case(case_id: str, truth: dict[str, Any], **more: Any) -> Case:
    language = case_id.split("-")[1]
    brief = Brief(suite=SUITE, case_id=case_id, language=language, prompt="Přečti.", prompt_version="p1")
    base: dict[str, Any] = {
        "suite": SUITE, "edition": EDITION, "case_id": case_id, "pair_id": case_id[-4:], "language": language,
        "split": "public", "level": "text", "variant": "ordinary", "layout": "classic", "prompt_version": "p1",
        "set_version": "1.0", "brief": brief.model_dump_json(), "truth": json.dumps(truth, ensure_ascii=False),
        "text": None, "document_sha256": None, "image_sha256": None, "canary": None,
    }  # fmt: skip
    return Case(**(base | more))


def _tendency(system: str, metric: str, value: float | None, **more: Any) -> Tendency:
    base: dict[str, Any] = {
        "suite": SUITE, "edition": EDITION, "system_id": system, "split": "public", "dimension": "overall",
        "group_name": "all", "metric": metric, "value": value, "low": None, "high": None, "method": "none",
        "n_documents": 2, "n_items": 24, "n_left_out": 0, "note": None, "seed": 1, "set_version": "1.0",
        "prompt_version": "p1", "rubric_version": "g1", "run_id": "r", "run_date": "2026-11-05",
    }  # fmt: skip
    return Tendency(**(base | more))


def _grade(system: str, case_id: str, item: str, expected: str | None, given: str | None, error: str | None) -> Grade:
    absent = expected is None
    label = "invented" if absent and error else "wrong" if error else "absent" if absent else "right"
    return Grade(
        suite=SUITE, edition=EDITION, system_id=system, case_id=case_id, trial=1, pass_name="atomic", judge_id="fields",
        item=item, points=float(not error and not absent), max_points=float(not absent), label=label, error=error,
        expected=expected, given=given, reason=None, quote=None, rubric_version="g1",
    )  # fmt: skip


def _profile(system: str, case: Case, grades: list[Grade], status: str = "ok") -> Profile:
    wrong = [g for g in grades if g.error]
    return Profile(
        suite=SUITE, edition=EDITION, system_id=system, case_id=case.case_id, trial=1, pair_id=case.pair_id,
        language=case.language, split=case.split, level=case.level, variant=case.variant, layout=case.layout,
        status=status, is_scored=status == "ok", points=sum(g.points for g in grades),
        max_points=sum(g.max_points for g in grades), is_faultless=not wrong, is_valid=True, is_valid_first=True,
        question="answerable", structure="json", deviations=sorted({str(g.error) for g in wrong}),
        critical_path=[Step(item=g.item, error=str(g.error), given=g.given, expected=g.expected) for g in wrong],
        cost_usd=Decimal(0), latency_ms=12, prompt_version="p1", set_version="1.0", rubric_version="g1",
    )  # fmt: skip


def _seal(store: Store, model: type[Row], system: str | None, rows: list[Any]) -> None:
    place = Place(suite=SUITE, edition=rows[0].edition if rows else EDITION, system=system)
    seal(store, model, place, [write_part(store, model, place, "k0", 0, rows)])


def _numbers(system: str) -> list[Tendency]:
    if system == "rules":
        return [
            _tendency(system, "field_accuracy", 0.9312, low=0.91, high=0.952, n_left_out=1),
            _tendency(system, "faultless", 0.5, low=0.0947, high=0.9056, n_left_out=1),
            _tendency(system, "valid", 1.0, low=0.3424, high=1.0, n_left_out=1),
            _tendency(system, "valid_first", 0.99999, n_left_out=1),
            _tendency(system, "latency_p50_ms", 12.4, n_left_out=1),
            _tendency(system, "latency_p90_ms", 1534.0, n_left_out=1),
            _tendency(system, "cost_per_1000_usd", 0.0, n_left_out=1),
            _tendency(system, "field_accuracy", None, split="private", note="fewer_than_5_private", n_documents=1),
        ]
    return [
        _tendency(system, "field_accuracy", 0.8, low=0.75, high=0.85, n_documents=3, n_items=36),
        _tendency(system, "faultless", 0.25, low=0.1, high=0.4, n_documents=3),
        _tendency(system, "cost_per_1000_usd", 12.5, n_documents=3),
        _tendency(system, "field_accuracy", 0.96, low=0.955, high=0.99, split="private", n_documents=7),
        _tendency(system, "field_accuracy", 0.7, low=0.6, high=0.8, dimension="language", group_name="cs"),
        _tendency(system, "field_accuracy", 0.9, low=0.85, high=0.95, dimension="language", group_name="en"),
        _tendency(system, "language_gap", -0.2, low=-0.25, high=-0.1),
        _tendency(system, "error_count", 3.0, dimension="error", group_name="lost_diacritics"),
        _tendency(system, "error_count", 0.0, dimension="error", group_name="wrong_rate"),
        _tendency(system, "coverage", 1.0, dimension="language", group_name="cs", n_documents=2),
        _tendency(system, "field_accuracy", 0.5, low=0.4, high=0.6, dimension="field", group_name="supplier"),
    ]


def _fill(root: Path) -> Store:
    """Three public documents and a private one; `rules` cannot take the picture, `ocr-rules` errs."""
    store = Store.open(root)
    digest = store.put_blob(_picture())
    cases = [
        _case("invoices-cs-0001", {"supplier": "Horák & syn", "total": "1210.00"}, text="Faktura <b>1</b> Horák & syn"),
        _case("invoices-en-0001", {"supplier": "Acme Tools LLC", "tax_by_rate": {"8.25": "82.50"}}, text="Invoice 1"),
        _case("invoices-cs-0002", {"supplier": "Novák, a.s.", "tax_id": None}, level="image", image_sha256=digest),
        _case("invoices-cs-0003", {"supplier": SECRET_NAME, "total": "9876543.21"}, split="private", canary=CANARY),
    ]
    _seal(store, Case, None, cases)
    first, second, third, private = cases
    for system in ("rules", "ocr-rules"):
        bad = system == "ocr-rules"
        marks = {
            first.case_id: [
                _grade(system, first.case_id, "supplier", "Horák & syn", "Horak & syn" if bad else "Horák & syn", "lost_diacritics" if bad else None),
                _grade(system, first.case_id, "total", "1210.00", None if bad else "1 210,00", "missing" if bad else None),
            ],
            second.case_id: [
                _grade(system, second.case_id, "supplier", "Acme Tools LLC", "Acme Tools LLC", None),
                _grade(system, second.case_id, "tax_by_rate", '{"8.25": "82.50"}', '{"8.25": "82.50"}', None),
            ],
            private.case_id: [_grade(system, private.case_id, "supplier", SECRET_NAME, SECRET_NAME, None)],
        }  # fmt: skip
        if bad:
            marks[third.case_id] = [
                _grade(system, third.case_id, "supplier", "Novák, a.s.", "Novák, a.s.", None),
                _grade(system, third.case_id, "tax_id", None, "CZ12345678", "wrong_value"),
            ]
        answered = [c for c in cases if c.case_id in marks]
        _seal(store, Grade, system, [g for found in marks.values() for g in found])
        _seal(store, Profile, system, [_profile(system, c, marks[c.case_id]) for c in answered])
        _seal(store, Tendency, system, _numbers(system))
    return store


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("store") / "store"
    _fill(path)
    return path


@pytest.fixture(scope="module")
def report(root: Path) -> Path:
    return publish_report(str(root))


# ---- leaderboard


def test_leaderboard_is_the_rows_of_tendencies_public_before_private(root: Path) -> None:
    rows = leaderboard(str(root), SUITE, EDITION, ["ocr-rules", "rules", "nobody"])
    assert [(r.split, r.system) for r in rows] == [
        ("public", "rules"), ("public", "ocr-rules"), ("private", "ocr-rules"), ("private", "rules"),
    ]  # fmt: skip
    best, withheld = rows[0], rows[3]
    assert (best.field_accuracy, best.field_accuracy_low, best.field_accuracy_high) == (0.9312, 0.91, 0.952)
    assert (best.faultless, best.valid, best.latency_p50_ms, best.latency_p90_ms) == (0.5, 1.0, 12.4, 1534.0)
    assert (best.cost_per_1000_usd, best.n_scored, best.n_left_out) == (0.0, 2, 1)
    assert (withheld.field_accuracy, withheld.note) == (None, "fewer_than_5_private")
    assert best.cells() == (
        "rules", "public", "93.1% (91.0–95.2%)", "50.0% (9.5–90.6%)", "100.0%", "12 ms", "1.5 s", "2 of 3",
    )  # fmt: skip


def test_leaderboard_outside_a_flow_makes_no_artifact(root: Path) -> None:
    show_leaderboard(str(root), SUITE, EDITION, ["rules"])


def test_the_artifact_has_a_key_with_dashes_and_all_rows(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import prefect.artifacts
    from prefect.context import FlowRunContext

    made: list[dict[str, Any]] = []
    monkeypatch.setattr(prefect.artifacts, "create_table_artifact", lambda **given: made.append(given))
    monkeypatch.setattr(FlowRunContext, "get", classmethod(lambda cls: object()))
    show_leaderboard(str(root), SUITE, EDITION, ["rules", "ocr-rules"])
    assert [(m["key"], len(m["table"])) for m in made] == [("leaderboard-invoices", 4)]
    assert made[0]["table"][0]["right fields"] == "93.1% (91.0–95.2%)"


def test_publishing_imports_no_prefect(root: Path) -> None:
    told = subprocess.run(
        [sys.executable, "-c", "import sys, tasks.publish; print('prefect' in sys.modules)"],
        capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    assert told.stdout.strip() == "False"


# ---- the file


class _Outline(HTMLParser):
    """Tags in order, ids, headings, tables, and whatever points outside the file."""

    def __init__(self) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.ids: Counter[str] = Counter()
        self.headings: list[int] = []
        self.captions = self.tables = 0
        self.scopeless: list[str] = []
        self.outside: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag not in VOID:
            self.stack.append(tag)
        self.ids.update([given["id"]] if "id" in given else [])
        if tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            self.headings.append(int(tag[1]))
        self.tables += tag == "table"
        self.captions += tag == "caption"
        if tag == "th" and "scope" not in given:
            self.scopeless.append(str(given))
        self.outside += [v for k, v in given.items() if k in ("src", "href") and not v.startswith(("#", "data:"))]
        self.links += [v[1:] for k, v in given.items() if k in ("href", "aria-labelledby") and v.startswith("#")]
        self.links += [given["aria-labelledby"]] if "aria-labelledby" in given else []

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.stack[-1:] == [tag], f"</{tag}> closes {self.stack[-3:]}"
            self.stack.pop()


def test_the_file_is_well_formed_and_needs_nothing_else(report: Path) -> None:
    page = report.read_text(encoding="utf-8")
    outline = _Outline()
    outline.feed(page)
    assert outline.stack == []
    assert [name for name, times in outline.ids.items() if times > 1] == []
    assert set(outline.links) <= set(outline.ids)
    assert outline.tables == outline.captions > 5
    assert (outline.scopeless, outline.outside) == ([], [])
    assert outline.headings[0] == 1
    assert outline.headings.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(outline.headings) if after <= 4)
    assert "@import" not in page
    assert "url(http" not in page
    assert page.startswith("<!doctype html>")


def test_an_empty_store_gives_a_page_that_says_so(tmp_path: Path) -> None:
    Store.open(tmp_path / "s")
    page = publish_report(str(tmp_path / "s")).read_text(encoding="utf-8")
    assert "zatím není žádné dokončené měření" in page.replace(NBSP, " ")


def test_the_newest_edition_is_shown_and_the_older_one_listed(tmp_path: Path) -> None:
    store = _fill(tmp_path / "s")
    case = _case("invoices-cs-0009", {"supplier": "Starý doklad"}, text="x").model_copy(update={"edition": "v0-old"})
    row = _tendency("rules", "field_accuracy", 0.4567, low=0.4, high=0.5, run_date="2026-10-01").model_copy(
        update={"edition": "v0-old"}
    )
    _seal(store, Case, None, [case])
    _seal(store, Tendency, "rules", [row])
    page = publish_report(str(store.root)).read_text(encoding="utf-8")
    assert "v0-old" in page
    assert f"45,7{NBSP}%" in page
    assert "93.1%" in page
    assert "Starý doklad" not in page


# ---- what may not leave the store, by G-8


def test_nothing_private_stands_in_the_page(report: Path) -> None:
    page = report.read_text(encoding="utf-8")
    assert not any(word in page for word in ("invoices-cs-0003", "CANARY", "Tajná Pekárna", "9876543.21"))
    assert "invoices-cs-0002" in page


@pytest.mark.parametrize("planted", ["invoices-cs-0003", CANARY, SECRET_NAME, "9876543.21"])
def test_a_planted_private_text_fails_the_publishing_and_leaves_the_old_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, planted: str
) -> None:
    store = _fill(tmp_path / "s")
    before = publish_report(str(store.root)).read_bytes()
    entry = known_systems()["rules"].model_copy(update={"note": {"cs": f"viz {planted}.", "en": "see"}})
    monkeypatch.setattr("tasks.publish.known_systems", lambda: {"rules": entry, "ocr-rules": entry, "recorded": entry})
    with pytest.raises(ReportLeak, match="private case") as caught:
        publish_report(str(store.root))
    assert planted not in str(caught.value)
    assert store.get("report/index.html") == before


def test_a_private_case_that_slips_through_the_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = _fill(tmp_path / "s")
    monkeypatch.setattr("tasks.publish.choose", lambda kinds, faulty: [*kinds, "invoices-cs-0003"])
    with pytest.raises((KeyError, ValueError, ReportLeak)):
        publish_report(str(store.root))
    assert not store.exists("report/index.html")


# ---- in a browser


def _chromium() -> str | None:
    """Playwright's own browser (None) where it is there, else the distribution's."""
    with sync_playwright() as p:
        if Path(p.chromium.executable_path).exists():
            return None
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    path = _chromium()
    with sync_playwright() as p:
        found = p.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield found
        found.close()


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
    assert {url for url in asked if not url.startswith("data:")} == {report.as_uri()}
    assert told == []
    context.close()


def _text(page: Page, selector: str, nth: int = 0) -> str:
    return " ".join(page.locator(selector).nth(nth).inner_text().split())


def test_numbers_on_the_page_are_those_of_the_rows(page: Page) -> None:
    whole, part = (_text(page, ".board tbody", n) for n in (0, 1))
    assert whole.startswith("ocr-rules 80,0 % 75,0–85,0 % 36 polí, 3 doklady ✗ pod laťkou 25,0 % 10,0–40,0 %")
    assert "12,50 USD 3 z 3" in whole
    assert "rules 93,1 % 91,0–95,2 % 24 polí, 2 doklady ≈ nerozhodnuto 50,0 % 9,5–90,6 % 100,0 %" in part
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
    assert "rules méně než 5 dokladů, neuvádí se" in private


def test_every_table_carries_its_run_set_and_prompt(page: Page) -> None:
    stamps = [_text(page, ".stamp", n) for n in range(page.locator(".stamp").count())]
    assert len(stamps) >= 5
    assert set(stamps) == {f"Běh 5. 11. 2026, edice {EDITION}, sada 1.0, zadání p1, hodnocení g1."}


def test_limits_rule_of_thumb_and_independence_are_said(page: Page) -> None:
    said = " ".join(page.locator("main").inner_text().split())
    for words in (
        "±1 procentní bod",
        "jen 2 doklady v každém jazyce",
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
    assert (page.evaluate("document.documentElement.lang"), page.title()) == ("en", "Zkušebna – measurement report")
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


_CONTRAST = """() => {
  const rgb = (c) => c.match(/[\\d.]+/g).map(Number);
  const lum = (c) => { const [r, g, b] = rgb(c).slice(0, 3).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const paper = (e) => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (rgb(c)[3] !== 0) return c; } };
  document.querySelectorAll('details').forEach(d => { d.open = true; });
  const low = [];
  for (const e of document.querySelectorAll('body *')) {
    if (![...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) || !e.getClientRects().length) continue;
    const style = getComputedStyle(e);
    const isSvg = e instanceof SVGElement;
    const a = lum(isSvg ? style.fill : style.color), b = lum(paper(e));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) low.push([e.className, e.textContent.slice(0, 30), ratio]);
  }
  return low;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast_is_aa_in_both_schemes(page: Page, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    assert page.evaluate(_CONTRAST) == []
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
    page.keyboard.press("Enter")
    assert page.evaluate("document.documentElement.lang") == "en"
    page.locator("#invoices-en-0001 > summary").focus()
    page.keyboard.press("Enter")
    assert page.locator("#invoices-en-0001 table").is_visible()
