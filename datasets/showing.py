"""How a typeset document is shown at a level: its text layer, or its page as a picture, clean or worn (D-8)."""

import hashlib
from random import Random

from datasets import degrade, raster
from datasets.strengths import read_degradation
from schemas.exchange import Attachment

PNG, JPEG = "image/png", "image/jpeg"


def show(pdf: bytes, level: str, random: Random) -> tuple[str | None, Attachment]:
    """What the level shows of a document: the text for the row, or None, and the attachment.

    A text attachment carries only its hash, the text stands in the row; a picture carries its bytes. random: the stream of this
    document alone, from which a scan and a photo draw how they are worn. `raster.PageError` where the document has not one page.
    """
    if level == "text":
        text = raster.text_layer(pdf)
        return text, Attachment(kind="text", media_type="text/plain", sha256=hashlib.sha256(text.encode()).hexdigest())
    if level == "image":
        return None, _picture(raster.image(pdf), PNG)
    if level == "scan":
        worn = degrade.scan(raster.pixels(pdf, degrade.SOURCE_DPI), read_degradation().scan, random)
        return None, _picture(worn, JPEG)
    if level == "photo":
        worn = degrade.photo(raster.pixels(pdf, degrade.PHOTO_DPI), read_degradation().photo, random)
        return None, _picture(worn, JPEG)
    raise ValueError(f"no way to show a document at the level {level!r}: expected text, image, scan or photo")


def _picture(data: bytes, media_type: str) -> Attachment:
    return Attachment(kind="image", media_type=media_type, sha256=hashlib.sha256(data).hexdigest(), data=data)
