"""A store in a bucket: what stands in it is judged by boto3, over the HTTP of a real S3 server (moto)."""

import asyncio
import contextlib
import hashlib
import json
import multiprocessing
import random
import shutil
import threading
import time

import boto3
import pytest
import storage_children
from bucket_support import BUCKET, Bucket, s3_server
from kill_support import told_before_a_kill
from row_support import PLACE, call, grades

from datasets import bucket_opening
from datasets.appending import base_of
from datasets.archive import export
from datasets.bucket import BucketStore
from datasets.bucket_lines import FLUSH_S
from datasets.compaction import compact
from datasets.journal import Journal, read_journal
from datasets.leases import Lease
from datasets.migration import STEPS
from datasets.store import FORMAT, Store
from datasets.tables import read, seal, sealed, write_part
from schemas.call import Call
from schemas.errors import StoreError, UsageError
from schemas.grade import Grade
from tasks.gate_log import GateLine, note_gate, read_gates
from tasks.keep import import_store, migrate_store
from tasks.turns import writing

children = multiprocessing.get_context("spawn")
NAME = "journal/invoices/v1/rules/k.jsonl"


def other_machine(bucket: Bucket, tmp_path) -> BucketStore:
    """The same store as another machine has it, with a local copy of its own."""
    store = BucketStore(bucket.address)
    store.root = tmp_path / "other"
    return store


def test_files_are_objects_with_their_names_and_bytes(bucket):
    store = Store.open(bucket.address)
    store.put("drafts/žluťoučký kůň=1/a.json", b"one")
    store.put("drafts/b.json", b"two")
    assert bucket.names() == {"zkusebna.json", "drafts/žluťoučký kůň=1/a.json", "drafts/b.json"}
    assert bucket.read("drafts/b.json") == b"two" == store.get("drafts/b.json")
    assert json.loads(bucket.read("zkusebna.json")) == {"format": FORMAT}
    assert store.names("drafts") == ["drafts/b.json", "drafts/žluťoučký kůň=1/a.json"]
    assert store.names("draft") == []  # a folder, not a beginning of a name
    assert store.exists("drafts/b.json")
    assert not store.exists("drafts/c.json")
    assert store.size("drafts/b.json") == 3
    assert abs(store.changed("drafts/b.json") - time.time()) < 600
    store.remove("drafts/b.json")
    store.remove("drafts/b.json")
    assert bucket.names("drafts/") == {"drafts/žluťoučký kůň=1/a.json"}
    with pytest.raises(FileNotFoundError):
        store.get("drafts/b.json")


def test_a_file_is_read_as_it_is_now_whoever_wrote_it(bucket):
    store = Store.open(bucket.address)
    store.put("tables/t/part-1.parquet", b"old")
    assert store.path("tables/t/part-1.parquet").read_bytes() == b"old"
    bucket.write("tables/t/part-1.parquet", b"new")  # the same second, the same size
    assert store.path("tables/t/part-1.parquet").read_bytes() == b"new"
    bucket.client.delete_object(Bucket=BUCKET, Key=f"{bucket.prefix}/tables/t/part-1.parquet")
    assert not store.path("tables/t/part-1.parquet").exists()


def test_a_folder_on_the_disk_has_exactly_what_is_in_the_bucket(bucket):
    store = Store.open(bucket.address)
    for number in range(30):
        store.put(f"tables/t/part-{number}.parquet", str(number).encode())
    bucket.client.delete_object(Bucket=BUCKET, Key=f"{bucket.prefix}/tables/t/part-7.parquet")
    bucket.write("tables/t/part-x.parquet", b"x")
    folder = store.local("tables/t")
    assert {p.name for p in folder.iterdir()} == {f"part-{n}.parquet" for n in range(30) if n != 7} | {"part-x.parquet"}
    assert (folder / "part-x.parquet").read_bytes() == b"x"


def test_a_blob_is_fetched_once_and_kept_under_its_hash(bucket, tmp_path):
    digest = Store.open(bucket.address).put_blob(b"picture")
    assert digest == hashlib.sha256(b"picture").hexdigest()
    assert bucket.read(f"blobs/{digest[:2]}/{digest}") == b"picture"
    elsewhere = other_machine(bucket, tmp_path)
    assert elsewhere.get_blob(digest) == b"picture"
    bucket.client.delete_object(Bucket=BUCKET, Key=f"{bucket.prefix}/blobs/{digest[:2]}/{digest}")
    assert elsewhere.get_blob(digest) == b"picture"  # by the local copy: its name says what is in it


