"""How amounts are printed on invoices: a hand-written table of signs, symbols and spaces (D-11)."""

from decimal import Decimal

import pytest

from datasets.synth.formats import NBSP, print_amount

SYMBOLS = {"USD": "$", "CZK": "Kč"}


@pytest.mark.parametrize(
    ("form", "minus", "value", "currency", "language", "printed"),
    [
        ("{amount} {currency}", "−", "1234.50", "CZK", "cs", f"1{NBSP}234,50{NBSP}Kč"),
        ("{amount} {currency}", "-", "-1234.50", "CZK", "cs", f"-1{NBSP}234,50{NBSP}Kč"),
        ("{amount} {currency}", "trailing", "-12.00", "GBP", "cs", f"12,00-{NBSP}GBP"),
        ("{currency}{amount}", "−", "-1234.50", "USD", "en", "−$1,234.50"),
        ("{currency}{amount}", "()", "1234.50", "USD", "en", "$1,234.50"),
        ("{currency}{amount}", "()", "-1234.50", "USD", "en", "($1,234.50)"),
        ("{currency} {amount}", "()", "-1234.50", "GBP", "en", f"GBP{NBSP}(1,234.50)"),
        ("{amount}", "()", "-0.42", "USD", "en", "(0.42)"),
    ],
)
def test_an_amount_by_hand(form, minus, value, currency, language, printed):
    formats = {"minus": minus, "currency": SYMBOLS, "total": form}
    assert print_amount(Decimal(value), currency, language, formats, "total") == printed
