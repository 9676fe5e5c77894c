"""Rates in force by day against a table written by hand, and skeletons that hold together (D-7)."""

from datetime import date

import pytest

from datasets.draw import stream
from datasets.synth.structure import draw_structure, rates_on
from datasets.synth.vocabulary import read
from schemas.invoices import VARIANTS


@pytest.mark.parametrize(
    ("day", "standard", "food", "lodging", "book"),
    [
        (date(2022, 1, 1), 21, 15, 10, 10),
        (date(2023, 6, 30), 21, 15, 10, 10),
        (date(2023, 12, 31), 21, 15, 10, 10),
        (date(2024, 1, 1), 21, 12, 12, 0),
        (date(2026, 12, 31), 21, 12, 12, 0),
    ],
)
def test_rates_by_day(day, standard, food, lodging, book):
    assert rates_on(day) == {"standard": standard, "food": food, "lodging": lodging, "book": book}


def test_a_day_before_the_table_is_refused():
    with pytest.raises(ValueError, match="2021-12-31"):
        rates_on(date(2021, 12, 31))


@pytest.mark.parametrize("variant", VARIANTS)
def test_skeletons_hold_together(variant):
    for number in range(200):
        s = draw_structure(stream("test", number), variant, "classic")
        assert 1 <= len(s.goods) == len(s.groups) == len(s.quantities) <= 9
        assert len(set(s.goods)) == len(s.goods)
        assert all(q > 0 for q in s.quantities)
        assert 0 <= s.tax_point_days <= 15  # an invoice is due within 15 days of the tax point
        assert s.due_days > 0
        assert date(2022, 1, 1) <= s.tax_point_date <= s.issue_date <= date(2026, 12, 31)
        assert not (variant == "non_payer" and set(s.groups) != {0})


def test_every_number_of_rates_is_drawn():
    drawn = {len(set(draw_structure(stream("test", n), "ordinary", "classic").groups)) for n in range(200)}
    assert drawn == {1, 2, 3}


def test_goods_are_written_as_the_file_says():
    units, kinds = set(read("units")), set(rates_on(date(2024, 1, 1)))
    for trade, entry in read("goods").items():
        for kind, unit, low, high, czech, english in entry["goods"]:
            assert kind in kinds, trade
            assert unit in units, trade
            assert 0 < low < high
            assert czech.strip() == czech
            assert english.strip() == english
            assert english.isascii() or set(english) <= set(map(chr, range(128))) | set("×′″–"), english
