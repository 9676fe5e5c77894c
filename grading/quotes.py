"""Quotes that must stand literally in a text (G-7).

Folded on both sides: Unicode composition, compatibility forms that mean the same (ligatures, wide letters), kinds and runs of white space,
soft hyphens and characters without width, kinds of quotation marks and apostrophes, kinds of dashes, the ellipsis, and marks of emphasis
(`*`, `` ` ``, `__`), which a judge leaves out (G-14). Letter case, diacritics, digits and other punctuation are content.

A quote begins and ends at the border of a word: `platí, že` does not stand in `neplatí, že`. Marks around the whole quote are stepped over.
A quote with `…`, `...` or `[…]` stands in a text where its parts stand in order. Fewer than 3 words or 12 characters are no quote, unless the
text is shorter.
"""

import functools
import re
import unicodedata
from collections.abc import Iterable
from typing import Literal, Protocol

Whose = Literal["found", "wrong_speaker", "absent"]

LEAST_WORDS = 3
LEAST_CHARACTERS = 12
_LEAST_PART = 5  # characters of a part beside an omission

_WIDTHLESS = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff]")
_EMPHASIS = re.compile(r"[*`]|__")
_SAFE = ("<compat>", "<wide>", "<narrow>", "<noBreak>")
_MARKS = str.maketrans(
    dict.fromkeys('„“”‟"«»‹›‘’‚‛\u2032\u2033\u00b4\u02bc\u0060', "'")
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-")
)
_DOUBLE = re.compile("''+")
_OMISSION = re.compile(r"\s?(?:\[\s?\.\.\.\s?\]|\(\s?\.\.\.\s?\)|\.\.\.)\s?")
_AROUND = " '"


class Turn(Protocol):
    """What somebody said: `schemas.exchange.Message` is one."""

    @property
    def role(self) -> str: ...

    @property
    def text(self) -> str: ...


def find_quote(quote: str, text: str) -> bool:
    """Whether a quote stands in a text (G-7).

    >>> find_quote('"nejvýše  tři měsíce"', "Zkušební doba činí „nejvýše tři\\u00a0měsíce“.")
    True
    >>> find_quote("zkušební doba […] tři měsíce", "Vaše zkušební doba smí trvat tři měsíce.")
    True
    >>> find_quote("nejvýše čtyři měsíce", "nejvýše tři měsíce")
    False
    """
    whole = fold(text)
    wanted = fold(quote).strip(_AROUND)
    if not _is_long_enough(wanted, whole):
        return False
    if _place(wanted, whole, 0) >= 0:
        return True
    position = 0
    parts = [part.strip(_AROUND) for part in _OMISSION.split(wanted)]
    parts = [part for part in parts if part]
    if len(parts) > 1 and min(map(len, parts)) < _LEAST_PART:
        return False
    for part in parts:
        position = _place(part, whole, position)
        if position < 0:
            return False
    return bool(parts) and _is_long_enough(" ".join(parts), whole)


def find_quote_of(quote: str, turns: Iterable[Turn], speaker: str) -> Whose:
    """Whether a quote stands in what a speaker said, in what only somebody else said, or nowhere (G-7, R-9).

    speaker: a `role`. A quote stands within one turn.
    """
    others = False
    for turn in turns:
        if turn.role == speaker:
            if find_quote(quote, turn.text):
                return "found"
        elif not others:
            others = find_quote(quote, turn.text)
    return "wrong_speaker" if others else "absent"


@functools.lru_cache(maxsize=64)
def fold(text: str) -> str:
    """A text in the form in which quotes are compared.

    >>> fold("„Ano“ \\u2013 **řekl**\\u00a0… ﬁnále")
    "'Ano' - řekl ... finále"
    """
    text = _WIDTHLESS.sub("", text).translate(_MARKS)
    if not text.isascii():
        text = unicodedata.normalize("NFC", "".join(map(_plain, text)))
    text = _EMPHASIS.sub("", text)
    return " ".join(_DOUBLE.sub("'", text).split())


@functools.lru_cache(maxsize=4096)
def _plain(character: str) -> str:
    if unicodedata.decomposition(character).startswith(_SAFE):
        return unicodedata.normalize("NFKC", character)
    return character


def _is_long_enough(quote: str, text: str) -> bool:
    words, characters = len(quote.split()), len(quote)
    return (
        bool(quote)
        and words >= min(LEAST_WORDS, len(text.split()))
        and characters >= min(LEAST_CHARACTERS, len(text.strip(_AROUND)))
    )


def _place(part: str, text: str, position: int) -> int:
    """Where a part ends that begins and ends at borders of words; -1 where it stands nowhere."""
    start = text.find(part, position)
    while start >= 0:
        end = start + len(part)
        if not (_joins(text, start) or _joins(text, end)):
            return end
        start = text.find(part, start + 1)
    return -1


def _joins(text: str, place: int) -> bool:
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()
