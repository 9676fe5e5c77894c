"""Keeping a store for years: its format, one archive of it, and an archive as a store (`zkusebna migrate`, `export`, `import`)."""

from pathlib import Path

from datasets.addresses import is_bucket
from datasets.archive import Archived, bring_in, export
from datasets.bucket_opening import bring_into_bucket, store_at
from datasets.migration import Migrated, format_of, migrate
from datasets.store import Store
from schemas.errors import StoreError
from tasks.turns import writing


def export_store(root: str, file: Path, *, with_secrets: bool) -> Archived:
    """Write an archive of a store that no run is writing to."""
    with writing(root, create=False) as store:
        return export(store, file.expanduser(), with_secrets=with_secrets)


def import_store(file: Path, root: str) -> Archived:
    """Make a store of an archive in a new or empty folder."""
    if not is_bucket(root):
        return bring_in(file.expanduser(), Path(root))
    return bring_into_bucket(file.expanduser(), root)


def migrate_store(root: str, *, is_dry: bool) -> Migrated:
    """Bring a store to this version's format; StoreError where there is none, or where a run is writing to it."""
    store = store_at(root) if is_bucket(root) else Store(Path(root).expanduser().resolve())
    if not store.exists("zkusebna.json"):
        raise StoreError(f"There is no store at {root!r}; `zkusebna run --store PATH` makes one.")
    format_of(store)
    if is_dry:
        return migrate(store, is_dry=True)
    with store.locked():
        return migrate(store)
