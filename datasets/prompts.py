"""Prompts to the systems under test: Markdown files beside this module, each with the version that its content gives it."""

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "prompts"


@dataclass(frozen=True)
class Prompt:
    """The words of a prompt and its version, the first 12 hex digits of its file's SHA-256 (M-3, G-9)."""

    text: str
    version: str


@cache
def read_prompt(name: str, language: str, folder: Path = FOLDER) -> Prompt:
    """The prompt of a suite, or a repeat that several suites share, in the language of the document (M-1).

    folder: where a suite that keeps its prompts beside its cases has them.
    """
    written = (folder / f"{name}.{language}.md").read_bytes()
    return Prompt(text=written.decode().strip(), version=hashlib.sha256(written).hexdigest()[:12])
