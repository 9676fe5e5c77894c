"""Values in one form, so that equal content is equal: format goes, content stays (D-11).

- text: Unicode composition (NFC) and kinds and runs of spaces are format. Letter case, diacritics, quotes and dashes are content.
- identifier: a string without white space, leading zeros kept. The hyphen of an EIN is optional in English (`12-3456789`).
- account: prefix and number padded with zeros, kinds of dashes are format; American `routing/account` keeps its zeros.
- choice: a word of a closed list; as a text, and its letter case is format too.
- phone: its digits without +420 or +1; spaces, hyphens, dots, slashes and parentheses are format.
- address: commas, line breaks and the space inside a Czech postal code are format.
- national_id: without the slash of a rodné číslo or the hyphens of an SSN.
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
    "address",
    "amount",
    "canonical",
    "currency",
    "date",
    "identifier",
    "is_absent",
    "national_id",
    "phone",
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
_COUNTRY = {"cs": re.compile(r"(?:\+|00)?420(?=[0-9]{9}$)"), "en": re.compile(r"(?:\+|00)?1(?=[0-9]{10}$)")}
_NATIONAL = {"cs": re.compile(r"([0-9]{6})/?([0-9]{3,4})()"), "en": re.compile(r"([0-9]{3})-?([0-9]{2})-?([0-9]{4})")}
_POSTAL = re.compile(r"(?<![0-9])([0-9]{3}) ([0-9]{2})(?= [^\W0-9])")
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


def phone(value: str, language: DocumentLanguage) -> str:
    """The digits of a telephone without the country's code; what has other characters comes back without white space.

    >>> phone("+420 650 123 456", "cs"), phone("(614) 555-0123", "en"), phone("+1 614.555.0123", "en")
    ('650123456', '6145550123', '6145550123')
    """
    plain = re.sub(r"[()./-]", "", _DASHES.sub("-", identifier(value)))
    return _COUNTRY[language].sub("", plain, count=1)


def address(value: str, language: DocumentLanguage) -> str:
    """An address whose parts are divided by single spaces.

    >>> address("Lipová 12,\\n602 00 Brno", "cs"), address("1425 Maple Ave, Akron, OH 44308", "en")
    ('Lipová 12 60200 Brno', '1425 Maple Ave Akron OH 44308')
    """
    plain = text(re.sub(r"[,;]", " ", value[:LONGEST]))
    return _POSTAL.sub(r"\1\2", plain) if language == "cs" else plain


def national_id(value: str, language: DocumentLanguage) -> str:
    """A rodné číslo without its slash, an SSN without its hyphens.

    >>> national_id("855616/8654", "cs"), national_id("666-98-6891", "en")
    ('8556168654', '666986891')
    """
    plain = _DASHES.sub("-", identifier(value))
    match = _NATIONAL[language].fullmatch(plain)
    return "".join(match.groups()) if match else plain


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
        case "phone":
            return phone(written, language)
        case "address":
            return address(written, language)
        case "national_id":
            return national_id(written, language)
        case "identifier":
            plain = identifier(written)
            ein = _EIN.fullmatch(plain) if language == "en" else None
            return ein[1] + ein[2] if ein else plain
        case _:
            return text(written)
