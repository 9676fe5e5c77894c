"""The door to the data root: whole files in, whole files out, never half of one.

<root>/zkusebna.json     format of the store
<root>/tables/           Parquet, one tree a table (`datasets/tables.py`)
<root>/manifests/        one JSON file for each sealed partition
<root>/blobs/ab/abcd…    images and other bytes, named by their hash
<root>/journal/          replies not yet sealed into `calls` (`datasets/journal.py`)
<root>/quarantine/       rows that broke an expectation, with the reason
<root>/editions/         the recipe of each edition
<root>/secret/           the secret seed of the private part and the jury's key, readable by their owner alone (G-8, J-7)
<root>/jury/             the jury's open checks, its draws and its lock (`datasets/checks.py`)
<root>/inbox/            sources of cases of law that people put there
<root>/drafts/           drafts of cases of law with every decision (`datasets/drafts.py`)
<root>/cases/            cases of law that a person has approved (L-4)
<root>/evidence/         what is remembered of each page that was opened (`tasks/collect.py`)
<root>/thumbs/           pictures of the evidence as the report shows them
<root>/history/          how far judges were from people, run after run (A-10)
<root>/analysis.duckdb   views for analysts (`tasks/views.py`)
<root>/compact/          parts of a compaction under way (`datasets/compaction.py`)
<root>/runs/             one file a run: what was asked, with what, what came of it (`tasks/runs.py`)
<root>/snapshots/        the parts that runs ended with, kept for comparisons (`datasets/snapshots.py`)
<root>/signatures/       who signed which ranking over which grades (A-9)
<root>/signs/            by which other machines see that they have the same store (`tasks/dask_runner.py`)
<root>/tmp/              files being written; nobody reads here
"""

import contextlib
import hashlib
import json
import os
import re
import secrets
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path

from datasets.addresses import is_bucket
from datasets.appending import Appending, DiskAppending
from datasets.folders import swap_folders, sync_folder
from schemas.errors import StoreError

FORMAT = 1
"""Version of the store's layout; a store of a newer one is refused."""


