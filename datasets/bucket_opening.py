"""A store in a bucket opened, looked into, or made of an archive; one sentence for whatever stands in the way."""

import functools
import tempfile
import uuid
from pathlib import Path

from datasets.addresses import tidy
from datasets.archive import MARKER, Archived, bring_in
from datasets.bucket import BucketStore, side_by_side
from datasets.store import FORMAT, Store, check_format
from schemas.errors import StoreError, UsageError


def open_bucket(address: str, *, create: bool = True) -> BucketStore:
    """The store in a bucket, made where there is none; StoreError where it cannot be used, with the reason."""
    store = store_at(tidy(address))
    try:
        marker = store.get(MARKER) if store.exists(MARKER) else _made(store, create=create)
        check_format(store.address, marker)
        _probe(store)
    except FileNotFoundError as problem:
        raise StoreError(f"There is no bucket for {store.address!r}; make it first, or give another one.") from problem
    except PermissionError as problem:
        raise StoreError(
            f"The store at {store.address!r} cannot be used: {problem}; give AWS_ACCESS_KEY_ID a key that may list, read, write and delete there."
        ) from problem
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise StoreError(f"The store at {store.address!r} cannot be used: {problem}.") from problem
    return store


def _made(store: BucketStore, *, create: bool) -> bytes:
    """Make a store below an empty prefix; its marker. StoreError where none is to be made, or something else is there."""
    if not create:
        raise StoreError(f"There is no store at {store.address!r}; `zkusebna run --store {store.address}` makes one.")
    if store.names(""):
        raise StoreError(f"{store.address!r} holds other objects and no store; give an empty prefix to --store.")
    marker = f'{{"format": {FORMAT}}}'.encode()
    store.put(MARKER, marker)
    return marker


def peek_bucket(address: str) -> BucketStore | None:
    """The store in a bucket for reading alone, without a trace; None where there is none, StoreError where it cannot be read."""
    store = store_at(tidy(address))
    try:
        check_format(store.address, store.get(MARKER))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as problem:
        raise StoreError(f"The store at {store.address!r} cannot be read: {problem}.") from problem
    return store


@functools.cache
def store_at(address: str) -> BucketStore:
    """The store at an address, whether or not there is one; one in a process, so that all threads share connections and locks."""
    return BucketStore(address)


_PROBED: set[str] = set()


def _probe(store: BucketStore) -> None:
    """Write and remove an object, once in a process: what may not write is told before work begins."""
    if store.address not in _PROBED:
        probe = f"probe-{uuid.uuid4().hex}"
        store.bucket.put(probe, b"")
        store.bucket.remove(probe)
        _PROBED.add(store.address)


def bring_into_bucket(file: Path, address: str) -> Archived:
    """Make a store of an archive below a prefix that is new or empty; its marker is written last, so that it is a store as a whole or none.

    An import that was stopped is begun anew once what it left was removed. Errors are those of `bring_in`; StoreError where the bucket
    cannot be used.
    """
    store = store_at(tidy(address))
    try:
        if store.names(""):
            raise UsageError(f"{address!r} holds something already; give a new or empty prefix to --store.")
        _probe(store)
        with tempfile.TemporaryDirectory(prefix="zkusebna-") as home:
            told = bring_in(file, Path(home) / "store")
            unpacked = Store(Path(home) / "store")
            side_by_side(lambda name: store.put(name, unpacked.get(name)), set(unpacked.names("")) - {MARKER})
            store.put(MARKER, unpacked.get(MARKER))
    except OSError as problem:
        raise StoreError(f"The archive cannot be brought to {address!r}: {problem}.") from problem
    return told
