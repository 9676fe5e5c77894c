"""Pruning: what a store keeps of runs long past, and what nobody refers to any more, goes (G-2, M-4).

Calls, votes and checks are never touched, nor is any sealed partition: what goes are the parts that old runs kept for comparisons, their
files in `runs/`, blobs and remembered evidence to which no row refers, and old quarantine. Old journals hold replies that were paid for,
so they are filed into `calls` (`tasks/prune.py`), never thrown away.

Everything is removed in an order in which a stop leaves no name without its file: first who refers, then what was referred to.
"""

import json
import re
import time
from collections.abc import Iterable, Iterator
from typing import Any

from datasets.store import Store, blob_name
from datasets.tables import Place, read_part
from schemas.case import Case
from schemas.evidence_row import EvidenceFile
from schemas.exchange import Frozen
from schemas.row import Row

GRACE_S = 24 * 3600.0
"""What nobody refers to goes only when it is as old: a stage that was stopped may refer to it when it is ended."""

_HASH = re.compile(r"[0-9a-f]{64}")

REFERRING: tuple[tuple[type[Row], tuple[str, ...]], ...] = (
    (Case, ("brief", "image_sha256")),
    (EvidenceFile, ("sha256", "measurements")),
)
"""Columns in which rows refer to blobs."""

_ANYWHERE = Place(suite="any", edition="any")
"""The columns of a path say nothing about blobs."""


class Doomed(Frozen):
    """What a prune removes, by kind; names in the order of removal."""

    runs: tuple[str, ...] = ()
    snapshots: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    blobs: tuple[str, ...] = ()
    thumbs: tuple[str, ...] = ()
    quarantine: tuple[str, ...] = ()

    def kinds(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """The kinds with their names, in the order of removal."""
        return ((kind, getattr(self, kind)) for kind in type(self).model_fields)


def doomed(store: Store, keep: int, days: float, now: float | None = None) -> Doomed:
    """What a prune would remove.

    keep: so many of the newest runs keep their parts; days: quarantine older than that goes; now: seconds since the epoch.
    """
    now = time.time() if now is None else now
    kept, old = _runs(store, keep)
    stays = set(_snapshots_of(kept))
    snapshots = tuple(n for n in store.names("snapshots") if n not in stays)
    referred = _referred(store, set(snapshots))
    evidence = tuple(
        n
        for n in store.names("evidence", ".json")
        if _is_older(store, n, now, GRACE_S) and not _hashes(store, n) & referred
    )
    remembered = {h for n in store.names("evidence", ".json") if n not in evidence for h in _hashes(store, n)}
    blobs = tuple(
        n for n in store.names("blobs")
        if n.rsplit("/", 1)[1] not in referred | remembered and _is_older(store, n, now, GRACE_S)
    )  # fmt: skip
    gone = {n.rsplit("/", 1)[1] for n in blobs}
    return Doomed(
        runs=tuple(old),
        snapshots=snapshots,
        evidence=evidence,
        blobs=blobs,
        thumbs=tuple(n for n in store.names("thumbs") if _is_orphan(store, n, gone)),
        quarantine=tuple(n for n in store.names("quarantine") if _is_older(store, n, now, days * 24 * 3600)),
    )


def remove_all(store: Store, what: Doomed) -> None:
    """Remove it, in an order in which a stop anywhere leaves nothing that refers to what is gone; safe to repeat."""
    for name in (name for _, names in what.kinds() for name in names):
        store.remove(name)
        folder = name.rsplit("/", 1)[0]
        if "/" in folder:
            store.remove_empty(folder, name.split("/", 1)[0])


def freed(store: Store, names: Iterable[str]) -> int:
    """Bytes that the removal of files gives back: a file that has another name too gives none."""
    return sum(store.frees(n) for n in names)


def _runs(store: Store, keep: int) -> tuple[list[dict[str, Any]], list[str]]:
    """The manifests of the newest runs, and the names of the files of all others, oldest first."""
    found = [(json.loads(store.get(name)), name) for name in store.names("runs", ".json")]
    found.sort(key=lambda one: (one[0].get("finished_at", ""), one[1]))
    cut = max(0, len(found) - keep)
    return [manifest for manifest, _ in found[cut:]], [name for _, name in found[:cut]]


def _snapshots_of(manifests: Iterable[dict[str, Any]]) -> Iterator[str]:
    for manifest in manifests:
        for stand in manifest.get("stands", []):
            yield stand["cases"]
            for kept in stand["kept"]:
                yield from (part["name"] for part in kept["parts"])


def _referred(store: Store, without: set[str]) -> set[str]:
    """Hashes that rows refer to: in sealed parts, in those that wait, and in those that runs keep."""
    found: set[str] = set()
    for model, columns in REFERRING:
        trees = (store.names(f"{tree}/{model.table}", ".parquet") for tree in ("tables", "work", "snapshots"))
        for name in (n for names in trees for n in names if n not in without):
            for text in _texts(store, model, name, columns):
                found.update(_HASH.findall(text))
    return found


def _texts(store: Store, model: type[Row], name: str, columns: tuple[str, ...]) -> Iterator[str]:
    """What stands in some columns of a part."""
    for column in read_part(store, model, _ANYWHERE, name, columns).columns:
        yield from (text for text in column.to_pylist() if text)


def _hashes(store: Store, name: str) -> set[str]:
    return set(_HASH.findall(store.get(name).decode()))


def _is_older(store: Store, name: str, now: float, seconds: float) -> bool:
    return now - store.changed(name) > seconds


def _is_orphan(store: Store, name: str, gone: set[str]) -> bool:
    """Whether a picture for the report is of a blob that goes or is gone."""
    digest = name.rsplit("/", 1)[1].split(".", 1)[0]
    return digest in gone or not store.exists(blob_name(digest))
