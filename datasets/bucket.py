"""A store in a bucket of an object store (`s3://BUCKET/PREFIX`), the same names as on a disk.

What is read as a file (Parquet parts, pictures) is kept in a copy on the local disk, in the user's folder for caches; the copy can be removed
when no run is under way, but for `spool/` (`datasets/bucket_lines.py`). `tmp/` and `analysis.duckdb` are the machine's own, not in the bucket.

Three things differ from a disk. A lock is a lease of a minute (`datasets/leases.py`). A folder is not replaced in one step: new files are
written first, the page that leads to them last, and old ones are removed after. Replies are in the bucket a second after they are safe here.
"""

import contextlib
import hashlib
import os
import secrets
import shutil
import uuid
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from datasets.appending import base_of
from datasets.bucket_lines import BucketAppending, Logs, send_left
from datasets.leases import LASTS_S, Lease
from datasets.objects import Bucket, ChangedError
from datasets.store import Store
from schemas.errors import StoreError

T = TypeVar("T")

AT_ONCE = 16
"""Requests side by side where many files are fetched or written."""

OWN = ("tmp/", "analysis.duckdb", "spool/")
"""Names that stand on the local disk alone."""

FIXED = ("blobs/", "snapshots/")
"""Names that say what is in them: what is in the local copy is as it is in the bucket."""


