"""Pictures on the page are small, grey and still the document; Pillow reads them back."""

import base64
import io

import pytest
from PIL import Image, ImageDraw

from profiles.report.picture import data_uri


def _page(dpi: int | None) -> bytes:
    picture = Image.new("RGB", (1240, 1754), "white")
    ImageDraw.Draw(picture).rectangle((0, 0, 620, 1754), fill="black")
    out = io.BytesIO()
    picture.save(out, "PNG", **({} if dpi is None else {"dpi": (dpi, dpi)}))
    return out.getvalue()


@pytest.mark.parametrize(
    ("dpi", "size"), [(150, (827, 1169)), (None, (827, 1169)), (300, (413, 585)), (72, (1240, 1754))]
)
def test_a_picture_becomes_100_dpi_and_is_never_enlarged(dpi: int | None, size: tuple[int, int]) -> None:
    uri, width, height = data_uri(_page(dpi))
    head, data = uri.split(",", 1)
    small = Image.open(io.BytesIO(base64.b64decode(data)))
    assert head == "data:image/png;base64"
    assert small.size == (width, height)
    assert abs(width - size[0]) <= 1
    assert abs(height - size[1]) <= 1
    grey = small.convert("RGB")
    assert len(grey.getcolors(10**7) or []) <= 8
    assert all(r == g == b for _, (r, g, b) in grey.getcolors(10**7) or [])  # type: ignore[misc]  # a triple in RGB
    assert grey.getpixel((5, 5)) == (0, 0, 0)
    assert grey.getpixel((width - 5, 5)) == (255, 255, 255)


def test_a_worn_picture_becomes_webp_in_grey() -> None:
    """A scan's noise would make a PNG ten times as large."""
    noise = Image.effect_noise((1240, 1754), 40).convert("RGB")
    out = io.BytesIO()
    noise.save(out, "JPEG", dpi=(150, 150))
    uri, width, height = data_uri(out.getvalue())
    head, data = uri.split(",", 1)
    small = Image.open(io.BytesIO(base64.b64decode(data)))
    assert head == "data:image/webp;base64"
    assert small.size == (width, height) == (827, 1169)
    red, green, blue = (band.tobytes() for band in small.convert("RGB").split())
    assert max(max(colours) - min(colours) for colours in zip(red, green, blue, strict=True)) <= 3
