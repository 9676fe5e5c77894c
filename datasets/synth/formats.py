"""How values are printed: dates, amounts, rates and quantities, by the conventions of a language and a layout."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

NBSP = "\u00a0"
AT_NUMBER = ("()", "trailing")
"""Signs of negative amounts that belong to the number and not to the whole amount with its currency."""


def print_number(value: Decimal, language: str, minus: str = "-", thousands: str | None = None) -> str:
    """A number as written, decimals kept: `1 234,50` with NBSP in Czech, `1,234.50` in English.

    minus: the sign of negative numbers, `()` for parentheses, `trailing` for a minus behind; thousands: another separator.

    >>> print_number(Decimal("1234.50"), "cs"), print_number(Decimal("-1234.5"), "en", "()")
    ('1\\xa0234,50', '(1,234.5)')
    >>> print_number(Decimal("-1234.50"), "cs", "trailing", ".")
    '1.234,50-'
    """
    written = f"{abs(value):,f}"
    if language == "cs":
        written = written.replace(",", "T").replace(".", ",").replace("T", NBSP if thousands is None else thousands)
    if value >= 0:
        return written
    return {"()": f"({written})", "trailing": f"{written}-"}.get(minus, minus + written)


def print_amount(value: Decimal, currency: str, language: str, formats: Mapping[str, Any], form: str = "amount") -> str:
    """An amount with two decimals in one of the layout's forms, `amount` in tables and `total` for the sum to pay.

    A sign stands before the currency (`−$1,234.50`), parentheses and a trailing sign at the number alone, but parentheses around a
    symbol too (`($1,234.50)`). Number and currency do not break.
    """
    minus, symbol = formats["minus"], formats["currency"].get(currency, currency)
    encloses = minus == "()" and formats[form] == "{currency}{amount}"
    at_number = minus in AT_NUMBER and not encloses
    number = print_number(value if at_number else abs(value), language, minus, formats.get("thousands"))
    written = str(formats[form].format(amount=number, currency=symbol)).replace(" ", NBSP)
    if value >= 0 or at_number:
        return written
    return f"({written})" if encloses else minus + written


def print_date(day: date, form: str, months: Sequence[str] = (), short_months: Sequence[str] = ()) -> str:
    """A date in the layout's form, with NBSP, so that it does not break; `months` are the names for `{month}`, short ones for `{mon}`.

    >>> print_date(date(2024, 3, 1), "{d}. {m}. {y}"), print_date(date(2024, 3, 1), "{m:02}/{d:02}/{y}")
    ('1.\\xa03.\\xa02024', '03/01/2024')
    """
    month = months[day.month - 1] if months else ""
    short = short_months[day.month - 1] if short_months else ""
    return form.format(d=day.day, m=day.month, y=day.year, month=month, mon=short).replace(" ", NBSP)


def print_rate(rate: Decimal, language: str) -> str:
    """A rate in per cent: `21 %` in Czech, `8.25%` in English.

    >>> print_rate(Decimal(21), "cs"), print_rate(Decimal("8.25"), "en")
    ('21\\xa0%', '8.25%')
    """
    return f"{rate.normalize():f}{NBSP}%" if language == "cs" else f"{rate.normalize():f}%"
