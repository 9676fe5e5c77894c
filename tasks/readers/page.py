"""The engine: the labels on a page, and the value that belongs to each.

A value stands after its label, on the next line, or below it where a row of labels stands above a row of values;
labels that follow each other with nothing between are read together, so rows and columns of a table are one case.
"""

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import NamedTuple

from schemas.exchange import DocumentLanguage
from tasks.readers.vocabulary import Vocabulary, fold, vocabulary
from tasks.readers.written import money_pattern, patterns

_SPACES = re.compile(r"[^\S\n]+")
_GAP = re.compile(r"[\s:;.|()/,–-]*")
_AFTER = r"(?:\s?/\s?[A-Za-z .]{2,30}:)?[\s:;.|#]*(?:\((?=[^)\n]*[^\W\d])[^)\n]{0,30}\)[\s:.]*)?"
_AFTER_ON_LINE = r"[^\S\n:.]*[:.]?[^\S\n]*"
_BETWEEN = r"[\s:;|/,]+"
_COLUMN_KINDS = ("date", "ico", "account", "symbol")
_ALONE = ("block", "none", "title")
_LINES_BELOW = 3
_LONGEST_ROW = 8
"""How many labels are read together at most: a form has no longer rows, and a page of nothing but labels takes no time."""
_NUMBER_WORD = r"(?i:č|c|číslo|cislo|no|number|nr)\b\.?|#"
_AFTER_TITLE = rf"[^\w\n#]*(?:(?:{_NUMBER_WORD})[^\w\n]*)?"


class Label(NamedTuple):
    """A wording found on the page; rank 0 is the strongest wording of its field."""

    field: str
    kind: str
    rank: int
    start: int
    end: int


class Value(NamedTuple):
    """A value as written, where it stands, and its label."""

    label: Label
    written: str
    start: int
    end: int


@dataclass(frozen=True)
class Page:
    """The text of a page with its labels; positions are characters of `text`."""

    text: str
    language: DocumentLanguage

    @cached_property
    def words(self) -> Vocabulary:
        """The vocabulary of the page's language."""
        return vocabulary(self.language)

    @cached_property
    def folded(self) -> str:
        """The text folded for search; the same positions."""
        return fold(self.text)

    @cached_property
    def labels(self) -> tuple[Label, ...]:
        """All labels, in reading order."""
        found = []
        position = 0
        while match := self._next_label(position):
            wording = self.words.wording(match)
            found.append(Label(wording.field, wording.kind, wording.rank, match.start(), match.end()))
            position = match.end()
        return tuple(found)

    def _next_label(self, position: int) -> re.Match[str] | None:
        """The next label; one that OCR split over two lines counts only where the second line begins no other label."""
        match = self.words.labels.search(self.folded, position)
        if not match or "\n" not in match[0]:
            return match
        rest = self.words.labels_on_line.match(self.folded, match.start() + match[0].index("\n") + 1)
        whole = self.words.wording(match)
        if not rest or (self.words.wording(rest).field == whole.field and rest.end() <= match.end()):
            return match
        return self.words.labels_on_line.search(self.folded, position)

    @cached_property
    def values(self) -> tuple[Value, ...]:
        """The values that belong to the labels, in reading order of the labels."""
        found = {value.label: value for run in _runs(self) for value in _read_run(self, run)}
        for value in _read_columns(self, dict(found)):
            found.setdefault(value.label, value)
        return tuple(sorted(found.values(), key=lambda value: value.label.start))

    def of(self, field: str) -> list[Value]:
        """The values of a field, those under its strongest wordings first."""
        return sorted(
            (value for value in self.values if value.label.field == field), key=lambda value: value.label.rank
        )

    def labels_of(self, *fields: str) -> list[Label]:
        """The labels of some fields, in reading order."""
        return [label for label in self.labels if label.field in fields]

    def line_end(self, position: int) -> int:
        """Where the line of a position ends."""
        end = self.text.find("\n", position)
        return len(self.text) if end < 0 else end

    def line_start(self, position: int) -> int:
        """Where the line of a position begins."""
        return self.text.rfind("\n", 0, position) + 1


def open_page(text: str, language: DocumentLanguage) -> Page:
    """A page from raw text: one composition of Unicode, one kind of space, no empty lines."""
    composed = unicodedata.normalize("NFC", text.replace("\r\n", "\n").replace("\r", "\n").replace("\u00ad", ""))
    lines = (_SPACES.sub(" ", line).strip() for line in composed.split("\n"))
    return Page("\n".join(line for line in lines if line), language)


