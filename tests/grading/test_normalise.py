"""Values in one form; the oracle is a table written by hand, and properties of notations that the tests write themselves (D-11)."""

import datetime as dt
import unicodedata
from decimal import Decimal
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading import normalise

Language = Literal["cs", "en"]

AMOUNTS = [  # written, read in Czech, read in English; None: no amount
    ("1210.00", "1210", "1210"),
    ("1210", "1210", "1210"),
    ("1210,5", "1210.5", "1210.5"),
    ("1 234,56", "1234.56", "1234.56"),
    ("1\u00a0234,56", "1234.56", "1234.56"),
    ("1\u202f234,56", "1234.56", "1234.56"),
    ("1\u2009234\u2009567,89", "1234567.89", "1234567.89"),
    ("1.234,56", "1234.56", "1234.56"),
    ("1,234.56", "1234.56", "1234.56"),
    ("1.234.567,89", "1234567.89", "1234567.89"),
    ("1,234,567.89", "1234567.89", "1234567.89"),
    ("1.234.567", "1234567", "1234567"),
    ("1,234,567", "1234567", "1234567"),
    ("1.234", "1234", "1.234"),
    ("1,234", "1.234", "1234"),
    ("12.345", "12345", "12.345"),
    ("1234.567", "1234.567", "1234.567"),
    ("1234,567", "1234.567", "1234.567"),
    ("0,005", "0.005", "0.005"),
    ("0.005", "0.005", "0.005"),
    ("1 234.567", "1234.567", "1234.567"),
    ("1'234.50", "1234.5", "1234.5"),
    ("1’234’567.50", "1234567.5", "1234567.5"),
    ("12 345,-", "12345", "12345"),
    ("12 345,– Kč", "12345", "12345"),
    ("12.345,—", "12345", "12345"),
    ("12345,--", "12345", "12345"),
    ("12345.-", "12345", "12345"),
    ("-12 345,-", "-12345", "-12345"),
    ("1210,", "1210", "1210"),
    (",50", "0.5", "0.5"),
    (".50", "0.5", "0.5"),
    ("-1210.00", "-1210", "-1210"),
    ("−1 210,00", "-1210", "-1210"),
    ("\u20121210.00", "-1210", "-1210"),
    ("–1210.00", "-1210", "-1210"),
    ("- 1 210,00 Kč", "-1210", "-1210"),
    ("1210.00-", "-1210", "-1210"),
    ("1 210,00 −", "-1210", "-1210"),
    ("(1,234.56)", "-1234.56", "-1234.56"),
    ("( 1 234,56 )", "-1234.56", "-1234.56"),
    ("($1,234.56)", "-1234.56", "-1234.56"),
    ("$(1,234.56)", "-1234.56", "-1234.56"),
    ("-$1,234.50", "-1234.5", "-1234.5"),
    ("$-1,234.50", "-1234.5", "-1234.5"),
    ("USD (1,234.56)", "-1234.56", "-1234.56"),
    ("−C$1,234.50", "-1234.5", "-1234.5"),
    ("£1,234.50", "1234.5", "1234.5"),
    ("CZK 1,210.00", "1210", "1210"),
    ("1 210,00 CZK", "1210", "1210"),
    ("1210 Kč", "1210", "1210"),
    ("1210 kč", "1210", "1210"),
    ("1210 korun českých", "1210", "1210"),
    ("€ 1.210,00", "1210", "1210"),
    ("US$1,210.00", "1210", "1210"),
    ("$1,234.5", "1234.5", "1234.5"),
    ("$1,210.00 USD", "1210", "1210"),
    ("SEK 12", "12", "12"),
    ("+12.50", "12.5", "12.5"),
    ("-0.00", "0", "0"),
    ("001210.00", "1210", "1210"),
    ("1.21e3", "1210", "1210"),
    ("1.21E+03", "1210", "1210"),
    ("\ufeff1210.00\u200b", "1210", "1210"),
    ("12 34", None, None),
    ("1 2345", None, None),
    ("1,00,000", None, None),
    ("1.234,567.89", None, None),
    ("1,234.567,89", None, None),
    ("1 234'567", None, None),
    ("100, 200", None, None),
    ("--5", None, None),
    ("-(5)", None, None),
    ("-5-", None, None),
    ("(5", None, None),
    ("5)", None, None),
    ("1210,50,-", None, None),
    ("21 %", None, None),
    ("1210 Kč s DPH", None, None),
    ("total 1210", None, None),
    ("Kč", None, None),
    ("", None, None),
    (".", None, None),
    ("-", None, None),
    ("1e9999", None, None),
    ("١٢", None, None),
    ("1" * 100, None, None),
]

