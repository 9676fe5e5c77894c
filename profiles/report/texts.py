"""Texts of the report in both languages: the files `texts.cs.yaml` and `texts.en.yaml` have the same keys."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import yaml
from markupsafe import escape

Lang = Literal["cs", "en"]
LANGS: tuple[Lang, ...] = ("cs", "en")
FOLDER = Path(__file__).parent

_SHORT_WORD = re.compile(r"(?<![^\s(„“])([ksvzouaiKSVZOUAI]) (?=\S)")
_NUMBER_UNIT = re.compile(r"(?<=\d) (?=%|p\. b\.|pp\b|ms\b|s\b|USD\b|procentní\b|percentage\b|\d{3}\b)")


@dataclass(frozen=True)
class Both:
    """A text in both languages; in a template it becomes two elements, of which the page shows one."""

    cs: str
    en: str

    def of(self, lang: Lang) -> str:
        """The text in one language."""
        return self.cs if lang == "cs" else self.en

    def __html__(self) -> str:
        if self.cs == self.en:
            return str(escape(self.cs))
        return "".join(f'<span class="l-{x}" lang="{x}">{escape(self.of(x))}</span>' for x in LANGS)

    def __str__(self) -> str:
        raise TypeError("a text in both languages has no single form; take `of(lang)`")


def both(make: Callable[[Lang], str]) -> Both:
    """A text made for each language."""
    return Both(make("cs"), make("en"))


def same(text: str) -> Both:
    """A text that is the same in both languages: a name, an id."""
    return Both(text, text)


def typeset(text: str, lang: Lang) -> str:
    """No-break spaces where a line may not end: after Czech one-letter words, between a number and its unit.

    >>> typeset("s intervalem 95 %", "cs")
    's\\xa0intervalem 95\\xa0%'
    """
    text = _NUMBER_UNIT.sub("\u00a0", text)
    return _SHORT_WORD.sub("\\1\u00a0", text) if lang == "cs" else text


@cache
def read_texts(lang: Lang) -> dict[str, Any]:
    """All texts of a language by dotted key; a list is the forms of a counted word (`count`).

    A suite may bring its own in `texts.<suite>.<lang>.yaml`; ValueError for a key that stands in two files.
    """
    found: dict[str, Any] = {}
    for file in _files(lang):
        more = _texts_of(file)
        if twice := sorted(found.keys() & more.keys()):
            raise ValueError(f"{file.name}: the text {twice[0]!r} stands in another file already")
        found |= more
    return found


def _files(lang: Lang) -> list[Path]:
    """The files of a language: the common one, then those of the suites."""
    return [FOLDER / f"texts.{lang}.yaml", *sorted(FOLDER.glob(f"texts.*.{lang}.yaml"))]


@cache
def _texts_of(file: Path) -> dict[str, Any]:
    """The texts of one file by dotted key, in its order."""
    return dict(_flat(yaml.safe_load(file.read_text(encoding="utf-8")), ""))


def _flat(node: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for key, value in node.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield f"{prefix}{key}", value


def text(key: str, **values: Both | str | int) -> Both:
    """The text with a key, `{names}` in it filled in; KeyError that names the key and the language where there is none."""

    def make(lang: Lang) -> str:
        filled = {k: v.of(lang) if isinstance(v, Both) else str(v) for k, v in values.items()}
        return typeset(str(_lookup(lang, key)).strip(), lang).format(**filled)

    return both(make)


def _lookup(lang: Lang, key: str) -> Any:
    texts = read_texts(lang)
    if key not in texts:
        raise KeyError(f"texts.{lang}.yaml has no text {key!r}")
    return texts[key]


def name(kind: str, word: str) -> Both:
    """The name of a word of a closed list (a field, a level, a category); the word itself where the texts have none."""
    key = f"{kind}.{word}"
    return text(key) if key in read_texts("cs") else same(word)


def order_of(kind: str, words: Sequence[str]) -> list[str]:
    """Words in the order in which the texts list their names, unknown ones last, each once.

    Names that one file lists stay together, those of the file that lists most of the words first: a field that a suite shares with
    another one does not come before its own.
    """
    places = _places(kind)
    most = Counter(places[word][0] for word in set(words) if word in places)

    def key(word: str) -> tuple[bool, int, tuple[int, int], str]:
        at = places.get(word, (0, 0))
        return word not in places, -most[at[0]], at, word

    return sorted(set(words), key=key)


@cache
def _places(kind: str) -> dict[str, tuple[int, int]]:
    """By name of a kind: the number of its file and its place in it."""
    found: dict[str, tuple[int, int]] = {}
    for number, file in enumerate(_files("cs")):
        own = [key.removeprefix(f"{kind}.") for key in _texts_of(file) if key.startswith(f"{kind}.")]
        found |= {word: (number, at) for at, word in enumerate(own)}
    return found


def count(key: str, n: int, shown: Both | None = None) -> Both:
    """A number with its noun in the right form: Czech one, few, many; English one, many.

    >>> count("counted.documents", 3).cs
    '3\\xa0dokumenty'
    """
    from profiles.report.numbers import integer

    number = shown or integer(n)

    def make(lang: Lang) -> str:
        forms = _lookup(lang, key)
        form = forms[0] if n == 1 else forms[1] if lang == "cs" and 2 <= n <= 4 else forms[-1]
        return typeset(f"{number.of(lang)}\u00a0{form}", lang)

    return both(make)
