"""Values in one form, so that equal content is equal: format goes, content stays (D-11).

- text: Unicode composition (NFC) and kinds and runs of spaces are format. Letter case, diacritics, quotes and dashes are content.
- identifier: a string without white space, leading zeros kept. The hyphen of an EIN is optional in English (`12-3456789`).
- account: prefix and number padded with zeros, kinds of dashes are format; American `routing/account` keeps its zeros.
- choice: a word of a closed list; as a text, and its letter case is format too.
- currency: the ISO 4217 code. date, amount, rates: see `grading.dates`, `grading.amounts`.

A JSON number where a string is wanted is read by its digits: that it is no string is a matter of the schema (`schema`, D-16).
"""

import re
import unicodedata
from decimal import Decimal

from grading.amounts import Rates, amount, rate, rates
from grading.currencies import code_of
from grading.dates import date
from schemas.exchange import DocumentLanguage
from schemas.fields import Kind

__all__ = [
    "Rates",
    "account",
    "amount",
    "canonical",
    "currency",
    "date",
    "identifier",
    "is_absent",
    "rate",
    "rates",
    "scalar",
    "text",
]

LONGEST = 5000
"""Characters of a value that are looked at; no right value is nearly as long."""

_WIDTHLESS = re.compile("[\u200b\u2060\ufeff]")
_DASHES = re.compile("[\u2010-\u2015\u2212\ufe58\ufe63\uff0d]")
_ACCOUNT = {
    "cs": re.compile(r"(?:([0-9]{1,6})-)?([0-9]{1,10})/([0-9]{4})"),
    "en": re.compile(r"([0-9]{9})/([0-9]{1,17})"),
}
_EIN = re.compile(r"([0-9]{2})-([0-9]{7})")


def text(value: str) -> str:
    """A text with composed letters and single plain spaces.

    >>> text("  Jan\\u00a0 Hora\\u0301k ")
    'Jan Horák'
    """
    if value.isascii():
        return " ".join(value.split())
    return " ".join(_WIDTHLESS.sub("", unicodedata.normalize("NFC", value[:LONGEST])).split())


def identifier(value: str) -> str:
    """An identifier without white space.

    >>> identifier(" 001 77\\u00a0041")
    '00177041'
    """
    return text(value).replace(" ", "")


def account(value: str, language: DocumentLanguage) -> str:
    """An account with prefix and number padded; what has not the form of an account comes back without white space.

    >>> account("19-2000145399 / 0800", "cs"), account("055968537/0123456", "en")
    ('000019-2000145399/0800', '055968537/0123456')
    """
    plain = _DASHES.sub("-", identifier(value))
    match = _ACCOUNT[language].fullmatch(plain)
    if language == "en" or not match:
        return plain
    return f"{(match[1] or '').zfill(6)}-{match[2].zfill(10)}/{match[3]}"


def currency(value: str) -> str | None:
    """The ISO 4217 code of a currency's code, sign or name; None where it is none.

    >>> currency("Kč"), currency("eur")
    ('CZK', 'EUR')
    """
    return code_of(text(value))


def is_absent(value: object) -> bool:
    """Whether a value says that there is none: null, an empty string, map or list, or a map without amounts (D-11).

    Words such as `N/A` are values.
    """
    if isinstance(value, str):
        return not text(value)
    if isinstance(value, dict):
        return all(v is None or (isinstance(v, str) and not text(v)) for v in value.values())
    return value is None or value == []


def scalar(value: object) -> str | None:
    """The text of a string or a number; None for everything else, and for a number too long to write."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        return None
    try:
        return str(value)
    except ValueError:
        return None


def canonical(kind: Kind, value: object, language: DocumentLanguage) -> object:
    """The one form of a value by its kind; None where it cannot be read as one.

    >>> canonical("amount", "1 210,-", "cs"), canonical("identifier", "12-3456789", "en")
    (Decimal('1210.00'), '123456789')
    """
    if kind == "amount":
        return amount(value, language)
    if kind == "rates":
        return rates(value, language)
    written = scalar(value)
    if written is None:
        return None
    match kind:
        case "date":
            return date(written, language)
        case "account":
            return account(written, language)
        case "currency":
            return currency(written)
        case "choice":
            return text(written).casefold()
        case "identifier":
            plain = identifier(written)
            ein = _EIN.fullmatch(plain) if language == "en" else None
            return ein[1] + ein[2] if ein else plain
        case _:
            return text(written)
