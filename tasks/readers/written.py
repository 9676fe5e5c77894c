"""Values as they are written on paper: amounts, dates and identifiers, found by pattern and brought to one form (D-11).

Digits may be written as OCR misreads them (`O` for 0, `l` and `I` for 1); the canonical forms have real digits.
"""

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from functools import cache

from schemas.exchange import DocumentLanguage
from tasks.readers.vocabulary import fold, vocabulary

_D = "[0-9OolI]"
_REAL_DIGITS = str.maketrans("OolI|", "00111")
_GROUPED = rf"{_D}{{1,3}}(?:[ .,'’]{_D}{{3}}){{1,4}}"
_CENTS = rf"[.,]{_D}{{2}}"
_END = r"(?![0-9A-Za-z]|[.,][0-9]|\.\s?[0-9]|\s?%|/[0-9])"
_EMPTY = r"[-–—](?=\s)"
_NUMBER = r"(?:[A-Z]{1,4} )?(?=[\w/.\-]*[0-9])\w(?:[\w/.\-]*\w)?"


@cache
def money_pattern(language: DocumentLanguage, *, is_loose: bool = False) -> str:
    """The pattern of an amount: with decimals, with `,-`, or beside a currency; when loose, also a bare whole number."""
    signs = sorted(vocabulary(language).currencies, key=len, reverse=True)
    currency = "(?:" + "|".join(re.escape(sign) for sign in signs) + ")"
    whole = rf"(?:{_GROUPED}|{_D}+)"
    plain = rf"(?:{_GROUPED}{_CENTS}|[0-9]{_D}*{_CENTS}|[lIOo]{_CENTS}){_END}(?:\s?{currency})?"
    dashed = rf"{whole},[-–—]+(?:\s?{currency})?"
    before = rf"{currency}\s?[-−]?\s?{whole}(?:{_CENTS})?{_END}"
    after = rf"{whole}\s?{currency}(?!\w)"
    bare = rf"|{whole}{_END}" if is_loose else ""
    body = rf"(?:{currency}\s?[-−–]?\s?)?(?:{dashed}|{plain}|{after}{bare})|{before}"
    return (
        rf"(?:\(\s?(?:{body})\s?\)(?:\s?{currency})?"
        rf"|(?<![\w.,])(?:[-−]\s?|[–—])?(?:{body})(?:[-−](?!\w)|\s?CR\b)?(?:\s?{currency}(?!\w))?)"
    )


def read_amount(written: str) -> Decimal | None:
    """The number that an amount says, in either convention of separators and any notation of a negative.

    >>> read_amount("(1,210.50)"), read_amount("1 210,50- Kč"), read_amount("1.210,- Kč"), read_amount("1,210 USD")
    (Decimal('-1210.50'), Decimal('-1210.50'), Decimal('1210.00'), Decimal('1210.00'))
    """
    digits = re.search(rf"{_D}(?:[{_D[1:-1]} .,'’]*{_D})?", re.sub(r"[A-Za-zčKł]{2,}\.?|[A-Z]{1,2}(?=\$)", "", written))
    if not digits:
        return None
    before, body, after = (
        written[: written.index(digits[0])],
        digits[0],
        written[written.index(digits[0]) + len(digits[0]) :],
    )
    is_negative = (
        bool(re.search(r"[-−–—(]", before)) or bool(re.match(r"\s?[-−]", after)) or after.strip().startswith("CR")
    )
    body = body.translate(_REAL_DIGITS)
    whole, cents = (body[:-3], body[-2:]) if re.search(r"[.,]\d\d$", body) else (body, "00")
    number = Decimal(f"{re.sub(r'[^0-9]', '', whole) or '0'}.{cents}")
    return -number if is_negative else number


def money(number: Decimal) -> str:
    """An amount in the form of an answer: a point, two decimals, a minus.

    >>> money(Decimal("-1210"))
    '-1210.00'
    """
    return f"{number.quantize(Decimal('0.01')):f}"


def currency_of(written: str, language: DocumentLanguage) -> str | None:
    """The ISO code of the currency that stands in a piece of text, by sign, code or name.

    >>> currency_of("1 210,00 Kč", "cs"), currency_of("Euro", "en"), currency_of("1 210,00", "cs")
    ('CZK', 'EUR', None)
    """
    words = vocabulary(language)
    for sign in sorted(words.currencies, key=len, reverse=True):
        if re.search(rf"(?<![A-Za-z]){re.escape(sign)}(?![A-Za-z])", written):
            return words.currencies[sign]
    folded = fold(written)
    return next((code for name, code in words.currency_names.items() if re.search(rf"\b{name}\b", folded)), None)


