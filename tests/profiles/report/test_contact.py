"""The contact sheet: one small picture of every kind there is, from public cases alone, light enough for a page (D-7, D-8, G-8)."""

import base64
import io
from typing import Any

import numpy as np
import pytest
from PIL import Image
from tests_support import case_of

from profiles.report.contact import contact_sheet
from profiles.report.material import ShownCase

LAYOUTS = ("classic", "ledger", "banner", "sidebar", "letter", "printout", "slip", "summary")


def picture(kind: str, seed: int = 1) -> bytes:
    """A page full of noise, which no file format makes small."""
    drawn = np.random.default_rng(seed).integers(0, 256, (438, 310, 3), np.uint8)
    out = io.BytesIO()
    Image.fromarray(drawn).resize((1240, 1754)).save(out, kind)
    return out.getvalue()


def shown(case_id: str, data: bytes | None, **changes: Any) -> ShownCase:
    return ShownCase(case_of(case_id, **changes), data, {})


def test_every_kind_has_its_place() -> None:
    data = picture("JPEG")
    cases = [
        shown(f"invoices-{language}-{n:04}", data, layout=layout, level=level, language=language)
        for n, (layout, level) in enumerate(
            [("slip", "scan"), ("classic", "photo"), ("slip", "scan"), ("classic", "image")], 1
        )
        for language in ("en", "cs")
    ]
    sheet = contact_sheet([*cases, shown("invoices-cs-0009", None, layout="letter")])
    assert sheet
    assert [(level.cs, language.cs) for level, language in sheet.columns] == [
        (level, language) for level in ("čistý obrázek", "sken", "fotografie") for language in ("čeština", "angličtina")
    ]
    assert [(row.layout.en, [p and p.case_id for p in row.prints]) for row in sheet.rows] == [
        ("classic", ["invoices-cs-0004", "invoices-en-0004", None, None, "invoices-cs-0002", "invoices-en-0002"]),
        ("tear-off slip", [None, None, "invoices-cs-0001", "invoices-en-0001", None, None]),
    ]


def test_the_whole_sheet_stays_light() -> None:
    """Of the worst pictures there are, 8 layouts in 2 languages at 3 levels: 1.5 MB at most."""
    data = picture("JPEG")
    sheet = contact_sheet([
        shown(f"invoices-{language}-{level}-{layout}", data, layout=layout, level=level, language=language)
        for layout in LAYOUTS for level in ("image", "scan", "photo") for language in ("cs", "en")
    ])  # fmt: skip
    assert sheet
    prints = [p for row in sheet.rows for p in row.prints if p]
    assert len(prints) == 48
    assert sum(len(p.picture) for p in prints) < 1_500_000
    small = Image.open(io.BytesIO(base64.b64decode(prints[0].picture.split(",", 1)[1])))
    assert (small.format, small.size) == ("WEBP", (prints[0].width, prints[0].height))
    assert abs(small.height / small.width - 1754 / 1240) < 0.01


def test_no_pictures_no_sheet() -> None:
    assert contact_sheet([shown("invoices-cs-0001", None)]) is None
    assert contact_sheet([]) is None


def test_a_private_case_is_refused() -> None:
    with pytest.raises(ValueError, match="a case of the split 'private' came to the contact sheet"):
        contact_sheet([shown("invoices-cs-0001", picture("PNG"), split="private")])
