"""The door to the data root: kills at random moments, strangers' folders, locks between processes, the secret seed."""

import hashlib
import json
import multiprocessing
import os
import random
import stat
import threading
import time
from pathlib import Path

import pytest
import storage_children
from row_support import new_store

from datasets.store import FORMAT, Store, blob_name
from schemas.errors import StoreError

children = multiprocessing.get_context("forkserver")
children.set_forkserver_preload(["asyncio", "multiprocessing.connection", "datasets.journal"])
NAMES = ["tables/t/suite=a/part-1.parquet", "tables/t/suite=a/part-2.parquet", "manifests/t/suite=a.json"]


def visible(store):
    """The files outside `tmp/`, read as a stranger would: while the child is writing."""
    return {name: store.get(name) for tree in ("tables", "manifests") for name in store.names(tree)}


@pytest.mark.parametrize("kills", [40, pytest.param(400, marks=pytest.mark.slow)])
def test_a_killed_writer_leaves_no_broken_file(tmp_path, kills):
    store = new_store(tmp_path)
    moments, reads, left = random.Random(kills), 0, 0
    for _ in range(kills):
        child = children.Process(target=storage_children.write_for_ever, args=(str(store.root), NAMES))
        child.start()
        while not store.names("tmp"):
            time.sleep(0.001)
        end = time.monotonic() + moments.uniform(0, 0.04)
        while time.monotonic() < end:
            found = visible(store)
            assert all(map(storage_children.is_whole, found.values()))
            reads += len(found)
        child.kill()
        child.join()
        assert set(visible(store)) <= set(NAMES)
        assert all(map(storage_children.is_whole, visible(store).values()))
        left += bool(store.names("tmp"))
        store.sweep()
        assert store.names("tmp") == []
    assert reads > kills  # there were files to read while they were written
    assert left  # some kills came in mid-write


def test_put_is_whole_even_when_it_fails_half_way(tmp_path, monkeypatch):
    store = new_store(tmp_path)
    store.put("tables/x", b"old")

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        store.put("tables/x", b"new")
    assert store.get("tables/x") == b"old"
    assert store.names("tmp") == []


def test_files_and_their_folder_are_flushed_before_put_returns(tmp_path, monkeypatch):
    store = new_store(tmp_path)
    flushed, really = [], os.fsync
    monkeypatch.setattr(os, "fsync", lambda f: (flushed.append(os.fstat(f)), really(f)))
    store.put("tables/a/x", b"12345")
    file, folder = flushed
    assert file.st_ino == store.path("tables/a/x").stat().st_ino
    assert file.st_size == 5
    assert folder.st_ino == store.path("tables/a").stat().st_ino


def test_names_are_sorted_files_below_a_folder(tmp_path):
    store = new_store(tmp_path)
    for name in ("tables/b/2.parquet", "tables/a/1.parquet", "tables/a/note.txt", "blobs/x.parquet"):
        store.put(name, b"x")
    assert store.names("tables", ".parquet") == ["tables/a/1.parquet", "tables/b/2.parquet"]
    assert store.names("tables/a") == ["tables/a/1.parquet", "tables/a/note.txt"]
    assert store.names("nowhere") == []
    store.remove("tables/a/1.parquet")
    store.remove("tables/a/1.parquet")
    assert not store.exists("tables/a/1.parquet")
    with pytest.raises(FileNotFoundError):
        store.get("tables/a/1.parquet")


def test_blobs_stand_under_their_hash_and_are_written_once(tmp_path):
    store = new_store(tmp_path)
    digest = store.put_blob(b"PNG")
    assert digest == hashlib.sha256(b"PNG").hexdigest()
    before = store.path(blob_name(digest)).stat()
    assert store.put_blob(b"PNG") == digest
    assert store.path(blob_name(digest)).stat().st_mtime_ns == before.st_mtime_ns
    assert store.path(blob_name(digest)).stat().st_ino == before.st_ino
    assert store.get_blob(digest) == b"PNG"


# What is refused, each in one sentence


def refusal(root, **options):
    with pytest.raises(StoreError) as caught:
        Store.open(root, **options)
    told = str(caught.value)
    assert told.endswith(".")
    assert "\n" not in told
    assert str(root) in told
    return told


def test_a_store_opens_again_and_is_made_only_on_demand(tmp_path):
    assert "no store" in refusal(tmp_path / "s", create=False)
    assert not (tmp_path / "s").exists()
    Store.open(tmp_path / "s")
    assert json.loads((tmp_path / "s" / "zkusebna.json").read_bytes()) == {"format": FORMAT}
    assert Store.open(tmp_path / "s", create=False).root == (tmp_path / "s").resolve()


