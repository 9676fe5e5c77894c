"""Payment codes: read back by an independent decoder, taken apart by hand, refused where the standard allows none (D-7)."""

import io
import re
from datetime import date
from decimal import Decimal

import pytest
import stdnum.iban
import zxingcpp
from PIL import Image

from datasets import raster
from datasets.draw import stream
from datasets.synth.invoice import to_truth
from datasets.synth.invoicing import draw_invoice
from datasets.synth.spayd import descriptor
from datasets.synth.structure import draw_structure
from datasets.synth.wording import to_page
from datasets.typeset import typeset
from schemas.ids import iban
from schemas.invoices import VARIANTS

PAYMENT = {"due": date(2024, 3, 1), "symbol": "20240017", "constant": "0308"}
WITH_CODE = ("sidebar", "slip", "summary")


def page_of(number, layout, variant, language):
    structure = draw_structure(stream("code", number), variant, layout)
    return draw_invoice(stream("code", number, language), structure, language)


def decode(png):
    return [found.text for found in zxingcpp.read_barcodes(Image.open(io.BytesIO(png)))]


def take_apart(text):
    """A descriptor by the standard's own words: header, version, then KEY:value between asterisks."""
    header, version, *pairs = text.split("*")
    assert (header, version) == ("SPD", "1.0")
    assert re.fullmatch(r"[0-9A-Z $%*+./:-]+", text), "not in QR's alphanumeric mode"
    return dict(pair.split(":", 1) for pair in pairs)


@pytest.mark.parametrize("layout", WITH_CODE)
@pytest.mark.parametrize("variant", VARIANTS)
def test_the_code_on_the_page_says_what_the_truth_says(layout, variant):
    invoice = page_of(3, layout, variant, "cs")
    found = decode(raster.image(typeset(to_page(invoice))))
    if variant == "credit_note":
        assert found == []
        return
    (text,) = found
    pairs, truth = take_apart(text), to_truth(invoice)
    assert stdnum.iban.is_valid(pairs["ACC"])
    assert iban.to_account(pairs["ACC"]) == truth["account"]
    assert Decimal(pairs["AM"]) == Decimal(truth["total"])
    assert (pairs["CC"], pairs["X-VS"]) == (truth["currency"], truth["variable_symbol"])
    assert pairs["DT"] == truth["due_date"].replace("-", "")
    assert pairs["MSG"].endswith(truth["document_number"].upper())


@pytest.mark.parametrize("layout", WITH_CODE)
def test_american_documents_have_a_slip_in_its_place(layout):
    invoice = page_of(4, layout, "ordinary", "en")
    pdf = typeset(to_page(invoice))
    assert decode(raster.image(pdf)) == []
    assert "Remittance slip" in raster.text_layer(pdf)
    memo = raster.text_layer(typeset(to_page(page_of(4, layout, "credit_note", "en"))))
    assert "Remittance slip" not in memo
    assert "Do not pay this document." in " ".join(memo.split())


def test_other_layouts_have_no_code():
    for layout in ("classic", "ledger", "banner", "letter", "printout"):
        assert to_page(page_of(5, layout, "ordinary", "cs"))["drawn"]["code"] is None


def test_a_message_is_made_plain():
    text = descriptor("CZ6508000000192000145399", Decimal(1), "CZK", message="Žluťoučký * kůň: č. 1/2", **PAYMENT)
    assert take_apart(text)["MSG"] == "ZLUTOUCKY  KUN C. 1/2"


@pytest.mark.parametrize("amount", ["0", "-1.00", "12345678.00"])
def test_what_cannot_be_paid_has_no_code(amount):
    with pytest.raises(ValueError, match="no payment code"):
        descriptor("CZ6508000000192000145399", Decimal(amount), "CZK", message="x", **PAYMENT)
