"""Who answered is masked where an answer names itself, so that a judge is blind (G-6); the phrases stand in `self_identification.yaml`.

Only self-identification is sought: a name in a phrase by which the speaker says who it is. The same name elsewhere is content: the wind
Mistral, the word rules, an answer about ChatGPT. `schemas/naming.py` masks every name and is no judge's door: it would take such words too.
A name is found with Czech endings, with a version behind it, and in any letter case except after a weak beginning
(`jsem`, `I am`), where it must look like a proper name.
"""

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schemas.naming import Masked, masked

_MOST_GLUE = 9  # words between a beginning and a name
_S = r"\s{1,4}"
_ENDING = r"(?:['’]s|(?:-)?(?:ovi|ovým|em|ům|ech|ou|a|e|ě|i|o|u|y|m))?"
_VERSION = r"(?:[-\s/:]?v?[0-9][\w.:]{0,20}(?<![.:]))?(?:-[\w.]{1,30}(?<!\.)){0,6}"
_BREAK = re.compile(r"[\s]{0,4}[,(–—-]?[\s]{0,4}[„“\"'*_`]{0,3}")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")


@dataclass(frozen=True)
class Masker:
    """Masks what names one system; made by `self_identification`."""

    name: re.Pattern[str] | None
    frames: re.Pattern[str] | None
    lines: re.Pattern[str] | None

    def mask(self, text: str) -> Masked:
        """The masked text and the number of names; linear in the text's length."""
        return masked(text, self._spans(text))

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        if not (self.name and self.frames and self.lines):
            return
        weak, strong = _beginnings()
        for beginning in weak.finditer(text):
            yield from _names_behind(text, beginning.end(), self.name, is_weak=True)
        for beginning in strong.finditer(text):
            yield from _names_behind(text, beginning.end(), self.name, is_weak=False)
        for pattern in (self.frames, self.lines):
            for match in pattern.finditer(text):
                yield next(match.span(group) for group, value in match.groupdict().items() if value is not None)


def mask(text: str, names: Sequence[str]) -> Masked:
    """A text with `[model]` where it says that it is one of these names (G-6).

    names: vendor, family, models and aliases of the system that answered.

    >>> mask("Jsem Claude, jazykový model od společnosti Anthropic. Claude Monet byl malíř.", ["Claude", "Anthropic"])
    Masked(text='Jsem [model], jazykový model od společnosti [model]. Claude Monet byl malíř.', count=2)
    """
    return self_identification(tuple(names)).mask(text)


def self_identification(names: Sequence[str]) -> Masker:
    """The masker of a system with these names; names that name nobody (`unknown`, `AI`) are left out."""
    return _masker(tuple(names))


@functools.lru_cache(maxsize=256)
def _masker(names: tuple[str, ...]) -> Masker:
    written = sorted(set(_forms(names)), key=lambda name: (-len(name), name))
    if not written:
        return Masker(None, None, None)
    table = _phrases()
    name = rf"(?:{'|'.join(map(_name, written))}){_VERSION}(?![\w])"
    frames = [_spaced(frame).replace(r"\{name\}", f"(?P<f{i}>{name})") for i, frame in enumerate(table["frames"])]
    labels = "|".join(map(_spaced, table["labels"]))
    closings = "|".join(map(_spaced, table["closings"]))
    lines = (
        rf"^[ \t>*_]{{0,4}}(?:{labels})[*_]{{0,2}}[ \t]{{0,2}}:[*_ \t]{{0,4}}(?P<a>{name})"
        rf"|^[ \t*_]{{0,4}}(?:--?|[–—])[ \t]{{0,3}}[*_]{{0,2}}(?P<b>{name})[ \t*_.]{{0,5}}$"
        rf"|^[ \t]{{0,3}}(?:{closings})[,.!]?[ \t]{{0,3}}\n\s{{0,4}}[*_]{{0,2}}(?P<c>{name})[ \t*_.]{{0,5}}$"
    )
    return Masker(
        re.compile(name, re.IGNORECASE),
        re.compile(rf"(?<!\w)(?:{'|'.join(frames)})(?!\w)", re.IGNORECASE),
        re.compile(lines, re.IGNORECASE | re.MULTILINE),
    )


def _names_behind(text: str, position: int, name: re.Pattern[str], *, is_weak: bool) -> Iterator[tuple[int, int]]:
    """The names behind a beginning, over words of glue; after a name, more glue may lead to another."""
    glue = _glue()
    words = 0
    while words <= _MOST_GLUE:
        gap = _BREAK.match(text, position)
        place = gap.end() if gap else position
        if place == position and words:
            return
        match = name.match(text, place)
        if match and (not is_weak or words > 1 or _is_proper(match[0])):
            yield match.span()
            position, words = match.end(), 1
            continue
        word = _WORD.match(text, place)
        if not word or word[0].casefold() not in glue:
            return
        position, words = word.end(), words + 1


def _is_proper(name: str) -> bool:
    return any(c.isupper() or c.isdigit() for c in name)


def _forms(names: Sequence[str]) -> Iterator[str]:
    """Names as they may be written: whole, without what stands in brackets, and the first word of several."""
    generic = frozenset(_phrases()["generic"])
    for name in names:
        whole = " ".join(name.split())
        short = re.sub(r"\s*\([^()]*\)", "", whole).strip()
        first = re.split(r"[\s/:]", short)[0]
        last = short.rsplit("/", 1)[-1]
        yield from (n for n in (whole, short, last) if len(n) > 1 and n.casefold() not in generic)
        if len(first) > 3 and first.casefold() not in generic:
            yield first


def _name(name: str) -> str:
    """A name with Czech endings: a last vowel gives way (`Llama`, `Llamou`)."""
    stem = name[:-1] if len(name) > 3 and name[-1] in "aeo" else name
    written = re.escape(stem).replace(r"\ ", r"[\s-]{1,3}").replace(r"\-", r"[\s-]?")
    return rf"(?<!\w){written}{_ENDING if name[-1].isalpha() else ''}"


@functools.cache
def _beginnings() -> tuple[re.Pattern[str], re.Pattern[str]]:
    table = _phrases()
    weak, strong = (
        re.compile(
            rf"(?<!\w)(?:{'|'.join(map(_spaced, sorted(table[kind], key=len, reverse=True)))})(?!\w)", re.IGNORECASE
        )
        for kind in ("weak", "strong")
    )
    return weak, strong


@functools.cache
def _glue() -> frozenset[str]:
    return frozenset(_phrases()["glue"])


def _spaced(phrase: str) -> str:
    return re.escape(phrase).replace(r"\ ", _S)


@functools.cache
def _phrases() -> dict[str, list[str]]:
    import yaml

    path = Path(__file__).with_name("self_identification.yaml")
    table: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return table
