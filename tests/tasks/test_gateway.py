"""The door against a gateway on good days and bad ones: every scenario ends in the right status, and nothing is paid twice (M-2 to M-6)."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gateway_stub import Gateway
from tests_support import case_of

from datasets.journal import Journal, read_journal
from datasets.store import Store
from schemas.answer import Answer
from schemas.case import Case
from schemas.exchange import Brief, Message, Transcript
from schemas.replies import find_json
from schemas.system import System
from tasks import attempts, throttle
from tasks.ask import Desk, make_client
from tasks.attempts import SystemStoppedError
from tasks.budget import Budget
from tasks.loop import run
from tasks.waits import Waits


@pytest.fixture(scope="module")
def running() -> Iterator[Gateway]:
    with Gateway() as gateway:
        yield gateway


@pytest.fixture
def gateway(running: Gateway, monkeypatch: pytest.MonkeyPatch) -> Gateway:
    """A gateway that has not been asked yet, no throttle from an earlier test, and short waits after faults."""
    running.reset()
    throttle._THROTTLES.clear()
    monkeypatch.setattr(attempts, "LONGEST_WAIT_S", 0.05)
    return running


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "store")


def model(gateway: Gateway, name: str, **limits: Any) -> System:
    entry = {
        "id": "m",
        "name": "m",
        "vendor": "v",
        "family": "f",
        "client": "openai",
        "suites": (),
        "inputs": ("text", "image"),
    }
    options = {"url": gateway.url, "model": f"stub/{name}"}
    return System.model_validate({**entry, "options": options, "limits": {"seconds": 2, "at_once": 4, **limits}})


def next_message(brief: Brief, transcript: Transcript) -> Message | None:
    if not transcript:
        return Message(role="user", text=brief.prompt)
    if len(transcript) == 2 and find_json(transcript[1].text).value is None:
        return Message(role="user", text="Pošli prosím platný JSON.")
    return None


def converse(store: Store, system: System, cases: list[Case], budget: Budget | None = None) -> tuple[list[Any], Desk]:
    async def all_of_them() -> list[Any]:
        await desk.client.open()
        try:
            async with Journal(store, "journal/x.jsonl") as journal:
                desk.open(journal)
                talks = (desk.converse(c, c.to_brief(), next_message) for c in cases)
                return await asyncio.wait_for(asyncio.gather(*talks, return_exceptions=True), 60)
        finally:
            await desk.client.close()

    desk = Desk(system, make_client(system), {}, budget or Budget(None), "r1", Waits(store))
    return run(all_of_them()), desk


@pytest.mark.parametrize(
    ("name", "status", "calls"),
    [
        ("ok", "ok", 1), ("fenced", "ok", 1), ("badjson-once", "ok", 2), ("badjson", "invalid", 2), ("prose", "invalid", 2),
        ("err200", "ok", 2), ("errchoice", "ok", 2), ("filter", "filtered", 1), ("nousage", "ok", 1), ("nanusage", "ok", 1),
        ("hang", "timeout", 5), ("html", "api_error", 5), ("cut", "api_error", 5), ("noschema", "invalid", 4), ("noschema-object", "ok", 2),
    ],
)  # fmt: skip
def test_each_scenario_ends_in_its_status(gateway: Gateway, store: Store, name: str, status: str, calls: int) -> None:
    """Calls by hand: a repeat for JSON is a call, a refused form is one, a passing fault is tried five times in a run."""
    limits = {"seconds": 0.3} if name == "hang" else {}
    answers, desk = converse(store, model(gateway, name, **limits), [case_of("a")])
    assert [a.status for a in answers] == [status]
    assert desk.asked == calls


def test_a_refused_form_is_recorded_and_never_tried_again_in_the_shard(gateway: Gateway, store: Store) -> None:
    """M-2: schema, then any object, then words; the second case begins where the first one ended."""
    _, desk = converse(store, model(gateway, "noschema", at_once=1), [case_of("a"), case_of("b")])
    calls = read_journal(store, "journal/x.jsonl")
    assert [(c.case_id, c.form, c.fault) for c in calls] == [
        ("a", "schema", "schema_rejected"),
        ("a", "json", "schema_rejected"),
        ("a", "none", None),
        ("a", "none", None),
        ("b", "none", None),
        ("b", "none", None),
    ], "without a form the stand-in answers in words, so each case is asked once more"
    assert desk.asked == 6


def test_rate_limits_are_never_the_models_fault(gateway: Gateway, store: Store) -> None:
    """M-5: 20 answers a second are allowed and 40 cases are asked: all are answered, each is paid once, and the throttle has shrunk."""
    answers, desk = converse(store, model(gateway, "limit-20", at_once=32), [case_of(f"c{i}") for i in range(40)])
    assert {a.status for a in answers} == {"ok"}
    assert desk.asked > 40
    assert desk.throttle.has_slowed
    assert gateway.server.ledger.shown()["answered_twice"] == 0
    refused = [c for c in read_journal(store, "journal/x.jsonl") if c.fault == "rate_limit"]
    assert len(refused) == desk.asked - 40
    assert {c.status for c in refused} == {"api_error"}


def test_a_flaky_gateway_is_asked_until_it_answers(gateway: Gateway, store: Store) -> None:
    answers, _ = converse(store, model(gateway, "flaky-20"), [case_of(f"c{i}") for i in range(30)])
    assert sum(a.status == "ok" for a in answers) >= 29
    assert gateway.server.ledger.shown()["answered_twice"] == 0


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("key", "m: the key is refused"),
        ("credits", "m: the credits do not suffice"),
        ("gone", "m: the model is not there"),
        ("daily", "m: the quota of the day is used up"),
    ],
)
def test_what_cannot_be_helped_stops_the_system_at_once(gateway: Gateway, store: Store, name: str, told: str) -> None:
    results, desk = converse(store, model(gateway, name), [case_of(f"c{i}") for i in range(50)])
    assert {type(r) for r in results} == {SystemStoppedError}
    assert {str(r).split(" (")[0] for r in results} == {told}
    assert desk.asked <= 4, "no more than were in flight"


def test_a_later_run_asks_only_what_is_missing(gateway: Gateway, store: Store) -> None:
    """M-4: answers that are known are found by content; the new case alone goes out."""
    system = model(gateway, "ok")
    first, desk = converse(store, system, [case_of(f"c{i}") for i in range(5)])
    again = Desk(system, make_client(system), desk.known, Budget(None), "r2", Waits(store))

    async def one_more() -> list[Answer]:
        await again.client.open()
        async with Journal(store, "journal/y.jsonl") as journal:
            again.open(journal)
            cases = [case_of(f"c{i}") for i in range(6)]
            done = [await again.converse(c, c.to_brief(), next_message) for c in cases]
        await again.client.close()
        return done

    second = run(one_more())
    assert again.asked == 1
    assert second[:5] == [a.model_copy(update={"run_id": "r2"}) for a in first]
    assert gateway.server.ledger.shown()["answered_twice"] == 0


def test_cost_is_what_the_gateway_returned_to_the_last_digit(gateway: Gateway, store: Store) -> None:
    answers, desk = converse(store, model(gateway, "ok"), [case_of(f"c{i}") for i in range(7)])
    calls = read_journal(store, "journal/x.jsonl")
    assert sum(a.cost_usd for a in answers) == sum(c.cost_usd for c in calls) == desk.budget.spent > 0
