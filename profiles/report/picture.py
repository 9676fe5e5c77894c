"""A document's picture small enough for the page: about 100 dpi, greyscale, few shades."""

import base64
import io

DPI = 100
SHADES = 8
"""Evenly from black to white; at most 16, four bits a pixel."""
ASSUMED_DPI = 150.0
"""For a picture that does not say its resolution."""


def data_uri(picture: bytes) -> tuple[str, int, int]:
    """The picture as a `data:` address, with its width and height in pixels."""
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as opened:
        dpi = float(opened.info.get("dpi", (ASSUMED_DPI,))[0]) or ASSUMED_DPI
        grey = opened.convert("L")
    scale = min(1.0, DPI / dpi)
    size = (max(1, round(grey.width * scale)), max(1, round(grey.height * scale)))
    last = SHADES - 1
    indices = grey.resize(size, Image.Resampling.LANCZOS).point([round(v / 255 * last) for v in range(256)])
    small = Image.frombytes("P", size, indices.tobytes())
    small.putpalette([round(shade * 255 / last) for shade in range(SHADES) for _ in "rgb"])
    out = io.BytesIO()
    small.save(out, "PNG", bits=4)
    return "data:image/png;base64," + base64.b64encode(out.getvalue()).decode(), *size
