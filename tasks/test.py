"""Stage `test`: asks the systems under test and records their answers.

Run it by module name only; as a script its folder would stand on `sys.path` and hide the standard library's `test` and `profile`.
"""

import asyncio
import logging
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from prefect import task

from datasets.calls import file_calls, known_calls, seal_calls
from datasets.journal import Journal, journal_name
from datasets.store import Store
from datasets.tables import Part, Place, find_part, read_part, rows_of, sealed, shard_key, write_table
from schemas.answer import Answer
from schemas.case import Case
from schemas.errors import StageError
from schemas.exchange import Attachment, Brief
from schemas.row import to_table
from schemas.system import System
from tasks.ask import Desk, make_client, system_version
from tasks.attempts import SystemStoppedError
from tasks.budget import open_budget
from tasks.gate import pass_gate
from tasks.loop import run
from tasks.prices import Prices
from tasks.progress import advance
from tasks.shards import Made, Outcome, Plan, Shard, finish, plan
from tasks.suites import suite_of
from tasks.waits import Waits

LOG = logging.getLogger("zkusebna.test")

ASKED_AGAIN = frozenset({"api_error", "timeout"})
"""Answers with these are asked again by the next run (M-4)."""


def cases_of(store: Store, suite: str, edition: str) -> list[Part]:
    """The sealed parts of an edition's cases; StageError where `build` has not finished."""
    parts = sealed(store, Case, Place(suite=suite, edition=edition))
    if parts is None:
        raise StageError(f"The cases of {suite} {edition} are not built; run the stage build first.")
    return parts


def plan_answers(root: str, suite: str, edition: str, systems: Sequence[System], run_id: str = "") -> list[Plan]:
    """One plan a system; shards are those of the cases."""
    store = Store.open(root)
    cases = cases_of(store, suite, edition)
    plans = []
    for system in systems:
        place = Place(suite=suite, edition=edition, system=system.id)
        version = system_version(system, make_client(system))
        shards = [
            Shard(
                root=root,
                place=place,
                number=part.shard,
                key=shard_key("answers", Answer.version, part.digest, version),
                size=part.rows,
                sources={"cases": part.name},
                run_id=run_id,
            )
            for part in cases
        ]
        plans.append(plan(store, Answer, place, shards, again=_unanswered(store, place, shards)))
    return plans


def _unanswered(store: Store, place: Place, shards: Sequence[Shard]) -> set[str]:
    found = set()
    for shard in shards:
        part = find_part(store, Answer, place, shard.key)
        if part and ASKED_AGAIN & set(read_part(store, Answer, place, part.name, ["status"])["status"].to_pylist()):
            found.add(shard.key)
    return found


def can_take(system: System, brief: Brief) -> bool:
    """Whether the system takes all kinds of documents that the brief holds; the others are left out and counted."""
    return {a.kind for a in brief.attachments} <= set(system.inputs)


def first_of(system: System, cases: list[Case], shard: int) -> list[Case]:
    """The cases that a system with `cases_at_most` is asked: the first pairs of the first shard, both twins of each."""
    if system.cases_at_most is None:
        return cases
    return sorted(cases, key=lambda c: (c.pair_id, c.case_id))[: system.cases_at_most] if shard == 0 else []


def _filled(store: Store, case: Case) -> Brief:
    """The brief with the bytes of its documents."""
    brief = case.to_brief()
    filled = []
    for attachment in brief.attachments:
        data = (case.text or "").encode() if attachment.kind == "text" else store.get_blob(attachment.sha256)
        filled.append(Attachment(**attachment.model_dump(), data=data))
    return brief.model_copy(update={"attachments": tuple(filled)})


@task(name="test", task_run_name="test {shard.place.system} {shard.number}")
def answer_cases(shard: Shard, system: System, budget_usd: Decimal | None = None) -> Made:
    """Ask one system about one shard of cases: all at once, as many in flight as the system's limits say."""
    store = Store.open(shard.root)
    place = Place(suite=shard.place.suite, edition=shard.place.edition)
    client = make_client(system)
    if budget_usd is not None:  # a budget needs the price of every call before it is sent
        system = Prices(store).priced(system)
    cases = [
        case
        for case in rows_of(Case, read_part(store, Case, place, shard.sources["cases"]))
        if can_take(system, case.to_brief()) and client.answers(case.case_id)
    ]
    cases = first_of(system, cases, shard.number)
    journal = journal_name(shard.place.suite, shard.place.edition, system.id, shard.key)
    desk = Desk(
        system=system,
        client=client,
        known=known_calls(store, shard.place.suite, system.id, {c.case_id for c in cases}, journal),
        budget=open_budget(shard.run_id, budget_usd),
        run_id=shard.run_id,
        waits=Waits(store),
    )
    try:
        answers = run(_converse_all(store, desk, cases, journal))
    finally:
        file_calls(store, shard.place, shard.key, shard.number, journal)
    advance("test", shard.size - len(answers))
    table = to_table(Answer, answers)
    pass_gate(store, Answer, shard.place, shard.key, table, min_rows=0)
    part = write_table(store, Answer, shard.place, shard.key, shard.number, table)
    failed = sum(a.status in ASKED_AGAIN for a in answers)
    return Made(key=shard.key, rows=part.rows, counts={"calls": desk.asked, "unanswered": failed})


async def _converse_all(store: Store, desk: Desk, cases: Sequence[Case], journal: str) -> list[Answer]:
    """All answers; where one cannot be had (the budget, the key), those in flight come home and are written down before it is told."""
    if not cases:
        return []
    next_message = suite_of(cases[0].suite).source.next_message
    near = asyncio.Semaphore(2 * desk.throttle.most)
    await desk.client.open()
    try:
        async with Journal(store, journal) as open_journal:
            desk.open(open_journal)

            async def one(case: Case) -> Answer:
                async with near:  # a brief's documents are read only when its turn is near
                    answer = await desk.converse(case, _filled(store, case), next_message)
                    advance("test")
                    return answer

            results = await asyncio.gather(*(one(case) for case in cases), return_exceptions=True)
    finally:
        await desk.client.close()
    LOG.info("%s: %d calls, at most %d in flight", desk.system.id, desk.asked, desk.throttle.limit)
    answers = [r for r in results if isinstance(r, Answer)]
    for result in results:
        if isinstance(result, SystemStoppedError):
            raise SystemStoppedError(
                f"{result} {len(cases) - len(answers)} of {len(cases)} cases of the shard have no answer."
            )
        if isinstance(result, BaseException):
            raise result
    return answers


def seal_answers(plans: Sequence[Plan], results: Sequence[Sequence[Any]], root: str) -> list[Outcome]:
    """End the stage for every system; what a system could not finish is told after the others are sealed."""
    store = Store.open(root)
    outcomes, problems = [], []
    for one, made in zip(plans, results, strict=True):
        seal_calls(store, one.place)
        try:
            outcomes.append(finish(store, Answer, one, made))
        except StageError as problem:
            problems.append(problem)
    if problems:
        raise problems[0]
    return outcomes
