"""Typesetting: the strings of a page become the bytes of a PDF, the same bytes for the same strings (D-3)."""

import json
import threading
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import typst

TEMPLATES = Path(__file__).parent / "templates"
FONTS = Path(__file__).parent / "fonts"
_LOCK = threading.Lock()  # the compiler is one and not made for several threads


def typeset(page: Mapping[str, Any], *, template: str = "invoice", keywords: tuple[str, ...] = ()) -> bytes:
    """The PDF of a page.

    page: the strings, as `datasets.synth.wording.to_page` makes them; keywords: words for the metadata alone, never
    on the page (the canary of a private document, G-8). A page that its template cannot set raises `typst.TypstError`.
    """
    data = json.dumps({**page, "keywords": list(keywords)}, ensure_ascii=False)
    with _LOCK:
        pdf = _compiler(template).compile(format="pdf", sys_inputs={"page": data})
    if not isinstance(pdf, bytes):
        raise TypeError(f"typst gave {type(pdf).__name__!r} for one PDF: expected bytes")
    return pdf


@cache
def _compiler(template: str) -> "typst.Compiler":
    """One compiler a template for the whole process: it loads the fonts once."""
    import typst

    file = TEMPLATES / f"{template}.typ"
    return typst.Compiler(str(file), root=str(TEMPLATES), font_paths=[str(FONTS)], ignore_system_fonts=True)
