"""True cost against tables worked out by hand, and the law that totals equal their parts (D-17, D-19, M-8)."""

import datetime as dt
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from profiles.money import (
    RATES_FILE,
    Currency,
    Rates,
    estimated_spend,
    estimated_spends,
    rounded,
    true_cost,
)

D = Decimal

RATES = Rates(
    minutes_a_document=D(3),
    hourly={"CZK": D(450), "EUR": D(35), "USD": D(40)},
    one_usd={"CZK": D("20"), "EUR": D("0.80"), "USD": D(1)},
    rates_of=dt.date(2026, 1, 2),
    currency_of={"cs": "CZK", "en": "USD"},
)

# 150 documents for 0.45 USD are 3.00 USD a thousand. 12 faulty of 150 are 80 of a thousand, 240 minutes, 4 hours.
# Nothing faulty costs no person; all faulty are 1,000 × 3 minutes, 50 hours. One of three: 333 1/3 × 3 minutes, 16 2/3 hours.
BY_HAND: list[tuple[str, int, int, Currency, str, str, str]] = [
    ("0.45", 150, 12, "CZK", "60.00", "1800.00", "1860.00"),
    ("0.45", 150, 12, "EUR", "2.40", "140.00", "142.40"),
    ("0.45", 150, 12, "USD", "3.00", "160.00", "163.00"),
    ("0.45", 150, 0, "CZK", "60.00", "0.00", "60.00"),
    ("0", 150, 150, "CZK", "0.00", "22500.00", "22500.00"),
    ("0", 7, 7, "EUR", "0.00", "1750.00", "1750.00"),
    ("0.001", 3, 1, "USD", "0.333333333", "666.666666667", "667.000000000"),
    ("0.001", 3, 1, "CZK", "6.666666667", "7500.00", "7506.666666667"),
]


@pytest.mark.parametrize(("spend", "documents", "faulty", "currency", "tokens", "person", "total"), BY_HAND)
def test_true_cost_by_hand(
    spend: str, documents: int, faulty: int, currency: Currency, tokens: str, person: str, total: str
) -> None:
    """D-17."""
    cost = true_cost(D(spend), documents, faulty, currency, rates=RATES)
    assert (cost.spend, cost.labour, cost.total) == (D(tokens), D(person), D(total))
    assert (cost.currency, cost.volume) == (currency, 1000)


def test_rates_of_work_are_the_constants_of_the_method_and_never_converted() -> None:
    """D-17: 3 minutes at 450 Kč, 35 EUR, 40 USD; other exchange rates move the tokens alone."""
    kept = yaml.safe_load(RATES_FILE.read_text(encoding="utf-8"))
    assert (kept["minutes_a_document"], kept["hourly"]) == ("3", {"CZK": "450", "EUR": "35", "USD": "40"})
    dear = RATES.model_copy(update={"one_usd": {"CZK": D(40), "EUR": D("1.60"), "USD": D(1)}})
    for currency in ("CZK", "EUR"):
        usual, other = (true_cost(D("0.45"), 150, 12, currency, rates=r) for r in (RATES, dear))
        assert other.labour == usual.labour
        assert other.spend == 2 * usual.spend


def test_a_volume_and_a_wage_of_ones_own() -> None:
    """20,000 documents, a tenth of them faulty: 2,000 × 3 minutes are 100 hours at 600 Kč; 20,000 × 0.002 USD are 40 USD, 800 Kč."""
    cost = true_cost(D("0.10"), 50, 5, "CZK", volume=20_000, hourly=D(600), rates=RATES)
    assert (cost.spend, cost.labour, cost.total) == (D(800), D(60_000), D(60_800))


