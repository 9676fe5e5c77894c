"""The check before publishing: nothing of a private case may stand in what leaves (G-8).

Looked for are ids, pair ids and hashes of private cases, canaries, secrets, values of their truths, and four words in a row of their texts
and of the answers to them. Values and rows of words that stand in something public by its origin too (the text of a public case, an
answer to it, the words of the report) are no leak: two documents can share a date, a phrase or a town.
"""

import html
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from schemas.errors import ZkusebnaError

SHORTEST = 8
"""Characters of a private value from which it is looked for; shorter ones stand in any text by chance."""

WORDS, LONG = 4, 16
"""So many words in a row of a private text, together at least that many characters, may not leave."""

LONGEST_KEPT = 200
"""Characters of a cell that is remembered once it has passed."""

CANARY = "ZKUSEBNA-CANARY-"
"""How every canary begins: nothing that leaves may hold one, of whichever case."""

_PICTURE = re.compile(r"data:image/[a-z+]+;base64,[A-Za-z0-9+/=]+")
_INLINE = re.compile(r"</?(?:a|abbr|b|bdi|code|em|i|ins|del|kbd|mark|q|s|small|span|strong|sub|sup|u|wbr)\b[^>]*>")
_TAG = re.compile(r"<[^>]*>")
_EITHER = re.compile(r'<[a-z]+ [^>]*class="[^"]*\bl-(?:cs|en)\b[^>]*>')
"""Where the words of one language begin beside those of the other: only one of them is ever seen."""

_BREAK = re.compile(r"\\[nrt]|[\n\r\t]+")
_WORD = re.compile(r"[^\W_]+")
_START = re.compile(rf"(?<![^\W_])(?=(.{{{SHORTEST}}}))", re.DOTALL)
"""Where a text has no letter or digit before, and what begins there."""

_KINDS = {
    "secret": "a secret or a canary of the private part",
    "id": "the id of a private case",
    "value": "a value from the truth of a private case",
}
"""What may not leave, worst first."""


class ReportLeak(ZkusebnaError):  # noqa: N818 - named after what was found
    """What was to be published holds something of a private case; nothing is published."""

    exit_code = 1


@dataclass(frozen=True)
class PrivateCase:
    """What may not leave: id, canary, the values of the truth as text.

    texts: the document and the answers to it; marks: other strings that name the case or one of its files (pair id, hashes).
    """

    case_id: str
    canary: str | None
    values: tuple[str, ...]
    texts: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()


def values_of(truth: object) -> list[str]:
    """All texts inside a truth, those of maps and lists included; numbers in their JSON form.

    >>> values_of({"a": "Novák", "b": {"21": "210.00"}, "c": None, "d": 5})
    ['Novák', '210.00', '5']
    """
    if isinstance(truth, dict):
        return [v for inner in truth.values() for v in values_of(inner)]
    if isinstance(truth, list | tuple):
        return [v for inner in truth for v in values_of(inner)]
    return [] if truth is None or isinstance(truth, bool) else [str(truth)]


def rows_of_words(text: str) -> Iterator[str]:
    """Every four words in a row, lower case, within one line, where they are long enough together to say something.

    >>> list(rows_of_words("Dodávka dorazila o den později.\\nDěkujeme"))
    ['dodávka dorazila o den', 'dorazila o den později']
    """
    for line in _BREAK.split(text):
        words = _WORD.findall(line.casefold())
        for at in range(len(words) - WORDS + 1):
            row = " ".join(words[at : at + WORDS])
            if len(row) >= LONG:
                yield row


