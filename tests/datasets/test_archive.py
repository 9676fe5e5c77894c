"""One file of a store and back: other programs open and check it, and nothing broken, foreign or unfinished becomes a store."""

import hashlib
import io
import json
import os
import stat
import subprocess
import tarfile
from pathlib import Path

import pytest
from row_support import PLACE, call, new_store

from datasets import archive
from datasets.archive import bring_in, export
from datasets.store import FORMAT, Store
from datasets.tables import seal, write_part
from schemas.call import Call
from schemas.errors import StoreError, UsageError


@pytest.fixture
def store(tmp_path):
    """A store with a table, a blob under a second name, a secret, and what no archive holds."""
    made = new_store(tmp_path)
    seal(made, Call, PLACE, [write_part(made, Call, PLACE, "k", 0, [call(1)])])
    made.put("snapshots/x/a.bin", os.urandom(3_000_000))
    made.link("snapshots/x/a.bin", "snapshots/x/b.bin")
    made.kept_secret("secret/private_seed", None)
    made.put("jury/checks/c1.json", b"{}", mode=0o600)
    made.put("analysis.duckdb", b"views")
    (made.root / "jury" / "sitting.lock").touch()
    with made.locked():
        pass
    return made


def content(root):
    return {str(p.relative_to(root)): p.read_bytes() for p in Path(root).rglob("*") if p.is_file()}


def kept(root):
    files = content(root)
    return {
        n: d for n, d in files.items() if n != "analysis.duckdb" and not n.startswith("tmp/") and not n.endswith("lock")
    }


@pytest.mark.parametrize("with_secrets", [False, True])
def test_a_store_comes_back_as_it_was(tmp_path, store, with_secrets):
    told = export(store, tmp_path / "a.tar", with_secrets=with_secrets)
    back = bring_in(tmp_path / "a.tar", tmp_path / "new")
    wanted = {n: d for n, d in kept(store.root).items() if with_secrets or not n.startswith("secret/")}
    assert content(tmp_path / "new") == wanted
    assert told == back
    assert (told.files, told.size_bytes, told.has_secrets) == (
        len(wanted),
        sum(map(len, wanted.values())),
        with_secrets,
    )
    Store.open(tmp_path / "new", create=False)
    one, other = (tmp_path / "new/snapshots/x" / n for n in ("a.bin", "b.bin"))
    assert one.samefile(other)
    for name in ["jury/checks/c1.json", *(["secret/private_seed"] if with_secrets else [])]:
        assert stat.S_IMODE((tmp_path / "new" / name).stat().st_mode) == 0o600
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.tar", "new", "store"]


def test_other_programs_open_and_check_it(tmp_path, store):
    """GNU tar and sha256sum; a file with two names is in it once, and only its owner can read it."""
    file = tmp_path / "a.tar"
    export(store, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.stat().st_size < 3_500_000
    (tmp_path / "x").mkdir()
    subprocess.run(["tar", "-xf", str(file), "-C", str(tmp_path / "x")], check=True)
    done = subprocess.run(
        ["sha256sum", "--strict", "-c", "SHA256SUMS"], cwd=tmp_path / "x", capture_output=True, text=True, check=True
    )
    assert done.stdout.count(": OK\n") == len(content(tmp_path / "x")) - 1
    secret = store.get("secret/private_seed")
    assert secret not in file.read_bytes()


def test_a_file_that_is_there_and_one_in_the_store_are_refused(tmp_path, store):
    (tmp_path / "a.tar").write_bytes(b"mine")
    with pytest.raises(UsageError, match=r"a.tar' is there already; give another name"):
        export(store, tmp_path / "a.tar")
    assert (tmp_path / "a.tar").read_bytes() == b"mine"
    with pytest.raises(UsageError, match="is in the store itself"):
        export(store, store.root / "a.tar")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_leaves_nothing(tmp_path, store, monkeypatch):
    """The disk is Linux' `/dev/full`, on which every write fails."""
    real = os.open
    monkeypatch.setattr(
        archive.os, "open", lambda p, *rest: real("/dev/full" if str(p).endswith(".part") else p, os.O_WRONLY)
    )
    with pytest.raises(StoreError, match=r"cannot be written: .*No space left on device; nothing was left of it"):
        export(store, tmp_path / "a.tar")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["store"]


def test_a_folder_that_holds_something_is_refused(tmp_path, store):
    export(store, tmp_path / "a.tar")
    with pytest.raises(UsageError, match="holds something already; give a new or empty folder"):
        bring_in(tmp_path / "a.tar", store.root)
    (tmp_path / "empty").mkdir()
    bring_in(tmp_path / "a.tar", tmp_path / "empty")
    Store.open(tmp_path / "empty", create=False)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.9, 0.999])
