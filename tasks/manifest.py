"""What a run was made with: versions of code, sets, prompts, rubrics, packages, browser and fonts, settings without secrets (G-9, S-4).

It stands in the run's manifest and in the report; `zkusebna reproduce` names what has changed since.
"""

import functools
import hashlib
import platform
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from importlib.metadata import distributions, version
from pathlib import Path
from typing import Any

from profiles.money import read_rates
from tasks.settings import Settings
from tasks.suites import SUITES

HOME = Path(__file__).resolve().parent.parent
CODE = ("schemas", "datasets", "grading", "profiles", "tasks", "flows")
SECRETS = frozenset({"private_seed", "jury_key"})
"""Settings whose values stand nowhere; the manifest says only whether they were given."""


def made_with() -> dict[str, Any]:
    """All that decides what a run's numbers are, beyond its order: words to versions, fonts and code as hashes."""
    rates = read_rates()
    return {
        "code": {"zkusebna": version("zkusebna"), "sha256": code_hash()},
        "python": platform.python_version(),
        "packages": _packages(),
        "browser": _told_by("chromium-headless-shell", "chromium", "google-chrome"),
        "ocr": _told_by("tesseract"),
        "fonts": {p.name: _hash([p]) for p in sorted((HOME / "datasets" / "fonts").glob("*.ttf"))},
        "suites": {word: _suite(word) for word in SUITES},
        "settings": _settings(),
        "rates": {"of": str(rates.rates_of), **{k: str(v) for k, v in rates.model_dump().items() if k != "rates_of"}},
    }


@functools.cache
def code_hash() -> str:
    """Hash of all files of the six folders, bytecode aside (16 hex digits)."""
    files = (
        p for folder in CODE for p in sorted((HOME / folder).rglob("*")) if p.is_file() and "__pycache__" not in p.parts
    )
    return _hash(files)


def changed(before: Mapping[str, Any], now: Mapping[str, Any], at: str = "") -> list[str]:
    """What differs between two manifests, a phrase each: `packages.scipy: 1.16.0, now 1.17.1`."""
    found = []
    for name in sorted(before.keys() | now.keys()):
        old, new, where = before.get(name), now.get(name), f"{at}{name}"
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            found += changed(old, new, f"{where}.")
        elif old != new:
            found.append(
                f"{where}: {old if old is not None else 'nothing'}, now {new if new is not None else 'nothing'}"
            )
    return found


def _suite(word: str) -> dict[str, Any]:
    """Versions of a suite's set, prompts, rubric, judged rubric and aggregates."""
    suite = SUITES[word]
    return {
        "set": suite.source.SET_VERSION,
        "prompts": dict(suite.source.versions()),
        "rubric": suite.grader.RUBRIC_VERSION,
        "judged": suite.judging.JUDGED_VERSION if suite.judging else None,
        "aggregates": suite.reader.VERSION,
    }


def _settings() -> dict[str, Any]:
    given = Settings.read().model_dump()
    return {k: ("given" if v else "not given") if k in SECRETS else _plain(k, v) for k, v in given.items()}


def _plain(name: str, value: Any) -> Any:
    """Paths as their last step alone: where somebody keeps things is nobody's business in a report."""
    return Path(str(value)).name if name == "store" or isinstance(value, Path) else value


@functools.cache
def _packages() -> dict[str, str]:
    return dict(sorted({d.metadata["Name"].lower(): d.version for d in distributions()}.items()))


@functools.cache
def _told_by(*programs: str) -> str | None:
    """The first line of `--version` of the first of these programs that is there; None where none is."""
    for program in programs:
        if path := shutil.which(program):
            told = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=30, check=False)
            return (told.stdout or told.stderr).strip().split("\n")[0].strip() or None
    return None


def _hash(files: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for file in files:
        digest.update(str(file.relative_to(HOME)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:16]
