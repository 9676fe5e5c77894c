"""Which rows may leave as downloads, and the page that says what their columns are (G-8, G-9)."""

from collections.abc import Mapping, Sequence

from profiles.report.material import Section
from profiles.report.texts import LANGS, read_texts
from schemas import readings
from schemas.case import Case
from schemas.dictionary import entries
from schemas.grade import Grade
from schemas.profile import Profile
from schemas.row import Row
from schemas.tendency import Tendency

LEFT_OUT: Mapping[type[Row], frozenset[str]] = {
    Tendency: frozenset({"run_id"}),
    Case: frozenset({"canary"}),
    Profile: frozenset({"scores"}),
    Grade: frozenset(),
}
"""The tables that leave, and their columns that do not: ids of runs, canaries, what single judges said."""

UNTOLD_OF_PANELS = frozenset({"latency_p50_ms", "latency_p90_ms", "cost_per_1000_usd", "tokens_in"})
"""Metrics by which a juror might be recognised (J-6)."""


def columns_of(model: type[Row]) -> list[str]:
    """The columns of a table that leave, in its order."""
    return [name for name in model.model_fields if name not in LEFT_OUT[model]]


def may_leave(row: Tendency) -> bool:
    """Whether an aggregate may leave: a public one, or one that may be shown over five private documents or more (G-8).

    A private one that is withheld leaves no row: neither the number nor how many documents stand behind it.
    """
    return row.split == "public" or (row.value is not None and row.n_documents >= readings.PRIVATE_FLOOR)


def aggregates(sections: Sequence[Section], panels: frozenset[str] = frozenset()) -> list[Tendency]:
    """All aggregates of the report that may leave: of the editions shown, and the public ones of older editions.

    Private ones of older editions stay: two editions from one secret can share documents, so their difference may be one document.
    panels: suites of which nothing is told by which a juror might be recognised (J-6).
    """
    found = [row for section in sections for row in section.rows if may_leave(row)]
    found += [r for s in sections for older in s.older for r in older.rows if r.split == "public"]
    return [row for row in found if not (row.suite in panels and row.metric in UNTOLD_OF_PANELS)]


def readme(files: Sequence[tuple[str, type[Row], int]]) -> str:
    """What the downloads are, in both languages, and every column; files: stem, table, number of rows."""
    lines = ["# Zkušebna", ""]
    for lang in LANGS:
        texts = read_texts(lang)
        lines += [f"## {texts['downloads.heading']}", "", str(texts["downloads.lead"]).strip(), ""]
        lines += [f"- `{stem}.csv`, `{stem}.parquet`: {texts[f'downloads.{stem}']} ({rows})" for stem, _, rows in files]
        lines += ["", str(texts["downloads.how"]).strip(), ""]
    lines += ["## Columns", ""]
    for stem, model, _ in files:
        lines += [f"### {stem}", "", "| column | type | unit | description |", "|---|---|---|---|"]
        wanted = set(columns_of(model))
        told = [e for e in entries(model) if e.column.split("[]")[0].split(".")[0] in wanted]
        cells = [(f"`{e.column}`", e.type, e.unit, e.description) for e in told]
        lines += ["| " + " | ".join(c.replace("|", "\\|") for c in row) + " |" for row in cells]
        lines.append("")
    return "\n".join(lines)
