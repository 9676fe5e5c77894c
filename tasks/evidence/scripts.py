"""The JavaScript that the collector brings along, read from the files beside this module."""

from pathlib import Path

FOLDER = Path(__file__).parent
GUARD = (FOLDER / "guard.js").read_text(encoding="utf-8")
"""Runs in every frame before the page's own scripts: caps messages and errors, hides the caret."""

SCAN = (FOLDER / "scan.js").read_text(encoding="utf-8")
"""Lists the elements that a selector finds."""

REACH = (FOLDER / "reach.js").read_text(encoding="utf-8")
"""Tells how many controls of the viewport the pointer does not reach."""
