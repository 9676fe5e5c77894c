"""Bringing a store to this version's format, one step after another; each step is whole or was not, and the marker follows it.

A format is the layout of the store's folders. Rows need no migration: a column that is younger than a part has its default, and a table
whose version was raised is made anew by the next run from what it was made from. `STEPS` has one function a format, which brings a store
from it to the next one and can be repeated; there is none yet, since the first format is the present one.
"""

import json
from collections.abc import Callable, Iterator

from datasets.compaction import mend_all
from datasets.store import FORMAT, Store
from datasets.tables import place_of
from schemas.errors import StoreError
from schemas.exchange import Frozen
from schemas.row import Row
from schemas.tables import TABLES

Step = Callable[[Store], None]

STEPS: dict[int, Step] = {}


class Migrated(Frozen):
    """What a migration found: the format before, partitions by table that the next run makes anew, folders that nothing reads any more."""

    before: int
    after: int
    partitions: int
    older: dict[str, int]
    removed: tuple[str, ...]


def migrate(store: Store, *, is_dry: bool = False) -> Migrated:
    """Bring a store to this version's format and tidy what earlier versions left; StoreError where a step is not there.

    Call it while holding the store's lock. The marker is written after each step, so a migration that was stopped goes on.
    """
    before = now = format_of(store)
    while now < FORMAT:
        if now not in STEPS:
            raise StoreError(f"There is no way from format {now} of the store at {store.address!r} to {FORMAT}.")
        if not is_dry:
            STEPS[now](store)
            store.put("zkusebna.json", json.dumps({"format": now + 1}).encode())
        now += 1
    removed = tuple(_superseded(store))
    if not is_dry:
        mend_all(store)
        _remove(store, removed)
    found = list(_manifests(store))
    older = [model.table for model, version in found if version < model.version]
    return Migrated(
        before=before, after=now, partitions=len(found), older={t: older.count(t) for t in sorted(set(older))}, removed=removed
    )  # fmt: skip


def format_of(store: Store) -> int:
    """The format that a store says it has; StoreError where it is newer than this version's or cannot be read."""
    try:
        found = int(json.loads(store.get("zkusebna.json"))["format"])
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise StoreError(f"The store at {store.address!r} cannot be read: {problem}.") from problem
    if found > FORMAT:
        raise StoreError(
            f"The store at {store.address!r} has format {found}, newer than this version's {FORMAT}; use the version that wrote it."
        )
    return found


def _manifests(store: Store) -> Iterator[tuple[type[Row], int]]:
    for model in TABLES.values():
        for name in store.names(f"manifests/{model.table}", ".json"):
            yield model, int(json.loads(store.get(name))["version"])


def _superseded(store: Store) -> Iterator[str]:
    """Parts and manifests of grades from before grades stood by judge: nothing reads them, and globs of analysts break on them."""
    for tree in ("tables", "manifests"):
        for name in store.names(f"{tree}/grades"):
            folder = name.removeprefix(f"{tree}/grades/").removesuffix(".json")
            folder = folder.rsplit("/", 1)[0] if tree == "tables" else folder
            if place_of(folder).judge is None:
                yield name


def _remove(store: Store, names: tuple[str, ...]) -> None:
    for name in names:
        store.remove(name)
        store.remove_empty(name.rsplit("/", 1)[0], name.split("/", 1)[0])
