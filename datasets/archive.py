"""A store as one file and back: a tar of its files with their hashes, verified before it becomes a store.

The archive is plain tar (Parquet and PNG are compressed already), so `tar -x` and `sha256sum -c SHA256SUMS` open and check it without this
program. `SHA256SUMS` is its last member, so an archive that was cut off has none. Secrets (`secret/`) go in only where that is asked for; cases
of the private part always do, so the file is readable by its owner alone (G-8).
"""

import contextlib
import hashlib
import io
import json
import os
import re
import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, cast

from datasets.folders import sync_folder
from datasets.store import FORMAT, Store
from schemas.errors import StoreError, UsageError
from schemas.exchange import Frozen

SUMS = "SHA256SUMS"
MARKER = "zkusebna.json"
SECRETS = "secret/"
LEFT_OUT = ("tmp/", "signs/", "analysis.duckdb")
"""Files being written, and views that name this machine's paths (`zkusebna views` makes them anew)."""

_CHUNK = 2**20
_LINE = re.compile(r"([0-9a-f]{64})  (.+)")


class Archived(Frozen):
    """What an archive holds: files, bytes of them, and whether the store's secrets are among them."""

    files: int
    size_bytes: int
    has_secrets: bool


def export(store: Store, file: Path, *, with_secrets: bool = False) -> Archived:
    """Write a store into a new file, all or nothing; call it while holding the store's lock.

    UsageError where the file is there already or would stand in the store; StoreError where it cannot be written (a full disk).
    """
    if file.exists():
        raise UsageError(f"{str(file)!r} is there already; give another name, or remove it first.")
    if file.resolve().is_relative_to(store.root):
        raise UsageError(f"{str(file)!r} is in the store itself; give a file outside of it.")
    names = sorted(names_of(store, with_secrets=with_secrets), key=lambda n: (n != MARKER, n))
    unfinished = file.with_name(f".{file.name}.part")
    try:
        with os.fdopen(os.open(unfinished, os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600), "wb") as raw:
            size = _write(store, names, raw)
            raw.flush()
            os.fsync(raw.fileno())
        unfinished.replace(file)
        sync_folder(file.resolve().parent)
    except OSError as problem:
        raise StoreError(
            f"The archive {str(file)!r} cannot be written: {problem}; nothing was left of it."
        ) from problem
    finally:
        unfinished.unlink(missing_ok=True)
    return Archived(files=len(names), size_bytes=size, has_secrets=any(n.startswith(SECRETS) for n in names))


def names_of(store: Store, *, with_secrets: bool) -> Iterator[str]:
    """The files of a store that an archive holds."""
    for name in store.names(""):
        is_lock = name == "lock" or name.endswith((".lock", "/lock"))
        if not is_lock and not name.startswith(LEFT_OUT) and (with_secrets or not name.startswith(SECRETS)):
            yield name