def test_sealed_parts_are_the_same_rows_on_another_machine_and_after_compaction(bucket, tmp_path):
    store = Store.open(bucket.address)
    local = Store.open(tmp_path / "store")
    for one in (store, local):
        parts = [write_part(one, Grade, PLACE, f"{n:016x}", n, grades(n, n + 100)) for n in range(3)]
        seal(one, Grade, PLACE, parts)
        calls = [write_part(one, Call, PLACE, f"{n:016x}", n, [call(n)]) for n in range(4)]
        seal(one, Call, PLACE, calls)
    elsewhere = other_machine(bucket, tmp_path)
    for model in (Grade, Call):
        assert read(elsewhere, model, PLACE).equals(read(local, model, PLACE))
    assert not bucket.names("work/")
    with store.locked():
        compact(store, Call, PLACE)
    assert len(sealed(elsewhere, Call, PLACE)) == 1
    assert len(bucket.names("tables/calls/")) == 1
    assert not bucket.names("compact/")
    assert read(elsewhere, Call, PLACE).equals(read(local, Call, PLACE))


def test_a_folder_is_replaced_by_new_files_alone(bucket):
    store = Store.open(bucket.address)
    with store.replacing("report") as folder:
        (folder / "old.html").write_bytes(b"1")
        (folder / "index.html").write_bytes(b"1")
    with store.replacing("report") as folder:
        (folder / "data").mkdir()
        (folder / "data" / "x.csv").write_bytes(b"2")
        (folder / "index.html").write_bytes(b"2")
    assert bucket.names("report/") == {"report/data/x.csv", "report/index.html"}
    assert bucket.read("report/index.html") == b"2"
    with contextlib.suppress(RuntimeError), store.replacing("report") as folder:
        (folder / "index.html").write_bytes(b"3")
        raise RuntimeError
    assert bucket.read("report/index.html") == b"2"
    assert store.names("tmp") == []


def test_one_run_has_the_turn_and_a_second_is_told(bucket, tmp_path):
    with writing(bucket.address), pytest.raises(StoreError, match="Another run is writing to the store at 's3://"):
        other_machine(bucket, tmp_path).locked().__enter__()
    with other_machine(bucket, tmp_path).locked():
        pass
    assert not bucket.names("lock")


def test_a_lock_of_a_process_that_was_killed_is_taken_over_and_one_that_lives_is_not(bucket):
    ours, theirs = children.Pipe()
    child = children.Process(target=storage_children.hold_lock, args=(bucket.address, theirs))
    child.start()
    assert ours.recv_bytes() == b"held"
    store = Store.open(bucket.address)
    assert not Lease(store.bucket, "lock", lasts_s=30).acquire()
    child.kill()
    child.join()
    left = bucket.read("lock")
    lease = Lease(store.bucket, "lock", lasts_s=1)
    end = time.monotonic() + 60
    while not lease.acquire():
        assert time.monotonic() < end
        time.sleep(0.2)
    assert bucket.read("lock") != left
    lease.release()
    assert not bucket.names("lock")


def test_a_lock_is_renewed_by_its_holder_for_as_long_as_it_lives(bucket):
    store = Store.open(bucket.address)
    lease = Lease(store.bucket, "lock", lasts_s=4, renew_s=0.2)
    assert lease.acquire()
    tags = {store.bucket.head("lock").changed}
    end = time.monotonic() + 60
    while len(tags) < 3 and time.monotonic() < end:  # the bucket's times are whole seconds
        tags.add(store.bucket.head("lock").changed)
        time.sleep(0.1)
    assert len(tags) == 3
    lease.release()


def test_who_lost_the_turn_writes_nothing_more(bucket, tmp_path):
    store = other_machine(bucket, tmp_path)
    Store.open(bucket.address)
    with store.locked():
        (lease,) = store._held
        bucket.write("lock", b"another run")
        lease.renew_s = 0.0
        lease._renew()  # as its thread does every quarter of a minute
        with pytest.raises(StoreError, match="Another run has taken over the store"):
            store.put("manifests/x.json", b"stale")
        with pytest.raises(StoreError, match="taken over"):
            store.remove("zkusebna.json")
    assert bucket.names() == {"zkusebna.json", "lock"}
    assert bucket.read("lock") == b"another run"


def test_who_lost_the_lock_of_a_table_writes_nothing_more(bucket):
    store = Store.open(bucket.address)
    with store.sealing():
        (lease,) = store._held
        bucket.write("sealing.lock", b"another run")
        lease.renew_s = 0.0
        lease._renew()
        with pytest.raises(StoreError, match="taken over"):
            store.put("manifests/calls/x.json", b"stale")
    assert bucket.names("manifests/") == set()
    store.put("manifests/calls/x.json", b"fresh")  # whoever waits for the lock again is sound


