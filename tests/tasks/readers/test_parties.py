"""Whose value it is: supplier and customer side by side, one after the other, with a footer, in either order."""

import pytest

from tasks.readers.invoices import read_invoice
from tasks.readers.page import open_page
from tasks.readers.parties import side_of, supplier_name

OURS, THEIRS = "54330122", "25308297"

BLOCKS = {
    "one after the other": f"Dodavatel\nAlfa s.r.o.\nIČO: {OURS}\nOdběratel\nBeta a.s.\nIČO: {THEIRS}",
    "customer first": f"Odběratel\nBeta a.s.\nIČO: {THEIRS}\nDodavatel\nAlfa s.r.o.\nIČO: {OURS}",
    "side by side": f"Dodavatel Odběratel\nAlfa s.r.o. Beta a.s.\nIČO: {OURS} IČO: {THEIRS}",
    "side by side, customer left": f"Odběratel Dodavatel\nBeta a.s. Alfa s.r.o.\nIČO: {THEIRS} IČO: {OURS}",
    "side by side, a line each": f"Dodavatel\nOdběratel\nAlfa s.r.o.\nBeta a.s.\nIČO: {OURS}\nIČO: {THEIRS}",
    "headings beside the names": f"Dodavatel: Alfa s.r.o. Odběratel: Beta a.s.\nIČO: {OURS} IČO: {THEIRS}",
    "letterhead": f"Alfa s.r.o.\nIČO: {OURS}\nFaktura č. 1\nOdběratel\nBeta a.s.\nIČO: {THEIRS}",
    "footer": f"Faktura č. 1\nOdběratel\nBeta a.s.\nIČO: {THEIRS}\nCelkem 1,00 Kč\nAlfa s.r.o., IČO: {OURS}",
}


@pytest.mark.parametrize("text", BLOCKS.values(), ids=BLOCKS.keys())
def test_the_suppliers_values_are_taken(text: str) -> None:
    answer = read_invoice(text, "cs")
    assert (answer["supplier"], answer["company_id"]) == ("Alfa s.r.o.", OURS)


@pytest.mark.parametrize("text", BLOCKS.values(), ids=BLOCKS.keys())
def test_the_tax_id_is_the_suppliers_or_none(text: str) -> None:
    both = text.replace(f"IČO: {OURS}", f"IČO: {OURS} DIČ: CZ{OURS}").replace(
        f"IČO: {THEIRS}", f"IČO: {THEIRS} DIČ: CZ{THEIRS}"
    )
    assert read_invoice(both, "cs")["tax_id"] == f"CZ{OURS}"
    theirs_only = text.replace(f"IČO: {THEIRS}", f"IČO: {THEIRS} DIČ: CZ{THEIRS}")
    assert read_invoice(theirs_only, "cs")["tax_id"] is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Dodavatel: Alfa, spol. s r. o., Dlouhá 5, Praha", "Alfa, spol. s r. o."),
        ("Dodavatel\nIng. Jana Malá\nDlouhá 5", "Ing. Jana Malá"),
        ("Dodavatel: Jan Malý, Krátká 3", "Jan Malý"),
        ("Dodavatel Odběratel\nJan Malý Ing. Eva Tichá\nKrátká 1 Dlouhá 2\n110 00 Praha 602 00 Brno", "Jan Malý"),
        (
            "Odběratel Dodavatel\nJan Malý Huť Kladno a.s.\nKrátká 1 Dlouhá 2\n110 00 Praha 602 00 Brno",
            "Huť Kladno a.s.",
        ),
    ],
)
def test_a_name_ends_where_the_address_or_the_other_name_begins(text: str, name: str) -> None:
    assert supplier_name(open_page(text, "cs")) == name


def test_a_second_number_below_the_customers_is_the_suppliers() -> None:
    """The footer: the customer's block holds one number of a kind."""
    page = open_page(BLOCKS["footer"], "cs")
    values = page.of("company_id")
    assert [side_of(page, values, index) for index in range(2)] == ["customer", "supplier"]


def test_the_tax_id_made_of_the_suppliers_number_wins_over_its_place() -> None:
    text = f"Dodavatel\nOdběratel\nAlfa s.r.o.\nBeta a.s.\nIČO: {OURS}\nIČO: {THEIRS}\nDIČ: CZ8103313823\nDIČ: CZ{OURS}"
    assert read_invoice(text, "cs")["tax_id"] == f"CZ{OURS}"