NUMBERS = [  # values that JSON can hold
    (1210, "1210"),
    (-1210, "-1210"),
    (Decimal("1210.00"), "1210"),
    (Decimal("1.234"), "1.234"),
    (Decimal("-0.0"), "0"),
    (Decimal("1.21E+3"), "1210"),
    (1210.5, "1210.5"),
    (0.1, "0.1"),
    (True, None),
    (None, None),
    ([], None),
    ({}, None),
    (Decimal("1E+999999"), None),
    (Decimal("1E-999999"), None),
    (Decimal("NaN"), None),
    (float("inf"), None),
]

DATES = [  # written, read in Czech, read in English
    ("2024-03-01", "2024-03-01", "2024-03-01"),
    (" 2024-03-01 ", "2024-03-01", "2024-03-01"),
    ("2024-3-1", "2024-03-01", "2024-03-01"),
    ("2024/03/01", "2024-03-01", "2024-03-01"),
    ("2024.03.01", "2024-03-01", "2024-03-01"),
    ("20240301", "2024-03-01", "2024-03-01"),
    ("2024-03-01T00:00:00", "2024-03-01", "2024-03-01"),
    ("2024-03-01T23:59:59.999Z", "2024-03-01", "2024-03-01"),
    ("2024-03-01 12:30", "2024-03-01", "2024-03-01"),
    ("2024-03-01T00:00:00+01:00", "2024-03-01", "2024-03-01"),
    ("1. 3. 2024", "2024-03-01", "2024-01-03"),
    ("1.\u00a03.\u00a02024", "2024-03-01", "2024-01-03"),
    ("01.03.2024", "2024-03-01", "2024-01-03"),
    ("1.3.2024", "2024-03-01", "2024-01-03"),
    ("1.3.24", "2024-03-01", "2024-01-03"),
    ("1.3.69", "1969-03-01", "1969-01-03"),
    ("03/01/2024", "2024-01-03", "2024-03-01"),
    ("3/1/24", "2024-01-03", "2024-03-01"),
    ("03-01-2024", "2024-01-03", "2024-03-01"),
    ("24-03-01", None, None),
    ("1. března 2024", "2024-03-01", "2024-03-01"),
    ("1. Března 2024", "2024-03-01", "2024-03-01"),
    ("1. brezna 2024", "2024-03-01", "2024-03-01"),
    ("1.\u00a0března\u00a02024", "2024-03-01", "2024-03-01"),
    (unicodedata.normalize("NFD", "1. března 2024"), "2024-03-01", "2024-03-01"),
    ("pátek 1. března 2024", "2024-03-01", "2024-03-01"),
    ("30. června 2024", "2024-06-30", "2024-06-30"),
    ("30. července 2024", "2024-07-30", "2024-07-30"),
    ("1. III. 2024", "2024-03-01", "2024-03-01"),
    ("1 March 2024", "2024-03-01", "2024-03-01"),
    ("1st of March 2024", "2024-03-01", "2024-03-01"),
    ("1-Mar-2024", "2024-03-01", "2024-03-01"),
    ("March 1, 2024", "2024-03-01", "2024-03-01"),
    ("MARCH 1 2024", "2024-03-01", "2024-03-01"),
    ("Mar. 1st, 2024", "2024-03-01", "2024-03-01"),
    ("Sept. 2nd, 2024", "2024-09-02", "2024-09-02"),
    ("Friday, March 1, 2024", "2024-03-01", "2024-03-01"),
    ("29. 2. 2024", "2024-02-29", None),
    ("29. 2. 2023", None, None),
    ("2024-02-30", None, None),
    ("2024-13-01", None, None),
    ("13/03/2024", "2024-03-13", None),
    ("03/13/2024", None, "2024-03-13"),
    ("31. 4. 2024", None, None),
    ("0. 3. 2024", None, None),
    ("0000-03-01", None, None),
    ("březen 2024", None, None),
    ("March 2024", None, None),
    ("1. Foo 2024", None, None),
    ("do 1. 3. 2024", None, None),
    ("1.3./2024", None, None),
    ("1. 3. 2024 a 2. 3. 2024", None, None),
    ("2024-03", None, None),
    ("", None, None),
    ("٢٠٢٤-٠٣-٠١", None, None),
]

