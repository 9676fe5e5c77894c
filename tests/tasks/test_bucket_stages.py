"""All five stages over a bucket: the rows are those of a folder, and a kill anywhere is repaired by the next run."""

import pytest
from pipeline_support import places_of, run_stages, stable_rows
from row_support import KilledError, killed_at

from datasets.bucket import BucketStore
from datasets.bucket_opening import store_at
from datasets.store import Store
from schemas.call import Call
from tasks import shards, views
from tasks.views import build_views

ASKED = {"suite": "emails", "systems": ["rules", "ocr-rules"], "size": 20}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The store of an undisturbed run over a folder; all runs of this file have several shards and the same secret."""
    folder = tmp_path_factory.mktemp("undisturbed") / "store"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ZKUSEBNA_PRIVATE_SEED", "the same for all")
        patch.setattr(shards, "LEAST_UNITS", 12)
        run_stages(str(folder), **ASKED)
        yield folder


def test_rows_in_a_bucket_are_those_of_a_folder(bucket, undisturbed):
    run_stages(bucket.address, **ASKED)
    assert stable_rows(bucket.address) == stable_rows(undisturbed)
    assert not bucket.names("work/")
    assert not bucket.names("journal/")
    assert not bucket.names("tmp/")
    made = run_stages(bucket.address, **ASKED)
    assert sum(outcome.made for outcome in made) == 0


@pytest.mark.parametrize(
    ("method", "prefix", "at"),
    [("put", "tables/cases", 2), ("put", "work/answers", 3), ("remove", "journal/", 1), ("put", "manifests/grades", 1)],
)
def test_a_kill_in_a_bucket_is_repaired_by_the_next_run(bucket, undisturbed, method, prefix, at, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr("row_support.Store", BucketStore)
        with killed_at(method, prefix, at):
            run_stages(bucket.address, **ASKED)
    store_at.cache_clear()  # another process, another machine
    run_stages(bucket.address, **ASKED)
    assert stable_rows(bucket.address) == stable_rows(undisturbed)
    calls = stable_rows(bucket.address)["calls"]
    assert len({(call["system_id"], call["request_hash"], call["attempt"]) for call in calls}) == len(calls) > 0


def test_views_of_a_bucket_count_its_rows(bucket, undisturbed):
    import duckdb

    run_stages(bucket.address, **ASKED)
    file = build_views(bucket.address)
    store = Store.open(undisturbed)
    with duckdb.connect(str(file), read_only=True) as database:
        (calls,) = database.execute("SELECT count(*) FROM calls").fetchone()
    assert calls == len(stable_rows(undisturbed)["calls"]) > 0
    assert places_of(store, Call)
    assert views.NAME not in bucket.names()


def test_the_error_that_stands_for_a_kill_is_no_exception():
    assert not issubclass(KilledError, Exception)
