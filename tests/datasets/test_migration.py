"""A store of an earlier version: opened, read, continued and brought to this version's format, one whole step after another."""

import json
import shutil
from pathlib import Path

import pytest
from pipeline_support import assert_sound, places_of, run_stages, stable_rows
from row_support import PLACE, KilledError, grades

from datasets import checks, migration
from datasets import store as store_module
from datasets.migration import format_of, migrate
from datasets.store import FORMAT, Store
from datasets.tables import read, rows_of, seal, write_part
from schemas.errors import StoreError
from schemas.grade import Grade
from schemas.tables import TABLES
from tasks.keep import migrate_store
from tasks.past_runs import past_runs

STORES = Path(__file__).parents[1] / "stores"


@pytest.fixture(params=sorted(p.name for p in STORES.iterdir()))
def kept(request, tmp_path):
    """A copy of a store that an earlier version wrote (files of it are kept as they were)."""
    shutil.copytree(STORES / request.param, tmp_path / "store")
    return tmp_path / "store"


def test_an_earlier_version_s_store_opens_and_every_row_is_read(kept):
    """What was written by then: 2 cases, their answers, grades, profiles and aggregates, the calls, three votes on two checks, one run."""
    migrate_store(str(kept), is_dry=False)
    store = Store.open(kept, create=False)
    counts = {}
    for name, model in TABLES.items():
        counts[name] = sum(len(rows_of(model, read(store, model, place))) for place in places_of(store, model))
    assert {n: counts[n] for n in ("cases", "answers", "profiles", "calls", "votes", "checks")} == {
        "cases": 2, "answers": 2, "profiles": 2, "calls": 2, "votes": 3, "checks": 2,
    }  # fmt: skip
    assert counts["grades"] > 26
    assert counts["tendencies"] > 20
    assert [c.check_id for c in checks.read_checks(store)] == ["c000000", "c000001"]
    assert [s.system for run in past_runs(store) for s in run.stands] == ["rules"]
    assert_sound(kept)


def test_an_earlier_version_s_store_is_continued_without_a_call(kept, monkeypatch):
    """The same order as then: versions of sets and rubrics may have moved since, but no system is asked what it has answered to the same request."""
    monkeypatch.setenv("ZKUSEBNA_PRIVATE_SEED", "a fixture")
    migrate_store(str(kept), is_dry=False)
    before = stable_rows(kept)
    run_stages(str(kept), "invoices", ["rules"], 1, ("text",))
    after = stable_rows(kept)
    assert all(row in after["calls"] for row in before["calls"])
    assert (after["votes"], after["checks"]) == (before["votes"], before["checks"])
    assert_sound(kept)


def to_format(monkeypatch, number):
    """A program whose format is this one."""
    monkeypatch.setattr(store_module, "FORMAT", number)
    monkeypatch.setattr(migration, "FORMAT", number)


def test_a_store_of_an_older_format_is_refused_until_it_is_migrated(kept, monkeypatch):
    to_format(monkeypatch, FORMAT + 1)
    monkeypatch.setattr(migration, "STEPS", {FORMAT: lambda store: store.put("done", b"1")})
    with pytest.raises(
        StoreError, match=rf"has format {FORMAT}, older than .* {FORMAT + 1}; `zkusebna migrate` brings it there"
    ):
        Store.open(kept)
    assert migrate_store(str(kept), is_dry=True).after == FORMAT + 1
    with pytest.raises(StoreError, match="older than"):
        Store.open(kept)
    told = migrate_store(str(kept), is_dry=False)
    assert (told.before, told.after) == (FORMAT, FORMAT + 1)
    assert Store.open(kept).exists("done")


def test_a_migration_that_was_stopped_goes_on_at_its_step(kept, monkeypatch):
    """The marker says after each step how far it came; no step that ended is taken again."""
    taken = []

    def step(number, *, stops):
        def act(store):
            taken.append(number)
            if stops and taken.count(number) == 1:
                raise KilledError

        return act

    to_format(monkeypatch, FORMAT + 3)
    steps = {FORMAT + n: step(n, stops=n == 1) for n in range(3)}
    monkeypatch.setattr(migration, "STEPS", steps)
    with pytest.raises(KilledError):
        migrate(Store(kept))
    assert format_of(Store(kept)) == FORMAT + 1
    migrate(Store(kept))
    assert taken == [0, 1, 1, 2]
    assert format_of(Store(kept)) == FORMAT + 3


def test_a_format_without_a_way_a_newer_one_and_no_store(kept, tmp_path, monkeypatch):
    with pytest.raises(StoreError, match="There is no store at"):
        migrate_store(str(tmp_path / "none"), is_dry=False)
    to_format(monkeypatch, FORMAT + 2)
    monkeypatch.setattr(migration, "STEPS", {})
    with pytest.raises(StoreError, match=f"There is no way from format {FORMAT} .* to {FORMAT + 2}"):
        migrate_store(str(kept), is_dry=False)
    (kept / "zkusebna.json").write_text(json.dumps({"format": FORMAT + 9}))
    with pytest.raises(StoreError, match=f"has format {FORMAT + 9}, newer than"):
        migrate_store(str(kept), is_dry=False)


def test_every_format_before_this_one_has_a_step():
    assert set(migration.STEPS) == set(range(1, FORMAT))
    assert {p.name for p in STORES.iterdir()} == {f"format-{n}" for n in range(1, FORMAT + 1)}


def test_what_earlier_tables_left_is_told_and_tidied(kept):
    """Grades from before they stood by judge go; tables of an earlier version are counted, since the next run makes them anew."""
    store = Store.open(kept)
    old = PLACE.model_copy(update={"system": "old"})
    seal(store, Grade, old, [write_part(store, Grade, old, "k", 0, grades(1))])
    manifest = next(n for n in store.names("manifests/profiles", ".json"))
    store.put(manifest, json.dumps({**json.loads(store.get(manifest)), "version": 1}).encode())
    before = set(store.names(""))
    told = migrate_store(str(kept), is_dry=False)
    assert told.older["profiles"] == 1
    assert before - set(store.names("")) == set(told.removed)
    assert len(told.removed) == 2
    assert all("system=old" in name for name in told.removed)
    assert migrate_store(str(kept), is_dry=False).removed == ()
