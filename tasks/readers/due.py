"""Deadlines in the words of a message, counted by the rules of the prompt (D-9)."""

import re
from calendar import monthrange
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Any

from schemas.exchange import DocumentLanguage
from tasks.readers.vocabulary import fold, vocabulary
from tasks.readers.written import date_pattern, read_date

_TIED = 12
"""So many characters before a date a weekday belongs to it ("Wednesday, March 6")."""


def read_deadline(text: str, sent: date, language: DocumentLanguage, words: Mapping[str, Any]) -> date | None:
    """The first day that stands where a deadline does; None where there is none.

    text: sentences in plain spaces; words: the content of `emails.<language>.yaml`.
    """
    found = [(at, day) for at, day in _days(text, sent, language, words) if day >= sent]
    told = [(at, day) for at, day in found if re.search(words["before"], text[:at], re.IGNORECASE)]
    return min(told or [pair for pair in found if _is_own(text, pair[0])], default=(0, None))[1]


def _is_own(text: str, at: int) -> bool:
    """Whether an expression brings its own preposition."""
    return bool(re.match(r"do |za |within |in |ještě |today", text[at:], re.IGNORECASE))


def _days(text: str, sent: date, language: DocumentLanguage, words: Mapping[str, Any]) -> Iterator[tuple[int, date]]:
    """Every day that the text names, and where; longer expressions hide the shorter ones inside them."""
    taken: list[tuple[int, int]] = []
    for match, day in (
        *_dates(text, sent, language),
        *_ends(text, sent, words),
        *_spans(text, sent, words),
        *_names(text, sent, words),
    ):
        if not any(start - _TIED <= match.start() < end for start, end in taken):
            taken.append(match.span())
            yield match.start(), day


def _dates(text: str, sent: date, language: DocumentLanguage) -> Iterator[tuple[re.Match[str], date]]:
    for match in re.finditer(date_pattern(language), text):
        if read := read_date(match[0], language):
            yield match, date.fromisoformat(read)
    months = "|".join(sorted(map(re.escape, vocabulary(language).months), key=len, reverse=True))
    numbers = {fold(name): number for name, number in vocabulary(language).months.items()}
    pattern = (
        rf"\b(?P<day>\d{{1,2}})\. (?:(?P<month>\d{{1,2}})\.|(?P<name>{months})\b)(?! ?\d{{4}})"
        if language == "cs"
        else rf"\b(?:(?P<month>\d{{1,2}})/|(?P<name>{months})\.? )(?P<day>\d{{1,2}})\b(?!/|, \d{{4}}|,? \d{{4}})"
    )
    for match in re.finditer(pattern, text, re.IGNORECASE):
        month = int(match["month"]) if match["month"] else numbers[fold(match["name"])]
        if day := _next(sent, month, int(match["day"])):
            yield match, day


def _next(sent: date, month: int, day: int) -> date | None:
    """The nearest such day strictly after, 29 February in its next leap year; None where the calendar has none."""
    for year in range(sent.year, sent.year + 9):
        try:
            found = date(year, month, day)
        except ValueError:
            continue
        if found > sent:
            return found
    return None


def _ends(text: str, sent: date, words: Mapping[str, Any]) -> Iterator[tuple[re.Match[str], date]]:
    for match in re.finditer(words["end_of"], text, re.IGNORECASE):
        unit, later = words["units"][match["what"].lower()], bool(match["next"])
        if unit == "week":
            yield match, sent + timedelta(days=4 - sent.weekday() + 7 * later)
        elif unit == "year":
            yield match, date(sent.year + later, 12, 31)
        else:
            first = sent.replace(day=1) if not later else (sent.replace(day=28) + timedelta(days=4)).replace(day=1)
            yield match, first.replace(day=monthrange(first.year, first.month)[1])


def _spans(text: str, sent: date, words: Mapping[str, Any]) -> Iterator[tuple[re.Match[str], date]]:
    for match in re.finditer(words["in_days"], text, re.IGNORECASE):
        written = (match["number"] or "").strip().lower()
        number = int(written) if written.isdigit() else words["numbers"].get(written, None if written else 1)
        if number is not None:
            yield match, sent + timedelta(days=number * (7 if match["unit"].lower().startswith(("t", "w")) else 1))


def _names(text: str, sent: date, words: Mapping[str, Any]) -> Iterator[tuple[re.Match[str], date]]:
    for number, name in enumerate(words["weekdays"]):
        for match in re.finditer(rf"\b(?:{name})\b", text, re.IGNORECASE):
            yield match, sent + timedelta(days=(number - sent.weekday() - 1) % 7 + 1)
    for key, days in (("today", 0), ("tomorrow", 1)):
        for match in re.finditer(words[key], text, re.IGNORECASE):
            yield match, sent + timedelta(days=days)
