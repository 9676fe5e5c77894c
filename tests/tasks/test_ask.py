"""The door: what is asked, what is not asked again, what a run may spend (M-2 to M-5, M-8, G-6)."""

import asyncio
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from tests_support import case_of

from datasets.journal import Journal, read_journal
from datasets.store import Store
from schemas.answer import Answer
from schemas.case import Case
from schemas.errors import BudgetError
from schemas.exchange import Attachment, Brief, Message, Transcript
from schemas.system import System
from tasks.ask import Desk, make_client, request_hash, system_version
from tasks.budget import Budget
from tasks.loop import run
from tasks.waits import Waits

ANSWER = '{"supplier": "Pekařství Vrána"}'


def system_with(**options: Any) -> System:
    limits = {"max_cost_usd": options.pop("most")} if "most" in options else {}
    entry = {
        "id": "echo",
        "name": "echo",
        "vendor": "t",
        "family": "t",
        "client": "scripted",
        "suites": (),
        "inputs": ("text",),
    }
    return System.model_validate({**entry, "options": options, "limits": limits})


def next_message(brief: Brief, transcript: Transcript) -> Message | None:
    """Two turns at most: the prompt, then `again` where the reply is no object."""
    if not transcript:
        return Message(role="user", text=brief.prompt)
    if len(transcript) == 2 and not transcript[1].text.startswith("{"):
        return Message(role="user", text="again")
    return None


def converse(
    store: Store, system: System, cases: list[Case], known: Any = None, budget: Budget | None = None
) -> tuple[list[Answer], Desk]:
    async def all_of_them() -> list[Answer]:
        async with Journal(store, "journal/x.jsonl") as journal:
            desk.open(journal)
            done = await asyncio.gather(
                *(desk.converse(c, c.to_brief(), next_message) for c in cases), return_exceptions=True
            )
        for one in done:
            if isinstance(one, BaseException):
                raise one
        return [one for one in done if isinstance(one, Answer)]

    desk = Desk(system, make_client(system), known or {}, budget or Budget(None), "r1", Waits(store))
    return run(all_of_them()), desk


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "store")


def test_a_right_answer_takes_one_call(store: Store) -> None:
    answers, desk = converse(store, system_with(replies=[ANSWER], cost_usd="0.0025"), [case_of("a")])
    assert [(a.status, a.text, a.cost_usd) for a in answers] == [("ok", ANSWER, Decimal("0.0025"))]
    assert desk.asked == 1


def test_an_answer_that_is_no_json_is_asked_once_more_and_both_are_recorded(store: Store) -> None:
    """M-2."""
    answers, desk = converse(store, system_with(replies=["Omlouvám se.", ANSWER]), [case_of("a")])
    assert (answers[0].status, answers[0].replies, desk.asked) == ("ok", ["Omlouvám se.", ANSWER], 2)
    calls = read_journal(store, "journal/x.jsonl")
    assert [(c.turn, c.text) for c in calls] == [(1, "Omlouvám se."), (2, ANSWER)]


def test_an_answer_that_stays_no_json_is_invalid(store: Store) -> None:
    answers, desk = converse(store, system_with(replies=["próza"]), [case_of("a")])
    assert (answers[0].status, answers[0].replies, desk.asked) == ("invalid", ["próza", "próza"], 2)


def test_a_known_reply_is_not_asked_again_and_keeps_its_cost_and_time(store: Store) -> None:
    """M-4: found by content, with the original cost and latency."""
    system = system_with(replies=[ANSWER], cost_usd="0.5", delay_ms=20)
    first, desk = converse(store, system, [case_of("a")])
    again, second = converse(store, system, [case_of("a")], known=desk.known)
    assert second.asked == 0
    assert again == first


@pytest.mark.parametrize("status", ["api_error", "timeout"])
def test_errors_and_timeouts_are_asked_again_by_the_next_run(store: Store, status: str) -> None:
    system = system_with(replies=[ANSWER], status=status)
    failed, desk = converse(store, system, [case_of("a")])
    assert (failed[0].status, failed[0].text, desk.asked) == (status, None, 2)
    _, second = converse(store, system, [case_of("a")], known=desk.known)
    assert second.asked == 2
    key = failed[0].request_hashes[0]
    assert [c.attempt for c in second.known[key]] == [1, 2, 3, 4]


@pytest.mark.parametrize("status", ["filtered", "refused", "truncated", "pin_violated"])
def test_final_statuses_are_not_asked_again(store: Store, status: str) -> None:
    system = system_with(replies=[ANSWER], status=status)
    _, desk = converse(store, system, [case_of("a")])
    _, second = converse(store, system, [case_of("a")], known=desk.known)
    assert (desk.asked, second.asked) == (1, 0)


def test_an_error_that_passes_is_mended_within_the_run(store: Store) -> None:
    answers, desk = converse(store, system_with(replies=[ANSWER], fail_first=1), [case_of("a")])
    assert (answers[0].status, desk.asked) == ("ok", 2)


def test_the_budget_is_never_passed_and_what_was_paid_is_kept(store: Store) -> None:
    """M-8: 3 calls fit into 1 USD at 0.3 each; those that were answered are in the journal to the last digit."""
    budget = Budget(Decimal(1))
    system = system_with(replies=[ANSWER], cost_usd="0.3", most="0.3")
    with pytest.raises(BudgetError, match="budget of 1 USD"):
        converse(store, system, [case_of(f"c{i}") for i in range(10)], budget=budget)
    calls = read_journal(store, "journal/x.jsonl")
    assert len(calls) == 3
    assert sum(c.cost_usd for c in calls) == budget.spent == Decimal("0.9")


def request_of(system: System, **changes: Any) -> str:
    from schemas.exchange import Request

    document = Attachment(kind="text", media_type="text/plain", sha256="a" * 64)
    base: dict[str, Any] = {
        "system_id": system.id,
        "suite": "invoices",
        "case_id": "a",
        "language": "cs",
        "messages": (Message(role="user", text="Přečti fakturu.", attachments=(document,)),),
    }
    return request_hash(system, make_client(system), Request(**{**base, **changes}))


def test_the_hash_of_a_request_is_its_content() -> None:
    """M-4: whatever can change an answer changes the hash; who is asked by name alone does not."""
    system = system_with(replies=[ANSWER])
    other = Attachment(kind="image", media_type="image/png", sha256="b" * 64)
    hashes = [
        request_of(system),
        request_of(system, trial=2),
        request_of(system, language="en"),
        request_of(system, answer_schema={"type": "object"}),
        request_of(system, messages=(Message(role="user", text="Přečti fakturu!"),)),
        request_of(system, messages=(Message(role="user", text="Přečti fakturu.", attachments=(other,)),)),
        request_of(system_with(replies=["jiná"])),
        request_of(system, max_tokens=16),
        request_of(system.model_copy(update={"limits": {"max_tokens": 100}})),
        request_of(system.model_copy(update={"provider": "another"})),
    ]
    assert len(set(hashes)) == len(hashes)
    same = system.model_copy(update={"limits": {"at_once": 7, "seconds": 3}, "name": "renamed", "key_env": "KEY"})
    assert request_of(system) == request_of(same) == request_of(system, form="none") == hashes[0]


def test_the_version_of_a_system_names_its_program() -> None:
    rules = system_with(replies=[ANSWER])
    client = make_client(rules)
    before = system_version(rules, client)
    client.version = "2"
    assert system_version(rules, client) != before