@cache
def date_pattern(language: DocumentLanguage) -> str:
    """The pattern of a date in the notations of the language, and in ISO 8601."""
    month = "|".join(sorted((re.escape(name) for name in vocabulary(language).months), key=len, reverse=True))
    d, year = f"{_D}{{1,2}}", f"{_D}{{4}}"
    iso = rf"{year}-{d}-{d}|{year}[./]{_D}{{2}}[./]{_D}{{2}}"
    numeric = rf"{d}\s?[.,/\-]\s?{d}\s?[.,/\-]\s?(?:{year}|[0-9]{{2}})"
    worded = rf"{d}(?:st|nd|rd|th)?[.\-]?\s?(?:of )?(?i:{month})\.?[\s,\-]{{1,2}}{year}"
    american = rf"|(?i:{month})\.?\s{d}(?:st|nd|rd|th)?,?\s{year}" if language == "en" else ""
    return rf"(?<![\w.])(?:{iso}|{numeric}|{worded}{american})(?!\w)"


def read_date(written: str, language: DocumentLanguage) -> str | None:
    """A date as `YYYY-MM-DD`; None where it does not exist. Numbers are day first in Czech, month first in English.

    >>> read_date("1. března 2024", "cs"), read_date("1. 3. 2024", "cs"), read_date("03/01/2024", "en")
    ('2024-03-01', '2024-03-01', '2024-03-01')
    >>> read_date("Mar 1st, 2024", "en"), read_date("31. 2. 2024", "cs")
    ('2024-03-01', None)
    """
    folded_months = {fold(name): number for name, number in vocabulary(language).months.items()}
    word = next((word for word in re.findall(r"[^\W\d]{3,}", written) if fold(word) in folded_months), None)
    rest = written.replace(word, " ") if word else written
    numbers = [
        int(number.translate(_REAL_DIGITS)) for number in re.findall(rf"{_D}+", re.sub(r"st|nd|rd|th|of", "", rest))
    ]
    if word and len(numbers) == 2:
        day, year, month = numbers[0], numbers[1], folded_months[fold(word)]
    elif len(numbers) != 3:
        return None
    elif numbers[0] > 31:
        year, month, day = numbers
    elif language == "en" and "." not in written and numbers[0] <= 12:
        month, day, year = numbers
    else:
        day, month, year = numbers
    try:
        return date(year + 2000 if year < 100 else year, month, day).isoformat()
    except ValueError:
        return None


@cache
def patterns(language: DocumentLanguage) -> Mapping[str, str]:
    """The pattern of each kind of value that a label file names."""
    day = date_pattern(language)
    rate = r"[0-9]{1,2}(?:[.,][0-9]{1,4})?\s?%"
    return {
        "date": rf"(?:{day}|{_EMPTY})",
        "amount": money_pattern(language),
        "total": money_pattern(language),
        "rate": rate,
        "ico": rf"(?<!\w){_D}{{2,3}} ?{_D}{{2,3}} ?{_D}{{3}}(?!\w)",
        "dic": r"(?<!\w)[CG][Zz2]\s?[0-9OolI ]{8,13}(?!\w)",
        "ein": rf"(?<!\w){_D}{{2}}\s?[-–]?\s?{_D}{{7}}(?!\w)",
        "number": rf"(?!{day}){_NUMBER}",
        "title": rf"(?!{day}|{rate}){_NUMBER}",
        "symbol": rf"(?:(?<!\w){_D}{{1,10}}(?![\w/]|[.,][0-9])|{_EMPTY})",
        "account": rf"(?<![\w/])(?:{_D}{{1,6}}\s?[-–]\s?)?{_D}{{2,10}}(?:\s?/\s?|,?\s[Kk][óo]d\sbanky:?\s){_D}{{4}}(?!\w)",
        "us_account": r"(?<!\w)[0-9][0-9OolI \-]{2,20}[0-9](?!\w)",
        "routing": rf"(?<!\w){_D}{{9}}(?!\w)",
        "iban": rf"[A-Z]{{2}}{_D}{{2}}(?: ?[0-9A-Z]{{4}}){{2,7}}(?: ?[0-9A-Z]{{1,3}})?",
        "currency": r"[^\W\d]{1,3}\$?(?:[ ][a-zA-Z]+)?|[$€£]",
        "text": r"\S[^\n]*?",
    }


def digits(written: str) -> str:
    """The digits of an identifier, with those that OCR misread."""
    return re.sub(r"[^0-9]", "", written.translate(_REAL_DIGITS))
