"""Pruning: what goes is what a hand-made list of references says, calls, votes and checks stay to the byte, and a stop loses nothing."""

import json
import os
import shutil
import time
from pathlib import Path

import pytest
from pipeline_support import assert_sound, stable_rows
from row_support import KilledError, call, new_store

from datasets import pruning
from datasets.journal import journal_name
from datasets.pruning import doomed, remove_all
from datasets.store import Store, blob_name
from schemas.errors import UsageError
from tasks.past_runs import past_runs
from tasks.prune import prune

KEPT_STORE = Path(__file__).parents[1] / "stores" / "format-1"
OLD = time.time() - 200 * 24 * 3600
ORPHAN = "23adc0fa887dd85650ab441bee3e4ddda3cd005b22f0844fc703699bd659738a"


@pytest.fixture
def store(tmp_path):
    """The kept store, with its one run made three: the two later ones stand on parts of their own."""
    shutil.copytree(KEPT_STORE, tmp_path / "store")
    made = Store.open(tmp_path / "store")
    (name,) = made.names("runs", ".json")
    manifest = json.loads(made.get(name))
    for number in (1, 2):
        again = json.loads(json.dumps(manifest).replace(manifest["order"]["run_id"], f"r-{number}"))
        again["finished_at"] = f"2027-01-0{number}T00:00:00+00:00"
        for kept in again["stands"][0]["kept"]:
            for part in kept["parts"]:
                if kept["table"] in ("answers", "cases"):
                    further = part["name"].replace(
                        "snapshots/" + kept["table"] + "/", f"snapshots/{kept['table']}/{number}"
                    )
                    made.link(part["name"], further)
                    part["name"] = further
        made.put(f"runs/r-{number}.json", json.dumps(again).encode())
    for path in made.root.rglob("*"):
        if path.is_file():
            os.utime(path, (OLD, OLD))
    return made


def files(store):
    return {n: store.get(n) for n in store.names("") if not n.endswith("lock")}


def gone(before, store):
    return sorted(set(before) - set(files(store)))


def test_the_newest_runs_stay_comparable_and_the_rest_goes(store):
    """Of three runs, the oldest alone stands on the first part of the answers and of the cases; the orphan goes too."""
    before, rows = files(store), stable_rows(store.root)
    first = json.loads(store.get(store.names("runs", ".json")[-1]))
    names = {k["table"]: k["parts"][0]["name"] for k in first["stands"][0]["kept"]}
    told = prune(str(store.root), 2, 90)
    assert gone(before, store) == sorted(
        [names["answers"], names["cases"], f"runs/{first['order']['run_id']}.json", blob_name(ORPHAN)]
    )
    assert [r.run_id for r in past_runs(store)] == ["r-1", "r-2"]
    for run in past_runs(store):
        for stand in run.stands:
            assert all(store.exists(p.name) for k in stand.kept for p in k.parts)
            assert store.exists(stand.cases)
    assert stable_rows(store.root) == rows
    assert_sound(store.root)
    assert told.files == {"runs": 1, "snapshots": 2, "evidence": 0, "blobs": 1, "thumbs": 0, "quarantine": 0}
    assert told.bytes["blobs"] == 19
    assert told.bytes["snapshots"] == 0  # the later runs have the same files under other names
    assert prune(str(store.root), 2, 90).files == dict.fromkeys(told.files, 0)


def test_a_dry_run_tells_the_same_and_does_nothing(store):
    before = files(store)
    dry = prune(str(store.root), 1, 90, is_dry=True)
    assert files(store) == before
    assert dry == prune(str(store.root), 1, 90)


def test_more_runs_than_there_are_and_numbers_that_cannot_be(store):
    before = files(store)
    prune(str(store.root), 10, 90)
    assert gone(before, store) == [blob_name(ORPHAN)]
    with pytest.raises(UsageError, match="0 cannot be kept; give 1 or more to --keep"):
        prune(str(store.root), 0, 90)
    with pytest.raises(UsageError, match="give 0 or more to --older-than"):
        prune(str(store.root), 1, -1)


def evidence_of(store, name, *blobs):
    store.put(f"evidence/{name[:2]}/{name}.json", json.dumps({"files": [{"sha256": b} for b in blobs]}).encode())