class BucketStore(Store):
    """A data root in a bucket, with a copy of what was read on the local disk (`root`)."""

    def __init__(self, address: str) -> None:
        self._address = address
        self.bucket = Bucket(address)
        super().__init__(_cache_of(address))
        self._writer = uuid.uuid4().hex[:12]
        self._logs = Logs(self._send, self._writer)
        self._openings = 0
        self._held: list[Lease] = []

    @property
    def address(self) -> str:
        """What `Store.open` takes to open this store again, on any machine."""
        return self._address

    def path(self, name: str) -> Path:
        """The local copy of a file, as it is in the bucket now; where there is none in the bucket, there is none there."""
        full = self.root / name
        if name.startswith(OWN) or (name.startswith(FIXED) and full.is_file()):
            return full
        try:
            tag = self.bucket.head(name).tag
        except FileNotFoundError:
            if full.is_file():
                full.unlink(missing_ok=True)
            return full
        if not (full.is_file() and full.stat().st_mtime_ns == _stamp(tag)):
            with contextlib.suppress(FileNotFoundError):
                self._keep(name, *self.bucket.get(name))
        return full

    def local(self, folder: str) -> Path:
        """A folder as a local copy with exactly the files that are in the bucket now."""
        there = set(self.names(folder))
        base = self.root / folder
        for path in [p for p in base.rglob("*") if p.is_file()] if base.exists() else ():
            if str(path.relative_to(self.root)) not in there:
                path.unlink(missing_ok=True)
        side_by_side(self.path, there)
        return base

    def put(self, name: str, data: bytes, *, mode: int = 0o644) -> None:
        """Write a whole object in one request; StoreError where another run has taken over a lock of this one."""
        if name.startswith(OWN):
            super().put(name, data, mode=mode)
            return
        self._check_locks()
        tag = self.bucket.put(name, data)
        if name.endswith(".parquet") or name.startswith(FIXED):
            self._keep(name, data, tag)

    def link(self, name: str, further: str) -> None:
        """Copy a file to a further name, inside the bucket; FileNotFoundError where it is not there."""
        if further.startswith(OWN):
            super().put(further, self.get(name))
        elif not self.exists(further):
            self._check_locks()
            self.bucket.copy(name, further)

    @contextlib.contextmanager
    def replacing(self, name: str) -> Iterator[Path]:
        """A new, empty folder whose files take the place of those of that name when the block ends; where it fails nothing changes."""
        home = self.root / "tmp" / uuid.uuid4().hex
        new = home / "new"
        try:
            new.mkdir(parents=True)
            yield new
            files = {f"{name}/{p.relative_to(new)}": p for p in new.rglob("*") if p.is_file()}
            old = [there for there in self.names(name) if there not in files]
            last = {there for there in files if there.endswith("/index.html")}
            side_by_side(lambda there: self.put(there, files[there].read_bytes()), files.keys() - last)
            side_by_side(lambda there: self.put(there, files[there].read_bytes()), last)
            side_by_side(self.remove, old)
        finally:
            shutil.rmtree(home, ignore_errors=True)

    def get(self, name: str) -> bytes:
        """The bytes of a file; FileNotFoundError where there is none."""
        full = self.root / name
        if name.startswith(OWN) or (name.startswith(FIXED) and full.is_file()):
            return full.read_bytes()
        data, tag = self.bucket.get(name)
        if name.startswith(FIXED):
            self._keep(name, data, tag)
        return data

    def exists(self, name: str) -> bool:
        """Whether the file is there."""
        if name.startswith(OWN):
            return super().exists(name)
        try:
            self.bucket.head(name)
        except FileNotFoundError:
            return False
        return True

    def changed(self, name: str) -> float:
        """When a file was written, in seconds since the epoch; FileNotFoundError where there is none."""
        return self.bucket.head(name).changed

    def size(self, name: str) -> int:
        """The bytes of a file; FileNotFoundError where there is none."""
        return self.bucket.head(name).size

    def frees(self, name: str) -> int:
        """The bytes that the removal of a file gives back: here all."""
        return self.size(name)

    def names(self, prefix: str, suffix: str = "") -> list[str]:
        """Names of all files below a folder of the store, sorted."""
        if prefix.startswith(OWN) or f"{prefix}/" in OWN:
            return super().names(prefix, suffix)
        return sorted(name for name in self.bucket.names(prefix) if name.endswith(suffix))

    def remove(self, name: str) -> None:
        """Remove a file; nothing happens where there is none."""
        if not name.startswith(OWN):
            self._check_locks()
            self.bucket.remove(name)
        super().remove(name)

    def remove_empty(self, name: str, top: str) -> None:
        """Nothing: a bucket has no empty folders."""

    def appending(self, name: str) -> BucketAppending:
        """A file of lines to add to; they are in the bucket at most a second after they are safe on the local disk."""
        self._openings += 1
        return BucketAppending(self._send, self.root / "spool", name, f"{self._writer}{self._openings:04x}")

    def appended(self, name: str) -> list[str]:
        """The files that hold what was appended under a name."""
        folder = name.rpartition("/")[0]
        return [there for there in self.names(folder, ".jsonl") if base_of(there) == name or there == name]

    def note(self, name: str, line: bytes) -> None:
        """Add a line to a log."""
        self._logs.note(name, line)

    def kept_secret(self, name: str, given: str | None) -> str:
        """The given secret, else a random one that is made once and kept under this name, for whoever may read the bucket."""
        if given:
            return given
        with contextlib.suppress(ChangedError):
            if not self.exists(name):
                self.bucket.put_new(name, secrets.token_hex(32).encode())
        return self.get(name).decode()

    @contextlib.contextmanager
    def lock(self, name: str, taken: str | None = None) -> Iterator[None]:
        """One holder of a name at a time, over machines; that of a process that was killed is free after a minute.

        taken: the sentence of the StoreError that is raised at once where another one has it; None: wait.
        """
        lease = Lease(self.bucket, name)
        if taken is None:
            lease.wait()
        elif not lease.acquire():
            raise StoreError(f"{taken} One that was killed gives way after {LASTS_S:.0f} s.")
        self._held.append(lease)
        try:
            yield
        finally:
            self._held.remove(lease)
            lease.release()

    def sweep(self) -> None:
        """Send what a killed run left in the spool, and remove what it left in `tmp/`; call it only while holding the lock."""
        send_left(self._send, self.root / "spool")
        super().sweep()

    def _send(self, name: str, data: bytes) -> None:
        self._check_locks()
        self.bucket.put(name, data)

    def _check_locks(self) -> None:
        if any(lease.is_lost for lease in tuple(self._held)):
            raise StoreError(
                f"Another run has taken over the store at {self.address!r}, since this one was cut off from it for a minute;"
                " nothing more is written. What is done is kept; run again to do the rest."
            )

    def _keep(self, name: str, data: bytes, tag: str) -> None:
        """Keep a copy on the local disk, with the object's tag in its time, all at once."""
        full, temporary = self.root / name, self.root / "tmp" / uuid.uuid4().hex
        full.parent.mkdir(parents=True, exist_ok=True)
        temporary.parent.mkdir(parents=True, exist_ok=True)
        try:
            temporary.write_bytes(data)
            temporary.chmod(0o600)
            os.utime(temporary, ns=(_stamp(tag), _stamp(tag)))
            temporary.replace(full)
        finally:
            temporary.unlink(missing_ok=True)


def _cache_of(address: str) -> Path:
    """Where the local copy of a store stands."""
    from platformdirs import user_cache_path

    return user_cache_path("zkusebna") / hashlib.sha256(address.encode()).hexdigest()[:16]


def _stamp(tag: str) -> int:
    """An object's tag as a time of a file, in nanoseconds, so that a copy and what it is a copy of come to be in one step."""
    return int(hashlib.sha256(tag.encode()).hexdigest()[:14], 16)


def side_by_side(act: Callable[[str], T], names: Iterable[str]) -> None:
    """Do the same with many names, some at once; the first error is raised."""
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for _ in pool.map(act, sorted(names)):
            pass