@pytest.mark.parametrize("many", [2, 12])
def test_of_many_who_find_a_lock_abandoned_one_has_it(bucket, many):
    store = Store.open(bucket.address)
    bucket.write("lock", b"dead")
    time.sleep(2.1)
    leases = [Lease(store.bucket, "lock", lasts_s=1, renew_s=300) for _ in range(many)]
    gate, had = threading.Barrier(many), []

    def take(lease: Lease) -> None:
        gate.wait()
        had.append(lease.acquire())

    threads = [threading.Thread(target=take, args=(lease,)) for lease in leases]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(had) == 1
    for lease in leases:
        lease.release()


def test_the_secret_seed_is_made_once_for_all_machines(bucket, tmp_path):
    first, second = Store.open(bucket.address), other_machine(bucket, tmp_path)
    seed = first.private_seed(None)
    assert len(seed) == 64
    assert second.private_seed(None) == seed == bucket.read("secret/private_seed").decode()
    assert second.private_seed("given") == "given"


def test_replies_come_to_the_bucket_while_the_journal_is_open(bucket):
    store = Store.open(bucket.address)

    async def go():
        async with Journal(store, NAME) as journal:
            await asyncio.gather(*(journal.append(call(n)) for n in range(20)))
            end = time.monotonic() + 60
            while not bucket.names("journal/"):
                assert time.monotonic() < end
                await asyncio.sleep(FLUSH_S / 10)
            await journal.append(call(20))

    asyncio.run(go())
    names = bucket.names("journal/")
    assert len(names) == 2
    assert {base_of(name) for name in names} == {NAME}
    lines = [line for name in sorted(names) for line in bucket.read(name).splitlines()]
    assert {json.loads(line)["call_id"] for line in lines} == {f"id-{n}" for n in range(21)}
    assert sorted(c.call_id for c in read_journal(store, NAME)) == sorted(f"id-{n}" for n in range(21))
    assert not list((store.root / "spool").rglob("*.jsonl"))