class Store:
    """A data root on a local disk.

    Every write goes to `tmp/`, is flushed to disk and renamed: a reader sees the old file, no file or the whole new one.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    @property
    def address(self) -> str:
        """What `open` takes to open this store again, in any process."""
        return str(self.root)

    @classmethod
    def open(cls, root: str | Path, *, create: bool = True) -> "Store":
        """The store at a path or in a bucket (`s3://BUCKET/PREFIX`), made where there is none; StoreError says why it cannot be used."""
        if is_bucket(root):
            from datasets.bucket_opening import open_bucket

            return open_bucket(str(root), create=create)
        store = cls(Path(root))
        try:
            store.root = store.root.expanduser().resolve()
            marker = store.root / "zkusebna.json"
            if not marker.exists():
                if not create:
                    raise StoreError(
                        f"There is no store at {str(store.root)!r}; `zkusebna run --store PATH` makes one."
                    )
                if store.root.exists() and not _is_fresh(store.root):
                    raise StoreError(
                        f"{str(store.root)!r} holds other files and no store; give an empty or new folder to --store."
                    )
                store.put("zkusebna.json", json.dumps({"format": FORMAT}).encode())
            check_format(str(store.root), marker.read_bytes())
            probe = store.root / "tmp" / f"probe-{uuid.uuid4().hex}"
            probe.parent.mkdir(exist_ok=True)
            probe.touch()
            probe.unlink(missing_ok=True)  # a run that begins sweeps what stands in tmp
        except (OSError, RuntimeError, ValueError, KeyError, TypeError) as problem:
            raise StoreError(f"The store at {str(store.root)!r} cannot be used: {problem}.") from problem
        return store

    def path(self, name: str) -> Path:
        """The absolute path of a name in the store, to read from (or, below `tmp/`, to write to)."""
        return self.root / name

    def local(self, folder: str) -> Path:
        """A folder of the store as one on the local disk, with all its files, to read from."""
        return self.root / folder

    def changed(self, name: str) -> float:
        """When a file was written, in seconds since the epoch; FileNotFoundError where there is none."""
        return (self.root / name).stat().st_mtime

    def size(self, name: str) -> int:
        """The bytes of a file; FileNotFoundError where there is none."""
        return (self.root / name).stat().st_size

    def frees(self, name: str) -> int:
        """The bytes that the removal of a file gives back: none where it has a further name."""
        told = (self.root / name).stat()
        return told.st_size if told.st_nlink == 1 else 0

    def appending(self, name: str) -> Appending:
        """A file of lines (`.jsonl`) to add to; read it by the names that `appended` gives."""
        return DiskAppending(self.root / name)

    def appended(self, name: str) -> list[str]:
        """The files that hold what was appended under a name."""
        return [name] if self.exists(name) else []

    def note(self, name: str, line: bytes) -> None:
        """Add a line to a log (`.jsonl`) by one write, so that several processes can; it is not flushed to disk."""
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(self.root / name, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            os.write(handle, line + b"\n")
        finally:
            os.close(handle)

    def put(self, name: str, data: bytes, *, mode: int = 0o644) -> None:
        """Write a whole file, all or nothing, through a temporary file outside the trees that readers scan."""
        full, temporary = self.root / name, self.root / "tmp" / uuid.uuid4().hex
        temporary.parent.mkdir(parents=True, exist_ok=True)
        full.parent.mkdir(parents=True, exist_ok=True)
        try:
            with temporary.open("xb") as file:
                os.fchmod(file.fileno(), mode)
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(full)
        finally:
            temporary.unlink(missing_ok=True)
        sync_folder(full.parent)

    def link(self, name: str, further: str) -> None:
        """Give a file of the store a further name; where the disk knows no hard links, a copy. FileNotFoundError where it is not there."""
        full = self.root / further
        full.parent.mkdir(parents=True, exist_ok=True)
        try:
            full.hardlink_to(self.root / name)
        except FileExistsError:
            return
        except FileNotFoundError:
            raise
        except OSError:
            self.put(further, self.get(name))
        sync_folder(full.parent)

    @contextlib.contextmanager
    def replacing(self, name: str) -> Iterator[Path]:
        """A new, empty folder that takes the place of the one of that name as a whole when the block ends.

        Where the block or the writing fails nothing changes. Whoever reads sees the old folder or the new one, whole.
        """
        full, home = self.root / name, self.root / "tmp" / uuid.uuid4().hex
        new = home / "new"
        try:
            new.mkdir(parents=True)
            yield new
            for folder in [*(p for p in new.rglob("*") if p.is_dir()), new]:
                sync_folder(folder)
            swap_folders(new, full, home / "old")
            sync_folder(full.parent)
        finally:
            shutil.rmtree(home, ignore_errors=True)

    def get(self, name: str) -> bytes:
        """The bytes of a file; FileNotFoundError where there is none."""
        return (self.root / name).read_bytes()

    def exists(self, name: str) -> bool:
        """Whether the file is there."""
        return (self.root / name).exists()

    def names(self, prefix: str, suffix: str = "") -> list[str]:
        """Names of all files below a folder of the store, sorted."""
        base = self.root / prefix
        found = (p for p in base.rglob(f"*{suffix}") if p.is_file()) if base.exists() else iter(())
        return sorted(str(p.relative_to(self.root)) for p in found)

    def remove(self, name: str) -> None:
        """Remove a file; nothing happens where there is none."""
        (self.root / name).unlink(missing_ok=True)

    def put_blob(self, data: bytes) -> str:
        """Keep bytes under their hash (sha256, hex) and return it; bytes that are there are not written again."""
        digest = hashlib.sha256(data).hexdigest()
        if not self.exists(blob_name(digest)):
            self.put(blob_name(digest), data)
        return digest

    def get_blob(self, digest: str) -> bytes:
        """The bytes with a hash."""
        return self.get(blob_name(digest))

    def private_seed(self, given: str | None) -> str:
        """The secret seed of the private part: the given one, else a random one that is made once and kept (G-8)."""
        return self.kept_secret("secret/private_seed", given)

    def kept_secret(self, name: str, given: str | None) -> str:
        """The given secret, else a random one that is made once, kept under this name and readable by its owner alone."""
        if given:
            return given
        if not self.exists(name):
            with self.lock("secret/lock"):
                if not self.exists(name):
                    self.put(name, secrets.token_hex(32).encode(), mode=0o600)
        return self.get(name).decode()

    @contextlib.contextmanager
    def lock(self, name: str, taken: str | None = None) -> Iterator[None]:
        """One holder of a name at a time, over processes; the lock goes with its process.

        taken: the sentence of the StoreError that is raised at once where another one has it; None: wait.
        """
        from filelock import FileLock, Timeout

        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self.root / name, timeout=-1 if taken is None else 0)
        try:
            lock.acquire()
        except Timeout as problem:
            raise StoreError(taken or "") from problem
        try:
            yield
        finally:
            lock.release()

    def locked(self) -> contextlib.AbstractContextManager[None]:
        """One writing run a store; StoreError at once where another has it (the lock goes with its process)."""
        return self.lock("lock", f"Another run is writing to the store at {self.address!r}; wait for it to end.")

    def sealing(self) -> contextlib.AbstractContextManager[None]:
        """One process at a time adds to tables that only grow, or compacts them; the others wait, which is short."""
        return self.lock("sealing.lock")

    def remove_empty(self, name: str, top: str) -> None:
        """Remove a folder, and those above it up to `top`, as long as they are empty."""
        folder = self.root / name
        while folder != self.root and folder.is_relative_to(self.root / top):
            try:
                folder.rmdir()
            except FileNotFoundError:
                pass
            except OSError:
                return
            folder = folder.parent

    def sweep(self) -> None:
        """Remove what a killed run left in `tmp/` and `signs/`; call it only while holding the lock."""
        for name in [*self.names("tmp"), *self.names("signs")]:
            self.remove(name)
        for folder in (self.root / "tmp").glob("*/"):
            shutil.rmtree(folder, ignore_errors=True)


def check_format(address: str, marker: bytes) -> None:
    """StoreError where a store is of another format than this version's; ValueError, KeyError or TypeError where its marker is none."""
    found = json.loads(marker)["format"]
    if found > FORMAT:
        raise StoreError(
            f"The store at {address!r} has format {found}, newer than this version's {FORMAT};"
            " use the version of Zkušebna that wrote it, or another --store."
        )
    if found < FORMAT:
        raise StoreError(
            f"The store at {address!r} has format {found}, older than this version's {FORMAT};"
            " `zkusebna migrate` brings it there."
        )


def _is_fresh(root: Path) -> bool:
    """Whether a folder is empty, or holds only what a store leaves that was killed while being made."""
    ours = re.compile(r"(probe-)?[0-9a-f]{32}")
    return all(p.name == "tmp" and all(ours.fullmatch(f.name) for f in p.iterdir()) for p in root.iterdir())


def blob_name(digest: str) -> str:
    """Where a blob stands in the store."""
    return f"blobs/{digest[:2]}/{digest}"