def test_an_archive_that_was_cut_off_becomes_no_store(tmp_path, store, share):
    file = tmp_path / "a.tar"
    export(store, file)
    data = file.read_bytes()
    file.write_bytes(data[: int(len(data.rstrip(b"\0")) * share)])
    with pytest.raises(StoreError, match=r"cut off|no whole archive|no archive|cannot be unpacked|broken"):
        bring_in(file, tmp_path / "new")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.tar", "store"]


def test_a_changed_byte_is_found_and_named(tmp_path, store):
    file = tmp_path / "a.tar"
    export(store, file)
    data = bytearray(file.read_bytes())
    data[data.find(store.get("snapshots/x/a.bin")) + 1_000_000] ^= 1
    file.write_bytes(data)
    with pytest.raises(StoreError, match=r"is broken: 'snapshots/x/a.bin' does not have the hash"):
        bring_in(file, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_what_is_not_there_and_what_is_no_archive(tmp_path):
    with pytest.raises(UsageError, match=r"'.*none.tar' is not there"):
        bring_in(tmp_path / "none.tar", tmp_path / "new")
    (tmp_path / "text.tar").write_text("not a tar" * 200)
    with pytest.raises(StoreError, match="is no whole archive of a store"):
        bring_in(tmp_path / "text.tar", tmp_path / "new")
    assert not (tmp_path / "new").exists()


def tar_of(path, *members):
    """An archive of one's own with right sums, as somebody hostile makes it; a member is a name, bytes or a TarInfo."""
    sums = ""
    with tarfile.open(path, "w") as tar:
        for name, given in members:
            info = given if isinstance(given, tarfile.TarInfo) else tarfile.TarInfo(name)
            data = b"" if isinstance(given, tarfile.TarInfo) else given
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
            sums += f"{hashlib.sha256(data).hexdigest()}  {name}\n"
        last = tarfile.TarInfo("SHA256SUMS")
        last.size = len(sums.encode())
        tar.addfile(last, io.BytesIO(sums.encode()))
    return path


MARKER = ("zkusebna.json", json.dumps({"format": FORMAT}).encode())


def link(kind, target):
    info = tarfile.TarInfo("tables/x")
    info.type, info.linkname = kind, target
    return info


@pytest.mark.parametrize(
    ("member", "why"),
    [
        (("../outside", b"x"), "it holds '../outside'"),
        (("/etc/outside", b"x"), "it holds '/etc/outside'"),
        (("tables/../../outside", b"x"), "which a store cannot hold"),
        (("tables/x", link(tarfile.SYMTYPE, "/etc/passwd")), "it holds 'tables/x'"),
        (("tables/x", link(tarfile.LNKTYPE, "/etc/passwd")), "a further name of what is not in it"),
        (("tables/x", link(tarfile.CHRTYPE, "")), "it holds 'tables/x'"),
        (MARKER, "stands where nothing may"),
    ],
)
def test_an_archive_writes_nowhere_but_into_its_store(tmp_path, member, why):
    file = tar_of(tmp_path / "a.tar", MARKER, member)
    with pytest.raises(StoreError, match=why):
        bring_in(file, tmp_path / "deep" / "new")
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["a.tar", "deep"]


@pytest.mark.parametrize(
    ("marker", "why"),
    [
        (b'{"format": 99}', "has format 99, newer than this version's"),
        (b"[]", "its zkusebna.json cannot be read"),
        (None, "it has no zkusebna.json"),
    ],
)
def test_an_archive_of_a_newer_version_or_of_something_else_is_refused(tmp_path, marker, why):
    file = tar_of(tmp_path / "a.tar", ("a", b"x"), *([("zkusebna.json", marker)] if marker else []))
    with pytest.raises(StoreError, match=why):
        bring_in(file, tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_an_import_that_was_stopped_is_begun_anew(tmp_path, store, monkeypatch):
    export(store, tmp_path / "a.tar")
    (tmp_path / ".new.import" / "tables").mkdir(parents=True)
    (tmp_path / ".new.import" / "tables" / "left").write_bytes(b"by a kill")
    bring_in(tmp_path / "a.tar", tmp_path / "new")
    assert content(tmp_path / "new") == {n: d for n, d in kept(store.root).items() if not n.startswith("secret/")}
    assert not (tmp_path / ".new.import").exists()
