"""Fills the skeleton of a pair with the values of one document: parties, currency, prices, numbers (D-3, D-7)."""

from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from random import Random

from datasets.synth.companies import Party, draw_name, draw_party
from datasets.synth.invoice import Invoice, Line, cents, sum_by_rate
from datasets.synth.structure import Structure, rates_on
from datasets.synth.vocabulary import read

FIRST_ORIGINAL = date(2022, 1, 1)


def draw_invoice(random: Random, structure: Structure, language: str) -> Invoice:
    """Draw one document of a pair in one language."""
    payer = structure.variant != "non_payer"
    supplier = draw_party(random, language, structure.trade, person=structure.person, payer=payer)
    customer = supplier
    while customer.name == supplier.name:
        customer = draw_party(random, language, random.choice(list(read("goods"))), payer=random.random() < 0.85)
    currency, exchange = _draw_currency(random, language, structure)
    lines = _draw_lines(random, structure, language, currency, _rates(structure, language, supplier))
    by_rate = sum_by_rate(lines)
    total = sum((line.amount for line in lines), Decimal(0)) + sum((entry.tax for entry in by_rate), Decimal(0))
    rounding = Decimal(0)
    if structure.rounding and currency == "CZK":
        rounding = cents(total.quantize(Decimal(1), ROUND_HALF_UP) - total)
    day = structure.issue_date
    number = _draw_number(random, language, "forms", structure.variant, day)
    original = _draw_original(random, structure, language, number) if structure.variant == "credit_note" else None
    return Invoice(
        language=language,
        structure=structure,
        supplier=supplier,
        customer=customer,
        customer_number=str(random.randrange(10000, 99999)),
        number=number,
        symbol=_draw_symbol(random, structure, number),
        order=_draw_number(random, language, "orders", structure.variant, day) if structure.has_order else None,
        original=original,
        currency=currency,
        exchange=exchange,
        lines=lines,
        by_rate=by_rate,
        rounding=rounding,
        total=cents(total + rounding),
        issued_by=draw_name(random, language),
    )


def _rates(structure: Structure, language: str, supplier: Party) -> list[Decimal | None]:
    """The rate of each line in per cent; None where the document shows no tax."""
    if structure.variant in ("non_payer", "advance"):
        return [None] * len(structure.groups)
    if language == "cs":
        ladder = sorted(set(rates_on(structure.tax_point_date).values()), reverse=True)
        return [Decimal(ladder[group]) for group in structure.groups]
    taxable = min(structure.groups)
    return [Decimal(supplier.tax_rate or 0) if group == taxable else Decimal(0) for group in structure.groups]


def _draw_currency(random: Random, language: str, structure: Structure) -> tuple[str, Decimal | None]:
    """Currency and the rate to the home currency (None at home); one that is fit for second labels where there are some."""
    money = read("money")
    if structure.variant != "foreign_currency":
        return money["home"][language], None
    foreign = {
        word: entry
        for word, entry in money["foreign"][language].items()
        if entry.get("bilingual", True) or not structure.is_bilingual
    }
    currency = random.choices(list(foreign), weights=[entry["weight"] for entry in foreign.values()])[0]
    low, high = Decimal(foreign[currency]["low"]), Decimal(foreign[currency]["high"])
    step = Decimal(1).scaleb(low.as_tuple().exponent)  # type: ignore[arg-type]  # exponents of finite numbers are ints
    return currency, low + step * random.randint(0, int((high - low) / step))


def _draw_lines(
    random: Random, structure: Structure, language: str, currency: str, rates: list[Decimal | None]
) -> tuple[Line, ...]:
    sign = -1 if structure.variant == "credit_note" else 1
    lines = []
    for index, quantity, rate in zip(structure.goods, structure.quantities, rates, strict=True):
        _, unit, low, high, czech, english = read("goods")[structure.trade]["goods"][index]
        level = read("money")["level"][currency]
        price = Decimal(random.randint(low * 100, high * 100)) / 100 / level
        price = max(price.quantize(Decimal(random.choice(["1", "0.1", "0.01"])), ROUND_HALF_UP), Decimal("0.2"))
        lines.append(
            Line(
                name=czech if language == "cs" else english,
                unit=read("units")[unit][language],
                quantity=sign * quantity,
                price=cents(price),
                rate=rate,
                amount=cents(sign * quantity * price),
            )
        )
    return tuple(lines)


def _draw_number(random: Random, language: str, forms: str, variant: str, day: date) -> str:
    numbers = read("numbers")[language]
    form: str = random.choice(numbers[forms])
    return form.format(
        kind=numbers["kinds"][variant],
        year=day.year,
        yy=f"{day:%y}",
        n=random.randint(1, 4999),
        big=random.randint(1000, 9999),
    )


def _draw_original(random: Random, structure: Structure, language: str, number: str) -> tuple[str, date]:
    """Number and date of the document that a credit note corrects, under the same rates as the correction."""
    day = structure.issue_date - timedelta(days=structure.original_days)
    if day < FIRST_ORIGINAL or rates_on(day) != rates_on(structure.tax_point_date):
        new_year = date(structure.tax_point_date.year, 1, 1)
        day = new_year + (structure.tax_point_date - new_year) // 2
    original = number
    while original == number:
        original = _draw_number(random, language, "forms", "ordinary", day)
    return original, day


def _draw_symbol(random: Random, structure: Structure, number: str) -> str:
    """Variabilní symbol: the digits of the document's number, or a number of its own; ten digits at most."""
    digits = "".join(c for c in number if c.isdigit())
    if structure.symbol_from_number:
        return digits[-10:]
    symbol = digits
    while symbol == digits:
        symbol = str(random.randrange(10**7, 10**10))
    return symbol
