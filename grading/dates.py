"""Dates in every notation, read as days of the calendar (D-11); names of months stand in `dates.yaml`.

| written                                        | read as |
|------------------------------------------------|---------|
| `2024-03-01`, `2024/3/1`, `2024.03.01`, `20240301` | year, month, day, in both languages |
| `1. 3. 2024`, `01.03.2024`, `1/3/2024`, `1-3-2024` | cs: day first; en: month first, whatever the mark |
| `1.3.24`, `3/1/24`                             | as above; two digits are 1969 to 2068; with hyphens (`24-03-01`) no date |
| `1. března 2024`, `1 March 2024`, `1st of March 2024`, `1-Mar-2024`, `1. III. 2024` | day, month in words, year; in both languages |
| `March 1, 2024`, `Mar. 1st, 2024`              | month in words, day, year; in both languages |

A time behind the date and a weekday before it are stepped over. A date that does not exist in the reading of its language is None,
also where the other order would give one (en `13/03/2024`).
"""

import datetime as dt
import functools
import re
import unicodedata
from pathlib import Path
from typing import Any

from schemas.exchange import DocumentLanguage

_LONGEST = 60  # characters of a date
_ISO = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_TIME = re.compile(
    r"(?:T|,? )[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]+)?)?(?: ?(?:Z|[AaPp]\.?[Mm]\.?|[+-][0-9]{2}:?[0-9]{2}))?$"
)
_YEAR_FIRST = re.compile(r"([0-9]{4})(?:([-/.]) ?([0-9]{1,2})\2 ?([0-9]{1,2})|([0-9]{2})([0-9]{2}))\.?")
_YEAR_LAST = re.compile(r"([0-9]{1,2}) ?([-/.]) ?([0-9]{1,2}) ?\2 ?([0-9]{4}|[0-9]{2})\.?")
_DAY_WORD = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th)?\.?[ -]?(?:of )?([^\W\d_]+)\.?,?[ -]?([0-9]{4})")
_WORD_DAY = re.compile(r"([^\W\d_]+)\.? ?([0-9]{1,2})(?:st|nd|rd|th)?,? ([0-9]{4})")
_WEEKDAY = re.compile(r"([^\W\d_]+)\.?,? (?=.*[0-9])")


def date(value: str, language: DocumentLanguage) -> dt.date | None:
    """The day that a text names; None where it names none.

    >>> date("1. března 2024", "cs"), date("03/01/2024", "en"), date("31. 2. 2024", "cs")
    (datetime.date(2024, 3, 1), datetime.date(2024, 3, 1), None)
    """
    if iso := _ISO.fullmatch(value):
        return _day(*iso.groups())
    text = " ".join(value.split()) if len(value) <= _LONGEST else ""
    text = _TIME.sub("", text)
    if match := _YEAR_FIRST.fullmatch(text):
        return _day(match[1], match[3] or match[5], match[4] or match[6])
    if match := _YEAR_LAST.fullmatch(text):
        first, mark, second, year = match.groups()
        if len(year) == 2:
            year = "" if mark == "-" else f"{'19' if year > '68' else '20'}{year}"
        return _day(year, second, first) if language == "cs" else _day(year, first, second)
    return _of_words(_folded(text))


def _of_words(text: str) -> dt.date | None:
    months, weekdays = _names()
    weekday = _WEEKDAY.match(text)
    if weekday and weekday[1] in weekdays:
        text = text[weekday.end() :]
    if match := _DAY_WORD.fullmatch(text):
        return _day(match[3], months.get(match[2], ""), match[1])
    if match := _WORD_DAY.fullmatch(text):
        return _day(match[3], months.get(match[1], ""), match[2])
    return None


def _day(year: str, month: str, day: str) -> dt.date | None:
    try:
        return dt.date(int(year), int(month), int(day))
    except ValueError:
        return None


@functools.cache
def _names() -> tuple[dict[str, str], frozenset[str]]:
    import yaml

    table: dict[str, Any] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
    months = {_folded(name): str(i) for i, written in enumerate(table["months"], 1) for name in written}
    return months, frozenset(map(_folded, table["weekdays"]))


def _folded(text: str) -> str:
    """In small letters without diacritics: a month's name is no content of a date."""
    return "".join(c for c in unicodedata.normalize("NFD", text.casefold()) if not unicodedata.combining(c))