RATES = [
    ("21", "21"),
    ("21 %", "21"),
    ("21\u00a0%", "21"),
    ("21%", "21"),
    ("21.0", "21"),
    ("21,00 %", "21"),
    ("0.21", "21"),
    ("0,21", "21"),
    ("0.21 %", "0.21"),
    ("8.25", "8.25"),
    ("8,25 %", "8.25"),
    ("0.0825", "8.25"),
    ("0", "0"),
    ("0 %", "0"),
    (" 12 ", "12"),
    (21, "21"),
    (Decimal("0.21"), "21"),
    ("-21", None),
    ("standard", None),
    ("DPH 21 %", None),
    ("21 12", None),
    ("", None),
    (True, None),
    (None, None),
]

ACCOUNTS = [  # written, canonical
    ("cs", "19-2000145399/0800", "000019-2000145399/0800"),
    ("cs", "000019-2000145399/0800", "000019-2000145399/0800"),
    ("cs", "19 - 2000145399 / 0800", "000019-2000145399/0800"),
    ("cs", "19–2000145399/0800", "000019-2000145399/0800"),
    ("cs", "733836833/2010", "000000-0733836833/2010"),
    ("cs", "000000-0733836833/2010", "000000-0733836833/2010"),
    ("cs", "0733836833/2010", "000000-0733836833/2010"),
    ("cs", "1234567-733836833/2010", "1234567-733836833/2010"),
    ("en", "055968537/1234", "055968537/1234"),
    ("en", "055968537 / 0012345678", "055968537/0012345678"),
]


def number(text: str | None) -> Decimal | None:
    return None if text is None else Decimal(text)


@pytest.mark.parametrize(("written", "czech", "english"), AMOUNTS)
def test_amounts(written: str, czech: str | None, english: str | None) -> None:
    assert normalise.amount(written, "cs") == number(czech)
    assert normalise.amount(written, "en") == number(english)


@pytest.mark.parametrize(("value", "read"), NUMBERS, ids=lambda v: type(v).__name__)
def test_json_numbers_as_amounts(value: object, read: str | None) -> None:
    assert normalise.amount(value, "cs") == normalise.amount(value, "en") == number(read)


def test_a_map_of_a_hundred_rates_is_none() -> None:
    assert normalise.rates({str(i): "1.00" for i in range(100)}, "cs") is not None
    assert normalise.rates({str(i): "1.00" for i in range(101)}, "cs") is None


def test_numbers_too_long_to_read() -> None:
    assert normalise.amount(10**5000, "cs") is None
    assert normalise.rate(10**5000) is None
    assert normalise.scalar(10**5000) is None


def test_amounts_have_two_decimals_and_are_never_rounded() -> None:
    assert [str(normalise.amount(v, "cs")) for v in ("1210", "1210,5", 1210, "-0")] == [
        "1210.00",
        "1210.50",
        "1210.00",
        "0.00",
    ]
    assert normalise.amount("1210,004", "cs") == Decimal("1210.004")
    long = "1234567890.000000000000000000000001"
    assert normalise.amount(long, "en") == Decimal(long) != Decimal(1234567890)
    assert normalise.amount("-" + long, "en") == Decimal("-" + long)


@pytest.mark.parametrize(("written", "czech", "english"), DATES)
def test_dates(written: str, czech: str | None, english: str | None) -> None:
    assert normalise.date(written, "cs") == (czech and dt.date.fromisoformat(czech))
    assert normalise.date(written, "en") == (english and dt.date.fromisoformat(english))


@pytest.mark.parametrize(("written", "read"), RATES)
def test_rates(written: object, read: str | None) -> None:
    assert normalise.rate(written) == number(read)


@pytest.mark.parametrize(("language", "written", "read"), ACCOUNTS)
def test_accounts(language: Language, written: str, read: str) -> None:
    assert normalise.account(written, language) == read


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("CZK", "CZK"), ("czk", "CZK"), ("Kč", "CZK"), ("kč", "CZK"), ("KČ", "CZK"), (" Kč ", "CZK"), ("Czech koruna", "CZK"),
        (unicodedata.normalize("NFD", "Kč"), "CZK"), ("€", "EUR"), ("euro", "EUR"), ("$", "USD"), ("US$", "USD"),
        ("US dollars", "USD"), ("SEK", "SEK"), ("C$", "CAD"), ("£", "GBP"), ("Kc", None), ("peníze", None), ("", None), ("CZK/EUR", None),
    ],
)  # fmt: skip
def test_currencies(written: str, code: str | None) -> None:
    assert normalise.currency(written) == code