def test_a_store_of_a_newer_format_is_refused(tmp_path):
    new_store(tmp_path).put("zkusebna.json", json.dumps({"format": FORMAT + 1}).encode())
    told = refusal(tmp_path / "store")
    assert f"has format {FORMAT + 1}, newer than this version's {FORMAT}" in told


@pytest.mark.parametrize("marker", [b"", b"{", b"[]", b"{}", b'{"format": "one"}', b"\xff"])
def test_a_broken_marker_is_refused(tmp_path, marker):
    new_store(tmp_path).put("zkusebna.json", marker)
    assert "cannot be used" in refusal(tmp_path / "store")


@pytest.mark.parametrize("name", ["notes.txt", "tmp/notes.txt", "other/x", "tmp/deep/0123456789abcdef0123456789abcdef"])
def test_a_folder_with_other_files_is_refused_and_left_alone(tmp_path, name):
    file = tmp_path / "home" / name
    file.parent.mkdir(parents=True)
    file.write_text("mine")
    assert "holds other files" in refusal(tmp_path / "home")
    assert [p for p in (tmp_path / "home").rglob("*") if p.is_file()] == [file]


def test_a_folder_that_a_killed_first_run_left_is_taken_up(tmp_path):
    (tmp_path / "s" / "tmp").mkdir(parents=True)
    (tmp_path / "s" / "tmp" / ("0a" * 16)).write_bytes(b"half a mark")
    store = Store.open(tmp_path / "s")
    store.sweep()
    assert store.names("tmp") == []


def test_a_path_that_can_hold_no_folder_is_refused(tmp_path):
    file = tmp_path / "file"
    file.write_bytes(b"x")
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    for root in (file, file / "below", Path("/proc/zkusebna"), Path("/proc/1/zkusebna/deep"), loop):
        refusal(root)
    refusal("~nobody-of-this-name/store")
    assert file.read_bytes() == b"x"


def test_a_store_that_cannot_be_written_is_refused_when_it_is_opened(tmp_path):
    store = new_store(tmp_path)
    store.path("tmp").rmdir()
    store.path("tmp").write_bytes(b"a file where the folder should be")
    assert "cannot be used" in refusal(store.root)
    store.path("tmp").unlink()
    store.path("tmp").symlink_to("/proc")  # a folder where not even root can make a file
    assert "cannot be used" in refusal(store.root)


# One writing run a store


def test_locks_exclude_each_other_across_processes_and_go_with_their_process(tmp_path):
    store = new_store(tmp_path)
    ours, theirs = children.Pipe()
    child = children.Process(target=storage_children.hold_lock, args=(str(store.root), theirs))
    child.start()
    assert ours.recv_bytes() == b"held"
    with (
        pytest.raises(StoreError, match=r"Another run is writing to the store at .*; wait for it to end"),
        store.locked(),
    ):
        pass
    child.kill()
    child.join()
    with store.locked():
        pass


def test_a_lock_excludes_within_a_process_and_is_free_after_an_error(tmp_path):
    store = new_store(tmp_path)
    with pytest.raises(StoreError, match="Another run"), store.locked(), Store.open(store.root).locked():
        pass
    with pytest.raises(ZeroDivisionError), store.locked():
        raise ZeroDivisionError
    with store.locked():
        pass


# The secret seed (G-8)


def test_the_private_seed_is_made_once_and_kept_for_its_owner_alone(tmp_path):
    store, other = Store.open(tmp_path / "a"), Store.open(tmp_path / "b")
    assert store.private_seed("mine") == "mine"
    assert not store.exists("secret/private_seed")
    seed = store.private_seed(None)
    assert len(bytes.fromhex(seed)) == 32
    assert store.private_seed("mine") == "mine"
    assert store.private_seed("") == Store.open(tmp_path / "a").private_seed(None) == seed
    assert stat.S_IMODE(store.path("secret/private_seed").stat().st_mode) == 0o600
    assert other.private_seed(None) != seed


def test_threads_that_ask_at_once_get_the_same_seed(tmp_path):
    store = new_store(tmp_path)
    seeds, start = [], threading.Barrier(8)

    def ask():
        start.wait()
        seeds.append(Store.open(store.root).private_seed(None))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seeds == [store.private_seed(None)] * 8
