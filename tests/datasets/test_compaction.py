"""Compaction: rows equal before and after, readers see the old parts or the new ones, and a stop anywhere loses nothing."""

import threading
from collections import Counter

import duckdb
import pytest
from check_rows import check, vote
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from row_support import PLACE, KilledError, call, new_store, rows

from datasets import checks, compaction
from datasets.calls import file_calls, known_calls, seal_calls
from datasets.compaction import compact, mend, places_of
from datasets.journal import journal_name
from datasets.store import Store
from datasets.tables import Place, read, rows_of, seal, sealed, write_part
from schemas.call import Call
from schemas.vote import EVER, Check, Vote

HOME = Place(suite="jury", edition=EVER)


def fill(store, model, place, groups, first=0):
    """One part a group of rows, sealed as tables are that only grow."""
    for number, group in enumerate(groups, first):
        write_part(store, model, place, f"{number:016x}", number, group)
        seal(store, model, place, [], keep=True)


def by_glob(store, model):
    """All rows of a table as DuckDB finds them by glob: a reader that knows no manifest."""
    files = f"{store.root}/tables/{model.table}/**/*.parquet"
    return Counter(r[0] for r in duckdb.sql(f"SELECT call_id FROM read_parquet('{files}')").fetchall())


def by_manifest(store):
    return Counter(read(store, Call, PLACE, ["call_id"])["call_id"].to_pylist())


def rows_in(store, model, place):
    return sorted(row.model_dump_json() for row in rows_of(model, read(store, model, place)))


@pytest.mark.parametrize("model", compaction.GROWING, ids=lambda m: m.table)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_rows_are_equal_before_and_after(model, tmp_path_factory, data, monkeypatch):
    """The oracle is the multiset of all cells; whatever the parts are like and however many rows a part may have."""
    store = new_store(tmp_path_factory.mktemp("s"))
    has_system = "system_id" in model.model_fields and model is Call
    place = PLACE if has_system else PLACE.model_copy(update={"system": None})
    drawn = data.draw(rows(model, **({"system_id": PLACE.system} if has_system else {})))
    cuts = data.draw(st.integers(1, 5))
    fill(store, model, place, [drawn[n::cuts] for n in range(cuts)])
    monkeypatch.setattr(compaction, "MOST_ROWS", data.draw(st.integers(2, 12)))
    before = rows_in(store, model, place)
    told = compact(store, model, place)
    assert rows_in(store, model, place) == before
    parts = sealed(store, model, place)
    assert told.after == len(parts) <= told.before == cuts
    assert sum(p.rows for p in parts) == told.rows == len(drawn)
    assert len(store.names(f"tables/{model.table}", ".parquet")) == len(parts)
    again = compact(store, model, place)
    assert rows_in(store, model, place) == before
    assert again.after <= told.after


def test_many_small_parts_become_few_of_limited_size(tmp_path, monkeypatch):
    store = new_store(tmp_path)
    fill(store, Call, PLACE, [[call(n)] for n in range(10)])
    monkeypatch.setattr(compaction, "MOST_ROWS", 4)
    assert compact(store, Call, PLACE).after == 3
    assert sorted(p.rows for p in sealed(store, Call, PLACE)) == [2, 4, 4]
    assert by_glob(store, Call) == by_manifest(store) == Counter(f"id-{n}" for n in range(10))
    full = {p.name for p in sealed(store, Call, PLACE) if p.rows == 4}
    fill(store, Call, PLACE, [[call(10)]], first=99)
    assert compact(store, Call, PLACE).after == 3
    assert full < {p.name for p in sealed(store, Call, PLACE)}  # what is large is not written again


def test_files_of_many_bytes_are_left_alone(tmp_path, monkeypatch):
    store = new_store(tmp_path)
    fill(store, Call, PLACE, [[call(n)] for n in range(4)])
    monkeypatch.setattr(compaction, "MOST_BYTES", 1000)
    assert compact(store, Call, PLACE).after == 4


def test_calls_that_come_later_are_found_with_the_compacted_ones(tmp_path):
    """A shard whose part was compacted is asked again: known calls are known, new ones join, none stands twice."""
    store = new_store(tmp_path)
    fill(store, Call, PLACE, [[call(1)], [call(2)]])
    compact(store, Call, PLACE)
    journal = journal_name(PLACE.suite, PLACE.edition, PLACE.system, f"{0:016x}")
    store.put(journal, (call(1, attempt=2, call_id="id-1b").model_dump_json() + "\n").encode())
    assert compact(store, Call, PLACE).left == "a journal is not filed yet"
    known = known_calls(store, PLACE.suite, PLACE.system, {"c1", "c2"}, journal)
    assert sorted(c.call_id for calls in known.values() for c in calls) == ["id-1", "id-1b", "id-2"]
    assert file_calls(store, PLACE, f"{0:016x}", 0, journal) == 1
    assert compact(store, Call, PLACE).left == "parts wait to be sealed"
    seal_calls(store, PLACE)
    assert by_glob(store, Call) == by_manifest(store) == Counter(["id-1", "id-1b", "id-2"])
    assert compact(store, Call, PLACE).after == 1
    assert by_glob(store, Call) == by_manifest(store) == Counter(["id-1", "id-1b", "id-2"])


