"""Amounts and rates in every notation, read as numbers (D-11).

How a text is read, after all kinds of white space became a space, all dashes and minus signs `-`, all apostrophes `'`:

| written                                  | cs        | en        | rule |
|------------------------------------------|-----------|-----------|------|
| `1210`, `1 210`, `1'210`                 | 1210      | 1210      | spaces and apostrophes group |
| `1.234,56`, `1,234.56`, `1 234,56`       | 1234.56   | 1234.56   | of two marks the last is the decimal mark |
| `1.234.567`, `1,234,567`                 | 1234567   | 1234567   | a mark that repeats groups |
| `1210.5`, `1210,50`, `0,005`, `1234.567` | as it is  | as it is  | one mark that cannot group is the decimal mark |
| `1.234`                                  | 1234      | 1.234     | three digits after one mark: the language of the document |
| `1,234`                                  | 1.234     | 1234      | … (cs: comma is decimal, en: point is decimal) |
| `-1`, `−1`, `1-`, `(1)`, `- 1`           | −1        | −1        | one sign of minus; two are no amount |
| `12 345,-`, `12 345,– Kč`, `12345.-`     | 12345     | 12345     | the dash after a mark stands for no hellers |
| `CZK 1`, `$1`, `-$1`, `($1)`, `1 Kč`     | 1, −1     | 1, −1     | currencies beside the number are stepped over |
| `1.21e3` and all JSON numbers            | 1210      | 1210      | the point is decimal, as in JSON |

Groups have three digits, the first one to three. Anything else (`12 34`, `1,00,000`, words, two numbers) is no amount: None.
Values are never rounded: `1210.004` is not `1210.00`.
"""

import functools
import re
from decimal import Decimal
from typing import Any

from grading.currencies import pattern
from schemas.exchange import DocumentLanguage
from schemas.replies import find_json

Rates = dict[Decimal, Decimal]

_GROUP_MARK = {"cs": ".", "en": ","}
_LONGEST = 80  # characters of an amount
_DIGITS = 24  # before or after the decimal mark
_MOST_ROWS = 100  # of a field by rate; no document has nearly as many
_CENT = Decimal("0.01")
_CANONICAL = re.compile(r"-?[0-9]{1,15}\.[0-9]{2}", re.ASCII)
_SPACE = re.compile(r"[\s\u200b\u2060\ufeff]+")
_MARKS = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d", "-")
    | dict.fromkeys("\u2019\u02bc\u00b4\u2032`", "'")
)
_EXPONENT = re.compile(r"[+-]?[0-9]+(?:\.[0-9]+)?[eE][+-]?[0-9]{1,2}")
_WHOLE = re.compile(r"[0-9]*|[0-9]{1,3}([ .,'])[0-9]{3}(?:\1[0-9]{3})*")
_ONE_GROUP = re.compile(r"[1-9][0-9]{0,2}[.,][0-9]{3}")
_RATE = re.compile(r"\+?([0-9]{1,3}(?:[.,][0-9]{1,6})?) ?(%?)")
_RATE_KEYS = frozenset({"rate", "sazba", "vat_rate", "tax_rate", "sazba_dph"})


def amount(value: object, language: DocumentLanguage) -> Decimal | None:
    """The number that an amount stands for, with two decimals at least; None where it is no amount.

    value: a string in any notation of the table above, or a JSON number.

    >>> amount("−1 234,50 Kč", "cs"), amount("(1,234.50)", "en"), amount("1.234", "cs"), amount("1.234", "en")
    (Decimal('-1234.50'), Decimal('-1234.50'), Decimal('1234.00'), Decimal('1.234'))
    """
    if isinstance(value, str):
        return Decimal(value) if _CANONICAL.fullmatch(value) and value[0] != "-" else _of_text(value, language)
    return _of_number(value)


def _of_number(value: object) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    if isinstance(value, int) and value.bit_length() > 4 * _DIGITS:
        return None
    number = Decimal(repr(value)) if isinstance(value, float) else Decimal(value)
    if not number.is_finite() or number.adjusted() >= _DIGITS or int(number.as_tuple().exponent) < -_DIGITS:
        return None
    cents = number.quantize(_CENT) if number.adjusted() < _DIGITS else number
    number = cents if cents == number else number
    return number if number else number.copy_abs()


