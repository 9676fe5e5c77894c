"""An invoice as values: parties, lines, tax by rate, total, and the truth that follows from them (D-3, D-6, D-7).

Readings chosen where the rules are silent (G-14):
- An advance invoice (zálohová faktura) is no tax document: it prints no tax point date and no tax by rate, its prices are final.
- A credit note's tax point date is the day of the correction, its rates those of that day; the original's number and date
  are printed beside and lie under the same rates.
- An American seller charges one combined local rate; goods that in the Czech twin have a lower rate are exempt there (rate 0).
- Only Czech invoices in Czech crowns show a rounding line; the total is the amount due after it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from datasets.synth.companies import Party
from datasets.synth.structure import Structure

CENT = Decimal("0.01")


@dataclass(frozen=True)
class Line:
    """One line: the amount is quantity times price without tax, half-up to the haléř; rate in per cent, None without tax."""

    name: str
    unit: str
    quantity: Decimal
    price: Decimal
    rate: Decimal | None
    amount: Decimal


@dataclass(frozen=True)
class RateTotal:
    """Base and tax of one rate: the tax comes from the summed base (D-7)."""

    rate: Decimal
    base: Decimal
    tax: Decimal


@dataclass(frozen=True)
class Invoice:
    """All values of one document, before they are worded and typeset; amounts in `currency`, negative in a credit note."""

    language: str
    structure: Structure
    supplier: Party
    customer: Party
    customer_number: str
    number: str
    symbol: str
    order: str | None
    original: tuple[str, date] | None
    currency: str
    exchange: Decimal | None
    lines: tuple[Line, ...]
    by_rate: tuple[RateTotal, ...]
    rounding: Decimal
    total: Decimal
    issued_by: str

    @property
    def due_date(self) -> date:
        """Datum splatnosti."""
        return self.structure.issue_date + timedelta(days=self.structure.due_days)

    @property
    def delivery_date(self) -> date:
        """Day of delivery, a date that no field asks for."""
        return self.structure.issue_date - timedelta(days=self.structure.delivery_days)

    @property
    def tax_point_date(self) -> date | None:
        """DUZP, on Czech tax documents only."""
        untaxed = self.structure.variant in ("non_payer", "advance")
        return None if self.language == "en" or untaxed else self.structure.tax_point_date


def cents(amount: Decimal) -> Decimal:
    """The amount half-up to two decimals, the same for both signs; zero has no sign.

    >>> cents(Decimal("2.675")), cents(Decimal("-2.675"))
    (Decimal('2.68'), Decimal('-2.68'))
    """
    return amount.quantize(CENT, ROUND_HALF_UP) + 0


def plain_rate(rate: Decimal) -> str:
    """A rate without trailing zeros, the key of a map by rate.

    >>> plain_rate(Decimal("10")), plain_rate(Decimal("8.250")), plain_rate(Decimal("0"))
    ('10', '8.25', '0')
    """
    return f"{rate.normalize():f}"


def sum_by_rate(lines: Iterable[Line]) -> tuple[RateTotal, ...]:
    """Base and tax of every rate, from the highest; empty where lines carry no rate."""
    bases: dict[Decimal, Decimal] = {}
    for line in lines:
        if line.rate is not None:
            bases[line.rate] = bases.get(line.rate, Decimal(0)) + line.amount
    return tuple(RateTotal(rate, bases[rate], cents(bases[rate] * rate / 100)) for rate in sorted(bases, reverse=True))


def to_truth(invoice: Invoice) -> dict[str, Any]:
    """The 13 fields in canonical form (`schemas.invoices`): what is printed, None where it is not."""
    tax_point_date = invoice.tax_point_date
    return {
        "supplier": invoice.supplier.name,
        "company_id": invoice.supplier.company_id,
        "tax_id": invoice.supplier.tax_id,
        "document_number": invoice.number,
        "variable_symbol": invoice.symbol,
        "issue_date": invoice.structure.issue_date.isoformat(),
        "tax_point_date": tax_point_date.isoformat() if tax_point_date else None,
        "due_date": invoice.due_date.isoformat(),
        "tax_base_by_rate": {plain_rate(entry.rate): f"{entry.base:.2f}" for entry in invoice.by_rate} or None,
        "tax_by_rate": {plain_rate(entry.rate): f"{entry.tax:.2f}" for entry in invoice.by_rate} or None,
        "total": f"{invoice.total:.2f}",
        "currency": invoice.currency,
        "account": invoice.supplier.account,
    }
