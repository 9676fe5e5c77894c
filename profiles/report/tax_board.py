"""The language taxes of systems as a table of words, a row a system and language (D-18)."""

from collections.abc import Sequence

from profiles.report import numbers
from profiles.report.standing import Index, index_of
from schemas.board import Board
from schemas.language_tax import BASE, LANGUAGES
from schemas.tendency import Metric, Tendency

CAPTION = (
    "Input tokens of the same content, English being 1, with the 95 % interval over paragraphs; then least, median and most of single"
    " paragraphs."
)


def board(rows: Sequence[Tendency], systems: Sequence[str]) -> Board:
    """English words; languages in their order, without English itself."""
    index = index_of(rows)
    found = [
        _line(index, system, language)
        for system in dict.fromkeys(systems)
        for language in LANGUAGES
        if language != BASE and (system, "public", "language", language, "language_tax") in index
    ]
    shown = (("system",), ("language",), ("tax",), ("interval",), ("least",), ("median",), ("most",), ("paragraphs",))
    return Board(rows=tuple(found), shown=shown, caption=f"{CAPTION} Run of {found[0]['run']}." if found else CAPTION)


def _line(index: Index, system: str, language: str) -> dict[str, str]:
    def times(metric: Metric) -> str:
        row = index[system, "public", "language", language, metric]
        return (row.note or "–") if row.value is None else numbers.times(row.value).en

    tax = index[system, "public", "language", language, "language_tax"]
    has_interval = tax.low is not None and tax.high is not None
    return {
        "system": system,
        "language": language,
        "tax": times("language_tax"),
        "interval": numbers.times_between(tax.low or 0, tax.high or 0).en if has_interval else "–",
        "least": times("language_tax_min"),
        "median": times("language_tax_median"),
        "most": times("language_tax_max"),
        "paragraphs": f"{tax.n_documents} of {tax.n_documents + tax.n_left_out}",
        "run": tax.run_date,
    }
