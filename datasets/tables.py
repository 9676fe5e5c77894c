"""Tables at rest: shards of rows as Parquet parts, sealed by a manifest for each partition.

A part is named by the hash of its shard's key (what it was made from), so a repeat overwrites itself; its digest is the hash of its
rows without the volatile columns, and the keys of the parts made from it stand on that digest. Until its stage ends a part waits in
`work/`; sealing publishes the parts in `tables/` and writes the manifest, so whoever reads `tables/` sees finished stages only. The
parts in `work/` go last: a seal that was stopped finds them again and is repeated.
"""

import contextlib
import hashlib
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from datasets.digests import digest_of
from datasets.store import Store
from schemas.errors import StoreError
from schemas.exchange import Frozen
from schemas.row import Row, arrow_schema, columns, to_table

if TYPE_CHECKING:
    import pyarrow as pa

R = TypeVar("R", bound=Row)

ROW_GROUP = 128_000


class Place(Frozen):
    """A partition: `suite=…/edition=…`, `system=…` for what a system did, and `judge=…` for what a judge said of it."""

    suite: str
    edition: str
    system: str | None = None
    judge: str | None = None

    @property
    def folder(self) -> str:
        """The partition as a Hive path."""
        system = f"/system={self.system}" if self.system else ""
        judge = f"/judge={self.judge}" if self.judge else ""
        return f"suite={self.suite}/edition={self.edition}{system}{judge}"


class Part(Frozen):
    """One Parquet file of a partition: shard is its number, digest the hash of its rows without volatile columns."""

    name: str
    key: str
    shard: int
    rows: int
    digest: str


def shard_key(*made_from: object) -> str:
    """The key of a shard: a hash of all that its rows are made from."""
    return hashlib.sha256(json.dumps(made_from, default=str).encode()).hexdigest()[:16]


def place_of(folder: str) -> Place:
    """The partition of a Hive path."""
    return Place.model_validate(dict(piece.split("=", 1) for piece in folder.split("/")))


def folder_of(tree: str, model: type[Row], place: Place) -> str:
    """The folder of a partition in the tree `work` or `tables`."""
    return f"{tree}/{model.table}/{place.folder}"


def _key_of(name: str) -> str:
    return name.rsplit("part-", 1)[1].removesuffix(".parquet")


def write_part(store: Store, model: type[Row], place: Place, key: str, shard: int, rows: Iterable[Row]) -> Part:
    """Write one shard as one file, all or nothing; rows are sorted by the table's key."""
    table = to_table(model, rows)
    return write_table(store, model, place, key, shard, table)


@contextlib.contextmanager
def parquet_file(path: Path, schema: "pa.Schema") -> Iterator[Callable[["pa.Table"], None]]:
    """A Parquet file outside of the tables, filled batch by batch; one that was not ended well is removed."""
    import pyarrow.parquet as pq

    writer = pq.ParquetWriter(path, schema, compression="zstd")
    try:
        yield writer.write_table
        writer.close()
    except BaseException:
        with contextlib.suppress(OSError):
            writer.close()
        path.unlink(missing_ok=True)
        raise


def batches_of(path: Path) -> Iterator["pa.RecordBatch"]:
    """The rows of a Parquet file outside of the tables, batch by batch."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        yield from file.iter_batches(batch_size=10_000)


def write_table(
    store: Store, model: type[Row], place: Place, key: str, shard: int, table: "pa.Table", *, tree: str = "work"
) -> Part:
    """The same for rows that are an Arrow table of the full schema already."""
    import pyarrow.parquet as pq

    in_file = [c.name for c in columns(model) if not c.col.partition]
    schema = arrow_schema(model, file=True).with_metadata(
        {**(arrow_schema(model, file=True).metadata or {}), b"shard": str(shard)}
    )
    sink = io.BytesIO()
    pq.write_table(
        table.select(in_file).cast(schema), sink, compression="zstd", compression_level=1, row_group_size=ROW_GROUP
    )
    name = f"{folder_of(tree, model, place)}/part-{key}.parquet"
    store.put(name, sink.getvalue())
    return Part(name=name, key=key, shard=shard, rows=table.num_rows, digest=digest_of(model, table))


def put_table(store: Store, name: str, table: "pa.Table") -> None:
    """Write a table that is no part of a partition as one Parquet file, all or nothing."""
    import pyarrow.parquet as pq

    sink = io.BytesIO()
    pq.write_table(table, sink, compression="zstd", compression_level=1)
    store.put(name, sink.getvalue())


def get_table(store: Store, name: str) -> "pa.Table":
    """A table that `put_table` wrote; FileNotFoundError where there is none."""
    import pyarrow.parquet as pq

    return pq.read_table(io.BytesIO(store.get(name)))


def find_part(store: Store, model: type[Row], place: Place, key: str) -> Part | None:
    """The part of a key where it is already there (left by a run that was stopped, or sealed), else None."""
    import pyarrow.parquet as pq

    for tree in ("work", "tables"):
        name = f"{folder_of(tree, model, place)}/part-{key}.parquet"
        if store.exists(name):
            shard = int(pq.read_schema(store.path(name)).metadata[b"shard"])
            table = read_part(store, model, place, name)
            return Part(name=name, key=key, shard=shard, rows=table.num_rows, digest=digest_of(model, table))
    return None


def read_part(store: Store, model: type[Row], place: Place, name: str, only: Sequence[str] | None = None) -> "pa.Table":
    """One part as a table with its partition columns; `only` picks columns, and one that is younger than the part has its default."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    full = arrow_schema(model)
    wanted = [n for n in full.names if only is None or n in only]
    from_path = {"suite": place.suite, "edition": place.edition}
    in_file = [c.name for c in columns(model) if not c.col.partition and c.name in wanted]
    with pq.ParquetFile(store.path(name)) as file:
        table = file.read(columns=in_file)
    there = set(table.column_names)
    young = {n: f.get_default() for n, f in model.model_fields.items() if n not in there and not f.is_required()}
    arrays = [
        table[n] if n in there else pa.array([from_path.get(n, young.get(n))] * table.num_rows, full.field(n).type)
        for n in wanted
    ]
    return pa.Table.from_arrays(arrays, schema=pa.schema([full.field(n) for n in wanted]))


