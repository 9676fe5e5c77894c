"""The leaderboard and the published file, from a small hand-written store (G-2, G-8, G-9, D-14)."""

import itertools
import subprocess
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from report_support import (
    CANARY,
    EDITION,
    NBSP,
    SECRET_NAME,
    SUITE,
    case_row,
    fill,
    numbers_of,
    seal_rows,
    tendency_row,
)

from datasets.store import Store
from profiles.report.leak import ReportLeak
from profiles.report.standing import standings
from schemas.case import Case
from schemas.tendency import Tendency
from tasks.choose import known_systems
from tasks.publish import leaderboard, publish_report, show_leaderboard

VOID = {"meta", "link", "img", "input", "br", "hr", "path", "use"}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("store") / "store"
    fill(path)
    return path


@pytest.fixture(scope="module")
def report(root: Path) -> Path:
    return publish_report(str(root))


def test_leaderboard_is_the_rows_of_tendencies_public_before_private(root: Path) -> None:
    found = leaderboard(str(root), SUITE, EDITION, ["ocr-rules", "rules", "nobody"])
    rows = standings([*numbers_of("rules"), *numbers_of("ocr-rules")], ["ocr-rules", "rules", "nobody"])
    assert list(found.rows) == [row.record() for row in rows]
    assert found.caption.endswith("Run of 2026-11-05.")
    assert {name for parts in found.shown for name in parts} <= set(found.rows[0])
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


def test_every_page_is_well_formed_and_points_nowhere_else(report: Path) -> None:
    """Every page of the site: tags close, ids are there once, headings go down step by step, links lead to files of the folder."""
    pages = [path for path in report.parent.rglob("*.html") if path.parent.name != "sets"]
    assert {path.name for path in pages} >= {
        "index.html",
        "suite-invoices.html",
        "system-rules.html",
        "invoices-cs-0001.html",
    }
    for path in pages:
        _is_well_formed(path, report.parent)


def _is_well_formed(path: Path, folder: Path) -> None:
    page = path.read_text(encoding="utf-8")
    outline = _Outline()
    outline.feed(page)
    assert outline.stack == []
    assert [name for name, times in outline.ids.items() if times > 1] == []
    assert set(outline.links) <= set(outline.ids)
    assert outline.tables == outline.captions
    assert outline.scopeless == []
    local = [link.split("#")[0] for link in outline.outside if not link.startswith("mailto:")]
    targets = [(path.parent / link).resolve() for link in local]
    assert all(target.is_file() and target.is_relative_to(folder.resolve()) for target in targets), path
    assert outline.headings[0] == 1
    assert outline.headings.count(1) == 1
    assert all(after - before <= 1 for before, after in itertools.pairwise(outline.headings))
    assert "@import" not in page
    assert "url(http" not in page
    assert page.startswith("<!doctype html>")


def test_an_empty_store_gives_a_page_that_says_so(tmp_path: Path) -> None:
    Store.open(tmp_path / "s")
    page = publish_report(str(tmp_path / "s")).read_text(encoding="utf-8")
    assert "zatím není žádné dokončené měření" in page.replace(NBSP, " ")


def test_the_newest_edition_is_shown_and_the_older_one_listed(tmp_path: Path) -> None:
    store = fill(tmp_path / "s")
    case = case_row("invoices-cs-0009", {"supplier": "Starý doklad"}, text="x").model_copy(update={"edition": "v0-old"})
    row = tendency_row("rules", "field_accuracy", 0.4567, low=0.4, high=0.5, run_date="2026-10-01").model_copy(
        update={"edition": "v0-old"}
    )
    seal_rows(store, Case, None, [case])
    seal_rows(store, Tendency, "rules", [row])
    page = publish_report(str(store.root)).with_name("suite-invoices.html").read_text(encoding="utf-8")
    assert "v0-old" in page
    assert f"45,7{NBSP}%" in page
    assert "93.1%" in page
    assert "Starý doklad" not in page


def test_nothing_private_stands_in_the_page(report: Path) -> None:
    pages = [path.read_text(encoding="utf-8") for path in report.parent.rglob("*.html")]
    assert not any(
        word in page for page in pages for word in ("invoices-cs-0003", "CANARY", "Tajná Pekárna", "9876543.21")
    )
    assert any("invoices-cs-0002" in page for page in pages)


@pytest.mark.parametrize("planted", ["invoices-cs-0003", CANARY, SECRET_NAME, "9876543.21"])
def test_a_planted_private_text_fails_the_publishing_and_leaves_the_old_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, planted: str
) -> None:
    store = fill(tmp_path / "s")
    before = publish_report(str(store.root)).read_bytes()
    entry = known_systems()["rules"].model_copy(update={"note": {"cs": f"viz {planted}.", "en": "see"}})
    monkeypatch.setattr("tasks.publish.known_systems", lambda: {"rules": entry, "ocr-rules": entry, "recorded": entry})
    with pytest.raises(ReportLeak, match="private case") as caught:
        publish_report(str(store.root))
    assert planted not in str(caught.value)
    assert store.get("report/index.html") == before


def test_a_private_case_that_slips_through_the_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = fill(tmp_path / "s")
    monkeypatch.setattr("tasks.publish.choose", lambda kinds, faulty: [*kinds, "invoices-cs-0003"])
    with pytest.raises((KeyError, ValueError, ReportLeak)):
        publish_report(str(store.root))
    assert not store.exists("report/index.html")
