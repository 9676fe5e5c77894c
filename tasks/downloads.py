"""What people take away beside the report: aggregates and public cases with their results, as CSV and as Parquet (G-2, G-8).

Rows are taken by what they are, not left out by what they are not: cases and profiles of the split `public`, grades of those cases.
They are written part by part, so memory does not grow with the set.
"""

import contextlib
import csv
import json
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from datasets.store import Store
from datasets.tables import Place, parquet_file, read, read_part, sealed
from profiles.report.downloads import aggregates, columns_of, readme
from profiles.report.material import Section
from schemas.case import Case
from schemas.grade import PROGRAM, Grade
from schemas.profile import Profile
from schemas.row import Row, arrow_schema, to_table
from schemas.tendency import Tendency
from tasks.suites import SUITES, suite_of

if TYPE_CHECKING:
    import pyarrow as pa


class Download(NamedTuple):
    """One table that leaves, as `<stem>.csv` and `<stem>.parquet`."""

    stem: str
    model: type[Row]
    rows: int


def write_downloads(store: Store, sections: Sequence[Section], folder: Path) -> list[Download]:
    """Write all downloads of a report into a folder, and a README on their columns; what a suite's panels gave stays out (J-6)."""
    folder.mkdir()
    panels = frozenset(word for word, suite in SUITES.items() if suite.by_panel)
    sources: dict[str, tuple[type[Row], Iterator[pa.Table]]] = {
        "tendencies": (Tendency, iter([to_table(Tendency, aggregates(sections, panels))])),
        "cases": (Case, _cases(store, sections)),
        "results": (Profile, _results(store, sections)),
        "grades": (Grade, _grades(store, sections)),
    }
    written = []
    for stem, (model, tables) in sources.items():
        schema = arrow_schema(model)
        left_out = [name for name in schema.names if name not in columns_of(model)]
        for name in left_out:
            schema = schema.remove(schema.get_field_index(name))
        with _both(folder / stem, schema) as write:
            rows = sum(write(table.drop_columns(left_out)) for table in tables)
        written.append(Download(stem, model, rows))
    (folder / "README.md").write_text(readme(written), encoding="utf-8")
    return written


def _cases(store: Store, sections: Sequence[Section]) -> "Iterator[pa.Table]":
    for section in sections:
        place = Place(suite=section.suite, edition=section.edition)
        for part in sealed(store, Case, place) or ():
            yield _public(read_part(store, Case, place, part.name))


def _results(store: Store, sections: Sequence[Section]) -> "Iterator[pa.Table]":
    for place in _answered(sections):
        for part in sealed(store, Profile, place) or ():
            yield _public(read_part(store, Profile, place, part.name))


def _grades(store: Store, sections: Sequence[Section]) -> "Iterator[pa.Table]":
    """What the project's own programs counted; what judges and people said stands in the report."""
    import pyarrow.compute as pc

    for place in _answered(sections):
        head = read(store, Case, Place(suite=place.suite, edition=place.edition), ["case_id", "split"])
        public = _public(head)["case_id"].combine_chunks()
        at = place.model_copy(update={"judge": PROGRAM})
        for part in sealed(store, Grade, at) or ():
            table = read_part(store, Grade, at, part.name)
            yield table.filter(pc.is_in(table["case_id"], value_set=public))


def _answered(sections: Sequence[Section]) -> Iterator[Place]:
    """The partitions of the systems in the editions shown, but those of panels."""
    for section in sections:
        if not suite_of(section.suite).by_panel:
            for system in sorted({row.system_id for row in section.rows}):
                yield Place(suite=section.suite, edition=section.edition, system=system)


def _public(table: "pa.Table") -> "pa.Table":
    import pyarrow.compute as pc

    return table.filter(pc.equal(table["split"], "public"))


@contextlib.contextmanager
def _both(stem: Path, schema: "pa.Schema") -> Iterator[Callable[["pa.Table"], int]]:
    """The same rows as CSV and as Parquet; what is yielded writes a table and says how many rows it had."""
    with (
        stem.with_suffix(".csv").open("w", encoding="utf-8", newline="") as file,
        parquet_file(stem.with_suffix(".parquet"), schema) as write_parquet,
    ):
        lines = csv.writer(file)
        lines.writerow(schema.names)

        def write(table: "pa.Table") -> int:
            write_parquet(table.cast(schema))
            for row in table.to_pylist():
                lines.writerow([_cell(row[name]) for name in schema.names])
            return int(table.num_rows)

        yield write


def _cell(value: Any) -> str:
    """A value as it stands in a CSV: nothing for null, lists as JSON, amounts with all their digits."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return f"{value:f}"
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)
