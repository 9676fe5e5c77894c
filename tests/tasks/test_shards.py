"""Shards of a stage: what is missing is made, what fails is told, and nothing is sealed before all is there."""

import json

import pytest
from row_support import PLACE, grade, grades, killed_at, new_store

from datasets.store import Store
from datasets.tables import read, rows_of, seal, sealed, waiting_keys, write_part
from schemas.errors import GateError, StageError
from schemas.grade import Grade
from tasks.shards import Made, Shard, finish, plan, settle, units_per_shard


def shards_of(store, *keys):
    return [Shard(root=str(store.root), place=PLACE, number=n, key=k) for n, k in enumerate(keys)]


def make(store, points=1.0, fails=(), error=None):
    """A stage's task: one grade a shard; `fails` are the keys that raise."""

    def act(shard):
        if shard.key in fails:
            raise error or GateError(f"Shard {shard.key!r} broke.")
        part = write_part(
            store, Grade, PLACE, shard.key, shard.number, [grade(shard.number, item=shard.key, points=points)]
        )
        return Made(key=shard.key, rows=part.rows, counts={"grades": 1, shard.key: 2})

    return act


def in_store(store):
    return {(r.item, r.points) for r in rows_of(Grade, read(store, Grade, PLACE))}


def run(store, *keys, again=(), **how):
    one = plan(store, Grade, PLACE, shards_of(store, *keys), again=again)
    return one, finish(store, Grade, one, settle(make(store, **how), one.missing))


def test_a_stage_makes_its_shards_once(tmp_path):
    store = new_store(tmp_path)
    one, outcome = run(store, "a", "b")
    assert [s.key for s in one.missing] == ["a", "b"]
    assert outcome.model_dump() == {
        "table": "grades", "place": PLACE.model_dump(), "shards": 2, "made": 2, "rows": 2, "counts": {"a": 2, "b": 2, "grades": 2},
    }  # fmt: skip
    stamps = {n: store.path(n).stat().st_mtime_ns for n in store.names("")}
    two, outcome = run(store, "a", "b")
    assert two.missing == ()
    assert (outcome.made, outcome.rows, outcome.counts) == (0, 2, {})
    assert {n: store.path(n).stat().st_mtime_ns for n in store.names("")} == stamps


def test_only_what_is_missing_is_made_and_what_is_replaced_goes(tmp_path):
    store = new_store(tmp_path)
    run(store, "a", "b", "c")
    one, outcome = run(store, "a", "d")
    assert [s.key for s in one.missing] == ["d"]
    assert (outcome.shards, outcome.made, outcome.rows) == (2, 1, 2)
    assert in_store(store) == {("a", 1.0), ("d", 1.0)}
    assert len(store.names("tables")) == 2
    one, outcome = run(store, "a")  # a smaller plan: nothing to make, yet the partition is not the plan's
    assert (one.missing, outcome.rows) == ((), 1)
    assert len(store.names("tables")) == 1


def test_nothing_is_sealed_while_a_shard_is_missing(tmp_path):
    store = new_store(tmp_path)
    run(store, "old")
    before = store.get(store.names("manifests")[0])
    with pytest.raises(StageError) as caught:
        run(store, "a", "b", "c", fails={"b"})
    assert str(caught.value) == (
        f"grades of {PLACE.folder}: 1 of 3 shards are missing. Shard 'b' broke. What is done is kept; run again to do the rest."
    )
    assert store.get(store.names("manifests")[0]) == before
    assert in_store(store) == {("old", 1.0)}
    assert waiting_keys(store, Grade, PLACE) == {"a", "c"}
    one, outcome = run(store, "a", "b", "c")
    assert [s.key for s in one.missing] == ["b"]
    assert (outcome.made, outcome.rows) == (1, 3)
    assert in_store(store) == {("a", 1.0), ("b", 1.0), ("c", 1.0)}


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ValueError("boom"), "ValueError: boom."),
        (RuntimeError("two\n  lines."), "RuntimeError: two lines."),
        (KeyError("k"), "KeyError: 'k'."),
    ],
)
def test_a_crash_is_told_in_one_sentence(tmp_path, error, reason):
    with pytest.raises(StageError) as caught:
        run(new_store(tmp_path), "a", "b", fails={"a", "b"}, error=error)
    assert f": 2 of 2 shards are missing. {reason} What is done is kept" in str(caught.value)