def _write(store: Store, names: list[str], raw: IO[bytes]) -> int:
    """The members and their sums; the bytes of all files. A file with two names is stored once."""
    sums, size = [], 0
    known: dict[tuple[int, int], str] = {}
    with tarfile.open(fileobj=raw, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name in names:
            path = store.path(name)
            member = tar.gettarinfo(path, arcname=name)
            member.uid = member.gid = 0
            member.uname = member.gname = ""
            with path.open("rb") as content:
                node = os.fstat(content.fileno())
                size += node.st_size
                if member.islnk():
                    sums.append(f"{known[node.st_dev, node.st_ino]}  {name}")
                    tar.addfile(member)
                    continue
                told = _Hashing(content)
                tar.addfile(member, cast(IO[bytes], told))
                known[node.st_dev, node.st_ino] = told.digest.hexdigest()
                sums.append(f"{told.digest.hexdigest()}  {name}")
        data = "".join(f"{line}\n" for line in sums).encode()
        last = tarfile.TarInfo(SUMS)
        last.size, last.mode = len(data), 0o600
        tar.addfile(last, io.BytesIO(data))
    return size


class _Hashing:
    """A file that is hashed while it is read."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file, self.digest = file, hashlib.sha256()

    def read(self, size: int = -1) -> bytes:
        """Some bytes."""
        data = self.file.read(size)
        self.digest.update(data)
        return data


def bring_in(file: Path, root: Path) -> Archived:
    """Make a store of an archive in a folder that is new or empty; it is there as a whole or not at all.

    What was unpacked is verified against the sums first, aside of the folder; an import that was stopped is begun anew. UsageError where
    the file is none of ours or the folder holds something; StoreError where the archive is broken or of a newer format.
    """
    root = root.expanduser().resolve()
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        raise UsageError(f"{str(root)!r} holds something already; give a new or empty folder to --store.")
    aside = root.with_name(f".{root.name}.import")
    shutil.rmtree(aside, ignore_errors=True)
    try:
        aside.mkdir(parents=True)
        told = _unpack(file, aside)
        for folder in [*(p for p in aside.rglob("*") if p.is_dir()), aside]:
            sync_folder(folder)
        aside.rename(root)
        sync_folder(root.parent)
    except FileNotFoundError as problem:
        raise UsageError(f"The archive {str(file)!r} is not there.") from problem
    except (tarfile.TarError, EOFError) as problem:
        raise StoreError(f"{str(file)!r} is no whole archive of a store: {problem}.") from problem
    except OSError as problem:
        raise StoreError(
            f"The archive {str(file)!r} cannot be unpacked: {problem}; nothing was left of it."
        ) from problem
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return told


def _unpack(file: Path, home: Path) -> Archived:
    """Unpack into a folder of our own and compare with the sums."""
    found: dict[str, str] = {}
    sums: dict[str, str] | None = None
    size = 0
    with tarfile.open(file, mode="r:") as tar:
        for member in tar:
            if sums is not None or member.name in found:
                raise StoreError(f"{str(file)!r} is no archive of a store: {member.name!r} stands where nothing may.")
            if member.name == SUMS:
                sums = _sums(tar, member)
                continue
            _check_name(file, member)
            found[member.name] = _place(tar, member, home, found)
            size += (home / member.name).stat().st_size
            if member.name == MARKER:
                _check_format(file, home / MARKER)
    _compare(file, found, sums)
    return Archived(files=len(found), size_bytes=size, has_secrets=any(n.startswith(SECRETS) for n in found))


def _sums(tar: tarfile.TarFile, member: tarfile.TarInfo) -> dict[str, str]:
    content = tar.extractfile(member)
    lines = content.read().decode().splitlines() if content else []
    return {m[2]: m[1] for line in lines if (m := _LINE.fullmatch(line))}


def _check_name(file: Path, member: tarfile.TarInfo) -> None:
    name = PurePosixPath(member.name)
    is_ours = not name.is_absolute() and ".." not in name.parts and str(name) == member.name and "\\" not in member.name
    if not is_ours or not (member.isreg() or member.islnk()):
        raise StoreError(
            f"{str(file)!r} is no archive of a store: it holds {member.name!r}, which a store cannot hold."
        )


def _place(tar: tarfile.TarFile, member: tarfile.TarInfo, home: Path, found: dict[str, str]) -> str:
    """Write one member to disk and return its hash; a further name of an earlier one becomes one."""
    path = home / member.name
    path.parent.mkdir(parents=True, exist_ok=True)
    if member.islnk():
        if member.linkname not in found:
            raise StoreError(f"The archive is broken: {member.name!r} is a further name of what is not in it.")
        try:
            path.hardlink_to(home / member.linkname)
        except OSError:
            shutil.copyfile(home / member.linkname, path)
        return found[member.linkname]
    digest = hashlib.sha256()
    content = tar.extractfile(member)
    with path.open("xb") as out, contextlib.closing(cast(IO[bytes], content)) as source:
        os.fchmod(out.fileno(), 0o600 if member.mode & 0o077 == 0 else 0o644)
        while data := source.read(_CHUNK):
            digest.update(data)
            out.write(data)
        out.flush()
        os.utime(out.fileno(), (member.mtime, member.mtime))  # what goes by age goes on ageing
        os.fsync(out.fileno())
    return digest.hexdigest()


def _check_format(file: Path, marker: Path) -> None:
    try:
        found = int(json.loads(marker.read_bytes())["format"])
    except (ValueError, KeyError, TypeError) as problem:
        raise StoreError(f"{str(file)!r} is no archive of a store: its {MARKER} cannot be read.") from problem
    if found > FORMAT:
        raise StoreError(
            f"The store in {str(file)!r} has format {found}, newer than this version's {FORMAT}; use a newer version."
        )


def _compare(file: Path, found: dict[str, str], sums: dict[str, str] | None) -> None:
    if MARKER not in found:
        raise StoreError(f"{str(file)!r} is no archive of a store: it has no {MARKER}.")
    if sums is None:
        raise StoreError(f"The archive {str(file)!r} is cut off: its {SUMS} is missing.")
    if lacking := sorted(sums.keys() ^ found.keys()):
        raise StoreError(f"The archive {str(file)!r} is broken: {lacking[0]!r} is in it or in its {SUMS}, not in both.")
    for name, digest in found.items():
        if sums[name] != digest:
            raise StoreError(
                f"The archive {str(file)!r} is broken: {name!r} does not have the hash that stands in {SUMS}."
            )