@given(
    spend=st.decimals(0, 10**6, places=9),
    documents=st.integers(1, 10**6),
    share=st.floats(0, 1),
    currency=st.sampled_from(["CZK", "EUR", "USD"]),
    volume=st.integers(0, 10**8),
    places=st.integers(0, 9),
)
def test_sums_equal_parts_and_parts_are_right_to_half_a_last_digit(
    spend: Decimal, documents: int, share: float, currency: Any, volume: int, places: int
) -> None:
    """M-8; the oracle computes with fractions, not with decimals."""
    faulty = int(share * documents)
    cost = true_cost(spend, documents, faulty, currency, volume=volume, rates=RATES)
    exact_spend = Fraction(spend) * volume * Fraction(RATES.one_usd[currency]) / documents
    exact_labour = Fraction(faulty * volume * 3 * int(RATES.hourly[currency]), 60 * documents)
    half = Fraction(1, 2 * 10**9)
    assert abs(Fraction(cost.spend) - exact_spend) <= half
    assert abs(Fraction(cost.labour) - exact_labour) <= half
    shown = cost.rounded(places)
    for one in (cost, shown):
        assert Fraction(one.total) == Fraction(one.spend) + Fraction(one.labour)
    assert all(-int(x.as_tuple().exponent) <= places for x in (shown.spend, shown.labour, shown.total))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((D(1), 0, 0), "0 documents"),
        ((D(1), 5, 6), "6 faulty documents of 5"),
        ((D(1), 5, -1), "-1 faulty documents of 5"),
        ((D("-0.01"), 5, 1), "spend_usd is '-0.01'"),
        ((D("NaN"), 5, 1), "spend_usd is 'NaN'"),
    ],
)
def test_what_cannot_be_is_refused_with_its_value(arguments: Any, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        true_cost(*arguments, "USD", rates=RATES)


# cost_en 2.00, cost_cs 2.30, so the surcharge is 15 %; tax_cs 1.60.
# de 1.45: 15 % × 0.45 / 0.60 = 11.25 %; fr 1.30: 7.5 %; a tax of 1: none; pl 1.90: 22.5 %; below English, 0.80: −5 %.
ESTIMATES = [("1.45", "2.225"), ("1.30", "2.15"), ("1", "2.00"), ("1.60", "2.30"), ("1.90", "2.45"), ("0.80", "1.90")]


@pytest.mark.parametrize(("tax", "cost"), ESTIMATES)
def test_estimates_by_hand(tax: str, cost: str) -> None:
    """D-19."""
    assert estimated_spend(D("2.00"), D("2.30"), D(tax), D("1.60")) == D(cost)


def test_a_picture_costs_the_same_everywhere_so_the_bare_ratio_would_overstate() -> None:
    """D-19: 900 of 1,000 English tokens are the picture's; Czech text doubles to 200, German grows to 150."""
    english, czech, german = D(1000), D(900 + 200), D(900 + 150)
    assert estimated_spend(english, czech, D("1.5"), D("2.0")) == german
    assert english * D("1.5") > german


@pytest.mark.parametrize(
    ("cost_en", "cost_cs", "tax", "tax_cs", "cost"),
    [
        ("2", "2.3", "1.45", "1", None),  # tax_cs within 0.01 of 1
        ("2", "2.3", "1.45", "1.0099", None),
        ("2", "2.3", "1.45", "0.9901", None),
        ("2", "2.3", "1.45", "1.01", "15.5"),  # 0.01 off is estimable: 2 × (1 + 0.15 × 45)
        ("2", "2.3", "1.45", "0.99", None),  # the formula's result is below 0: 2 × (1 − 0.15 × 45)
        ("0", "0", "1.45", "1.6", "0"),  # a program of one's own
        ("0", "0.1", "1.45", "1.6", None),
    ],
)
def test_what_cannot_be_estimated(cost_en: str, cost_cs: str, tax: str, tax_cs: str, cost: str | None) -> None:
    """D-19."""
    found = estimated_spend(D(cost_en), D(cost_cs), D(tax), D(tax_cs))
    assert found == (None if cost is None else D(cost))


def test_without_taxes_only_czech_and_english_have_a_cost() -> None:
    taxes = {"cs": D("1.6"), "en": D(1), "de": D("1.45"), "fr": D("1.3")}
    assert estimated_spends(D(2), D("2.3"), taxes) == {"de": D("2.225"), "fr": D("2.15")}
    assert estimated_spends(D(2), D("2.3"), {}) == {}
    assert estimated_spends(D(2), D("2.3"), {"de": D("1.4")}) == {}
    assert estimated_spends(None, D("2.3"), taxes) == {}
    assert estimated_spends(D(2), None, taxes) == {}


def test_the_currency_of_a_language() -> None:
    assert [RATES.currency(x) for x in ("cs", "en", "de")] == ["CZK", "USD", "EUR"]


def test_rounding_is_half_up_as_with_money() -> None:
    assert [rounded(D(x), 2) for x in ("0.125", "0.135", "2.675")] == [D("0.13"), D("0.14"), D("2.68")]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"one_usd": {"CZK": "20", "USD": "1"}}, "one_usd"),
        ({"one_usd": {"CZK": "20", "EUR": "0.8", "USD": "2"}}, "one USD is 1 USD"),
        ({"hourly": {"CZK": "0", "EUR": "35", "USD": "40"}}, "hourly"),
        ({"rates_of": "soon"}, "rates_of"),
        ({"minutes_a_document": "-3"}, "minutes_a_document"),
    ],
)
def test_broken_settings_say_what_is_wrong(change: dict[str, Any], told: str, tmp_path: Path) -> None:
    kept = yaml.safe_load(RATES_FILE.read_text(encoding="utf-8"))
    with pytest.raises(ValidationError, match=told):
        Rates.model_validate({**kept, **change})
