"""Pictures within the limits of vision models: a tall one becomes several, from the top down (A-6).

Common services scale a picture down whose longer side is beyond about 1,600 pixels, so that small text can no longer be read, and take
twenty pictures in a request. The whole page of A-1 has 16,000 pixels at most, so it becomes ten tiles beside the six other pictures.
"""

import hashlib
import io
from typing import TYPE_CHECKING

from schemas.exchange import Attachment

if TYPE_CHECKING:
    from PIL import Image

TALLEST_PX = 1600
"""Height of a tile."""

WITHIN_LIMITS = frozenset({"openai", "openrouter"})
"""Kinds of client whose pictures go to a service with limits; a command-line program gets the files as they are."""


def tiled(picture: Attachment) -> list[Attachment]:
    """A picture in tiles of `TALLEST_PX` at most, named `<name>-1.png` and so on from the top; as it is where it is no taller.

    >>> tiled(Attachment(kind="text", media_type="text/plain", sha256="0" * 64, data=b"x"))[0].data
    b'x'
    """
    if picture.kind != "image":
        return [picture]
    from PIL import Image

    with Image.open(io.BytesIO(picture.data), formats=("PNG",)) as image:
        width, height = image.size
        if height <= TALLEST_PX:
            return [picture]
        parts = [image.crop((0, top, width, min(top + TALLEST_PX, height))) for top in range(0, height, TALLEST_PX)]
    stem = (picture.name or "picture.png").removesuffix(".png")
    return [_attachment(part, f"{stem}-{number}.png") for number, part in enumerate(parts, 1)]


def _attachment(part: "Image.Image", name: str) -> Attachment:
    sink = io.BytesIO()
    part.save(sink, "PNG")
    data = sink.getvalue()
    digest = hashlib.sha256(data).hexdigest()
    return Attachment(kind="image", media_type="image/png", sha256=digest, name=name, data=data)
