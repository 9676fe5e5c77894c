"""Names of models and makers in a text, found in whatever form they stand there, and masked (G-6, J-6).

`mask` takes every name, wherever it stands: a juror's reason may name nobody. Where a name is content unless the speaker says that it is
his own, `grading/masking.py` finds the places; what stands there afterwards is the same (`masked`).

A name is found without regard to case and diacritics, with Czech endings ("v Acmu", "od Acme"), with a version behind it ("Acme 3.5"), and
with its words joined by spaces, dashes, underscores, slashes or nothing. It is not found inside a longer word.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

MASK = "[model]"
"""Stands where a name stood."""

SHORTEST = 3
"""Letters and digits of a name; a shorter one is found without endings."""

_ENDING = r"(?:[aeiouyěíů]|em|em|ovi|ou|ům|ech|ami|ův|ova|ovo|ovy|ových|ovým|'s|’s|s|es)?"
_VERSION = r"(?:[-\s]?v?\d[\w.]*\w|[-\s]?\d)?"
_JOINT = re.compile(r"[\s\-_/:.@]+")
_VOWEL = re.compile(r"[aeiouy]$")


@dataclass(frozen=True, slots=True)
class Masked:
    """A text without names, and how many stood there."""

    text: str
    count: int


def mask(text: str, names: Iterable[str]) -> Masked:
    """The text with `MASK` in the place of every name.

    >>> mask("Google ani model Acme-Large 2 to v Googlu neumí.", ["acme/large", "Google"])
    Masked(text='[model] ani model [model] to v [model] neumí.', count=3)
    """
    pattern = pattern_of(tuple(names))
    if pattern is None:
        return Masked(text, 0)
    return masked(text, _spans(text, pattern))


def masked(text: str, spans: Iterable[tuple[int, int]]) -> Masked:
    """The text with `MASK` in the place of every span (start, stop); one that begins inside another is left out.

    >>> masked("Jsem Acme od Acme.", [(13, 17), (5, 9), (6, 8)])
    Masked(text='Jsem [model] od [model].', count=2)
    """
    pieces, end, count = [], 0, 0
    for start, stop in sorted(spans):
        if start >= end:
            pieces += [text[end:start], MASK]
            end, count = stop, count + 1
    return Masked("".join([*pieces, text[end:]]), count)


def _spans(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Where names stand, with the marks that are written apart from their letters."""
    folded, at = _fold(text)
    for found in pattern.finditer(folded):
        stop = at[found.end() - 1] + 1
        while stop < len(text) and unicodedata.combining(text[stop]):
            stop += 1
        yield at[found.start()], stop


@lru_cache(maxsize=16)
def pattern_of(names: tuple[str, ...]) -> re.Pattern[str] | None:
    """The pattern that finds any of the names in a folded text; None where there is no name."""
    forms = sorted({form for name in names if (form := _form(name))}, key=lambda form: (-len(form), form))
    return re.compile(rf"(?<!\w)(?:{'|'.join(forms)})(?!\w)") if forms else None


def _form(name: str) -> str:
    """One name as a pattern; empty where it has nothing that could be found."""
    folded, _ = _fold(name)
    words = [word for word in _JOINT.split(folded) if word.strip("()[]")]
    if not words or not any(c.isalpha() for c in folded):
        return ""
    between = r"[\s\-_/:.]*"
    if sum(map(len, words)) < SHORTEST:
        return between.join(map(re.escape, words))
    return between.join(map(_declined, words)) + _ENDING + _VERSION


def _declined(word: str) -> str:
    """A word with its endings; a short one, or one with digits, as it is."""
    if len(word) <= SHORTEST or not word.isalpha():
        return re.escape(word)
    stem = word[:-1] if _VOWEL.search(word) else word  # Google: v Googlu
    return re.escape(stem) + (f"{word[-1]}?" if stem != word else "") + _ENDING


def _fold(text: str) -> tuple[str, list[int]]:
    """Small letters without marks, and for each of them the place in the text that it comes from."""
    letters, places = [], []
    for place, letter in enumerate(text):
        for part in unicodedata.normalize("NFD", letter.casefold()):
            if not unicodedata.combining(part):
                letters.append(part)
                places.append(place)
    return "".join(letters), places
