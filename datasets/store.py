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
<root>/tmp/              files being written; nobody reads here
"""

import contextlib
import ctypes
import hashlib
import json
import os
import re
import secrets
import shutil
import uuid
from collections.abc import Iterator
from pathlib import Path

from schemas.errors import StoreError

FORMAT = 1
"""Version of the store's layout; a store of a newer one is refused."""


class Store:
    """A data root on a local disk.

    Every write goes to `tmp/`, is flushed to disk and renamed: a reader sees the old file, no file or the whole new one.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def open(cls, root: str | Path, *, create: bool = True) -> "Store":
        """The store at a path, made where there is none; StoreError where it cannot be used, with the reason."""
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
            found = json.loads(marker.read_bytes())["format"]
            if found > FORMAT:
                raise StoreError(
                    f"The store at {str(store.root)!r} has format {found}, newer than this version's {FORMAT};"
                    " use the version of Zkušebna that wrote it, or another --store."
                )
            if found < FORMAT:
                raise StoreError(
                    f"The store at {str(store.root)!r} has format {found}, older than this version's {FORMAT};"
                    " `zkusebna migrate` brings it there."
                )
            probe = store.root / "tmp" / f"probe-{uuid.uuid4().hex}"
            probe.parent.mkdir(exist_ok=True)
            probe.touch()
            probe.unlink(missing_ok=True)  # a run that begins sweeps what stands in tmp
        except (OSError, RuntimeError, ValueError, KeyError, TypeError) as problem:
            raise StoreError(f"The store at {str(store.root)!r} cannot be used: {problem}.") from problem
        return store

    def path(self, name: str) -> Path:
        """The absolute path of a name in the store."""
        return self.root / name

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
            from filelock import FileLock

            (self.root / "secret").mkdir(exist_ok=True)
            with FileLock(self.root / "secret" / "lock"):
                if not self.exists(name):
                    self.put(name, secrets.token_hex(32).encode(), mode=0o600)
        return self.get(name).decode()

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """One writing run a store; StoreError at once where another has it (the lock goes with its process)."""
        from filelock import FileLock, Timeout

        lock = FileLock(self.root / "lock", timeout=0)
        try:
            lock.acquire()
        except Timeout as problem:
            raise StoreError(
                f"Another run is writing to the store at {str(self.root)!r}; wait for it to end."
            ) from problem
        try:
            yield
        finally:
            lock.release()

    @contextlib.contextmanager
    def sealing(self) -> Iterator[None]:
        """One process at a time adds to tables that only grow, or compacts them; the others wait, which is short."""
        from filelock import FileLock

        with FileLock(self.root / "sealing.lock"):
            yield

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
        """Remove what a killed run left in `tmp/`; call it only while holding the lock."""
        for name in self.names("tmp"):
            self.remove(name)
        for folder in (self.root / "tmp").glob("*/"):
            shutil.rmtree(folder, ignore_errors=True)


def sync_folder(folder: Path) -> None:
    """Flush a folder to disk, so that the names of new files in it last."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def swap_folders(new: Path, full: Path, aside: Path) -> None:
    """Put a new folder in the place of another one, which goes aside; in one step where the system can exchange two names."""
    if not full.exists():
        new.rename(full)
    elif full.is_dir() and _exchanged(new, full):
        return  # what was there is now where the new one was
    else:
        full.rename(aside)
        try:
            new.rename(full)
        except OSError:
            aside.rename(full)
            raise


def _exchanged(one: Path, other: Path) -> bool:
    """Whether two names were exchanged by one call of the system (Linux); False where it has no such call."""
    try:
        call = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return False
    here, exchange = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    return int(call(here, os.fsencode(one), here, os.fsencode(other), exchange)) == 0


def _is_fresh(root: Path) -> bool:
    """Whether a folder is empty, or holds only what a store leaves that was killed while being made."""
    ours = re.compile(r"(probe-)?[0-9a-f]{32}")
    return all(p.name == "tmp" and all(ours.fullmatch(f.name) for f in p.iterdir()) for p in root.iterdir())


def blob_name(digest: str) -> str:
    """Where a blob stands in the store."""
    return f"blobs/{digest[:2]}/{digest}"
