"""The criteria of web pages in words, and what each of their values means: one file for prompts, people and the report (A-5, G-14)."""

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import yaml
from pydantic import Field, TypeAdapter

from schemas.artifacts import Criterion
from schemas.exchange import Frozen, Language

_LANGUAGES: tuple[Language, ...] = ("cs", "en")


class Anchor(Frozen):
    """One criterion: what it asks, and by value (`full` 1, `half` 0.5, `none` 0) when that is given; None where nobody has laid it down."""

    what: str = Field(min_length=1)
    full: str | None = Field(default=None, alias="1")
    half: str | None = Field(default=None, alias="0.5")
    none: str | None = Field(default=None, alias="0")

    @property
    def values(self) -> tuple[tuple[float, str], ...]:
        """Values with their words, the highest first.

        >>> [value for value, _ in anchors("en")["works"].values], anchors("cs")["code"].values
        ([1.0, 0.5, 0.0], ())
        """
        told = ((1.0, self.full), (0.5, self.half), (0.0, self.none))
        return tuple((value, words) for value, words in told if words)


def _bytes() -> bytes:
    return files("schemas").joinpath("anchors.yaml").read_bytes()


@cache
def _all() -> dict[Language, dict[Criterion, Anchor]]:
    return TypeAdapter(dict[Language, dict[Criterion, Anchor]]).validate_python(yaml.safe_load(_bytes()))


def anchors(language: Language) -> Mapping[Criterion, Anchor]:
    """The criteria in Czech, or for any other language in English."""
    return _all()["cs" if language == "cs" else "en"]


@cache
def anchors_version() -> str:
    """Hash of the file (12 hex digits): another one, another question to judges."""
    return hashlib.sha256(_bytes()).hexdigest()[:12]
