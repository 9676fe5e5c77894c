"""Worn pages: the same pixels for the same stream on any processor, still to be read, and worn as the data file says (D-3, D-8)."""

import hashlib
import io
import json
import os
import subprocess
import sys

import numpy as np
import pytesseract
import pytest
import zxingcpp
from PIL import Image

from datasets import degrade, raster
from datasets.draw import stream
from datasets.showing import show
from datasets.strengths import read_degradation
from datasets.synth.invoice import to_truth
from datasets.synth.invoicing import draw_invoice
from datasets.synth.structure import draw_structure
from datasets.synth.wording import to_page
from datasets.typeset import typeset
from schemas.ids import iban
from schemas.invoices import VARIANTS

LAYOUTS = ("classic", "ledger", "banner", "sidebar", "letter", "printout", "slip", "summary")


def invoice_of(number, layout, variant="ordinary", language="cs"):
    structure = draw_structure(stream("worn", number), variant, layout)
    return draw_invoice(stream("worn", number, language), structure, language)


@pytest.fixture(scope="module")
def pdf():
    return typeset(to_page(invoice_of(1, "slip")))


def opened(pdf, level, number=0):
    _, attachment = show(pdf, level, stream("wear", level, number))
    return Image.open(io.BytesIO(attachment.data))


@pytest.mark.parametrize("level", ["scan", "photo"])
def test_the_same_stream_wears_the_same(pdf, level):
    one, two, other = (show(pdf, level, stream("wear", key))[1] for key in (1, 1, 2))
    assert one.data == two.data
    assert one.media_type == "image/jpeg"
    assert hashlib.sha256(one.data).hexdigest() == one.sha256 != other.sha256


def test_processors_with_other_instructions_give_the_same_bytes(pdf, tmp_path):
    """OpenCV without its faster instruction sets, numpy without its own: the same files."""
    (tmp_path / "page.pdf").write_bytes(pdf)
    code = """
import hashlib, json, sys
from datasets.draw import stream
from datasets.showing import show
pdf = open(sys.argv[1], "rb").read()
print(json.dumps([hashlib.sha256(show(pdf, level, stream("wear", n))[1].data).hexdigest() for level in ("scan", "photo") for n in range(3)]))
"""
    plain = {
        "OPENCV_CPU_DISABLE": "AVX512_SKX,AVX512_ICL,AVX2,FMA3,FP16,AVX,SSE4_2,SSE4_1,SSSE3",
        "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3",
    }
    told = [
        json.loads(subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "page.pdf")], capture_output=True, text=True, check=True, env={**os.environ, **extra}
        ).stdout)
        for extra in ({}, plain)
    ]  # fmt: skip
    assert told[0] == told[1]
    assert len(set(told[0])) == 6


def test_a_scan_keeps_the_size_of_the_page_and_states_its_resolution(pdf):
    clean, worn = opened(pdf, "image"), opened(pdf, "scan")
    assert worn.size == clean.size
    assert [round(dpi) for dpi in worn.info["dpi"]] == [150, 150]


def test_a_photo_states_about_the_resolution_of_its_sheet(pdf):
    """An A4 sheet is 8.27 inches wide, and the sheet in the picture is what is brighter than the table."""
    for number in range(3):
        worn = opened(pdf, "photo", number)
        assert worn.size == (1560, 2080)
        dpi = worn.info["dpi"][0]
        assert 0.8 * 1560 < 8.27 * dpi < 1560


def test_scans_are_as_worn_as_the_file_says(pdf):
    strengths = read_degradation().scan
    kinds = set()
    for number in range(6):
        worn = opened(pdf, "scan", number)
        kinds.add(worn.mode)
        grey = np.asarray(worn.convert("L")).astype(float)
        paper = np.median(grey)
        assert strengths.paper[0] - 6 <= paper <= strengths.paper[1] + 4
        assert np.percentile(grey, 0.3) < 130, "there is no ink"
    assert kinds == {"L", "RGB"}


def test_no_grain_is_larger_than_a_decimal_point():
    """D-8: 0.2 mm at most; a white page with nothing but dust has no two dark pixels side by side."""
    page = np.full((600, 600, 3), 255, np.uint8)
    degrade._dust(page, 40, 245, stream("dust"))
    dark = page[:, :, 0] < 250
    assert 30 <= dark.sum() <= 40
    assert 25.4 / degrade.SOURCE_DPI < 0.2


@pytest.mark.parametrize("level", ["image", "scan", "photo"])
@pytest.mark.parametrize("layout", ["sidebar", "slip", "summary"])
def test_payment_codes_can_be_read_at_every_level(level, layout):
    for number in range(2):
        invoice = invoice_of(10 + number, layout, VARIANTS[(0, 4)[number]])
        truth = to_truth(invoice)
        (found,) = zxingcpp.read_barcodes(opened(typeset(to_page(invoice)), level, number))
        pairs = dict(pair.split(":", 1) for pair in found.text.split("*")[2:])
        assert iban.to_account(pairs["ACC"]) == truth["account"]
        assert (pairs["AM"], pairs["X-VS"], pairs["CC"]) == (
            truth["total"],
            truth["variable_symbol"],
            truth["currency"],
        )


def read_back(invoice, level, number):
    """Whether Tesseract reads IČO or EIN and total somewhere on the page, spaces and separators aside."""
    language = {"cs": "ces+eng", "en": "eng"}[invoice.language]
    worn = opened(typeset(to_page(invoice)), level, number)
    digits = "".join(c for c in pytesseract.image_to_string(worn, lang=language, config="--psm 3") if c.isdigit())
    truth = to_truth(invoice)
    return truth["company_id"] in digits, "".join(c for c in truth["total"] if c.isdigit()) in digits


def legible(numbers):
    read = [
        read_back(
            invoice_of(number, LAYOUTS[number % 8], VARIANTS[number % 5], ("cs", "en")[number // 8 % 2]), "scan", number
        )
        for number in numbers
    ]
    return [sum(which) / len(read) for which in zip(*read, strict=True)]


def test_a_recogniser_reads_scans():
    """A machine's eye stands for a person's: what Tesseract reads untrained, a person reads."""
    assert min(legible(range(0, 16, 3))) >= 0.6


@pytest.mark.slow
def test_a_recogniser_reads_most_scans():
    assert min(legible(range(80))) >= 0.75


def test_a_page_too_many_is_refused():
    page = to_page(invoice_of(1, "classic"))
    page["lines"]["rows"] *= 12
    pdf = typeset(page)
    for level in ("text", "image", "scan", "photo"):
        with pytest.raises(raster.PageError, match=r"The document has \d pages: expected one"):
            show(pdf, level, stream("x"))
