"""The journal: what returned is on disk, few flushes for many calls, a cut-off line harms nothing (M-4)."""

import asyncio
import multiprocessing
import os
import random
import threading
import time

import pytest
from kill_support import told_before_a_kill
from row_support import call, new_store

from datasets.journal import Journal, journal_name, read_journal

NAME = journal_name("invoices", "v1-s7-n6-pabc", "rules", "k")

children = multiprocessing.get_context("forkserver")
children.set_forkserver_preload(["asyncio", "multiprocessing.connection", "datasets.journal"])


def append_all(store, calls):
    async def go():
        async with Journal(store, NAME) as journal:
            await asyncio.gather(*(journal.append(c) for c in calls))

    asyncio.run(go())


def test_calls_come_back_as_they_were(tmp_path):
    store = new_store(tmp_path)
    assert read_journal(store, NAME) == []
    calls = [
        call(n, text=t) for n, t in enumerate(["", "„ú\u00a0n“\r\n\n", "\u2028\u0085\x0b\x1c", "𝄞" * 5_000, '{"a": 1}'])
    ]
    append_all(store, calls)
    assert read_journal(store, NAME) == calls
    assert store.path(NAME).read_bytes().count(b"\n") == len(calls)


def test_many_in_flight_share_their_flushes(tmp_path, monkeypatch):
    """While the disk is busy with the first line the others gather, and go out in one group."""
    store = new_store(tmp_path)
    flushed, really = [], os.fsync

    def slow(file):
        flushed.append(threading.current_thread())
        time.sleep(0.02)
        really(file)

    async def go():
        async with Journal(store, NAME) as journal:
            monkeypatch.setattr(os, "fsync", slow)
            await asyncio.gather(*(journal.append(call(n)) for n in range(200)))

    asyncio.run(go())
    assert len(read_journal(store, NAME)) == 200
    assert 1 <= len(flushed) <= 5
    assert threading.main_thread() not in flushed  # the event loop never waits for the disk


def test_append_returns_only_after_its_line_is_flushed(tmp_path, monkeypatch):
    store = new_store(tmp_path)
    safe, really = [0], os.fsync

    def note(file):
        really(file)
        safe[0] = os.fstat(file).st_size

    monkeypatch.setattr(os, "fsync", note)

    async def one(journal, number):
        await journal.append(call(number))
        flushed = store.path(NAME).read_bytes()[: safe[0]]
        assert f'"id-{number}"'.encode() in flushed

    async def go():
        async with Journal(store, NAME) as journal:
            await asyncio.gather(*(one(journal, n) for n in range(30)))

    asyncio.run(go())


@pytest.mark.parametrize("cut", [1, 2, 50, 300])
def test_a_line_cut_off_is_ignored_and_overwritten(tmp_path, cut):
    store = new_store(tmp_path)
    append_all(store, [call(1), call(2)])
    whole = store.path(NAME).read_bytes()
    store.path(NAME).write_bytes(whole[:-cut])
    assert read_journal(store, NAME) == [call(1)]
    append_all(store, [call(3)])
    assert read_journal(store, NAME) == [call(1), call(3)]
    assert len(store.path(NAME).read_bytes()) == len(whole)


def test_a_journal_of_half_a_line_is_empty(tmp_path):
    store = new_store(tmp_path)
    store.put(NAME, b'{"suite": "inv')
    assert read_journal(store, NAME) == []
    append_all(store, [])
    assert store.get(NAME) == b""


def test_one_who_gives_up_does_not_hold_up_the_others(tmp_path):
    store = new_store(tmp_path)

    async def go():
        async with Journal(store, NAME) as journal:
            tasks = [asyncio.create_task(journal.append(call(n))) for n in range(6)]
            await asyncio.sleep(0)
            tasks[0].cancel()
            tasks[3].cancel()
            done = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 20)
            await asyncio.wait_for(journal.append(call(6)), 20)
        return done

    done = asyncio.run(go())
    assert [type(d) for d in done] == [asyncio.CancelledError if n in (0, 3) else type(None) for n in range(6)]
    found = {c.call_id for c in read_journal(store, NAME)}
    assert found == {f"id-{n}" for n in range(7)}


def test_a_disk_that_fails_is_told_to_all_who_wait_and_the_next_may_succeed(tmp_path, monkeypatch):
    store = new_store(tmp_path)
    really = os.fsync

    async def go():
        async with Journal(store, NAME) as journal:

            def full(_):
                raise OSError(28, "No space left on device")

            monkeypatch.setattr(os, "fsync", full)
            told = await asyncio.gather(*(journal.append(call(n)) for n in range(3)), return_exceptions=True)
            monkeypatch.setattr(os, "fsync", really)
            await journal.append(call(3))
        late = await asyncio.gather(asyncio.wait_for(journal.append(call(4)), 20), return_exceptions=True)
        return told, late

    told, (late,) = asyncio.run(go())
    assert [type(t) for t in told] == [OSError] * 3
    assert type(late) is ValueError  # the journal is closed
    assert "id-3" in {c.call_id for c in read_journal(store, NAME)}


@pytest.mark.parametrize("kills", [8, pytest.param(80, marks=pytest.mark.slow)])
def test_every_append_that_returned_before_a_kill_is_in_the_file(tmp_path, kills):
    store = new_store(tmp_path)
    moments, before = random.Random(kills), set()
    for at_once in [1, 20] * (kills // 2):
        told = told_before_a_kill(children, str(store.root), NAME, at_once, moments.uniform(0, 0.05))
        found = [c.call_id.encode() for c in read_journal(store, NAME)]
        assert told | before <= set(found)
        before |= told
    assert len(before) > 20
