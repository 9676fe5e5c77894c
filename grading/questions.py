"""Questions for a judge, from versioned prompt files in `grading/prompts/` (M-3, G-9)."""

import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from schemas.exchange import Language

if TYPE_CHECKING:
    from jinja2 import Template

FOLDER = Path(__file__).parent / "prompts"


@cache
def _template(name: str) -> "tuple[Template, str]":
    """A prompt file as a template that knows no unset variable, and the first 12 hex digits of its SHA-256."""
    from jinja2 import Environment, StrictUndefined

    written = (FOLDER / f"{name}.md").read_bytes()
    # Prompts are plain text for a model, not HTML: nothing is escaped.
    environment = Environment(undefined=StrictUndefined, autoescape=False, keep_trailing_newline=False)
    return environment.from_string(written.decode()), hashlib.sha256(written).hexdigest()[:12]


def prompt(name: str, language: Language, **words: Any) -> str:
    """The words of a prompt with its places filled."""
    return _template(f"{name}.{language}")[0].render(words).strip()


def source(name: str, language: Language) -> str:
    """A prompt word for word, its places unfilled, as it is published (G-9)."""
    return (FOLDER / f"{name}.{language}.md").read_text(encoding="utf-8").strip()


def version(name: str, language: Language) -> str:
    """The version of a prompt: a hash of its file."""
    return _template(f"{name}.{language}")[1]


@cache
def _problems() -> dict[str, dict[str, str]]:
    told: dict[str, dict[str, str]] = yaml.safe_load((FOLDER / "problems.yaml").read_text(encoding="utf-8"))
    return told


def again(problem: str, language: Language, **words: Any) -> str:
    """What a judge is told when its reply cannot be used."""
    return prompt("again", language, problem=_problems()[language][problem].format(**words))
