"""The engine: which value belongs to which label, in the ways that pages place them."""

import pytest

from tasks.readers.page import open_page

DAYS = {"issue_date": "1. 3. 2024", "due_date": "15. 3. 2024", "variable_symbol": "2024031"}

PLACED = {
    "beside": "Datum vystavení: 1. 3. 2024\nDatum splatnosti: 15. 3. 2024\nVariabilní symbol: 2024031",
    "all on one line": "Datum vystavení 1. 3. 2024 Datum splatnosti 15. 3. 2024 VS 2024031",
    "below": "Datum vystavení\n1. 3. 2024\nDatum splatnosti\n15. 3. 2024\nVariabilní symbol\n2024031",
    "a row over a row": "Datum vystavení Splatnost Variabilní symbol\n1. 3. 2024 15. 3. 2024 2024031",
    "a row over a row with another column": "Datum vystavení Splatnost Variabilní symbol\nPraha 1. 3. 2024 15. 3. 2024 2024031",
    "a column, then a column": "Datum vystavení\nDatum splatnosti\nVS\n1. 3. 2024\n15. 3. 2024\n2024031",
    "an unknown column between": "Datum vystavení Přepravce Splatnost VS\n1. 3. 2024 Pošta 15. 3. 2024 2024031",
    "in cells drawn by lines": "| Datum vystavení | Splatnost | VS |\n| 1. 3. 2024 | 15. 3. 2024 | 2024031 |",
    "with leaders": "Datum vystavení .... 1. 3. 2024\nSplatnost .... 15. 3. 2024\nVS .... 2024031",
}


@pytest.mark.parametrize("text", PLACED.values(), ids=PLACED.keys())
def test_values_find_their_labels(text: str) -> None:
    page = open_page(text, "cs")
    assert {field: page.of(field)[0].written for field in DAYS} == DAYS


def test_a_label_without_value_takes_none_of_its_neighbours() -> None:
    page = open_page("DUZP:\nDatum splatnosti: 15. 3. 2024", "cs")
    assert [value.label.field for value in page.values] == ["due_date"]


def test_a_label_split_over_two_lines_is_one_label_unless_the_second_line_is_another() -> None:
    split = open_page("Datum uskutečnění\nzdanitelného plnění: 1. 3. 2024", "cs")
    assert [label.field for label in split.labels] == ["tax_point_date"]
    two = open_page("DPH\nCelkem\n21,00\n121,00", "cs")
    assert [(value.label.field, value.written) for value in two.values] == [("tax", "21,00"), ("total", "121,00")]
