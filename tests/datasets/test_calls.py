"""The record of money: what was asked is found again, whatever edition, stage or kill it went through (M-3, M-4)."""

import asyncio
from collections import Counter

import duckdb
import pytest
from row_support import PLACE, call, killed_at, new_store

from datasets import calls as calls_at_rest
from datasets.calls import file_calls, known_calls, seal_calls
from datasets.journal import Journal, journal_name
from datasets.tables import loose_keys, read, read_part, rows_of, sealed, waiting_keys, write_part
from schemas.call import Call


def at(**changed):
    return PLACE.model_copy(update=changed)


def journal_of(place, key="k"):
    return journal_name(place.suite, place.edition, place.system, key)


def here(place, number, **changed):
    return call(number, suite=place.suite, edition=place.edition, system_id=place.system, **changed)


def append(store, place, calls, key="k"):
    async def go():
        async with Journal(store, journal_of(place, key)) as journal:
            for one in calls:
                await journal.append(one)

    asyncio.run(go())


def file_away(store, place, calls, key="k", shard=0):
    append(store, place, calls, key)
    return file_calls(store, place, key, shard, journal_of(place, key))


def ids(found):
    return {h: [c.call_id for c in calls] for h, calls in found.items()}


def in_table(store):
    """Ids of all calls below `tables/`, as DuckDB finds them, each once a time it stands there."""
    if not store.names("tables/calls"):
        return Counter()
    rows = duckdb.sql(f"SELECT call_id FROM read_parquet('{store.root}/tables/calls/**/*.parquet')").fetchall()
    return Counter(r[0] for r in rows)


CASES = {f"c{n}" for n in range(10)}


def test_known_calls_come_from_everywhere_the_system_was_asked(tmp_path):
    store = new_store(tmp_path)
    other = at(edition="v1-s7-n60-pabc")
    file_away(store, other, [here(other, 1)])
    seal_calls(store, other)
    file_away(store, other, [here(other, 2)], key="l")
    file_away(store, PLACE, [call(3)])
    seal_calls(store, PLACE)
    file_away(store, PLACE, [call(4)], key="l")
    append(store, PLACE, [call(5)], key="mine")
    append(store, PLACE, [call(6)], key="left")
    append(store, other, [here(other, 7)], key="left")
    assert store.names("tables/calls")
    assert store.names("work/calls")
    found = known_calls(store, "invoices", "rules", CASES, journal_of(PLACE, "mine"))
    assert ids(found) == {f"{n:064x}": [f"id-{n}"] for n in range(1, 8)}
    assert found[f"{1:064x}"] == [here(other, 1)]
    assert found[f"{5:064x}"] == [call(5)]


def test_calls_of_others_are_never_known(tmp_path):
    store = new_store(tmp_path)
    for change in ({"system": "rules2"}, {"system": "rule"}, {"suite": "invoices2"}):
        place = at(**change)
        file_away(store, place, [here(place, 1)])
        seal_calls(store, place)
        file_away(store, place, [here(place, 2)], key="l")
        append(store, place, [here(place, 3)], key="m")
    append(store, PLACE, [call(20)])
    file_away(store, PLACE, [call(21)], key="l")
    assert known_calls(store, "invoices", "rules", CASES, journal_of(PLACE)) == {}
    assert set(ids(known_calls(store, "invoices", "rules", {"c20"}, journal_of(PLACE)))) == {f"{20:064x}"}


def test_attempts_come_in_order_each_once(tmp_path):
    store = new_store(tmp_path)
    tries = [call(1, attempt=n, call_id=f"try-{n}", status="timeout" if n < 11 else "ok") for n in range(1, 12)]
    other = at(edition="v1-s8-n6-pabc")
    first = [c.model_copy(update={"edition": other.edition}) for c in tries[:5]]
    file_away(store, other, first[::-1])
    seal_calls(store, other)
    file_away(store, PLACE, tries[5:8])
    append(
        store, PLACE, [tries[10], *tries[5:10]]
    )  # a kill between filing and removing the journal leaves calls in both
    found = known_calls(store, "invoices", "rules", CASES, journal_of(PLACE))
    assert ids(found) == {f"{1:064x}": [f"try-{n}" for n in range(1, 12)]}


