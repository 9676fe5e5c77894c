"""True cost of documents: what was spent on tokens, and the person who finds and mends what is wrong (D-17, D-19).

Everything is `Decimal`. Parts are rounded (half up, `PLACES` decimals of the currency), the total is their sum and nothing else, so a
total always equals its parts to the last digit (M-8).
"""

import datetime as dt
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal, localcontext
from functools import cache
from pathlib import Path
from typing import Literal

import yaml
from pydantic import Field, model_validator

from schemas.exchange import Frozen

Currency = Literal["CZK", "EUR", "USD"]

RATES_FILE = Path(__file__).with_name("money_rates.yaml")

PLACES = 9
"""Decimals of a part, those of `cost_usd` in the store."""

NOT_ESTIMABLE = Decimal("0.01")
"""A tax of Czech nearer to 1 than this says nothing about how a surcharge follows the tax (D-19)."""

_DIGITS = 60


class Rates(Frozen):
    """Settings of money: the constants of D-17, and the dated rates at which spend is shown in another currency.

    one_usd: how much of a currency one US dollar is; hourly: what the person costs an hour; currency_of: by language.
    """

    minutes_a_document: Decimal = Field(gt=0)
    hourly: dict[Currency, Decimal]
    one_usd: dict[Currency, Decimal]
    rates_of: dt.date
    currency_of: dict[str, Currency]

    @model_validator(mode="after")
    def _is_whole(self) -> "Rates":
        for what, given in (("hourly", self.hourly), ("one_usd", self.one_usd)):
            if set(given) != {"CZK", "EUR", "USD"} or not all(v.is_finite() and v > 0 for v in given.values()):
                raise ValueError(f"{what}: a number above 0 was expected for each of CZK, EUR, USD, found {given!r}")
        if self.one_usd["USD"] != 1:
            raise ValueError(f"one_usd: one USD is 1 USD, found {str(self.one_usd['USD'])!r}")
        return self

    def currency(self, language: str) -> Currency:
        """The currency in which documents of a language are counted; euros for one that the settings do not name."""
        return self.currency_of.get(language, "EUR")


@cache
def read_rates(file: Path = RATES_FILE) -> Rates:
    """The settings of money; pydantic's ValidationError for a file that lacks something."""
    return Rates.model_validate(yaml.safe_load(file.read_text(encoding="utf-8")))


class TrueCost(Frozen):
    """What `volume` documents cost in a currency: `spend` on tokens and `labour` of the person (D-17)."""

    currency: Currency
    volume: int
    spend: Decimal
    labour: Decimal

    @property
    def total(self) -> Decimal:
        """The sum of both parts, exactly."""
        with localcontext(prec=_DIGITS):
            return self.spend + self.labour

    def rounded(self, places: int = 2) -> "TrueCost":
        """The same with its parts as they are shown; the total is the sum of the parts shown."""
        return self.model_copy(update={"spend": rounded(self.spend, places), "labour": rounded(self.labour, places)})


def rounded(amount: Decimal, places: int) -> Decimal:
    """An amount with a number of decimals, half up.

    >>> rounded(Decimal("0.125"), 2)
    Decimal('0.13')
    """
    with localcontext(prec=_DIGITS):
        return amount.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)


def true_cost(
    spend_usd: Decimal,
    documents: int,
    faulty: int | Decimal,
    currency: Currency,
    *,
    volume: int = 1000,
    hourly: Decimal | None = None,
    rates: Rates | None = None,
) -> TrueCost:
    """What `volume` documents cost, measured on `documents` scored ones that cost `spend_usd` together (D-17).

    faulty: documents with an error, invalid answers among them; a fraction is the end of an interval. Answers that are not scored
    belong neither to `documents` nor to `spend_usd`: the caller counts them beside it (G-11). hourly: the person's rate in
    `currency`, the constant of D-17 by default. ValueError for no documents, more faulty ones than documents, or a negative amount.

    By hand: 150 documents for 0.45 USD, 12 with an error. 1,000 cost 3 USD of tokens, and 80 of them take 3 minutes each, 4 hours.

    >>> cost = true_cost(Decimal("0.45"), 150, 12, "USD")
    >>> [f"{x:.2f}" for x in (cost.spend, cost.labour, cost.total)]
    ['3.00', '160.00', '163.00']
    """
    known = rates or read_rates()
    wage = known.hourly[currency] if hourly is None else hourly
    if documents < 1:
        raise ValueError(f"true cost of {documents!r} documents: 1 or more were expected")
    if not 0 <= faulty <= documents:
        raise ValueError(f"{faulty!r} faulty documents of {documents!r}: from 0 to all of them was expected")
    for what, amount in (("spend_usd", spend_usd), ("volume", Decimal(volume)), ("hourly", wage)):
        if not amount.is_finite() or amount < 0:
            raise ValueError(f"{what} is {str(amount)!r}: a number from 0 up was expected")
    with localcontext(prec=_DIGITS):
        spend = spend_usd * volume * known.one_usd[currency] / documents
        labour = faulty * volume * known.minutes_a_document * wage / (60 * documents)
    return TrueCost(currency=currency, volume=volume, spend=rounded(spend, PLACES), labour=rounded(labour, PLACES))


def estimated_spend(cost_en: Decimal, cost_cs: Decimal, tax: Decimal, tax_cs: Decimal) -> Decimal | None:
    """Spend on tokens in a language without documents: cost_en × (1 + surcharge_cs × (tax − 1) / (tax_cs − 1)) (D-19).

    surcharge_cs = cost_cs / cost_en − 1 is measured on real documents, since the picture of an invoice costs the same in every
    language. None where that cannot be said: |tax_cs − 1| below 0.01, English documents that cost nothing while Czech ones do, or
    a result below 0. What costs nothing in both languages costs nothing. Costs are of equal numbers of documents, in one currency.

    By hand: 2.00 in English and 2.30 in Czech is a surcharge of 15 %; a language with 3/4 of the excess tokens of Czech pays 3/4 of it.

    >>> estimated_spend(Decimal("2.00"), Decimal("2.30"), Decimal("1.45"), Decimal("1.60"))
    Decimal('2.225000000')
    """
    if abs(tax_cs - 1) < NOT_ESTIMABLE:
        return None
    if cost_en == 0:
        return Decimal(0) if cost_cs == 0 else None
    with localcontext(prec=_DIGITS):
        cost = rounded(cost_en + (cost_cs - cost_en) * (tax - 1) / (tax_cs - 1), PLACES)
    return cost if cost >= 0 else None


def estimated_spends(
    cost_en: Decimal | None, cost_cs: Decimal | None, taxes: Mapping[str, Decimal]
) -> dict[str, Decimal | None]:
    """Estimates for all languages with a tax but Czech and English, in the order given; none without all that D-19 needs.

    taxes: language tax by language (D-18); empty where it was not measured, and then only the measured languages have a cost.
    """
    if cost_en is None or cost_cs is None or "cs" not in taxes:
        return {}
    others = [language for language in taxes if language not in ("cs", "en")]
    return {language: estimated_spend(cost_en, cost_cs, taxes[language], taxes["cs"]) for language in others}