def test_the_jury_s_record_still_counts_a_check_once(tmp_path):
    """J-4 after months were put together: what is recorded again changes nothing, new rows of an old month are added."""
    store = new_store(tmp_path)
    checks.record(store, [check(0), check(1)], [vote(0, "a"), vote(1, "a")])  # the end of November, and December
    for model in (Vote, Check):
        assert compact(store, model, HOME).after == 1
    before = checks.read_votes(store), checks.read_checks(store)
    checks.record(store, [check(0, able=0, unable=1)], [vote(0, "a", verdict="NEUMÍ")])
    assert (checks.read_votes(store), checks.read_checks(store)) == before
    checks.record(store, [check(0)], [vote(0, "b")])
    assert checks.read_checks(store) == before[1]
    assert [v.system_id for v in checks.read_votes(store)] == ["a", "b", "a"]


STEPS = [("put", 1), ("put", 2), ("link", 1), ("link", 2), ("put", 3), ("remove", 1), ("remove", 2), ("replacing", 1)]


def stop_at(monkeypatch, method, at):
    """A kill at the n-th use of a method of the store."""
    really, uses = getattr(Store, method), [0]

    def stopping(store, *given, **named):
        uses[0] += 1
        if uses[0] == at:
            raise KilledError
        return really(store, *given, **named)

    monkeypatch.setattr(Store, method, stopping)


@pytest.mark.parametrize(("method", "at"), STEPS)
@pytest.mark.parametrize("after", ["mend", "compact", "calls"])
def test_a_compaction_that_is_stopped_anywhere_is_whole_for_every_reader(tmp_path, monkeypatch, method, at, after):
    """Both kinds of readers see all rows once at the stop, and whoever comes next ends it or undoes it."""
    store = new_store(tmp_path)
    fill(store, Call, PLACE, [[call(n)] for n in range(5)])
    monkeypatch.setattr(compaction, "MOST_ROWS", 3)
    all_of_them = Counter(f"id-{n}" for n in range(5))
    with pytest.MonkeyPatch.context() as patch:
        stop_at(patch, method, at)
        with pytest.raises(KilledError):
            compact(store, Call, PLACE)
    assert by_manifest(store) == by_glob(store, Call) == all_of_them
    if after == "mend":
        mend(store, Call)
    elif after == "compact":
        assert compact(store, Call, PLACE).after == 2
    else:
        journal = journal_name(PLACE.suite, PLACE.edition, PLACE.system, f"{0:016x}")
        store.put(journal, (call(7).model_dump_json() + "\n").encode())
        file_calls(store, PLACE, f"{0:016x}", 0, journal)
        seal_calls(store, PLACE)
        all_of_them["id-7"] += 1
    assert by_manifest(store) == by_glob(store, Call) == all_of_them
    assert not store.names("compact")
    assert len(store.names("tables/calls", ".parquet")) == len(sealed(store, Call, PLACE))


def test_a_reader_sees_the_old_parts_or_the_new_ones(tmp_path, monkeypatch):
    """A reader by manifest reads all the while that parts are added and compacted; it never sees a row twice, nor less than before."""
    store = new_store(tmp_path)
    monkeypatch.setattr(compaction, "MOST_ROWS", 1000)
    fill(store, Call, PLACE, [[call(n)] for n in range(3)])
    ended, seen, wrong = threading.Event(), [3], []

    def look():
        while not ended.is_set():
            found = by_manifest(store)
            if set(found.values()) != {1} or len(found) < seen[-1]:
                wrong.append(found)
            seen.append(len(found))

    reader = threading.Thread(target=look)
    reader.start()
    for number in range(3, 43, 2):
        fill(store, Call, PLACE, [[call(number)], [call(number + 1)]], first=number)
        assert compact(store, Call, PLACE).after == 1
    ended.set()
    reader.join()
    assert not wrong
    assert len(seen) > 20
    assert by_glob(store, Call) == by_manifest(store)


def test_partitions_are_found_and_others_left_alone(tmp_path):
    store = new_store(tmp_path)
    other = PLACE.model_copy(update={"system": "other"})
    fill(store, Call, PLACE, [[call(1)], [call(2)]])
    fill(store, Call, other, [[call(n, system_id="other")] for n in range(2)])
    assert places_of(store, Call) == [other, PLACE]
    compact(store, Call, PLACE)
    assert len(sealed(store, Call, other)) == 2
    assert len(store.names("tables/calls", ".parquet")) == 3
