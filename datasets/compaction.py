"""Compaction: the many small parts of a table that only grows become few large ones, and no reader sees anything between (G-2).

A partition is compacted in four steps, each of which leaves it whole: the new parts are written aside (`compact/`); the manifest lists them
there, so whoever goes by manifest has the new ones; the folder in `tables/` is exchanged for one with the new ones, so whoever goes by glob
has them too; the manifest lists them in `tables/`, and what stood aside goes. Where that was stopped, `mend` takes the steps that are left:
whoever is about to write to such a table calls it first.
"""

from collections.abc import Sequence

from datasets.store import Store
from datasets.tables import (
    ROW_GROUP,
    Part,
    Place,
    folder_of,
    place_of,
    put_manifest,
    read_part,
    sealed,
    shard_key,
    waiting_keys,
    write_table,
)
from schemas.call import Call
from schemas.exchange import Frozen
from schemas.row import Row
from schemas.vote import Check, Vote

ASIDE = "compact"

GROWING: tuple[type[Row], ...] = (Call, Vote, Check)
"""Tables that only grow: every run, or every sitting, adds parts, and no part is ever made anew."""

MOST_ROWS = ROW_GROUP
MOST_BYTES = 64 * 2**20
"""Of the files that become one part: its rows are held in memory while it is written."""


class Compacted(Frozen):
    """What came of a partition: how many parts it had and has; left: why it was left alone."""

    table: str
    place: Place
    before: int
    after: int
    rows: int
    left: str | None = None


def places_of(store: Store, model: type[Row]) -> list[Place]:
    """All sealed partitions of a table."""
    home = f"manifests/{model.table}/"
    return [place_of(n.removeprefix(home).removesuffix(".json")) for n in store.names(home, ".json")]


def compact(store: Store, model: type[Row], place: Place) -> Compacted:
    """Compact one partition; one that has something waiting (a journal, parts to be sealed) is left alone and says so.

    Rows, their order within the table's key and their number are the same before and after. Readers go on meanwhile.
    """
    with store.sealing():
        finish(store, model, place)
        parts = sealed(store, model, place) or []
        told = {"table": model.table, "place": place, "before": len(parts), "rows": sum(p.rows for p in parts)}
        if left := _unfinished(store, model, place):
            return Compacted(**told, after=len(parts), left=left)
        groups = _groups(store, parts)
        if not groups:
            return Compacted(**told, after=len(parts))
        merged = {part.key for group in groups for part in group}
        new = [_merge(store, model, place, group) for group in groups]
        whole = [p for p in parts if p.key not in merged] + new
        put_manifest(store, model, place, whole)
        _publish(store, model, place, whole)
        return Compacted(**told, after=len(whole))


def mend(store: Store, model: type[Row]) -> None:
    """Take the steps that a compaction of a table still had to take when it was stopped; nothing where none was."""
    home = f"{ASIDE}/{model.table}/"
    if not (there := store.names(home.removesuffix("/"))):
        return
    with store.sealing():
        folders = {n.rsplit("/", 1)[0].removeprefix(home) for n in there}
        for folder in sorted(folders):
            finish(store, model, place_of(folder))


def mend_all(store: Store) -> None:
    """The same for all tables that are compacted."""
    for model in GROWING:
        mend(store, model)


def _unfinished(store: Store, model: type[Row], place: Place) -> str | None:
    """Why a partition cannot be compacted now: what waits for it would look for the part that it belongs to."""
    if waiting_keys(store, model, place):
        return "parts wait to be sealed"
    if model is Call and store.names(f"journal/{place.suite}/{place.edition}/{place.system}", ".jsonl"):
        return "a journal is not filed yet"
    return None


def _groups(store: Store, parts: Sequence[Part]) -> list[list[Part]]:
    """Small parts, neighbours by shard, that become one part each: at most MOST_ROWS rows and MOST_BYTES of files, two parts or more.

    A part of more than half of that is left as it is, so that a row is rewritten about as often as the table doubles, not every time.
    """
    groups: list[list[Part]] = [[]]
    rows = size = 0
    for part in parts:
        bytes_of = store.size(part.name)
        if part.rows > MOST_ROWS // 2 or bytes_of > MOST_BYTES // 2:
            continue
        if rows + part.rows > MOST_ROWS or size + bytes_of > MOST_BYTES:
            groups.append([])
            rows = size = 0
        groups[-1].append(part)
        rows, size = rows + part.rows, size + bytes_of
    return [group for group in groups if len(group) > 1]


def _merge(store: Store, model: type[Row], place: Place, group: Sequence[Part]) -> Part:
    """One part of all rows of some, aside of what readers see, sorted by the table's key."""
    import pyarrow as pa

    table = pa.concat_tables([read_part(store, model, place, part.name) for part in group])
    table = table.sort_by([(name, "ascending") for name in model.key]).combine_chunks()
    key = shard_key("compacted", [part.key for part in group])
    return write_table(store, model, place, key, max(part.shard for part in group), table, tree=ASIDE)


def finish(store: Store, model: type[Row], place: Place) -> None:
    """End a compaction of a partition that was stopped; call it while holding `Store.sealing`.

    It goes on where the manifest lists what stands aside, else it forgets what was written.
    """
    aside = folder_of(ASIDE, model, place)
    if not store.names(aside):
        store.remove_empty(aside, ASIDE)
        return
    parts = sealed(store, model, place) or []
    if any(part.name.startswith(f"{ASIDE}/") for part in parts):
        _publish(store, model, place, parts)
    else:
        _forget(store, aside)


def _publish(store: Store, model: type[Row], place: Place, parts: Sequence[Part]) -> None:
    """Exchange the folder in `tables/` for one with exactly these parts, and list them there."""
    home = folder_of("tables", model, place)
    with store.replacing(home) as new:
        for part in parts:
            file = new.relative_to(store.root) / f"part-{part.key}.parquet"
            store.link(part.name, str(file))
    put_manifest(store, model, place, [p.model_copy(update={"name": f"{home}/part-{p.key}.parquet"}) for p in parts])
    _forget(store, folder_of(ASIDE, model, place))


def _forget(store: Store, folder: str) -> None:
    """Remove a folder that nobody reads, and those above it that are empty then."""
    for name in store.names(folder):
        store.remove(name)
    store.remove_empty(folder, ASIDE)
