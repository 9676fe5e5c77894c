"""The wordings of one language, read once from `labels.<language>.yaml` and made ready for search."""

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml

from schemas.exchange import DocumentLanguage

_CONFUSED = str.maketrans({"l": "i", "1": "i", "0": "o", "ł": "i"})
_SHORTENED, _KEPT = 5, 2
"""Words of a wording that may be cut short: from how many letters, and how many must be left."""
_PUNCTUATION_END = re.compile(r"\W$")


def fold(text: str) -> str:
    """The text in small letters without diacritics, and letters that OCR confuses made one; as long as the text.

    >>> fold("Datum splatností 10"), fold("DATUM SPLATNOSTI lO")
    ('datum spiatnosti io', 'datum spiatnosti io')
    """
    return "".join(char.lower()[0] for char in _plain(text)).translate(_CONFUSED)


@dataclass(frozen=True)
class Wording:
    """What a wording names: its field, the kind of value beside it, and its place in the list (0: the strongest)."""

    field: str
    kind: str
    rank: int


@dataclass(frozen=True)
class Vocabulary:
    """Everything that the reader knows of one language."""

    language: DocumentLanguage
    labels: re.Pattern[str]
    labels_on_line: re.Pattern[str]
    wordings: tuple[Wording, ...]
    not_payer: re.Pattern[str]
    local_tax: re.Pattern[str]
    legal_form: re.Pattern[str]
    titles: tuple[str, ...]
    months: Mapping[str, int]
    currencies: Mapping[str, str]
    currency_names: Mapping[str, str]

    def wording(self, match: re.Match[str]) -> Wording:
        """The wording that `labels` or `labels_on_line` has found in folded text."""
        return self.wordings[(match.lastindex or 1) - 1]


@cache
def vocabulary(language: DocumentLanguage) -> Vocabulary:
    """The vocabulary of a language."""
    data: dict[str, Any] = yaml.safe_load((Path(__file__).parent / f"labels.{language}.yaml").read_text("utf-8"))
    wordings = {
        word: Wording(field, label["kind"], rank)
        for field, label in data["labels"].items()
        for rank, word in enumerate(label["words"])
    }
    words = _in_order(wordings)
    form = "|".join(f"(?:{form})" for form in data["legal_forms"])
    return Vocabulary(
        language=language,
        labels=_search(words),
        labels_on_line=_search(words, space="[^\\S\\n]"),
        wordings=tuple(wordings[word] for word in words),
        not_payer=_search(data["not_payer"]),
        local_tax=_search(data["local_tax"]),
        legal_form=re.compile(rf"(?:,\s?|(?<=\s))(?:{form})(?:(?:,\s?|\s)(?:{form}))*(?!\w)"),
        titles=tuple(data["titles"]),
        months={
            spelling: number
            for number, names in enumerate(data["months"], 1)
            for name in names
            for spelling in (name, _plain(name))
        },
        currencies=data["currencies"],
        currency_names={fold(name): code for name, code in data["currency_names"].items()},
    )


def _plain(text: str) -> str:
    return "".join(unicodedata.normalize("NFD", char)[0] for char in text)


def _in_order(words: Iterable[str]) -> list[str]:
    """Wordings as they are tried: by their first letter, the longest first."""
    return sorted(words, key=lambda word: (fold(word).lstrip("^")[0], -len(word), word))


def _search(words: list[str], space: str = r"\s") -> re.Pattern[str]:
    """One pattern for wordings in folded text, in their order, each a group of its own; gathered by first letter."""
    if not words:
        return re.compile(r"(?!)")
    groups: dict[str, list[str]] = {}
    for word in map(fold, _in_order(words)):
        groups.setdefault(word.lstrip("^")[0], []).append(_pattern(word, space))
    choices = "|".join(f"(?={re.escape(letter)})(?:{'|'.join(some)})" for letter, some in groups.items())
    return re.compile(rf"(?<![\w-])(?:{choices})")


def _pattern(word: str, space: str) -> str:
    """The pattern of a folded wording: full stops are optional, any run of `space` is one, words may be cut by a stop."""
    tokens = [token.rstrip(".") or token for token in word.lstrip("^").split()]
    pattern = _token(tokens[0], is_alone=len(tokens) == 1)
    for left, right in pairwise(tokens):
        is_loose = not left[-1].isalnum() or not right[0].isalnum()
        pattern += rf"\.?{space}*" if is_loose else rf"(?:\.{space}?|{space}+)"
        pattern += r"[-–—]" if right == "-" else _token(right, is_alone=False)
    start = r"(?m:^)" if word.startswith("^") else ""
    end = r"" if _PUNCTUATION_END.search(word.rstrip(".")) else r"(?!\w)\.?"
    return f"({start}{pattern}{end})"


def _token(token: str, *, is_alone: bool) -> str:
    """A word, or its beginning before a full stop (`uskut.` for `uskutečnění`) unless the wording is one word only."""
    if is_alone or len(token) < _SHORTENED or not token.isalpha():
        return re.escape(token)
    return f"(?:{token}|{token[:_KEPT]}[^\\W\\d]{{0,{len(token) - _KEPT - 1}}}(?=\\.))"
