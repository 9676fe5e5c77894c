"""Numbers as they are written in Czech and in English: decimal sign, spaces, minus, units.

A share that is not exactly 0 or 1 is never written as one: 99.97 % becomes 99.9 %.
"""

import datetime as dt
import math
from decimal import Decimal
from typing import Literal

from profiles.report.texts import Both, Lang, both, name

NBSP = "\u00a0"
MINUS = "\u2212"
_MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]


def _written(value: float | Decimal, digits: int, lang: Lang) -> str:
    number = f"{abs(value):,.{digits}f}"
    if lang == "cs":
        number = number.replace(",", NBSP).replace(".", ",")
    is_zero = not any(c in "123456789" for c in number)
    return (MINUS if value < 0 and not is_zero else "") + number


def integer(value: float) -> Both:
    """A count, thousands apart.

    >>> integer(12345)
    Both(cs='12\\xa0345', en='12,345')
    """
    return both(lambda lang: _written(round(value), 0, lang))


def _hundredths(share: float) -> float:
    """A share in per cent with one decimal, where 100 and 0 are kept for exactly that."""
    shown = round(100 * share, 1)
    if shown >= 100 and share < 1:
        return 99.9
    return 0.1 if shown <= 0 < share else shown


def percent(share: float) -> Both:
    """A share from 0 to 1 in per cent with one decimal.

    >>> percent(0.9312), percent(0.99999).en
    (Both(cs='93,1\\xa0%', en='93.1%'), '99.9%')
    """
    return both(lambda lang: f"{_written(_hundredths(share), 1, lang)}{NBSP if lang == 'cs' else ''}%")


def fine_percent(share: float) -> Both:
    """A share from 0 to 1 in per cent with two decimals, for what is measured on pixels; below half a hundredth it says so.

    >>> fine_percent(0.0001), fine_percent(0.00001).en, fine_percent(0.0).en
    (Both(cs='0,01\\xa0%', en='0.01%'), '<\\xa00.01%', '0.00%')
    """
    is_less = 0 < share < 0.00005
    return both(
        lambda lang: (
            f"{f'<{NBSP}' if is_less else ''}{_written(0.01 if is_less else 100 * share, 2, lang)}{NBSP if lang == 'cs' else ''}%"
        )
    )


def percents(low: float, high: float) -> Both:
    """An interval of shares.

    >>> percents(0.91, 0.952)
    Both(cs='91,0–95,2\\xa0%', en='91.0–95.2%')
    """
    return both(lambda lang: f"{_written(_hundredths(low), 1, lang)}–{percent(high).of(lang)}")


def whole_percent(percent: int) -> Both:
    """A share that was rounded down to whole per cent already (J-3).

    >>> whole_percent(91)
    Both(cs='91\\xa0%', en='91%')
    """
    return both(lambda lang: f"{percent}{NBSP if lang == 'cs' else ''}%")


def times(ratio: float) -> Both:
    """How many times as much, with two decimals.

    >>> times(1.834)
    Both(cs='1,83×', en='1.83×')
    """
    return both(lambda lang: f"{_written(ratio, 2, lang)}×")


def times_between(low: float, high: float) -> Both:
    """An interval of ratios.

    >>> times_between(1.7, 1.9).cs
    '1,70–1,90×'
    """
    return both(lambda lang: f"{_written(low, 2, lang)}–{times(high).of(lang)}")


def points(difference: float) -> Both:
    """A difference of shares in percentage points (p. b., pp), with its sign.

    >>> points(-0.012)
    Both(cs='−1,2\\xa0p.\\xa0b.', en='−1.2\\xa0pp')
    """
    return both(lambda lang: f"{_signed(difference, lang)}{NBSP}{_POINTS[lang]}")


def points_between(low: float, high: float) -> Both:
    """An interval of differences of shares.

    >>> points_between(-0.03, 0.01).en
    '−3.0 to +1.0\\xa0pp'
    """
    return both(
        lambda lang: (
            f"{_signed(low, lang)}{' až ' if lang == 'cs' else ' to '}{_signed(high, lang)}{NBSP}{_POINTS[lang]}"
        )
    )


_POINTS: dict[Lang, str] = {"cs": f"p.{NBSP}b.", "en": "pp"}


def _signed(difference: float, lang: Lang) -> str:
    value = 100 * difference
    return ("+" if round(value, 1) > 0 else "") + _written(value, 1, lang)


def duration(ms: float) -> Both:
    """A time: milliseconds below a second, then seconds.

    >>> duration(12.4).en, duration(1534).cs
    ('12\\xa0ms', '1,5\\xa0s')
    """
    if ms < 1000:
        return both(lambda lang: f"{_written(ms, 1 if 0 < ms < 10 else 0, lang)}{NBSP}ms")
    return both(lambda lang: f"{_written(ms / 1000, 1, lang)}{NBSP}s")


def usds(low: float, high: float) -> Both:
    """An interval of amounts in US dollars.

    >>> usds(1.5, 2).en
    '1.50–2.00\\xa0USD'
    """
    return both(lambda lang: f"{usd(low).of(lang).removesuffix(f'{NBSP}USD')}–{usd(high).of(lang)}")


def usd(value: float) -> Both:
    """An amount in US dollars, three significant digits at least below one dollar.

    >>> usd(0).en, usd(12.5).cs, usd(0.00312).en
    ('0\\xa0USD', '12,50\\xa0USD', '0.00312\\xa0USD')
    """
    digits = 0 if value == 0 else 2 if abs(value) >= 1 else 2 - math.floor(math.log10(abs(value)))
    return both(lambda lang: f"{_written(value, digits, lang)}{NBSP}USD")


def money(amount: Decimal, currency: Literal["CZK", "EUR", "USD"], digits: int = 2) -> Both:
    """An amount in a currency.

    >>> money(Decimal("1872.71"), "CZK")
    Both(cs='1\\xa0872,71\\xa0Kč', en='1,872.71\\xa0CZK')
    """
    return both(lambda lang: f"{_written(amount, digits, lang)}{NBSP}{sign(currency).of(lang)}")


def moneys(low: Decimal, high: Decimal, currency: Literal["CZK", "EUR", "USD"]) -> Both:
    """An interval of amounts.

    >>> moneys(Decimal("1.5"), Decimal(2), "EUR").cs
    '1,50–2,00\\xa0EUR'
    """
    return both(lambda lang: f"{_written(low, 2, lang)}–{money(high, currency).of(lang)}")


def sign(currency: str) -> Both:
    """How a currency is written behind an amount.

    >>> sign("CZK")
    Both(cs='Kč', en='CZK')
    """
    return Both("Kč", "CZK") if currency == "CZK" else Both(currency, currency)


def day(iso: str) -> Both:
    """A date `YYYY-MM-DD` in words of the language.

    >>> day("2026-11-05")
    Both(cs='5.\\xa011.\\xa02026', en='5\\xa0Nov\\xa02026')
    """
    d = dt.date.fromisoformat(iso)
    return Both(f"{d.day}.{NBSP}{d.month}.{NBSP}{d.year}", f"{d.day}{NBSP}{_MONTHS[d.month - 1]}{NBSP}{d.year}")


def month(iso: str) -> Both:
    """A month `YYYY-MM` in words of the language.

    >>> month("2023-03")
    Both(cs='březen\\xa02023', en='March\\xa02023')
    """
    year, number = iso.split("-")
    names = name("month", str(int(number)))
    return both(lambda lang: f"{names.of(lang)}{NBSP}{year}")