def test_filing_is_safe_to_repeat_and_loses_nothing(tmp_path):
    store = new_store(tmp_path)
    append(store, PLACE, [call(1), call(2)])
    whole = store.get(journal_of(PLACE))
    assert file_calls(store, PLACE, "k", 0, journal_of(PLACE)) == 2
    assert not store.exists(journal_of(PLACE))
    assert file_calls(store, PLACE, "k", 0, journal_of(PLACE)) == 0
    store.put(journal_of(PLACE), whole)  # as if killed before the journal was removed
    assert file_calls(store, PLACE, "k", 0, journal_of(PLACE)) == 2
    seal_calls(store, PLACE)
    assert in_table(store) == Counter(["id-1", "id-2"])
    store.put(journal_of(PLACE), whole)  # again, after the part was sealed
    file_away(store, PLACE, [call(3)])
    assert in_table(store) == Counter(["id-1", "id-2"])  # what waits is not read
    seal_calls(store, PLACE)
    assert in_table(store) == Counter(["id-1", "id-2", "id-3"])
    assert rows_of(Call, read(store, Call, PLACE)) == [call(1), call(2), call(3)]


def test_sealing_keeps_all_that_was_ever_there(tmp_path):
    store = new_store(tmp_path)
    wanted = Counter()
    for number, key in enumerate(["k", "l", "k", "m"]):
        file_away(store, PLACE, [call(number)], key=key, shard=number % 2)
        seal_calls(store, PLACE)
        wanted[f"id-{number}"] += 1
        assert in_table(store) == wanted
        assert read(store, Call, PLACE).num_rows == number + 1
    before = store.get(f"manifests/calls/{PLACE.folder}.json")
    seal_calls(store, PLACE)
    assert store.get(f"manifests/calls/{PLACE.folder}.json") == before
    assert {p.key for p in sealed(store, Call, PLACE)} == {"k", "l", "m"}


def test_a_journal_left_for_a_shard_that_is_cut_differently_is_filed(tmp_path):
    store = new_store(tmp_path)
    append(store, PLACE, [call(1)], key="left")
    file_away(store, PLACE, [call(2)])
    seal_calls(store, PLACE)
    assert in_table(store) == Counter(["id-1", "id-2"])
    assert store.names("journal") == []
    other = at(edition="v1-s9-n6-pabc")
    append(store, other, [here(other, 3)])
    seal_calls(store, PLACE)
    assert store.names("journal") == [journal_of(other)]


@pytest.mark.parametrize(
    ("method", "prefix"),
    [("put", "work/"), ("remove", "journal/"), ("put", "tables/"), ("put", "manifests/"), ("remove", "work/")],
)
def test_a_kill_anywhere_between_journal_and_table_loses_no_call(tmp_path, method, prefix):
    store = new_store(tmp_path)
    file_away(store, PLACE, [call(1)])
    seal_calls(store, PLACE)
    append(store, PLACE, [call(2)])
    with killed_at(method, prefix):
        file_calls(store, PLACE, "k", 0, journal_of(PLACE))
        seal_calls(store, PLACE)
    known = {f"{n:064x}": [f"id-{n}"] for n in (1, 2)}
    assert ids(known_calls(store, "invoices", "rules", CASES, journal_of(PLACE))) == known
    file_calls(store, PLACE, "k", 0, journal_of(PLACE))
    seal_calls(store, PLACE)
    assert in_table(store) == Counter(["id-1", "id-2"])
    assert read(store, Call, PLACE).num_rows == 2
    assert waiting_keys(store, Call, PLACE) == loose_keys(store, Call, PLACE) == set()
    assert ids(known_calls(store, "invoices", "rules", CASES, journal_of(PLACE))) == known


def test_a_part_that_a_kill_left_waiting_is_joined(tmp_path):
    store = new_store(tmp_path)
    write_part(store, Call, PLACE, "k", 0, [call(1)])
    file_away(store, PLACE, [call(2)])
    seal_calls(store, PLACE)
    assert in_table(store) == Counter(["id-1", "id-2"])


def test_of_a_part_about_other_cases_only_their_column_is_read(tmp_path, monkeypatch):
    store = new_store(tmp_path)
    file_away(store, PLACE, [call(1)])
    file_away(store, PLACE, [call(20)], key="l")
    seal_calls(store, PLACE)
    file_away(store, PLACE, [call(21)], key="m")
    whole = []
    monkeypatch.setattr(
        calls_at_rest, "read_part", lambda *a: (whole.append(a[3]) if len(a) == 4 else None, read_part(*a))[1]
    )
    assert set(ids(known_calls(store, "invoices", "rules", CASES, journal_of(PLACE)))) == {f"{1:064x}"}
    assert [name.rsplit("/", 1)[1] for name in whole] == ["part-k.parquet"]
