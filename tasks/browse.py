"""The door to a browser: which Chromium works here, Playwright's own or the distribution's."""

import shutil
import sys
from pathlib import Path

CANDIDATES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
"""Flags of every launch; the sandbox is off because the project also runs as root."""


def find_browser() -> Path | None:
    """The executable of a Chromium: Playwright's own where it is installed, else the distribution's; None where there is none."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        own = Path(playwright.chromium.executable_path)
        shells = sorted(own.parents[2].glob("chromium_headless_shell-*/*/*headless[-_]shell"))
        found = [p for p in (*shells, own) if p.exists()]
    if found:
        return found[0]
    return next((Path(path) for name in CANDIDATES if (path := shutil.which(name))), None)


def missing() -> str | None:
    """None where a browser is there, else a sentence that says how to get one."""
    if find_browser() is None:
        return "there is no Chromium: `make setup` installs one (or: apt-get install chromium-headless-shell)"
    return None


if __name__ == "__main__":  # `make setup` asks whether a browser is there
    browser = find_browser()
    sys.stdout.write(f"browser: {browser}\n")
    sys.exit(0 if browser else 1)