@pytest.mark.parametrize("kills", [3, pytest.param(20, marks=pytest.mark.slow)])
def test_every_append_that_returned_before_a_kill_is_in_the_bucket_after_the_next_turn(bucket, kills):
    Store.open(bucket.address)
    moments, told, spooled = random.Random(kills), set(), 0
    for at_once in [1, 20, 7] * (kills // 3 + 1):
        told |= told_before_a_kill(children, bucket.address, NAME, at_once, moments.uniform(0, 2 * FLUSH_S))
        store = Store.open(bucket.address)
        spooled += bool(list((store.root / "spool").rglob("*.jsonl")))
        store.sweep()
        lines = [line for name in bucket.names("journal/") for line in bucket.read(name).splitlines()]
        assert {json.loads(line)["call_id"].encode() for line in lines} >= told
    assert len(told) > 20
    assert spooled  # some kills came before a flush


def test_what_a_living_writer_sent_is_not_written_over_by_what_is_left_of_it(bucket):
    """A second process on the machine sweeps the spool while a journal is open; then the journal's process is killed."""
    store = Store.open(bucket.address)
    writer = store.appending(NAME)
    writer._timer = threading.Timer(300, print)  # no flush of its own meanwhile
    writer.write(call(1).model_dump_json().encode() + b"\n")
    store.sweep()
    writer.write(call(2).model_dump_json().encode() + b"\n")
    store.sweep()  # all that is left of a killed writer is its spool
    assert sorted(c.call_id for c in read_journal(store, NAME)) == ["id-1", "id-2"]
    writer.write(call(3).model_dump_json().encode() + b"\n")
    writer.close()
    assert {c.call_id for c in read_journal(store, NAME)} == {"id-1", "id-2", "id-3"}


def test_gates_of_two_writers_stand_side_by_side(bucket, tmp_path):
    stores = [Store.open(bucket.address), other_machine(bucket, tmp_path)]
    for number in range(300):
        line = GateLine(table="cases", place=PLACE, key=f"{number:016x}", rows=number, set_aside=0)
        note_gate(stores[number % 2], "r1", line)
    found = read_gates(Store.open(bucket.address))
    assert list(found) == ["r1"]
    assert sorted(line.rows for line in found["r1"]) == list(range(300))


def test_an_archive_of_a_bucket_is_a_store_on_a_disk_and_back(bucket, tmp_path, s3_endpoint):
    store = Store.open(bucket.address)
    seal(store, Grade, PLACE, [write_part(store, Grade, PLACE, "ab" * 8, 0, grades(1, 2, 3))])
    digest = store.put_blob(b"x" * 100_000)
    with store.locked():
        export(store, tmp_path / "a.tar")
    import_store(tmp_path / "a.tar", str(tmp_path / "disk"))
    disk = Store.open(tmp_path / "disk")
    assert read(disk, Grade, PLACE).equals(read(store, Grade, PLACE))
    assert disk.get_blob(digest) == b"x" * 100_000
    further = Bucket(s3_endpoint)
    import_store(tmp_path / "a.tar", further.address)
    assert further.names() == bucket.names()
    assert all(further.read(name) == bucket.read(name) for name in bucket.names())
    with pytest.raises(UsageError, match="holds something already"):
        import_store(tmp_path / "a.tar", further.address)


def test_the_local_copy_can_be_removed(bucket):
    store = Store.open(bucket.address)
    seal(store, Grade, PLACE, [write_part(store, Grade, PLACE, "ab" * 8, 0, grades(1, 2))])
    before = read(store, Grade, PLACE)
    shutil.rmtree(store.root)
    assert read(store, Grade, PLACE).equals(before)
    with store.locked():
        store.sweep()


def test_a_store_of_an_older_format_is_migrated_in_its_bucket(bucket, monkeypatch):
    bucket.write("zkusebna.json", b'{"format": 0}')
    bucket.write("old", b"x")
    with pytest.raises(StoreError, match="older than this version's 1; `zkusebna migrate` brings it there"):
        Store.open(bucket.address)
    monkeypatch.setitem(STEPS, 0, lambda store: store.remove("old"))
    assert migrate_store(bucket.address, is_dry=True).before == 0
    assert bucket.names() == {"zkusebna.json", "old"}
    assert (migrate_store(bucket.address, is_dry=False).after, bucket.names()) == (FORMAT, {"zkusebna.json"})
    Store.open(bucket.address)


@pytest.mark.parametrize("address", ["gs://zkusebna/store", "https://zkusebna/store"])
def test_an_address_of_another_kind_is_told(address):
    with pytest.raises(UsageError, match="did you mean 's3://zkusebna/store'"):
        Store.open(address)


def test_a_bucket_that_is_not_there_is_told(s3_endpoint):
    with pytest.raises(StoreError, match="There is no bucket for 's3://no-such-bucket/x'; make it first"):
        Store.open("s3://no-such-bucket/x")
    with pytest.raises(UsageError, match="'s3://' names no bucket; s3://BUCKET/PREFIX was expected"):
        Store.open("s3://")


def test_other_objects_and_newer_formats_are_left_alone(bucket):
    with pytest.raises(StoreError, match=f"There is no store at '{bucket.address}'"):
        Store.open(bucket.address, create=False)
    bucket.write("holiday.jpg", b"x")
    with pytest.raises(StoreError, match="holds other objects and no store"):
        Store.open(bucket.address)
    bucket.write("zkusebna.json", b'{"format": 99}')
    with pytest.raises(StoreError, match="has format 99, newer than this version's"):
        Store.open(bucket.address)
    assert bucket.names() == {"holiday.jpg", "zkusebna.json"}


def test_a_key_that_was_forgotten_is_told(s3_endpoint, monkeypatch):
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    with pytest.raises(StoreError, match="AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set"):
        Store.open("s3://nobody-has-a-key/x")


def test_an_endpoint_that_does_not_answer_is_told_in_one_line(bucket, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    with pytest.raises(StoreError, match="cannot be used") as told:
        Store.open("s3://nobody-answers/x")
    assert "\n" not in str(told.value)
    assert len(str(told.value)) < 600


def test_a_key_that_may_not_write_is_told_before_work_begins(monkeypatch, tmp_path):
    """moto enforces IAM policies here, so the refusal is the server's own."""
    monkeypatch.setenv("INITIAL_NO_AUTH_ACTION_COUNT", "7")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    with s3_server() as endpoint:
        for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
            monkeypatch.setenv(name, "root")
        monkeypatch.setenv("AWS_REGION", "us-east-1")
        monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
        monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
        boto3.client("s3").create_bucket(Bucket="read-only")
        boto3.client("s3").put_object(Bucket="read-only", Key="p/zkusebna.json", Body=b'{"format": 1}')
        iam = boto3.client("iam")
        iam.create_user(UserName="analyst")
        may_read = {"Effect": "Allow", "Action": ["s3:GetObject", "s3:ListBucket"], "Resource": "*"}
        policy = json.dumps({"Version": "2012-10-17", "Statement": [may_read]})
        iam.put_user_policy(UserName="analyst", PolicyName="read", PolicyDocument=policy)
        key = iam.create_access_key(UserName="analyst")["AccessKey"]
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", key["AccessKeyId"])
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", key["SecretAccessKey"])
        bucket_opening.store_at.cache_clear()
        with pytest.raises(StoreError) as told:
            Store.open("s3://read-only/p")
        assert "the key may not do this with 'probe-" in str(told.value)
        assert "give AWS_ACCESS_KEY_ID a key that may list, read, write and delete there" in str(told.value)
