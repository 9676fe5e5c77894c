"""Prefect's own UI in a real browser, over a server and a worker of its own, for tests that do what an operator does."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, Response, expect, sync_playwright
from playwright.sync_api import TimeoutError as NotInTime
from server_support import ROOT, Server

from tasks.browse import find_browser

LONGEST_MS = 150_000
"""How long any one thing on the page may take on a busy machine; a step takes some ten seconds on a quiet one."""

RUN_MS = 480_000
"""How long a run may take from its order to its end on a busy machine; half a minute on a quiet one."""

AGAIN_MS = 40_000
"""After how long a person presses a button once more."""

ENDED = ("COMPLETED", "FAILED", "CRASHED", "CANCELLED")
"""Types of states in which nothing happens any more until somebody presses a button."""

RETRY = {"state": {"type": "SCHEDULED", "name": "AwaitingRetry", "message": "Retry from the UI"}, "force": False}
"""What the button Retry sends to the run's `set_state`; `retry` sees that it does."""

SIDE = 240
"""Width of the bar of links at the left, which pictures leave out."""

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
    def worker(self) -> Iterator["subprocess.Popen[bytes]"]:
        """A worker that takes up whatever is due, as in the README; it ends with the block."""
        command = [sys.executable, "-m", "prefect", "worker", "start", "--pool", "zkusebna", "--name", "clicked"]
        with self.log.open("ab") as log:
            process = subprocess.Popen(command, env=self.environment, cwd=ROOT, stdout=log, stderr=log)
        try:
            yield process
        finally:
            process.terminate()
            process.wait(60)

    def prefect(self, *words: str) -> None:
        """A command of Prefect's."""
        self.run("prefect", *words)

    def run(self, module: str, *words: str) -> None:
        """A command of a module, against this server."""
        subprocess.run([sys.executable, "-m", module, *words], env=self.environment, cwd=ROOT, check=True)


@contextmanager
def browser_page(server: Shown, path: str) -> Iterator[Page]:
    """A page of the UI."""
    executable = find_browser()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.set_default_timeout(LONGEST_MS)
        home = f"127.0.0.1:{server.port}"
        page.on("request", lambda r: server.strangers.append(r.url) if r.url.split("/")[2] != home else None)
        page.goto(f"http://{home}{path}")
        yield page
        browser.close()


def sees(server: Shown, page: Page, run: str, state: str, longest_ms: int = RUN_MS) -> None:
    """Wait until a run is in a state, by the API, and then until its page shows it; another end is told at once, with its message."""
    until = time.monotonic() + longest_ms / 1000
    while (now := server.get(f"/flow_runs/{run}")["state"])["name"] != state:
        assert now["type"] not in ENDED, (now["name"], now["message"])
        assert time.monotonic() < until, now["name"]
        time.sleep(0.5)
    expect(page.locator(".state-badge", has_text=state).first).to_be_visible(timeout=LONGEST_MS)


def press(page: Page, click: Callable[[], None], path: str) -> Response:
    """Click what asks the API for something, and once more where nothing came of it: a busy server may have refused."""
    for _ in range(LONGEST_MS // AGAIN_MS):
        try:
            with page.expect_response(lambda r: r.request.method == "POST" and path in r.url, timeout=AGAIN_MS) as told:
                click()
        except NotInTime:
            continue
        if told.value.ok:
            return told.value
    raise AssertionError(f"nothing came of the click that asks for {path}")


def confirmed(page: Page, button: str, last: str, path: str) -> Response:
    """Press a button of the run's page, and the last one of the dialog that it opens."""
    dialog = page.get_by_role("dialog")

    def click() -> None:
        if not dialog.is_visible():
            page.get_by_role("button", name=button, exact=True).first.click()
        dialog.get_by_role("button", name=last, exact=True).click()

    told = press(page, click, path)
    expect(dialog).to_be_hidden(timeout=LONGEST_MS)
    return told


def retry(page: Page) -> None:
    """Press Retry, and confirm."""
    assert confirmed(page, "Retry", "Retry", "/set_state").request.post_data_json == RETRY


def look(page: Page, name: str, height: int = 720, *, top: int = 0, left: int = 0, width: int = 1280) -> None:
    """Take a picture of a part of the page, where a folder for pictures was named."""
    if SHOTS:
        page.wait_for_timeout(5_000)  # the graph of a run has no element that says that it is drawn
        clip = {"x": left, "y": top, "width": min(width, 1280 - left), "height": height}
        page.screenshot(path=Path(SHOTS) / f"{name}.png", clip=clip)  # type: ignore[arg-type]
