"""How values are printed: dates, amounts, rates and quantities, by the conventions of a language and a layout."""

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from typing import Any

NBSP = "\u00a0"


def print_number(value: Decimal, language: str, minus: str = "-") -> str:
    """A number as written, decimals kept: `1 234,50` with NBSP in Czech, `1,234.50` in English.

    minus: the sign of negative numbers, or `()` for parentheses.

    >>> print_number(Decimal("1234.50"), "cs"), print_number(Decimal("-1234.5"), "en", "()")
    ('1\\xa0234,50', '(1,234.5)')
    """
    written = f"{abs(value):,f}"
    if language == "cs":
        written = written.replace(",", NBSP).replace(".", ",")
    if value >= 0:
        return written
    return f"({written})" if minus == "()" else minus + written


def print_amount(value: Decimal, currency: str, language: str, formats: Mapping[str, Any], form: str = "amount") -> str:
    """An amount with two decimals in one of the layout's forms, `amount` in tables and `total` for the sum to pay.

    A sign stands before the currency (`−$1,234.50`), parentheses around the number alone.
    """
    minus = formats["minus"]
    number = print_number(abs(value) if minus != "()" else value, language, minus)
    written = formats[form].format(amount=number, currency=formats["currency"].get(currency, currency))
    return minus + written if value < 0 and minus != "()" else str(written)


def print_date(day: date, form: str, months: Sequence[str] = ()) -> str:
    """A date in the layout's form, with NBSP, so that it does not break; `months` are the names for `{month}`.

    >>> print_date(date(2024, 3, 1), "{d}. {m}. {y}"), print_date(date(2024, 3, 1), "{m:02}/{d:02}/{y}")
    ('1.\\xa03.\\xa02024', '03/01/2024')
    """
    month = months[day.month - 1] if months else ""
    return form.format(d=day.day, m=day.month, y=day.year, month=month).replace(" ", NBSP)


def print_rate(rate: Decimal, language: str) -> str:
    """A rate in per cent: `21 %` in Czech, `8.25%` in English.

    >>> print_rate(Decimal(21), "cs"), print_rate(Decimal("8.25"), "en")
    ('21\\xa0%', '8.25%')
    """
    return f"{rate.normalize():f}{NBSP}%" if language == "cs" else f"{rate.normalize():f}%"
