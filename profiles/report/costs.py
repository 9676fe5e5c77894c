"""True cost on the page: a table by language and system, and the numbers behind the calculator (D-17, D-19).

Everything is made of the public rows of `tendencies` by language: spend and faulty documents of the scored answers. Both are exact
there: a mean of amounts with nine decimals and a share of whole documents lead back to their sums.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from profiles import money
from profiles.money import Currency, Rates, TrueCost, true_cost
from profiles.report import numbers
from profiles.report.board import PARTIAL
from profiles.report.material import Section
from profiles.report.tables import Tables
from profiles.report.texts import Both, name, order_of, same, text
from schemas.tendency import Tendency

MEASURED = ("cs", "en")
THOUSAND = 1000
MOST_DOCUMENTS, MOST_HOURLY = 100_000_000, 1_000_000
"""What the calculator takes, so that sums in hundredths stay exact in a browser."""


@dataclass(frozen=True)
class Line:
    """One system in one language; an estimate has spend alone.

    total, spend, labour: as shown for 1,000 documents. spend_usd, documents, faulty: what the calculator counts with, as plain numbers;
    faulty is empty for an estimate, spend_usd is empty where nothing can be said.
    """

    system: Both
    total: Both | None
    interval: Both | None
    spend: Both
    labour: Both | None
    share: Both | None
    scored: Both | None
    left_out: Both | None
    is_partial: bool
    spend_usd: str
    documents: int
    faulty: str


@dataclass(frozen=True)
class Group:
    """The systems in one language; one_usd and hourly: the rates of its currency as plain numbers."""

    language: str
    name: Both
    heading: Both
    currency: Currency
    one_usd: str
    hourly: str
    is_estimate: bool
    lines: Sequence[Line]


def groups(section: Section, systems: Sequence[str], rates: Rates | None = None) -> list[Group]:
    """One group a language: measured ones first, each from the cheapest system to the dearest, then estimated ones.

    Empty where no system has both its spend and its faultless documents by language.
    """
    known = rates or money.read_rates()
    tables = Tables(section, "public", systems)
    measured = [(language, _measured(tables, language, known)) for language in MEASURED]
    estimated = _estimated(tables, known)
    return [
        *(_group(language, lines, known, is_estimate=False) for language, lines in measured if lines),
        *(
            _group(language, estimated[language], known, is_estimate=True)
            for language in order_of("language", list(estimated))
        ),
    ]


def how(rates: Rates | None = None) -> Both:
    """What true cost is, with the constants that it counts with."""
    known = rates or money.read_rates()
    hourly = {currency.lower(): _whole(known.hourly[currency], currency) for currency in known.hourly}
    return text("cost.lead", minutes=f"{known.minutes_a_document.normalize():f}", **hourly)


def footer(rates: Rates | None = None) -> Both:
    """The rates of exchange and their date, for the foot of the page (D-17)."""
    known = rates or money.read_rates()
    return text(
        "cost.footer",
        czk=numbers.money(known.one_usd["CZK"], "CZK", 3),
        eur=numbers.money(known.one_usd["EUR"], "EUR", 4),
        date=numbers.day(known.rates_of.isoformat()),
    )


def _group(language: str, lines: Sequence[Line], rates: Rates, *, is_estimate: bool) -> Group:
    currency = rates.currency(language)
    key = "cost.group_estimate" if is_estimate else "cost.group"
    told = name("language", language)
    return Group(
        language=language,
        name=told,
        heading=text(key, language=told, hourly=_whole(rates.hourly[currency], currency)),
        currency=currency,
        one_usd=f"{rates.one_usd[currency]:f}",
        hourly=f"{rates.hourly[currency].normalize():f}",
        is_estimate=is_estimate,
        lines=lines,
    )


def _whole(amount: Decimal, currency: Currency) -> Both:
    return numbers.money(amount, currency, 0 if amount == amount.to_integral_value() else 2)


def _rows(tables: Tables, system: str, language: str) -> tuple[Tendency, Tendency] | None:
    """The rows of faultless documents and of spend, where both have a value."""
    faultless = tables.row(system, "language", language, "faultless")
    spend = tables.row(system, "language", language, "cost_per_1000_usd")
    if faultless is None or spend is None or faultless.value is None or spend.value is None or faultless.n_items == 0:
        return None
    return faultless, spend


def _spent(per_thousand: float, documents: int) -> Decimal:
    """The sum behind a mean: amounts in the store have nine decimals, so rounding to nine brings back the sum itself."""
    return money.rounded(Decimal(repr(per_thousand)) * documents / THOUSAND, money.PLACES)


def _measured(tables: Tables, language: str, rates: Rates) -> list[Line]:
    found: list[tuple[bool, Decimal, Line]] = []
    for system in tables.systems:
        if (rows := _rows(tables, system, language)) is None:
            continue
        faultless, spend = rows
        documents = faultless.n_items
        good = round((faultless.value or 0) * documents)
        spent = _spent(spend.value or 0, documents)
        cost = true_cost(spent, documents, documents - good, rates.currency(language), rates=rates)
        is_partial = bool(PARTIAL & tables.section.left_out.get(system, {}).keys())
        line = _line(tables, system, cost, (faultless, spend), spent, documents - good, is_partial, rates)
        found.append((is_partial, cost.total, line))
    return [line for _, _, line in sorted(found, key=lambda one: one[:2])]


def _line(
    tables: Tables, system: str, cost: TrueCost, rows: tuple[Tendency, Tendency], spent: Decimal, faulty: int, is_partial: bool,
    rates: Rates,
) -> Line:  # fmt: skip
    faultless, _ = rows
    shown = cost.rounded()
    n, total = faultless.n_documents, faultless.n_documents + faultless.n_left_out
    return Line(
        system=same(tables.section.systems[system].name),
        total=numbers.money(shown.total, cost.currency),
        interval=_interval(rows, cost.currency, rates),
        spend=_spend(cost),
        labour=numbers.money(shown.labour, cost.currency),
        share=numbers.percent(faulty / faultless.n_items),
        scored=text("board.scored", n=numbers.integer(n), total=numbers.integer(total)),
        left_out=text("cost.left_out", n=numbers.integer(faultless.n_left_out)) if faultless.n_left_out else None,
        is_partial=is_partial,
        spend_usd=f"{spent:f}",
        documents=faultless.n_items,
        faulty=str(faulty),
    )


def _interval(rows: tuple[Tendency, Tendency], currency: Currency, rates: Rates) -> Both | None:
    """From both parts at their cheaper ends to both at their dearer ends."""
    faultless, spend = rows
    if faultless.low is None or faultless.high is None:
        return None
    n = faultless.n_items
    ends = []
    for good, usd in ((faultless.high, spend.low), (faultless.low, spend.high)):
        faulty = (1 - Decimal(repr(good))) * n
        spent = _spent(max(0.0, (spend.value or 0) if usd is None else usd), n)
        ends.append(true_cost(spent, n, faulty, currency, rates=rates).rounded().total)
    return numbers.moneys(ends[0], ends[1], currency)


def _spend(cost: TrueCost) -> Both:
    """Spend as shown; what is not nothing is not written as nothing."""
    shown = cost.rounded().spend
    if shown == 0 < cost.spend:
        return text("cost.less", amount=numbers.money(Decimal("0.01"), cost.currency))
    return numbers.money(shown, cost.currency)


def _estimated(tables: Tables, rates: Rates) -> dict[str, list[Line]]:
    """Lines by language for the languages without documents whose tax is known (D-19)."""
    found: dict[str, list[Line]] = {}
    for system, language, usd in _estimates(tables):
        line = Line(
            system=same(tables.section.systems[system].name),
            total=None, interval=None, spend=text("cost.not_estimable"), labour=None, share=None, scored=None, left_out=None,
            is_partial=False, spend_usd="", documents=THOUSAND, faulty="",
        )  # fmt: skip
        if usd is not None:
            cost = true_cost(usd, THOUSAND, 0, rates.currency(language), rates=rates)
            about = text("cost.about", amount=_spend(cost))
            line = Line(**{**vars(line), "spend": about, "spend_usd": f"{money.rounded(usd, money.PLACES):f}"})
        found.setdefault(language, []).append(line)
    return found


def _estimates(tables: Tables) -> Iterator[tuple[str, str, Decimal | None]]:
    for system in tables.systems:
        costs = {}
        for language in MEASURED:
            rows = _rows(tables, system, language)
            costs[language] = Decimal(repr(rows[1].value)) if rows else None
        taxes = tables.section.taxes.get(system, {})
        for language, usd in money.estimated_spends(costs["en"], costs["cs"], taxes).items():
            yield system, language, usd
