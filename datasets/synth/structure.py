"""What the two twins of a pair share: kind of document, lines, quantities, rates and the days between dates (D-1, D-8)."""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from random import Random
from typing import Any

from datasets.synth.vocabulary import read

LOGOS, ACCENTS, SCRIBBLES = 8, 8, 4
"""How many of each the templates draw (`templates/parts.typ`)."""
FIRST_DAY, LAST_DAY = date(2022, 1, 20), date(2026, 11, 30)
_GROUPS = {(0,): 50, (1,): 8, (0, 1): 20, (0, 2): 8, (0, 1, 2): 14}
_KINDS = ("standard", "food", "lodging", "book")


@dataclass(frozen=True)
class Structure:
    """The skeleton of a pair.

    goods: indices into the goods of the trade, a line each; groups: the rate of each line as the place of its rate among
    the Czech rates of that day, from the highest (0, 1, 2); quantities: positive, a line each. Days count from the date of issue.
    logo, accent, scribble: which drawing, colour and signature, from 0; is_bilingual: second labels, in a foreign currency only.
    """

    variant: str
    layout: str
    font: int
    trade: str
    goods: tuple[int, ...]
    groups: tuple[int, ...]
    quantities: tuple[Decimal, ...]
    issue_date: date
    tax_point_days: int
    due_days: int
    delivery_days: int
    original_days: int
    person: bool
    rounding: bool
    symbol_from_number: bool
    has_order: bool
    reason: int
    logo: int
    accent: int
    scribble: int
    has_stamp: bool
    is_bilingual: bool

    @property
    def tax_point_date(self) -> date:
        """Day that decides which rates are in force, also where the document does not print it (D-7)."""
        return self.issue_date - timedelta(days=self.tax_point_days)


def rates_on(day: date) -> dict[str, int]:
    """Czech VAT in per cent by kind of goods, as in force on the day (D-7)."""
    rules = [rule for rule in read("vat") if rule["from"] <= day]
    if not rules:
        raise ValueError(f"no VAT rates are known on {day.isoformat()!r}: expected a day from {read('vat')[0]['from']}")
    return {kind: rules[-1][kind] for kind in _KINDS}


def draw_structure(random: Random, variant: str, layout: str) -> Structure:
    """Draw the skeleton of one pair of twins."""
    issue_date = FIRST_DAY + timedelta(days=random.randrange((LAST_DAY - FIRST_DAY).days + 1))
    tax_point_days = random.choice([0, 0, 0, 1, 2, 4, 7, 12])
    person = random.random() < (0.75 if variant == "non_payer" else 0.12)
    wanted = random.choices(list(_GROUPS), weights=list(_GROUPS.values()))[0]
    if person or variant == "non_payer":
        wanted = (0,)
    rates = rates_on(issue_date - timedelta(days=tax_point_days))
    trade = random.choice(_trades(rates, wanted, person))
    goods = _draw_goods(random, trade, rates, wanted)
    groups = tuple(_group(rates, _goods(trade)[index][0]) for index in goods)
    units = [_goods(trade)[index][1] for index in goods]
    return Structure(
        variant=variant,
        layout=layout,
        font=random.randrange(2),
        trade=trade,
        goods=goods,
        groups=groups,
        quantities=tuple(Decimal(random.choice(read("units")[unit]["quantities"])) for unit in units),
        issue_date=issue_date,
        tax_point_days=tax_point_days,
        due_days=random.choice([7, 10, 14, 14, 14, 21, 30, 30, 45]),
        delivery_days=random.randint(0, 9),
        original_days=random.randint(12, 75),
        person=person,
        rounding=random.random() < 0.4,
        symbol_from_number=random.random() < 0.6,
        has_order=random.random() < 0.7,
        reason=random.randrange(3),
        logo=random.randrange(LOGOS),
        accent=random.randrange(ACCENTS),
        scribble=random.randrange(SCRIBBLES),
        has_stamp=random.random() < 0.45,
        is_bilingual=random.random() < 0.6 and variant == "foreign_currency",
    )


def _goods(trade: str) -> list[list[Any]]:
    goods: list[list[Any]] = read("goods")[trade]["goods"]
    return goods


def _group(rates: dict[str, int], kind: str) -> int:
    """Place of the kind's rate among the rates of the day, from the highest."""
    return sorted(set(rates.values()), reverse=True).index(rates[kind])


def _trades(rates: dict[str, int], wanted: tuple[int, ...], person: bool) -> list[str]:
    """Trades that sell goods of every wanted rate and, for a person, are carried on by persons."""
    return [
        trade
        for trade, entry in read("goods").items()
        if set(wanted) <= {_group(rates, kind) for kind, *_ in entry["goods"]} and (entry.get("persons") or not person)
    ]


def _draw_goods(random: Random, trade: str, rates: dict[str, int], wanted: tuple[int, ...]) -> tuple[int, ...]:
    """Different goods, one to nine lines, every wanted rate on one line at least."""
    kinds = [_group(rates, kind) for kind, *_ in _goods(trade)]
    chosen = [random.choice([i for i, group in enumerate(kinds) if group == rate]) for rate in wanted]
    rest = [i for i, group in enumerate(kinds) if group in wanted and i not in chosen]
    more = min(len(rest), random.choice([0, 1, 1, 2, 2, 3, 3, 4, 5, 6]))
    chosen += random.sample(rest, more)
    random.shuffle(chosen)
    return tuple(chosen)