def rows_of(model: type[R], table: "pa.Table") -> list[R]:
    """A table as validated rows."""
    return [model.model_validate(row) for row in table.to_pylist()]


def manifest_name(model: type[Row], place: Place) -> str:
    """Where the manifest of a partition stands."""
    return f"manifests/{model.table}/{place.folder}.json"


def _in_folder(store: Store, folder: str) -> list[str]:
    return [n for n in store.names(folder, ".parquet") if "=" not in n.removeprefix(folder)]


def waiting_keys(store: Store, model: type[Row], place: Place) -> set[str]:
    """Keys of the parts that wait in `work/` to be sealed."""
    return {_key_of(n) for n in _in_folder(store, folder_of("work", model, place))}


def loose_keys(store: Store, model: type[Row], place: Place) -> set[str]:
    """Keys of the parts in `tables/` that the manifest does not list: a seal was stopped before it removed them."""
    listed = {p.key for p in sealed(store, model, place) or []}
    return {_key_of(n) for n in _in_folder(store, folder_of("tables", model, place))} - listed


def seal(store: Store, model: type[Row], place: Place, parts: Iterable[Part], *, keep: bool = False) -> None:
    """End a stage for a partition: publish its parts in `tables/`, list them in the manifest, remove what they replace.

    keep: parts that are in the partition or waiting for it stay in it (`calls`, the record of money, loses nothing).
    """
    home, work = folder_of("tables", model, place), folder_of("work", model, place)
    waiting = _in_folder(store, work)
    listed: dict[str, Part] = {}
    if keep:
        listed = {p.key: p for p in sealed(store, model, place) or []}
        left = (find_part(store, model, place, _key_of(n)) for n in waiting)
        parts = [*(p for p in left if p is not None), *parts]
    for part in parts:
        name = f"{home}/part-{part.key}.parquet"
        if part.name != name and store.exists(part.name):
            store.put(name, store.get(part.name))
        listed[part.key] = part.model_copy(update={"name": name})
    put_manifest(store, model, place, listed.values())
    for name in _in_folder(store, home):
        if _key_of(name) not in listed and not keep:
            store.remove(name)
    for name in waiting:
        store.remove(name)


def put_manifest(store: Store, model: type[Row], place: Place, parts: Iterable[Part]) -> None:
    """List the parts of a sealed partition; this alone publishes nothing and removes nothing."""
    ordered = sorted(parts, key=lambda p: (p.shard, p.key))
    files = [p.model_dump() for p in ordered]
    told = {"table": model.table, "version": model.version, "rows": sum(p.rows for p in ordered), "files": files}
    store.put(manifest_name(model, place), json.dumps(told, indent=1).encode())


def sealed(store: Store, model: type[Row], place: Place) -> list[Part] | None:
    """The parts of a sealed partition in the order of their shards; None where no stage has ended for it."""
    name = manifest_name(model, place)
    try:
        manifest = json.loads(store.get(name))
    except FileNotFoundError:
        return None
    if manifest["version"] > model.version:
        raise StoreError(
            f"The table {model.table!r} in the store has version {manifest['version']}, newer than this program's {model.version}."
        )
    return [Part.model_validate(f) for f in manifest["files"]]


def judged_places(store: Store, model: type[Row], place: Place) -> list[Place]:
    """The sealed partitions of a table below a system's, one a judge, in the order of their names."""
    folder = f"manifests/{model.table}/{place.folder}/judge="
    names = (n.removeprefix(folder).removesuffix(".json") for n in store.names(folder.rsplit("/", 1)[0], ".json"))
    return [place.model_copy(update={"judge": name}) for name in sorted(names)]


def part_of(parts: Sequence[Part], shard: int) -> Part:
    """The part with a shard's number; StoreError where there is none."""
    for part in parts:
        if part.shard == shard:
            return part
    raise StoreError(f"There is no part of shard {shard} among {len(parts)} parts.")


def read(store: Store, model: type[Row], place: Place, only: Sequence[str] | None = None) -> "pa.Table":
    """A whole sealed partition as one table (for tables that are small by nature, or few columns)."""
    import pyarrow as pa

    none = pa.schema([f for f in arrow_schema(model) if only is None or f.name in only]).empty_table()
    last: list[Part] | None = None
    while (parts := sealed(store, model, place)) is not None and parts != last:
        last = parts
        with contextlib.suppress(FileNotFoundError):  # parts were replaced meanwhile: the manifest lists others now
            return pa.concat_tables([none, *(read_part(store, model, place, p.name, only) for p in parts)])
    told = "is not in the store, or its stage has not finished" if parts is None else "lacks a part of its manifest"
    raise StoreError(f"{model.table} of {place.folder} {told}.")


def each_part(store: Store, model: type[Row], place: Place, only: Sequence[str] | None = None) -> Iterator["pa.Table"]:
    """A sealed partition part by part, after an empty table; StoreError where no stage has ended for it."""
    import pyarrow as pa

    parts = sealed(store, model, place)
    if parts is None:
        raise StoreError(f"{model.table} of {place.folder} is not in the store, or its stage has not finished.")
    yield pa.schema([f for f in arrow_schema(model) if only is None or f.name in only]).empty_table()
    for part in parts:
        yield read_part(store, model, place, part.name, only)
