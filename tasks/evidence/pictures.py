"""What is measured on pictures: how much moves between two, and how much of a page is plain surface below the fold (A-2, A-11).

Pictures come from a browser that ran a hostile page: their size is checked before they are read.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemas.evidence import FULL_MOST, HEIGHT, WIDTH, Box

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

DIFFERENT = 8
"""Largest difference of a channel (of 255) that still counts as the same colour."""

EDGE_PX = 8
"""Around a field: the browser draws its focus there."""

PLAIN_ROW = 0
"""Horizontal changes that a row of plain surface may have."""


@dataclass(frozen=True)
class Picture:
    """A PNG file that is one: its size in pixels and its hash."""

    path: Path
    width: int
    height: int
    sha256: str

    def pixels(self) -> "npt.NDArray[np.int16]":
        """Height × width × 3, 0 to 255."""
        import numpy as np
        from PIL import Image

        with Image.open(self.path, formats=("PNG",)) as image:
            return np.asarray(image.convert("RGB")).astype(np.int16)


def read_picture(path: Path) -> Picture | None:
    """The picture of a file; None where there is none, or it is no PNG of a size that we take."""
    from PIL import Image, UnidentifiedImageError

    try:
        data = path.read_bytes()
        with Image.open(path, formats=("PNG",)) as image:
            width, height = image.size
    except (OSError, UnidentifiedImageError):
        return None
    if width != WIDTH or not HEIGHT <= height <= FULL_MOST:
        return None
    return Picture(path, width, height, hashlib.sha256(data).hexdigest())


def share_moved(first: Picture | None, second: Picture | None, without: Sequence[Box] = ()) -> float | None:
    """Share of pixels whose largest channel difference is over 8; 1 where the sizes differ, None where a picture is missing.

    What lies in one of the boxes `without`, or within `EDGE_PX` of it, counts as not changed.
    """
    if first is None or second is None:
        return None
    if (first.width, first.height) != (second.width, second.height):
        return 1.0
    if first.sha256 == second.sha256:
        return 0.0
    difference: Any = abs(first.pixels() - second.pixels()).max(axis=2) > DIFFERENT
    for box in without:
        left, top = max(0, int(box.x) - EDGE_PX), max(0, int(box.y) - EDGE_PX)
        right, bottom = max(0, int(box.x + box.width) + EDGE_PX), max(0, int(box.y + box.height) + EDGE_PX)
        difference[top:bottom, left:right] = False
    return round(float(difference.mean()), 6)


@dataclass(frozen=True)
class Fold:
    """What lies below the first 800 px: its share of the page, whether it is blank, and its tallest plain band in pixels."""

    share: float
    blank: bool | None
    longest_blank_px: int | None


def below_fold(whole: Picture | None, page_height: int | None) -> Fold | None:
    """The part below the fold. A row is plain where no pixel differs from its right neighbour, so a gradient from top to bottom is plain."""
    if whole is None:
        return None
    height = max(page_height or whole.height, HEIGHT)
    share = round((height - HEIGHT) / height, 4)
    if whole.height == HEIGHT:
        return Fold(share, None, None)
    rows = whole.pixels()[HEIGHT:]
    changes: Any = (abs(rows[:, 1:] - rows[:, :-1]).max(axis=2) > DIFFERENT).sum(axis=1)
    plain = [bool(count <= PLAIN_ROW) for count in changes]
    longest = now = 0
    for is_plain in plain:
        now = now + 1 if is_plain else 0
        longest = max(longest, now)
    return Fold(share, all(plain), longest)