class Finder:
    """Which of many strings of eight characters or more stand in a text, with no letter or digit beside them; each has a kind.

    Strings are looked up by their first eight characters where a text has no letter or digit before, in one pass for all kinds.
    """

    def __init__(self) -> None:
        self._words: dict[str, set[str]] = {}
        self._lengths: dict[str, set[int]] = {}

    def add(self, words: Iterable[str], kind: str) -> None:
        """Take strings of a kind to look for; shorter ones are left out."""
        known = self._words.setdefault(kind, set())
        for word in words:
            if len(word) >= SHORTEST:
                known.add(word)
                self._lengths.setdefault(word[:SHORTEST], set()).add(len(word))

    def remove(self, words: Iterable[str], kind: str) -> None:
        """Look for these no longer, as far as they are of the kind."""
        self._words.setdefault(kind, set()).difference_update(words)

    def found(self, text: str) -> Iterator[tuple[str, str]]:
        """Those that stand in the text, and the kind of each; a string of two kinds comes twice."""
        known = self._lengths
        for at in [start.start() for start in _START.finditer(text) if start[1] in known]:
            for length in known[text[at : at + SHORTEST]]:
                word = text[at : at + length]
                if not _is_word(text[at + length : at + length + 1]):
                    yield from ((word, kind) for kind, words in self._words.items() if word in words)


def _is_word(character: str) -> bool:
    return character.isalnum()


class Guard:
    """What may not leave, and the search for it; memory grows with the words of the private part."""

    def __init__(self, private: Iterable[PrivateCase], public: Iterable[str], secrets: Iterable[str] = ()) -> None:
        """private, public: everything private, and the texts that are public by their origin; both are read once."""
        self._finder = Finder()
        self._rows: set[str] = set()
        self._passed: set[str] = set()
        self._finder.add(secrets, "secret")
        for case in private:
            self._finder.add((case.case_id, *case.marks), "id")
            self._finder.add(() if case.canary is None else (case.canary,), "secret")
            self._finder.add(case.values, "value")
            for text in case.texts:
                self._rows.update(rows_of_words(text))
        for text in _each_once(public):
            self._finder.remove([word for word, _ in self._finder.found(text)], "value")
            for read in (text, _BREAK.sub(" ", text)):  # a page may set a public text without its line breaks
                self._rows.difference_update(rows_of_words(read))

    def look_at_cells(self, cells: Iterable[str], name: str) -> None:
        """The same for the cells of a table, whose words come again and again: each is searched once."""
        for cell in cells:
            if cell not in self._passed:
                self.look(cell, name)
                if len(cell) <= LONGEST_KEPT:
                    self._passed.add(cell)

    def look(self, text: str, name: str, *, is_html: bool = False) -> None:
        """Raise ReportLeak where the text holds anything private; the message names the file and the kind, and quotes nothing.

        is_html: marks are marks; pictures are left out, since they are public documents by their hash.
        """
        shown = html.unescape(_PICTURE.sub("", text)) if is_html else text
        if CANARY in shown:
            raise _leak(name, "the canary of a private case")
        if found := {kind for _, kind in self._finder.found(shown)}:
            raise _leak(name, next(told for kind, told in _KINDS.items() if kind in found))
        words = (
            html.unescape(_TAG.sub("\n", _INLINE.sub(" ", _EITHER.sub("\n", _PICTURE.sub("", text)))))
            if is_html
            else text
        )
        if self._rows and not self._rows.isdisjoint(rows_of_words(words)):
            raise _leak(name, "words of the text of a private case or of an answer to it")


def _each_once(texts: Iterable[str]) -> Iterator[str]:
    """The texts without those that came already, as far as they are short enough to be remembered."""
    seen: set[str] = set()
    for text in texts:
        if text not in seen:
            yield text
            if len(text) <= LONGEST_KEPT:
                seen.add(text)


def _leak(name: str, what: str) -> ReportLeak:
    return ReportLeak(f"{name} holds {what}; nothing was published, and an earlier report stays as it was (G-8).")


def check(page: str, private: Iterable[PrivateCase], public: Iterable[str]) -> None:
    """Raise ReportLeak where a page of HTML holds anything of the private cases that no public text holds."""
    Guard(private, public).look(page, "The report", is_html=True)
