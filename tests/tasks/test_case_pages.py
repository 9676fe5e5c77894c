"""Pages of cases whose answers are web pages or conversations, in a real browser: evidence, measurements, badges, turns, quotes (A-1, A-7, R-9)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import duckdb
import pytest
from axe_playwright_python.sync_playwright import Axe
from case_store import case_store
from gateway_stub import Gateway
from playwright.sync_api import Browser, Page
from roleplay_support import CONTROL_TURNS
from site_support import quiet
from web_support import TASK

from schemas.roleplay import MESSAGES
from tasks.publish import publish_report

KINDS = ("case/artifacts/pocitadlo.html", "case/roleplay/*-cs.html")


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with Gateway() as gateway, pytest.MonkeyPatch.context() as patch:
        made = case_store(tmp_path_factory.mktemp("cases"), gateway, patch)
        publish_report(made)
        yield Path(made)


@pytest.fixture(scope="module")
def folder(root: Path) -> Path:
    return root / "report"


@pytest.fixture(scope="module")
def opened(folder: Path, browser: Browser) -> Iterator[Page]:
    """One window; at the end nothing but files of the folder was asked for, and the console was silent.

    Pictures that come late are given up where a test leaves their page before they are there, which is no fault.
    """
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    with quiet(page, folder, may_abort=True):
        yield page
    context.close()


def show(page: Page, folder: Path, kind: str, lang: str = "cs") -> None:
    page.goto(f"{sorted(folder.glob(kind))[0].as_uri()}?lang={lang}")
    page.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true; })")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_axe_finds_no_violation(opened: Page, folder: Path, kind: str, scheme: Literal["light", "dark"]) -> None:
    opened.emulate_media(color_scheme=scheme)
    show(opened, folder, kind, "cs" if scheme == "light" else "en")
    found = Axe().run(opened, options={"resultTypes": ["violations"], "preload": False}).response["violations"]
    assert [(v["id"], [n["html"][:160] for n in v["nodes"][:3]]) for v in found] == []


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("kind", KINDS)
def test_no_page_is_wider_than_the_window(opened: Page, folder: Path, kind: str, width: int) -> None:
    opened.set_viewport_size({"width": width, "height": 900})
    show(opened, folder, kind)
    assert opened.evaluate("document.documentElement.scrollWidth") <= width
    opened.set_viewport_size({"width": 1280, "height": 900})


@pytest.mark.parametrize("lang", ["cs", "en"])
def test_a_page_shows_task_evidence_measurements_and_the_badge(
    opened: Page, folder: Path, root: Path, lang: str
) -> None:
    """Pictures are as many as the store has files of, and every one that is in sight was loaded; the badge is the person's difference."""
    show(opened, folder, KINDS[0], lang)
    assert TASK["prompt"] in opened.locator("main section").first.inner_text()
    trial = opened.locator("[id='trial-zirkonia-9-1']")
    pictures = trial.locator("figure img:visible")
    file = f"{root}/tables/evidence/suite=artifacts/**/*.parquet"
    (n,) = duckdb.sql(
        f"SELECT count(*) FROM read_parquet('{file}') WHERE system_id = 'zirkonia-9' AND trial = 1 AND name LIKE '%.png'"
    ).fetchall()[0]
    assert pictures.count() == n > 0
    for at in range(n):
        pictures.nth(at).scroll_into_view_if_needed()
        opened.wait_for_function("i => i.complete && i.naturalWidth > 0", arg=pictures.nth(at).element_handle())
    words = " ".join(trial.inner_text().split())
    badge = trial.locator(".badge:visible").inner_text()
    assert "jana" in badge
    assert ("Funguje hned" if lang == "cs" else "Works at once") in badge
    assert "Tlačítko Ubrat nic nedělá." in words
    assert ("Výška stránky" if lang == "cs" else "Height of the page") in words
    mute = " ".join(opened.locator("[id='trial-mute-1']").inner_text().split())
    assert ("neobsahuje žádnou stránku" if lang == "cs" else "holds no page") in mute
    assert "Stránku vytvořit nemohu." in mute
    assert "controls" not in " ".join(opened.locator("main h3").all_inner_texts())


@pytest.mark.parametrize("lang", ["cs", "en"])
def test_a_conversation_is_told_turn_by_turn_with_its_speakers_and_what_was_judged(
    opened: Page, folder: Path, lang: str
) -> None:
    show(opened, folder, KINDS[1], lang)
    run = opened.locator("section.given-by").filter(has_text="Model hrac").first
    turns = run.locator(".turn")
    assert turns.count() == MESSAGES + 1
    for at, said in enumerate(CONTROL_TURNS):
        assert said in turns.nth(at).locator(".system").inner_text()
        assert "Model hrac" in turns.nth(at).locator(".system h4").inner_text()
        assert ("Hráč" if lang == "cs" else "The player") in turns.nth(at).locator(".player h4").inner_text()
    third = turns.nth(3)
    assert ("falešná vzpomínka" if lang == "cs" else "a false memory") in third.locator(".player h4").inner_text()
    judged = third.locator(".judged li").all_inner_texts()
    assert any(words.lstrip("✓✗≈ ").startswith("T3") and "kata" in words for words in judged)
    assert third.locator("mark").count() > 0
    target = third.locator(".judged a").first.get_attribute("href") or ""
    assert opened.locator(f"[id='{target.removeprefix('#')}']").count() == 1
    assert opened.locator("h2", has_text="Zadání slovo od slova" if lang == "cs" else "word for word").count() == 0
