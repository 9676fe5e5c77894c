"""Amounts and dates in every notation are read back; the writers here are the oracle (D-11)."""

import re
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schemas.exchange import DocumentLanguage
from tasks.readers.written import currency_of, date_pattern, money, money_pattern, read_amount, read_date

CZECH_MONTHS = (
    *("ledna", "února", "března", "dubna", "května", "června"),
    *("července", "srpna", "září", "října", "listopadu", "prosince"),
)
ENGLISH_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)

amounts = st.decimals(Decimal("0.01"), Decimal("99999999.99"), places=2)
days = st.dates(date(1990, 1, 1), date(2049, 12, 31))


def grouped(amount: Decimal, group: str, point: str) -> str:
    whole, cents = f"{amount:.2f}".split(".")
    groups: list[str] = []
    while whole:
        groups.insert(0, whole[-3:])
        whole = whole[:-3]
    return group.join(groups) + point + cents


def found(pattern: str, text: str) -> str:
    """What the pattern finds in a text: exactly one thing."""
    matches = [match[0] for match in re.finditer(pattern, text)]
    assert len(matches) == 1, matches
    return matches[0]


@settings(deadline=None)
@given(
    amounts,
    st.sampled_from([(" ", ","), (".", ","), (",", "."), ("", ","), ("", "."), ("'", "."), (" ", ".")]),
    st.sampled_from(["{}", "{} Kč", "{} EUR", "€{}", "$ {}", "{} CZK"]),
)
def test_every_notation_of_an_amount_is_read_back(amount: Decimal, signs: tuple[str, str], frame: str) -> None:
    written = frame.format(grouped(amount, *signs))
    assert read_amount(found(money_pattern("cs"), f"K úhradě: {written}\nDne")) == amount


@settings(deadline=None)
@given(
    amounts,
    st.sampled_from(
        [
            "-{}",
            "−{}",
            "- {}",
            "{}-",
            "({})",
            "–{}",
            "-{} Kč",
            "{}- Kč",
            "({} Kč)",
            "({}) Kč",
            "−$ {}",
            "$-{}",
            "($ {})",
            "-${}",
        ]
    ),
)
def test_every_notation_of_a_negative_is_read_back(amount: Decimal, frame: str) -> None:
    written = frame.format(grouped(amount, " ", ","))
    assert read_amount(found(money_pattern("cs"), f"Celkem {written}\nDne")) == -amount


@settings(deadline=None)
@given(
    amounts.map(lambda amount: amount.to_integral_value()),
    st.sampled_from(["{},-", "{},–", "{},- Kč", "{} Kč", "Kč {}"]),
)
def test_whole_crowns_are_read_back(amount: Decimal, frame: str) -> None:
    written = frame.format(grouped(amount, " ", ",")[:-3])
    assert read_amount(found(money_pattern("cs"), f"Celkem {written}")) == amount


@pytest.mark.parametrize(
    "text",
    [
        "1. 3. 2024",
        "01.03.2024",
        "21 %",
        "8.25%",
        "2024/0012",
        "CZ12345678",
        "51-8131280061/0800",
        "v. 1.10.3",
        "FV-2024-01",
        "21,00 %",
    ],
)
def test_what_is_no_amount(text: str) -> None:
    assert re.findall(money_pattern("cs"), text) == []


def test_a_row_of_amounts_is_cut_where_each_ends() -> None:
    row = "21 % 1 000,00 210,00 1 210,00 12 345 678,90 0,50 −7,00"
    numbers = [read_amount(match[0]) for match in re.finditer(money_pattern("cs"), row)]
    assert numbers == [Decimal(n) for n in ("1000", "210", "1210", "12345678.90", "0.50", "-7")]


@settings(deadline=None)
@given(amounts, st.booleans())
def test_an_answers_amount_has_a_point_and_two_decimals(amount: Decimal, is_negative: bool) -> None:
    number = -amount if is_negative else amount
    assert re.fullmatch(r"-?\d+\.\d\d", money(number))
    assert Decimal(money(number)) == number


def czech_dates(day: date) -> list[str]:
    d, m, y = day.day, day.month, day.year
    month = CZECH_MONTHS[m - 1]
    return [
        f"{d}. {m}. {y}",
        f"{d}.{m}.{y}",
        f"{d:02}.{m:02}.{y}",
        f"{d:02}. {m:02}. {y}",
        f"{d}. {month} {y}",
        f"{d}/{m}/{y}",
        day.isoformat(),
    ]


def american_dates(day: date) -> list[str]:
    d, m, y = day.day, day.month, day.year
    month = ENGLISH_MONTHS[m - 1]
    words = [
        f"{month} {d}, {y}",
        f"{month[:3]} {d}, {y}",
        f"{month[:3]}. {d}, {y}",
        f"{d} {month} {y}",
        f"{d:02}-{month[:3]}-{y}",
    ]
    return [
        f"{m:02}/{d:02}/{y}",
        f"{m}/{d}/{y}",
        f"{m:02}-{d:02}-{y}",
        f"{m}/{d}/{y % 100:02}" if y >= 2000 else f"{m}/{d}/{y}",
        *words,
        day.isoformat(),
    ]


@settings(deadline=None)
@given(days)
def test_every_notation_of_a_date_is_read_back(day: date) -> None:
    for language, notations in (("cs", czech_dates(day)), ("en", american_dates(day))):
        for written in notations:
            known: DocumentLanguage = "cs" if language == "cs" else "en"
            assert read_date(found(date_pattern(known), f"Date: {written} x"), known) == day.isoformat(), written


@pytest.mark.parametrize(
    ("written", "language"), [("31. 2. 2024", "cs"), ("13/32/2024", "en"), ("00.00.2024", "cs"), ("2024", "cs")]
)
def test_a_date_that_does_not_exist_is_none(written: str, language: DocumentLanguage) -> None:
    assert read_date(written, language) is None


@pytest.mark.parametrize(
    ("written", "language", "code"),
    [
        ("1 210,00 Kč", "cs", "CZK"),
        ("€ 5", "cs", "EUR"),
        ("US$ 12", "en", "USD"),
        ("CA$12", "en", "CAD"),
        ("česká koruna", "cs", "CZK"),
        ("12,00", "cs", None),
    ],
)
def test_the_currency_beside_an_amount(written: str, language: DocumentLanguage, code: str | None) -> None:
    assert currency_of(written, language) == code