def aged(store, *names, days=200.0):
    moment = time.time() - days * 24 * 3600
    for name in names:
        os.utime(store.path(name), (moment, moment))


def test_blobs_that_anything_refers_to_stay(tmp_path, monkeypatch):
    """Referred to by a case's image, an attachment in a brief, a row of evidence; by memory of a page that is young; or young itself."""
    store = new_store(tmp_path)
    image, attached, shown, remembered, orphan, young, forgotten = (store.put_blob(bytes([n])) for n in range(7))
    texts = {"cases": [image, json.dumps({"attachments": [{"sha256": attached}]})], "evidence": [shown]}
    monkeypatch.setattr(pruning, "_texts", lambda store, model, name, columns: texts[model.table])
    for table in texts:
        store.put(f"tables/{table}/suite=a/edition=e/part-1.parquet", b"")
    evidence_of(store, "aa" * 32, remembered)
    evidence_of(store, "bb" * 32, forgotten)
    evidence_of(store, "cc" * 32, shown)
    store.put(f"thumbs/{orphan[:2]}/{orphan}.webp", b"")
    store.put(f"thumbs/{shown[:2]}/{shown}.webp", b"")
    aged(store, *store.names("blobs"), *store.names("evidence"))
    aged(store, f"evidence/aa/{'aa' * 32}.json", blob_name(young), days=0.5)
    what = doomed(store, 1, 90)
    assert set(what.blobs) == {blob_name(orphan), blob_name(forgotten)}
    assert what.evidence == (f"evidence/bb/{'bb' * 32}.json",)
    assert what.thumbs == (f"thumbs/{orphan[:2]}/{orphan}.webp",)


def test_old_quarantine_goes_and_old_journals_are_filed_not_lost(store):
    """A reply in a journal was paid for: it is in `calls` afterwards, once."""
    rows = stable_rows(store.root)
    place = {"suite": rows["calls"][0]["suite"], "edition": rows["calls"][0]["edition"], "system_id": "rules"}
    names = [journal_name(place["suite"], place["edition"], "rules", key) for key in ("old", "young")]
    for number, name in enumerate(names):
        store.put(name, (call(number, **place).model_dump_json() + "\n").encode())
    store.put("quarantine/answers/x/part-1.parquet", b"")
    store.put("quarantine/answers/x/part-2.parquet", b"")
    aged(store, names[0], "quarantine/answers/x/part-1.parquet")
    assert prune(str(store.root), 3, 90, is_dry=True).filed == 1
    assert prune(str(store.root), 3, 90).filed == 1
    after = stable_rows(store.root)
    assert {c["request_hash"] for c in after["calls"]} >= {f"{0:064x}"}
    assert len(after["calls"]) == len(rows["calls"]) + 2  # the young one of the same partition was filed with it
    assert not store.exists(names[0])
    assert store.names("quarantine") == ["quarantine/answers/x/part-2.parquet"]
    assert (after["votes"], after["checks"]) == (rows["votes"], rows["checks"])


def test_a_journal_with_a_broken_line_is_left_and_told(store):
    name = journal_name("invoices", "e", "rules", "old")
    store.put(name, b'{"no": "call"}\n')
    aged(store, name)
    told = prune(str(store.root), 3, 90)
    assert told.problems == (f"{name} has a line that is no call of this version; it was left as it is",)
    assert store.exists(name)


@pytest.mark.parametrize("at", range(1, 6))
def test_a_prune_that_was_stopped_anywhere_is_ended_by_the_next(store, at):
    """At the stop every run that is still listed has all its parts."""
    with pytest.MonkeyPatch.context() as patch:
        really, uses = Store.remove, [0]

        def stopping(self, name):
            uses[0] += 1
            if uses[0] == at:
                raise KilledError
            really(self, name)

        what = doomed(store, 1, 90)
        patch.setattr(Store, "remove", stopping)
        with pytest.raises(KilledError):
            remove_all(store, what)
    listed = {r.run_id: r for r in past_runs(store)}
    whole = {i: all(store.exists(p.name) for s in r.stands for k in s.kept for p in k.parts) for i, r in listed.items()}
    assert all(whole.values())
    prune(str(store.root), 1, 90)
    assert [r.run_id for r in past_runs(store)] == ["r-2"]
    assert doomed(store, 1, 90) == pruning.Doomed()
