"""The table of taxes in every shape; the pairs that are written are the oracle."""

from decimal import Decimal

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tasks.readers.page import open_page
from tasks.readers.taxes import Pair, read_taxes

SHAPES = ["rows", "rows in cells", "base before rate", "columns", "columns in cells", "labelled"]


def written(amount: Decimal) -> str:
    return f"{amount:,.2f}".replace(",", " ").replace(".", ",")


def table(shape: str, pairs: dict[Decimal, Pair]) -> str:
    rows = [(f"{rate} %", written(base), written(tax), written(base + tax)) for rate, (base, tax) in pairs.items()]
    columns = ["".join(f" {row[at]}" for row in rows) for at in range(3)]
    if shape == "rows":
        return "Sazba Základ DPH Celkem\n" + "\n".join(" ".join(row) for row in rows)
    if shape == "rows in cells":
        return "Sazba\nZáklad\nDPH\nCelkem\n" + "\n".join("\n".join(row) for row in rows)
    if shape == "base before rate":
        return "\n".join(f"Základ {row[1]} sazba {row[0]} DPH {row[2]}" for row in rows)
    if shape == "labelled":
        return "\n".join(f"Základ daně {row[0]}: {row[1]} Kč\nDPH {row[0]}: {row[2]} Kč" for row in rows)
    text = f"Sazba{columns[0]}\nZáklad{columns[1]}\nDPH{columns[2]}"
    return text if shape == "columns" else text.replace(" %", "%").replace(",", ",").replace("% ", "%\n")


bases = st.decimals(Decimal("100.00"), Decimal("999999.99"), places=2)
tables = st.lists(bases, min_size=3, max_size=3).map(
    lambda drawn: {
        rate: Pair(base, (base * rate / 100).quantize(Decimal("0.01")))
        for rate, base in zip((Decimal(21), Decimal(15), Decimal(10)), drawn, strict=True)
    }
)


ALIKE = {
    Decimal(21): Pair(Decimal("100.00"), Decimal("21.00")),
    Decimal(15): Pair(Decimal("100.00"), Decimal("15.00")),
    Decimal(10): Pair(Decimal("100.01"), Decimal("10.00")),
}
"""Bases so near each other that each fits each rate."""


@settings(deadline=None)
@example(whole=ALIKE, shape="base before rate", is_credit=False, count=3)
@given(tables, st.sampled_from(SHAPES), st.booleans(), st.integers(1, 3))
def test_every_shape_gives_the_written_pairs(
    whole: dict[Decimal, Pair], shape: str, is_credit: bool, count: int
) -> None:
    sign = -1 if is_credit else 1
    pairs = {rate: Pair(sign * pair.base, sign * pair.tax) for rate, pair in list(whole.items())[:count]}
    total = sum((pair.base + pair.tax for pair in pairs.values()), Decimal(0))
    text = f"{table(shape, pairs)}\nCelkem k úhradě {written(total)} Kč"
    assert read_taxes(open_page(text, "cs"), total) == pairs


@pytest.mark.parametrize("total", [Decimal("1210.00"), None])
def test_pairs_in_another_currency_or_of_single_items_do_not_count(total: Decimal | None) -> None:
    text = "Stůl 21 % 600,00 126,00 726,00\nŽidle 21 % 400,00 84,00 484,00\nRekapitulace 21 % 1 000,00 210,00 1 210,00"
    local = "\nV korunách 21 % 25 000,00 5 250,00" if total else ""
    assert read_taxes(open_page(text + local, "cs"), total) == {Decimal(21): Pair(Decimal(1000), Decimal(210))}


def test_a_tax_that_is_not_the_rates_share_is_no_pair() -> None:
    assert read_taxes(open_page("21 % 1 000,00 120,00", "cs"), None) == {}
