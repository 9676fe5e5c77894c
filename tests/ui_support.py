"""Prefect's own UI in a real browser, over a server and a worker of its own, for tests that do what an operator does."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright
from server_support import ROOT, Server

from tasks.browse import find_browser

LONGEST_MS = 150_000
"""How long any one thing on the page may take on a busy machine; a step takes some ten seconds on a quiet one."""

RUN_MS = 480_000
"""How long a run may take from its order to its end on a busy machine; half a minute on a quiet one."""

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


def sees(page: Page, state: str, longest_ms: int = RUN_MS) -> None:
    """Wait until the run's page shows a state."""
    expect(page.locator(".state-badge", has_text=state).first).to_be_visible(timeout=longest_ms)


def look(page: Page, name: str, height: int = 720, *, top: int = 0) -> None:
    """Take a picture of a part of the page, where a folder for pictures was named."""
    if SHOTS:
        clip = {"x": 0, "y": top, "width": 1280, "height": height}
        page.screenshot(path=Path(SHOTS) / f"{name}.png", clip=clip)  # type: ignore[arg-type]
