"""`analysis.duckdb` in the store: every table as a view over its Parquet files, and the report's aggregates as SQL, for analysts.

It holds no rows, so it is small, never stale, and made anew with every run; a store that was moved gets new ones by `zkusebna views`. Views
hold private rows, as the tables do: the file is for the inside of the house (G-8).
"""

import os
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from datasets.store import Store
from schemas.dictionary import ViewEntry, table_description, view_description
from schemas.row import Row, arrow_schema
from schemas.tables import TABLES

if TYPE_CHECKING:
    import duckdb

NAME = "analysis.duckdb"
SQL = Path(__file__).resolve().parent.parent / "datasets" / "sql"
ORDER = ("document_numbers", "field_numbers", "error_numbers", "language_gaps", "score_numbers", "leaderboard", "spend")
"""Views over the tables, by the names of their files."""


def build_views(root: str) -> Path:
    """Make the file anew and return its path; whoever has the old one open keeps reading it."""
    import duckdb

    store = Store.open(root)
    temporary = store.path(f"tmp/{uuid.uuid4().hex}.duckdb")
    temporary.parent.mkdir(exist_ok=True)
    with duckdb.connect(str(temporary)) as database:
        for name, model in TABLES.items():
            _table(database, store, name, model)
        for name in ORDER:
            _aggregate(database, name)
    os.replace(temporary, store.path(NAME))  # noqa: PTH105 - within one folder, whole or not at all
    return store.path(NAME)


def describe_views(names: Sequence[str] = ORDER) -> list[ViewEntry]:
    """The views over the tables as the data dictionary tells them: DuckDB's own names and types of columns, no store needed."""
    import duckdb

    with duckdb.connect() as database:
        for name, model in TABLES.items():
            _empty(database, name, model)
        for name in ORDER:
            _aggregate(database, name)
        return [
            ViewEntry(view=name, description=told, columns=tuple((c, t) for c, t, *_ in rows))
            for name in names
            for told in [view_description((SQL / f"{name}.sql").read_text(encoding="utf-8"))]
            for rows in [database.execute(f'DESCRIBE "{name}"').fetchall()]
        ]


def _aggregate(database: "duckdb.DuckDBPyConnection", name: str) -> None:
    """A view over tables, from its file; its comment there stands at the view too."""
    sql = (SQL / f"{name}.sql").read_text(encoding="utf-8")
    database.execute(sql)
    told = view_description(sql).replace("'", "''")
    database.execute(f"COMMENT ON VIEW \"{name}\" IS '{told}'")


def _table(database: "duckdb.DuckDBPyConnection", store: Store, name: str, model: type[Row]) -> None:
    """One table as a view: sealed parts by glob, with the columns of the path; an empty one where nothing was sealed yet."""
    folder = store.local(f"tables/{name}")
    if any(folder.rglob("*.parquet")):
        files = str(folder / "**" / "*.parquet").replace("'", "''")
        source = f"read_parquet('{files}', hive_partitioning = true, hive_types_autocast = false, union_by_name = true)"
        database.execute(f'CREATE VIEW "{name}" AS SELECT * FROM {source}')
    else:
        _empty(database, name, model)
    told = table_description(model).replace("'", "''")
    database.execute(f"COMMENT ON VIEW \"{name}\" IS '{told}'")


def _empty(database: "duckdb.DuckDBPyConnection", name: str, model: type[Row]) -> None:
    """A view with a table's columns and no rows."""
    empty = arrow_schema(model).empty_table()
    database.register("empty_table", empty)
    database.execute("CREATE TEMP TABLE shape AS SELECT * FROM empty_table")
    columns = database.execute("DESCRIBE shape").fetchall()
    nulls = ", ".join(f'CAST(NULL AS {kind}) AS "{column}"' for column, kind, *_ in columns)
    more = ", CAST(NULL AS VARCHAR) AS judge" if name == "grades" else ""
    database.execute(f'CREATE VIEW "{name}" AS SELECT {nulls}{more} WHERE false')
    database.execute("DROP TABLE shape")
    database.unregister("empty_table")
