"""What a system is shown of a PDF: its text layer, or its page as a picture (D-8).

A document of this project has one page; `PageError` where a PDF has another number.
"""

import io
import threading
from typing import TYPE_CHECKING, Any

from schemas.errors import DocumentError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_LOCK = threading.Lock()  # PDFium is not safe for threads
DPI = 150
COMPRESSION = 4
"""Of the PNG: larger saves little and costs time."""


class PageError(DocumentError):
    """A document does not fit on its one page."""


def _page(document: Any) -> Any:
    """The one page of a document."""
    if len(document) != 1:
        raise PageError(f"The document has {len(document)} pages: expected one.")
    return document[0]


def text_layer(pdf: bytes) -> str:
    """The text of the page in the order of the PDF; lines end with a line feed, characters composed as printed."""
    import pypdfium2

    with _LOCK:
        document = pypdfium2.PdfDocument(pdf)
        try:
            text: str = _page(document).get_textpage().get_text_bounded()
        finally:
            document.close()
    return text.replace("\r\n", "\n").replace("\r", "\n")


def page_count(pdf: bytes) -> int:
    """Number of pages."""
    import pypdfium2

    with _LOCK:
        document = pypdfium2.PdfDocument(pdf)
        try:
            return len(document)
        finally:
            document.close()


def image(pdf: bytes, dpi: int = DPI) -> bytes:
    """The page as a PNG in colour that states its resolution; the same bytes for the same PDF.

    OCR needs the stated resolution: without it, it has to guess the size of letters.
    """
    from PIL import Image

    out = io.BytesIO()
    Image.fromarray(pixels(pdf, dpi)).save(out, "PNG", dpi=(dpi, dpi), compress_level=COMPRESSION)
    return out.getvalue()


def pixels(pdf: bytes, dpi: int) -> "NDArray[np.uint8]":
    """The page as height × width × 3, RGB."""
    import numpy as np
    import pypdfium2

    with _LOCK:
        document = pypdfium2.PdfDocument(pdf)
        try:
            drawn = _page(document).render(scale=dpi / 72, rev_byteorder=True).to_numpy()
            return np.ascontiguousarray(drawn[:, :, :3])
        finally:
            document.close()
