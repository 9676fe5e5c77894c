"""Control answers: texts whose grade is known beforehand, by suite, case and trial (S-5).

The client `controls` alone reads the texts; everything else knows their expected marks, which stand in the truth of the case.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path

from datasets import artifacts, legal, roleplay

Text = str | tuple[str, ...]
"""One control answer: a text, or where the case is a conversation a text a turn."""

Texts = Mapping[str, tuple[Text, ...]]
"""Texts in the order of their trials, by case."""


def _legal() -> Texts:
    return {case: tuple(c.text for c in found.controls) for case, found in legal.law().controls.items()}


def _roleplay() -> Texts:
    return {case: tuple(control.turns for control in found) for case, found in roleplay.controls().items()}


SUITES: dict[str, tuple[Callable[[], Texts], Callable[[], Path]]] = {
    "legal": (_legal, lambda: legal.FOLDER / "controls"),
    "artifacts": (artifacts.control_pages, lambda: artifacts.FOLDER / "controls"),
    "roleplay": (_roleplay, lambda: roleplay.FOLDER / "controls"),
}
"""Suites that have control answers: who reads them, and where they stand."""


def control_answers(suite: str, case_id: str) -> tuple[Text, ...]:
    """The texts of a case by trial, from the first; none where the suite or the case has no control answers."""
    return SUITES[suite][0]().get(case_id, ()) if suite in SUITES else ()


def controls_version(suite: str) -> str:
    """Hash of all texts of a suite (12 hex digits): another one, another answer (M-4). Comments and marks are no part of it."""
    texts = {case: list(texts) for case, texts in SUITES[suite][0]().items()} if suite in SUITES else {}
    return hashlib.sha256(json.dumps(texts, sort_keys=True).encode()).hexdigest()[:12]


def controls_folder(suite: str) -> Path | None:
    """Where the control answers of a suite stand; None for a suite that has none."""
    return SUITES[suite][1]() if suite in SUITES else None
