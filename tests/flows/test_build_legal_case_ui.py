"""A case of law made by clicking: Prefect's own UI in a real browser, the form of a suspended run filled and sent (L-4)."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from draft_support import CASE, WISHED
from gateway_stub import gateway_process
from playwright.sync_api import Locator, Page, expect, sync_playwright
from server_support import ROOT, Server, deploy, systems_file

from tasks.browse import find_browser

LONGEST_MS = 150_000
"""How long any one thing on the page may take on a busy machine; a step takes some ten seconds on a quiet one."""

AGAIN_MS = 25_000
"""After how long a person presses Submit once more."""

SHOTS = os.environ.get("ZKUSEBNA_TEST_SHOTS")
"""A folder for pictures of what was clicked, for a person who wants to look; none are taken without it."""


class Shown(Server):
    """The server with its UI and a worker; strangers: what a page of it asked of anybody else."""

    extra: tuple[str, ...] = ()

    def __init__(self, folder: Path, settings: dict[str, str]) -> None:
        super().__init__(folder, settings)
        self.environment["PREFECT_SERVER_UI_API_URL"] = self.environment["PREFECT_API_URL"]
        self.environment["PREFECT_SERVER_UI_STATIC_DIRECTORY"] = str(folder / "ui")
        self.strangers: list[str] = []

    @contextmanager
    def worker(self) -> Iterator[None]:
        """A worker that takes up whatever is due, as in the README; it ends with the block."""
        self.prefect("work-pool", "create", "zkusebna", "--type", "process")
        command = [sys.executable, "-m", "prefect", "worker", "start", "--pool", "zkusebna", "--name", "clicked"]
        with self.log.open("ab") as log:
            process = subprocess.Popen(command, env=self.environment, cwd=ROOT, stdout=log, stderr=log)
        try:
            yield
        finally:
            process.terminate()
            process.wait(60)

    def prefect(self, *words: str) -> None:
        """A command of Prefect's."""
        subprocess.run([sys.executable, "-m", "prefect", *words], env=self.environment, cwd=ROOT, check=True)


@contextmanager
def browser_page(server: Shown, run: str) -> Iterator[Page]:
    """The run's page in the UI."""
    executable = find_browser()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.set_default_timeout(LONGEST_MS)
        home = f"127.0.0.1:{server.port}"
        page.on("request", lambda r: server.strangers.append(r.url) if r.url.split("/")[2] != home else None)
        page.goto(f"http://{home}/runs/flow-run/{run}")
        yield page
        browser.close()


def opened(page: Page, heading: str) -> Locator:
    """The form behind the button Resume, once the run waits for the step that is meant."""
    button = page.get_by_role("button", name="Resume")
    expect(button).to_be_visible(timeout=LONGEST_MS)
    button.click()
    form = page.get_by_role("dialog")
    expect(form.get_by_role("heading", name=heading)).to_be_visible(timeout=LONGEST_MS)
    return form


def field(form: Locator, title: str) -> Locator:
    """The part of the form under a title."""
    return form.locator(".schema-form-property").filter(has=form.page.get_by_text(title, exact=True)).last


def fill(page: Page, form: Locator, choice: str, who: str, reason: str = "") -> None:
    """Choose, sign, and give a reason, as a person does."""
    field(form, "Rozhodnutí").locator(
        ".p-select-button__icon"
    ).click()  # a click beside the arrows opens and closes the list (Prefect 3.9.1)
    page.get_by_role("option", name=choice, exact=True).click()
    field(form, "Kdo rozhoduje").locator("textarea").fill(who)
    if reason:
        field(form, "Důvod (Optional)").locator("textarea").fill(reason)


def send(page: Page, form: Locator) -> None:
    """Submit, and once more where the form stays, as a person does: a server that is busy may have refused."""
    for _ in range(LONGEST_MS // AGAIN_MS):
        form.get_by_role("button", name="Submit").click()
        try:
            return expect(form).to_be_hidden(timeout=AGAIN_MS)
        except AssertionError:
            continue
    raise AssertionError("the form could not be sent")


def look(page: Page, name: str) -> None:
    if SHOTS:
        page.screenshot(path=Path(SHOTS) / f"{name}.png")


@pytest.mark.slow
def test_a_person_makes_a_case_by_clicking(store: str, tmp_path: Path) -> None:
    """Approve, change with a reason, approve, approve: after each the worker goes on, and who and when stand in the store."""
    began = datetime.now(UTC)
    with gateway_process() as url:
        server = Shown(tmp_path, {"ZKUSEBNA_SYSTEMS_FILE": str(systems_file(tmp_path, url))})
        with server.up(), server.worker():
            run = deploy(server, store, pool="zkusebna")
            with browser_page(server, run) as page:
                form = opened(page, "Krok 1 ze 3")
                look(page, "1-opened")
                box = form.locator("pre code").first.bounding_box()
                assert box is not None  # the draft itself is to be seen, on a small screen too
                assert box["height"] > 200
                assert "general_rule: Zkušební dobu" in form.locator("pre code").first.inner_text()
                form.get_by_role(
                    "button", name="Submit"
                ).click()  # nothing filled: the form keeps the person, the run waits
                expect(form.get_by_text("'choice' is a required property")).to_be_visible(timeout=LONGEST_MS)
                fill(page, form, "approve", "Jana Nová")
                look(page, "2-filled")
                send(page, form)

                form = opened(page, "Krok 2 ze 3")
                fill(page, form, "change", "Jana Nová", "Ať je to z knihovny.")
                look(page, "3-change")
                send(page, form)

                form = opened(page, "Krok 2 ze 3")
                added = form.locator("pre code").first.inner_text()
                assert "nastoupila do knihovny" in added
                look(page, "4-changed")
                fill(page, form, "approve", "Jana Nová")
                send(page, form)

                form = opened(page, "Krok 3 ze 3")
                fill(page, form, "approve", "Petr Malý")
                send(page, form)
                expect(page.locator(".state-badge", has_text="Completed").first).to_be_visible(timeout=LONGEST_MS)
                look(page, "5-completed")
    decisions = read_decisions(store)
    assert [(d["step"], d["choice"], d["who"], d["reason"], d["problem"]) for d in decisions] == [
        ("facts", "approve", "Jana Nová", "", ""),
        ("case", "change", "Jana Nová", "Ať je to z knihovny.", ""),
        ("case", "approve", "Jana Nová", "", ""),
        ("check", "approve", "Petr Malý", "", ""),
    ]
    days = [datetime.fromisoformat(d["decided_at"]) for d in decisions]
    moments = [began, *days, datetime.now(UTC)]
    assert moments == sorted(moments)
    assert {d["run_id"] for d in decisions} == {run}
    case = yaml.safe_load(Path(store, f"cases/legal/cz/{CASE['id']}.yaml").read_text())
    assert (case["question"], case["state"], case["reviewed_by"]) == (WISHED, "approved", "Petr Malý")
    assert str(case["reviewed_on"]) == days[-1].date().isoformat()
    assert server.strangers == []


def read_decisions(store: str) -> list[dict[str, Any]]:
    """What people decided, in order, as it stands in the store."""
    return [json.loads(p.read_text()) for p in sorted(Path(store, "drafts").glob("*/*-decision.json"))]
