"""A document's picture small enough for the page: about 100 dpi and grey; a clean one in few shades, a worn one as WebP."""

import base64
import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image as PictureOf

DPI = 100
SHADES = 8
"""Evenly from black to white; at most 16, four bits a pixel."""
ASSUMED_DPI = 150.0
"""For a picture that does not say its resolution."""
WORN_QUALITY = 38
THUMBNAIL_WIDTH, THUMBNAIL_QUALITY = 200, 50


def data_uri(picture: bytes) -> tuple[str, int, int]:
    """The picture as a `data:` address, with its width and height in pixels."""
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as opened:
        dpi = float(opened.info.get("dpi", (ASSUMED_DPI,))[0]) or ASSUMED_DPI
        is_worn = opened.format == "JPEG"
        grey = opened.convert("L")
    scale = min(1.0, DPI / dpi)
    size = (max(1, round(grey.width * scale)), max(1, round(grey.height * scale)))
    grey = grey.resize(size, Image.Resampling.LANCZOS)
    if is_worn:
        return _webp(grey, WORN_QUALITY), *size
    last = SHADES - 1
    indices = grey.point([round(v / 255 * last) for v in range(256)])
    small = Image.frombytes("P", size, indices.tobytes())
    small.putpalette([round(shade * 255 / last) for shade in range(SHADES) for _ in "rgb"])
    out = io.BytesIO()
    small.save(out, "PNG", bits=4)
    return "data:image/png;base64," + base64.b64encode(out.getvalue()).decode(), *size


def thumbnail(picture: bytes) -> tuple[str, int, int]:
    """The picture in colour and very small, as a `data:` address, with its width and height in pixels."""
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as opened:
        whole = opened.convert("RGB")
    size = (THUMBNAIL_WIDTH, max(1, round(whole.height * THUMBNAIL_WIDTH / whole.width)))
    return _webp(whole.resize(size, Image.Resampling.LANCZOS), THUMBNAIL_QUALITY), *size


def _webp(picture: "PictureOf", quality: int) -> str:
    out = io.BytesIO()
    picture.save(out, "WEBP", quality=quality, method=4)
    return "data:image/webp;base64," + base64.b64encode(out.getvalue()).decode()