def test_text_and_identifiers() -> None:
    assert normalise.text("\u00a0Jan\u202f \n Hora\u0301k\u200b ") == "Jan Horák"
    assert normalise.text("Horak") != normalise.text("Horák")
    assert normalise.text("„U Mlýna“ – s. r. o.") == "„U Mlýna“ – s. r. o."
    assert normalise.text("HORÁK") == "HORÁK"
    assert normalise.identifier("CZ 001\u00a077 041") == "CZ00177041"
    assert normalise.identifier("fv-1") == "fv-1"


@pytest.mark.parametrize("value", [None, "", " \u00a0", "\u200b", [], {}, {"21": None}, {"21": " "}])
def test_absent_values(value: object) -> None:
    assert normalise.is_absent(value)


@pytest.mark.parametrize("value", ["N/A", "null", "-", 0, False, Decimal(0), [None], {"21": "0.00"}])
def test_values_that_are_there(value: object) -> None:
    assert not normalise.is_absent(value)


def grouped(digits: str, mark: str) -> str:
    first = len(digits) % 3 or 3
    return mark.join([digits[:first], *(digits[i : i + 3] for i in range(first, len(digits), 3))])


MARKS = [("", "."), ("", ","), (" ", ","), (" ", "."), ("\u00a0", ","), ("\u202f", ","), ("\u2009", ".")]
MARKS += [(".", ","), (",", "."), ("'", "."), ("’", ".")]


@settings(deadline=None, max_examples=400)
@given(
    st.integers(-(10**12), 10**12),
    st.sampled_from(MARKS),
    st.sampled_from(["-{}", "−{}", "\u2012{}", "{}-", "({})", "- {}", "{} -"]),
    st.sampled_from(["{}", "{} Kč", "{}\u00a0Kč", "CZK {}", "${}", "{} EUR", " {} "]),
    st.sampled_from(["cs", "en"]),
)  # fmt: skip
def test_an_amount_reads_back_from_any_notation(
    cents: int, marks: tuple[str, str], minus: str, currency: str, language: Language
) -> None:
    group, decimal = marks
    written = grouped(str(abs(cents) // 100), group) + decimal + f"{abs(cents) % 100:02}"
    written = currency.format(minus.format(written) if cents < 0 else written)
    assert normalise.amount(written, language) == Decimal(cents).scaleb(-2)


MONTHS = ["ledna", "února", "března", "dubna", "května", "června"]
MONTHS += ["července", "srpna", "září", "října", "listopadu", "prosince"]
ENGLISH = ["January", "February", "March", "April", "May", "June"]
ENGLISH += ["July", "August", "September", "October", "November", "December"]


@settings(deadline=None)
@given(st.dates(dt.date(1969, 1, 1), dt.date(2068, 12, 31)))
def test_a_day_reads_back_from_any_notation(day: dt.date) -> None:
    month, name = MONTHS[day.month - 1], ENGLISH[day.month - 1]
    both = [day.isoformat(), f"{day:%Y%m%d}", f"{day.day}. {month} {day.year}", f"{name} {day.day}, {day.year}"]
    both += [f"{day.day} {name[:3].upper()} {day.year}", f"{name[:3]}. {day.day:02}, {day.year}", f"{day}T08:00:00Z"]
    czech = [f"{day.day}. {day.month}. {day.year}", f"{day:%d.%m.%Y}", f"{day:%d/%m/%Y}", f"{day:%d.%m.%y}"]
    english = [f"{day:%m/%d/%Y}", f"{day.month}/{day.day}/{day.year}", f"{day:%m-%d-%Y}", f"{day:%m/%d/%y}"]
    assert {normalise.date(written, "cs") for written in both + czech} == {day}
    assert {normalise.date(written, "en") for written in both + english} == {day}


@settings(deadline=None)
@given(st.text() | st.text(st.sampled_from("0123456789.,-()' Kč%eE/"), max_size=20), st.sampled_from(["cs", "en"]))
def test_no_text_raises(value: str, language: Language) -> None:
    for kind in ("text", "identifier", "account", "date", "amount", "rates", "currency"):
        normalise.canonical(kind, value, language)
    normalise.rate(value)
