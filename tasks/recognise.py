"""The door to Tesseract: the text of a page from its image.

Measured on pages of our own at 150 and 200 dpi, the share of an invoice's 13 fields that the rules read from the text:
page segmentation 4 (one column of lines of different sizes) 12, 3 about the same, 6 and 11 between 6 and 11; a page
tilted by 4° 1 to 7, straightened 12; a shadow over half of the page 2 to 5, taken away 9 to 13; the image made twice as
large costs four times the time and gains nothing. Tesseract has to be told the dpi.
"""

import io
import os
import subprocess
from typing import TYPE_CHECKING

from schemas.errors import ZkusebnaError
from schemas.exchange import DocumentLanguage

if TYPE_CHECKING:
    from PIL.Image import Image

_DATA = {"cs": "ces+eng", "en": "eng"}
_NEEDED = ("ces", "eng")
_SEGMENTATION = 4
_SECONDS = 120
_PAGE_WIDTH_INCHES = 8.3
_SMALL_SIZE = (700, 1000)
_STEEPEST, _COARSE, _FINE = 6.0, 1.0, 0.25
"""Tilts that are tried, in degrees: to either side, by these two steps."""
_SHRINK = 8
_WHITE, _INK = 255, 190
_LEVEL = 0.3
"""A tilt smaller than this is left alone: turning blurs more than it mends."""
_INSTALL = "run `make setup` or `apt-get install tesseract-ocr tesseract-ocr-ces`"


class RecognitionError(ZkusebnaError):
    """A page could not be recognised: no Tesseract, no image, or no result in time."""


def recognise(png: bytes, language: DocumentLanguage) -> str:
    """The text of a page in reading order, as Tesseract reads it, with its errors.

    png: an image file of one upright page, its dpi in the metadata (else taken from the width of a page).
    RecognitionError: the bytes are no image, Tesseract is missing, fails, or needs more than 120 s.
    """
    import pytesseract
    from PIL import Image, UnidentifiedImageError

    os.environ.setdefault("OMP_THREAD_LIMIT", "1")  # pages run in parallel, threads inside one only get in the way
    try:
        image = Image.open(io.BytesIO(png))
        dpi = _dpi(image)
        page = _straighten(_without_shadow(image.convert("L")))
    except (UnidentifiedImageError, OSError) as error:
        raise RecognitionError(f"The page cannot be read as an image ({error}): expected PNG bytes.") from error
    config = f"--psm {_SEGMENTATION} --dpi {dpi}"
    try:
        return str(pytesseract.image_to_string(page, lang=_DATA[language], config=config, timeout=_SECONDS))
    except pytesseract.TesseractNotFoundError as error:
        raise RecognitionError(missing() or f"Tesseract cannot be started: {error}.") from error
    except pytesseract.TesseractError as error:
        reason = missing() or f"Tesseract failed with {' '.join(str(error).split())!r} on a page of {page.size} pixels."
        raise RecognitionError(reason) from error
    except RuntimeError as error:
        raise RecognitionError(f"Tesseract did not read a page of {page.size} pixels within {_SECONDS} s.") from error


def recogniser_version() -> str:
    """Tesseract's version and its languages that are used, such as `tesseract 5.3.0 ces+eng`; goes into a system's version."""
    import pytesseract

    reason = missing()
    if reason:
        raise RecognitionError(reason)
    return f"tesseract {pytesseract.get_tesseract_version()} {'+'.join(_NEEDED)}"


def missing() -> str | None:
    """What is missing for recognition, in one sentence with the command that installs it; None when all is there.

    Asks the program itself: pytesseract would import pandas, which `zkusebna systems` has no time for.
    """
    try:
        listed = subprocess.run(["tesseract", "--list-langs"], capture_output=True, text=True, check=True, timeout=20)
    except (OSError, subprocess.SubprocessError):
        return f"Tesseract is not installed: {_INSTALL}."
    absent = [name for name in _NEEDED if name not in listed.stdout.split()]
    return f"Tesseract has no data for {' and '.join(absent)}: {_INSTALL}." if absent else None


def _dpi(image: "Image") -> int:
    written = image.info.get("dpi", (0, 0))[0]
    return round(written) if written >= 50 else max(70, round(min(image.size) / _PAGE_WIDTH_INCHES))


def _without_shadow(page: "Image") -> "Image":
    """The page on evenly white paper: each pixel as a share of the paper's brightness around it."""
    import numpy as np
    from PIL import Image, ImageFilter

    small = page.resize((max(1, page.width // _SHRINK), max(1, page.height // _SHRINK)), Image.Resampling.BOX)
    paper = small.filter(ImageFilter.MaxFilter(5)).filter(ImageFilter.GaussianBlur(5))
    around = np.asarray(paper.resize(page.size, Image.Resampling.BICUBIC), dtype=np.float32)
    return Image.fromarray(np.clip(np.asarray(page) / np.maximum(around, 1) * 255, 0, 255).astype("uint8"))


def _straighten(page: "Image") -> "Image":
    """The page turned so that its lines are level."""
    from PIL import Image

    tilt = _tilt(page)
    if abs(tilt) < _LEVEL:
        return page
    return page.rotate(tilt, resample=Image.Resampling.BICUBIC, fillcolor=_WHITE)


def _tilt(page: "Image") -> float:
    """The angle in degrees that makes the lines level: there rows of pixels differ most in how much ink they hold."""
    import numpy as np

    small = page.copy()
    small.thumbnail(_SMALL_SIZE)
    ink = small.point(lambda brightness: 255 if brightness < _INK else 0)

    def unevenness(angle: float) -> float:
        return float(np.var(np.asarray(ink.rotate(angle)).sum(axis=1, dtype=float)))

    coarse = max(np.arange(-_STEEPEST, _STEEPEST + _FINE, _COARSE), key=unevenness)
    return float(max(np.arange(coarse - _COARSE, coarse + _COARSE + _FINE / 2, _FINE), key=unevenness))