def test_errors_of_ours_are_told_before_crashes(tmp_path):
    store = new_store(tmp_path)
    one = plan(store, Grade, PLACE, shards_of(store, "a", "b"))
    with pytest.raises(StageError, match=r"2 of 2 shards are missing\. Told\. What"):
        finish(store, Grade, one, [ValueError("crash"), GateError("Told.")])
    with pytest.raises(StageError, match=r"2 of 2 shards are missing\. No task of theirs ended\. What"):
        finish(store, Grade, one, [])


def test_a_task_that_says_it_made_a_part_that_is_not_there_is_not_believed(tmp_path):
    store = new_store(tmp_path)
    one = plan(store, Grade, PLACE, shards_of(store, "a"))
    with pytest.raises(StageError, match="1 of 1 shards"):
        finish(store, Grade, one, [Made(key="a", rows=1)])
    assert sealed(store, Grade, PLACE) is None


def test_shards_made_again_are_sealed_again(tmp_path):
    store = new_store(tmp_path)
    run(store, "a", "b")
    before = {p.key: p.digest for p in sealed(store, Grade, PLACE)}
    one, outcome = run(store, "a", "b", again={"a"}, points=0.5)
    assert [s.key for s in one.missing] == ["a"]
    assert outcome.made == 1
    assert in_store(store) == {("a", 0.5), ("b", 1.0)}
    after = {p.key: p.digest for p in sealed(store, Grade, PLACE)}
    assert (after["a"] != before["a"], after["b"] == before["b"]) == (True, True)
    with pytest.raises(StageError, match="1 of 2 shards are missing"):
        run(store, "a", "b", again={"a"}, fails={"a"})
    assert in_store(store) == {("a", 0.5), ("b", 1.0)}


@pytest.mark.parametrize("place", ["tables/", "manifests/"])
def test_a_kill_while_a_remade_shard_is_sealed_leaves_no_manifest_of_old_rows(tmp_path, place):
    """Later stages stand on the digest of the manifest: it must follow the rows, whenever the kill came."""
    store = new_store(tmp_path)
    run(store, "a", "b")
    with killed_at("put", place):
        run(store, "a", "b", again={"a"}, points=0.5)
    one, _ = run(store, "a", "b")
    assert one.missing == ()
    assert in_store(store) == {("a", 0.5), ("b", 1.0)}
    expected = write_part(Store.open(tmp_path / "other"), Grade, PLACE, "a", 0, [grade(0, item="a", points=0.5)]).digest
    assert {p.key: p.digest for p in sealed(store, Grade, PLACE)}["a"] == expected
    assert store.names("work") == []


def test_a_kill_before_the_replaced_parts_are_removed_is_mended_by_the_next_run(tmp_path):
    store = new_store(tmp_path)
    run(store, "a", "b", "c")

    with killed_at("remove", "tables/"):
        run(store, "a")
    assert len(store.names("tables")) == 3
    one, _ = run(store, "a")
    assert one.missing == ()
    listed = json.loads(store.get(store.names("manifests")[0]))["files"]
    assert store.names("tables") == [f["name"] for f in listed]
    assert in_store(store) == {("a", 1.0)}


def test_keep_leaves_what_is_there(tmp_path):
    store = new_store(tmp_path)
    seal(store, Grade, PLACE, [write_part(store, Grade, PLACE, "old", 9, grades(9))])
    one = plan(store, Grade, PLACE, shards_of(store, "a"))
    finish(store, Grade, one, settle(make(store), one.missing), keep=True)
    assert {p.key for p in sealed(store, Grade, PLACE)} == {"a", "old"}


def test_settle_makes_errors_results_and_lets_kills_through(tmp_path):
    store = new_store(tmp_path)
    results = settle(make(store, fails={"b"}), shards_of(store, "a", "b", "c"))
    assert [type(r) for r in results] == [Made, GateError, Made]
    with pytest.raises(KeyboardInterrupt):
        settle(make(store, fails={"a"}, error=KeyboardInterrupt()), shards_of(store, "a"))


def test_shards_are_an_eightieth_within_bounds_and_cover_the_set():
    for units in [*range(1, 400), 999, 1999, 2000, 2001, 10**7]:
        size = units_per_shard(units)
        assert 64 <= size <= 250
        assert -(-units // size) <= 80 or size == 250
        assert size == 64 or size * 80 < units + 80
