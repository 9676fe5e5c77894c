"""Typesetting: the strings of a page become the bytes of a PDF, the same bytes for the same strings (D-3)."""

import json
import threading
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from schemas.errors import DocumentError, UsageError, nearest

if TYPE_CHECKING:
    import typst

TEMPLATES = Path(__file__).parent / "templates"
FONTS = Path(__file__).parent / "fonts"


class TypesetError(DocumentError):
    """A page that its template cannot set."""


_LOCK = threading.Lock()  # the compiler is one and not made for several threads


def typeset(page: Mapping[str, Any], *, template: str = "invoice", keywords: tuple[str, ...] = ()) -> bytes:
    """The PDF of a page.

    page: the strings, as `datasets.synth.wording.to_page` makes them; keywords: words for the metadata alone, never
    on the page (the canary of a private document, G-8). `TypesetError` for a page that its template cannot set; UsageError for a
    font that is not there, which the compiler would replace or leave out without a word.
    """
    import typst

    data = json.dumps({**page, "keywords": list(keywords)}, ensure_ascii=False)
    with _LOCK:
        try:
            pdf, warnings = _compiler(template).compile_with_warnings(format="pdf", sys_inputs={"page": data})
        except typst.TypstError as error:
            raise TypesetError(f"The template {template!r} cannot set the page: {_one_line(error)}.") from error
    for warning in warnings:
        if "unknown font family" in warning.message:
            raise _no_font(warning.message.split(":", 1)[-1].strip())
    if not isinstance(pdf, bytes):
        raise TypeError(f"typst gave {type(pdf).__name__!r} for one PDF: expected bytes")
    return pdf


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()).rstrip(".")


def _no_font(family: str) -> UsageError:
    import typst

    there = typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[str(FONTS)]).families()
    return UsageError(f"The font {family!r} is not in {FONTS.name}/{nearest(family, there)}")


@cache
def _compiler(template: str) -> "typst.Compiler":
    """One compiler a template for the whole process: it loads the fonts once."""
    import typst

    file = TEMPLATES / f"{template}.typ"
    return typst.Compiler(str(file), root=str(TEMPLATES), font_paths=[str(FONTS)], ignore_system_fonts=True)
