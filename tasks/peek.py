"""A look into a store without a trace: nothing is created, nothing is written."""

import json
from pathlib import Path

from datasets.addresses import is_bucket
from datasets.bucket_opening import peek_bucket
from datasets.store import FORMAT, Store
from schemas.errors import StoreError


def peek(root: str | Path) -> Store | None:
    """The store at a path, or in a bucket, for reading alone, without a trace; None where there is none."""
    if is_bucket(root):
        return peek_bucket(str(root))
    root = Path(root)
    marker = root.expanduser() / "zkusebna.json"
    if not marker.exists():
        return None
    try:
        found = json.loads(marker.read_bytes())["format"]
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise StoreError(f"The store at {str(root)!r} cannot be read: {problem}.") from problem
    if found > FORMAT:
        raise StoreError(f"The store at {str(root)!r} has format {found}, newer than this version's {FORMAT}.")
    return Store(marker.parent.resolve())


def kept_seed(store: Store | None) -> str:
    """The secret seed that the store keeps; without one every set is new."""
    name = "secret/private_seed"
    return store.get(name).decode() if store and store.exists(name) else "none yet"