def _runs(page: Page) -> list[list[Label]]:
    """Labels that follow each other with nothing between."""
    runs: list[list[Label]] = []
    for label in page.labels:
        last = runs[-1][-1] if runs else None
        joins = last and label.kind not in _ALONE and last.kind not in _ALONE
        if last and joins and _GAP.fullmatch(page.text, last.end, label.start):
            runs[-1].append(label)
        else:
            runs.append([label])
    return [run for run in runs if run[0].kind not in ("block", "none")]


def _read_run(page: Page, run: list[Label]) -> list[Value]:
    """The values of as many of the run's last labels as can be read: at once after them, else in a row below."""
    if run[-1].kind == "title":
        beside = _row(("title",), page.language, _AFTER_TITLE).match(page.text, run[-1].end)
        return _values(run, beside or _line_of_one_number(page.language).match(page.text, run[-1].end))
    for first in range(max(0, len(run) - _LONGEST_ROW), len(run)):
        labels = run[first:]
        kinds = tuple(label.kind for label in labels)
        match = _row(kinds, page.language, _AFTER).match(page.text, run[-1].end)
        if not match and len(labels) == 1 and labels[0].kind in ("total", "amount"):
            match = _loose_amount(page.language).match(page.text, run[-1].end)
        if match or (match := _find_row_below(page, kinds, run[-1].end)):
            return _shared(page, run[:first], labels[0], match) + _values(labels, match)
    return []


def _shared(page: Page, before: list[Label], label: Label, match: re.Match[str]) -> list[Value]:
    """The value of a label, again for those joined to it by a slash (`Datum vystavení / DUZP: 1. 3. 2024`)."""
    shared = []
    for one in reversed(before):
        is_joined = one.kind == label.kind and page.text[one.end : label.start].strip() == "/"
        if not is_joined:
            break
        shared += [Value(one, value.written, value.start, value.end) for value in _values([label], match)]
        label = one
    return shared


def _find_row_below(page: Page, kinds: tuple[str, ...], end: int) -> re.Match[str] | None:
    """A row of values inside one of the lines below a row of at least two labels that ends its line."""
    line_end = page.line_end(end)
    if len(kinds) < 2 or page.text[end:line_end].strip(" :."):
        return None
    for _ in range(_LINES_BELOW):
        start, line_end = line_end + 1, page.line_end(line_end + 1)
        if start >= len(page.text):
            return None
        if match := _row(kinds, page.language, "").search(page.text, start, line_end):
            return match
    return None


def _read_columns(page: Page, done: Mapping[Label, Value]) -> list[Value]:
    """Values under a row of labels with foreign words among them: as many of one kind as labels of that kind."""
    found: list[Value] = []
    for label in page.labels:
        if label in done or label.kind not in _COLUMN_KINDS:
            continue
        end = page.line_end(label.end)
        on_line = [one for one in page.labels if page.line_start(label.start) <= one.start < end]
        peers = [one for one in on_line if one.kind == label.kind and not (one in done and done[one].start < end)]
        claimed = {value.start for value in done.values() if value.label not in peers}
        below = end
        for _ in range(_LINES_BELOW):
            start, below = below + 1, page.line_end(below + 1)
            all_matches = _row((label.kind,), page.language, "").finditer(page.text, min(start, below), below)
            matches = [match for match in all_matches if match.start("v0") not in claimed]
            if len(matches) == len(peers):
                found += _values([label], matches[peers.index(label)])
                break
    return found


def _values(labels: list[Label], match: re.Match[str] | None) -> list[Value]:
    if not match:
        return []
    spans = [(match.start(f"v{index}"), match.end(f"v{index}")) for index in range(len(labels))]
    return [
        Value(label, match.string[start:end], start, end) for label, (start, end) in zip(labels, spans, strict=True)
    ]


@lru_cache(maxsize=1024)
def _row(kinds: tuple[str, ...], language: DocumentLanguage, lead: str) -> re.Pattern[str]:
    """The pattern of values of some kinds one after another, named v0, v1 …"""
    known = patterns(language)
    lead = lead.replace("#", "#–—") if kinds[0] in ("number", "ico", "dic", "account") else lead
    row = _BETWEEN.join(f"(?P<v{index}>{known[kind]})" for index, kind in enumerate(kinds))
    return re.compile(rf"{lead}{row}(?![^\s:;|/,)])" if len(kinds) > 1 else rf"{lead}{row}")


@cache
def _line_of_one_number(language: DocumentLanguage) -> re.Pattern[str]:
    return re.compile(rf"\n(?P<v0>{patterns(language)['title']})(?:\n|$)")


@cache
def _loose_amount(language: DocumentLanguage) -> re.Pattern[str]:
    return re.compile(rf"{_AFTER_ON_LINE}(?P<v0>{money_pattern(language, is_loose=True)})")
