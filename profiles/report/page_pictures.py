"""Evidence small enough for a page: pictures as WebP in `data:` addresses, smaller where there are many (A-1)."""

import base64
import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from schemas.evidence import FULL, PICTURES

if TYPE_CHECKING:
    from PIL import Image

QUALITY = 55
LARGEST_MB = 24.0
"""What all pictures of one file may take together, about."""

WIDTHS = (720, 480, 320, 200)
KB_AT = {720: 34, 480: 18, 320: 10, 200: 5}
"""Width of a picture in pixels, and about how many kilobytes one takes; measured on control pages."""

TALLEST = 3
"""A picture of the whole page is cut after so many times its width."""


@dataclass(frozen=True)
class Small:
    """A picture to show: name of its file, `data:` address, width and height."""

    name: str
    uri: str
    width: int
    height: int


def width_for(n: int) -> int:
    """The width at which so many pictures stay below `LARGEST_MB`.

    >>> width_for(8), width_for(1500), width_for(100_000)
    (720, 320, 200)
    """
    return next((w for w in WIDTHS if n * KB_AT[w] * 4 / 3 <= LARGEST_MB * 1024), WIDTHS[-1])


def shrink(name: str, data: bytes, width: int) -> Small:
    """One picture at a width; the whole page is cut below `TALLEST` times it. A WebP of that width is taken as it is."""
    from PIL import Image

    with Image.open(io.BytesIO(data), formats=("PNG", "WEBP")) as opened:
        size = opened.size
        if opened.format != "WEBP" or opened.width != width:
            data, size = _at(width, name, opened.convert("RGB"))
    return Small(name, "data:image/webp;base64," + base64.b64encode(data).decode(), *size)


def largest(name: str, data: bytes) -> bytes:
    """A picture of the evidence at the largest width that is ever shown, as WebP; worth keeping, since coding it takes 0.1 s."""
    from PIL import Image

    with Image.open(io.BytesIO(data), formats=("PNG",)) as opened:
        return _at(WIDTHS[0], name, opened.convert("RGB"))[0]


def _at(width: int, name: str, image: "Image.Image") -> tuple[bytes, tuple[int, int]]:
    from PIL import Image

    if name == FULL:
        image = image.crop((0, 0, image.width, min(image.height, TALLEST * image.width)))
    size = (width, max(1, round(image.height * width / image.width)))
    out = io.BytesIO()
    image.resize(size, Image.Resampling.LANCZOS).save(out, "WEBP", quality=QUALITY, method=4)
    return out.getvalue(), size


def shrink_all(pictures: Mapping[str, bytes], width: int) -> list[Small]:
    """The pictures of one page in the order of A-1."""
    return [shrink(name, pictures[name], width) for name in PICTURES if name in pictures]