def _of_text(text: str, language: DocumentLanguage) -> Decimal | None:
    text = _SPACE.sub(" ", text).strip().translate(_MARKS) if len(text) <= _LONGEST else ""
    if _EXPONENT.fullmatch(text):
        return _of_number(Decimal(text))
    frame = _frame().fullmatch(text)
    if not frame or bool(frame["open"]) != bool(frame["close"]):
        return None
    minuses = [frame["open"] == "(", frame["sign"] == "-", frame["inner"] == "-", frame["trailing"] == "-"]
    body = frame["body"] + (f"{frame['mark']}00" if frame["mark"] else "")
    number = _body(body, language)
    if number is None or sum(minuses) > 1:
        return None
    return _of_number(number.copy_negate() if any(minuses) else number)


@functools.cache
def _frame() -> re.Pattern[str]:
    """Signs, brackets and currencies around the digits; `mark` is a decimal mark with a dash, or nothing, behind it."""
    currency = f"(?:{pattern()} ?)?"
    return re.compile(
        rf"(?P<sign>[+-])? ?{currency}(?P<open>\()? ?(?P<inner>[+-])? ?{currency}"
        r"(?P<body>[0-9.,](?:[0-9 .,']*[0-9])?)(?:(?P<mark>[.,])(?: ?(?:--?|=))?)?"
        rf" ?(?P<trailing>-)? ?{currency}(?P<close>\))? ?{currency}"
    )


def _body(digits: str, language: DocumentLanguage) -> Decimal | None:
    """The number of digits with their marks alone, without sign."""
    point, comma = digits.rfind("."), digits.rfind(",")
    mark = "." if point > comma else ","
    count = digits.count(mark)
    if max(point, comma) < 0:
        mark = ""
    elif min(point, comma) >= 0:
        if count > 1:
            return None
    elif count > 1 or (mark == _GROUP_MARK[language] and _ONE_GROUP.fullmatch(digits)):
        mark = ""
    whole, _, fraction = digits.rpartition(mark) if mark else (digits, "", "")
    if not _WHOLE.fullmatch(whole) or (fraction and not fraction.isdecimal()) or not whole + fraction:
        return None
    return Decimal(f"{re.sub('[^0-9]', '', whole) or '0'}.{fraction or '0'}")


def rate(value: object) -> Decimal | None:
    """The rate in percent; None where it is no rate.

    `21`, `21 %`, `21.0`, `21,00%` and the fraction `0.21` are 21: no rate of the documents is below 1 % except 0.

    >>> rate("21 %"), rate("0.21"), rate("8,25"), rate("0"), rate("standard")
    (Decimal('21'), Decimal('21'), Decimal('8.25'), Decimal('0'), None)
    """
    if isinstance(value, int | float | Decimal):
        number = _of_number(value)
        value = "" if number is None or number.adjusted() > 3 else f"{number:f}"
    match = _RATE.fullmatch(_SPACE.sub(" ", value).strip()) if isinstance(value, str) and len(value) < 40 else None
    if not match:
        return None
    number = Decimal(match[1].replace(",", "."))
    number = number * 100 if 0 < number < 1 and not match[2] else number
    return number if number % 1 else number.to_integral_value()


def rates(value: object, language: DocumentLanguage) -> Rates | None:
    """A field by rate as a map from rate to amount; None where it is none, or where a rate stands twice.

    >>> rates({"21 %": "1 000,00", "12": None}, "cs")
    {Decimal('21'): Decimal('1000.00')}
    """
    pairs = rate_pairs(value, language)
    found = {r: a for r, a in pairs or [] if r is not None and a is not None}
    return found if pairs is not None and len(found) == len(pairs) else None


def rate_pairs(value: object, language: DocumentLanguage) -> list[tuple[Decimal | None, Decimal | None]] | None:
    """Pairs of rate and amount, None for what cannot be read; None where the value has not the form of a map.

    Forms: a map; a list of objects with just a rate (`rate`, `sazba`, …) and one other value; a string that is such a map as JSON.
    Rows without an amount (null or empty) are no rows.
    """
    if isinstance(value, str):
        value = find_json(value).value if value.strip().startswith("{") else None
    if not isinstance(value, dict | list) or len(value) > _MOST_ROWS:
        return None
    if isinstance(value, dict):
        rows = list(value.items())
    else:
        rows = [row for item in value for row in _row(item)]
        if len(rows) < len(value):
            return None
    return [
        (rate(r), amount(a, language)) for r, a in rows if not (a is None or (isinstance(a, str) and not a.strip()))
    ]


def _row(item: Any) -> list[tuple[Any, Any]]:
    """An object of a rate and one other value as a pair; nothing for all else."""
    if not isinstance(item, dict) or len(item) != 2:
        return []
    rate_key, other = sorted(item, key=lambda key: key.casefold() not in _RATE_KEYS)
    named = rate_key.casefold() in _RATE_KEYS and other.casefold() not in _RATE_KEYS
    return [(item[rate_key], item[other])] if named else []
