"""What a system is shown of a PDF: its text layer, or its page as a picture (D-8)."""

import io
import threading

_LOCK = threading.Lock()  # PDFium is not safe for threads
DPI = 150
COMPRESSION = 4
"""Of the PNG: larger saves little and costs time."""


def text_layer(pdf: bytes) -> str:
    """The text of the first page in the order of the PDF; lines end with a line feed, characters composed as printed."""
    import pypdfium2

    with _LOCK:
        document = pypdfium2.PdfDocument(pdf)
        try:
            text: str = document[0].get_textpage().get_text_bounded()
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
    """The first page as a greyscale PNG that states its resolution; the same bytes for the same PDF.

    OCR needs the stated resolution: without it, it has to guess the size of letters.
    """
    import pypdfium2

    with _LOCK:
        document = pypdfium2.PdfDocument(pdf)
        try:
            picture = document[0].render(scale=dpi / 72, grayscale=True).to_pil().copy()
        finally:
            document.close()
    out = io.BytesIO()
    picture.convert("L").save(out, "PNG", dpi=(dpi, dpi), compress_level=COMPRESSION)
    return out.getvalue()
