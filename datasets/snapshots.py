"""What a run stood on, kept for comparisons: the parts of its tables by their digest, and which case is which (G-3).

A stage replaces the parts that it makes anew, so a run keeps those that it ended with, as further names of the same files (hard links: no
bytes are written twice, and a part that did not change is kept once for all runs). `runs/<run_id>.json` lists them.
"""

import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from datasets.store import Store
from datasets.tables import Part, Place, get_table, put_table, read_part, seal, sealed
from schemas.case import Case
from schemas.exchange import Frozen
from schemas.row import Row, arrow_schema

if TYPE_CHECKING:
    import pyarrow as pa

CASES = "snapshots/cases"


class Kept(Frozen):
    """The parts of one partition of one table that a run ended with; their names are those in `snapshots/`."""

    table: str
    place: Place
    parts: tuple[Part, ...]


def keep(store: Store, model: type[Row], place: Place) -> Kept | None:
    """Keep the sealed parts of a partition; None where no stage has ended for it."""
    parts = sealed(store, model, place)
    if parts is None:
        return None
    kept = []
    for part in parts:
        name = f"snapshots/{model.table}/{part.digest}-{part.key}.parquet"
        if not store.exists(name):
            store.link(part.name, name)
        kept.append(part.model_copy(update={"name": name}))
    return Kept(table=model.table, place=place, parts=tuple(kept))


def read_kept(store: Store, model: type[Row], kept: Kept, only: Sequence[str]) -> "pa.Table":
    """Some columns of a kept partition as one table; FileNotFoundError where a part was pruned."""
    import pyarrow as pa

    none = pa.schema([f for f in arrow_schema(model) if f.name in only]).empty_table()
    return pa.concat_tables([none, *(read_part(store, model, kept.place, part.name, only) for part in kept.parts)])


def lay_out(store: Store, model: type[Row], kept: Kept, other: Store) -> None:
    """Put a kept partition into another store, sealed; FileNotFoundError where a part was pruned."""
    for part in kept.parts:
        other.put(part.name, store.get(part.name))
    seal(other, model, kept.place, kept.parts)


def keep_cases(store: Store, place: Place) -> str | None:
    """Keep which case is which: case_id and a hash of truth, document and version of the set; the name of the file.

    Cases of two editions are the same where both are equal; the words of a prompt are no part of a case.
    """
    parts = sealed(store, Case, place)
    if parts is None:
        return None
    name = f"{CASES}/{_together(parts)}.parquet"
    if not store.exists(name):
        put_table(store, name, _marked(store, place, parts))
    return name


def read_cases(store: Store, name: str) -> dict[str, str]:
    """The hash of each case by its id."""
    table = get_table(store, name)
    return dict(zip(table["case_id"].to_pylist(), table["case_sha256"].to_pylist(), strict=True))


def _together(parts: Sequence[Part]) -> str:
    return hashlib.sha256("".join(sorted(p.digest for p in parts)).encode()).hexdigest()[:32]


def _marked(store: Store, place: Place, parts: Sequence[Part]) -> "pa.Table":
    import pyarrow as pa

    ids: list[str] = []
    hashes: list[str] = []
    for part in parts:
        columns = ["case_id", "truth", "document_sha256", "set_version"]
        for row in read_part(store, Case, place, part.name, columns).to_pylist():
            told = "\0".join((row["truth"], row["document_sha256"] or "", row["set_version"]))
            ids.append(row["case_id"])
            hashes.append(hashlib.sha256(told.encode()).hexdigest()[:32])
    return pa.table({"case_id": ids, "case_sha256": hashes})
