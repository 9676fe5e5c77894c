"""Stage `test`: asks the systems under test and records their answers.

Run it by module name only; as a script its folder would stand on `sys.path` and hide the standard library's `test` and `profile`.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, get_args

from prefect import task
from pyarrow import concat_tables

from datasets.calls import file_calls, seal_calls
from datasets.journal import Journal, journal_name
from datasets.store import Store
from datasets.tables import Part, Place, read_part, rows_of, sealed, shard_key, write_table
from schemas.answer import Answer
from schemas.case import Case
from schemas.errors import StageError
from schemas.exchange import Attachment, Brief
from schemas.row import to_table
from schemas.system import System
from tasks.ask import Desk, make_client, system_version
from tasks.attempts import SystemStoppedError
from tasks.desks import open_desk, reach
from tasks.gate import pass_gate
from tasks.loop import favoured, run
from tasks.progress import advance
from tasks.retries import ALWAYS, ended_invalid, reopened, statuses, to_ask_again
from tasks.shards import Made, Outcome, Plan, Shard, finish, plan
from tasks.suites import Suite, suite_of
from tasks.trials import Answering, answers_case, next_trial_of, planned_trials
from tasks.trials_ordered import keep_trials, ordered

LOG = logging.getLogger("zkusebna.test")

MOST_CASES = 1200
"""Cases that one task asks about at most: its fixed costs (a task run, a client's connections, a gate) are paid once for them."""


KINDS: tuple[str, ...] = get_args(Attachment.model_fields["kind"].annotation)
"""Kinds of documents."""


def cases_of(store: Store, suite: str, edition: str) -> list[Part]:
    """The sealed parts of an edition's cases; StageError where `build` has not finished."""
    parts = sealed(store, Case, Place(suite=suite, edition=edition))
    if parts is None:
        raise StageError(f"The cases of {suite} {edition} are not built; run the stage build first.")
    return parts


def plan_answers(
    root: str, suite: str, edition: str, systems: Sequence[System], run_id: str = "", retry_status: Sequence[str] = (),
    trials: int | None = None,
) -> list[Plan]:  # fmt: skip
    """One plan a system; shards are those of the cases.

    retry_status: answers with these are asked again too (M-4). trials: of every case, remembered for the runs after this one.
    """
    store = Store.open(root)
    cases = cases_of(store, suite, edition)
    again = statuses(retry_status)
    plans = []
    for system in systems:
        place, client = Place(suite=suite, edition=edition, system=system.id), make_client(system)
        version = system_version(system, client)
        keep_trials(store, suite_of(suite), edition, system.id, trials)
        asked = ordered(store, suite_of(suite), edition, system.id, client)
        times = asked.trials, asked.reruns
        shards = [
            Shard(
                root=root,
                place=place,
                number=part.shard,
                key=shard_key("answers", Answer.version, part.digest, version, *([] if times == (1, 0) else [times])),
                size=part.rows,
                sources={"cases": part.name},
                run_id=run_id,
            )
            for part in cases
        ]
        plans.append(plan(store, Answer, place, shards, again=to_ask_again(store, shards, again)))
    return plans


def can_take(system: System, case: Case) -> bool:
    """Whether the system takes all kinds of documents of a case; the others are left out and counted.

    The brief is read only where the word of a kind that the system cannot take stands in it at all.
    """
    others = (kind for kind in KINDS if kind not in system.inputs)
    return not any(f'"{kind}"' in case.brief for kind in others) or all(
        attachment.kind in system.inputs for attachment in case.to_brief().attachments
    )


def first_of(system: System, cases: list[Case], shard: int) -> list[Case]:
    """The cases that a system with `cases_at_most` is asked: the first pairs of the first shard, both twins of each."""
    most = system.most_cases(cases[0].suite) if cases else None
    if most is None:
        return cases
    return sorted(cases, key=lambda c: (c.pair_id, c.case_id))[:most] if shard == 0 else []


def _filled(store: Store, case: Case) -> Brief:
    """The brief with the bytes of its documents."""
    brief = case.to_brief()
    filled = []
    for attachment in brief.attachments:
        data = (case.text or "").encode() if attachment.kind == "text" else store.get_blob(attachment.sha256)
        filled.append(attachment.model_copy(update={"data": data}))
    return brief.model_copy(update={"attachments": tuple(filled)})


def batches(shards: Sequence[Shard]) -> list[tuple[Shard, ...]]:
    """Neighbouring shards that one task asks about together: as few batches of `MOST_CASES` as will do, of about equal size."""
    total = sum(s.size for s in shards)
    target = total / max(1, -(-total // MOST_CASES))
    groups: list[list[Shard]] = []
    for shard in shards:
        if groups and sum(s.size for s in groups[-1]) + shard.size / 2 <= target:
            groups[-1].append(shard)
        else:
            groups.append([shard])
    return [tuple(group) for group in groups]


def _cases_for(store: Store, shard: Shard, system: System, client: Answering) -> list[Case]:
    """The cases of a shard that the system is asked about."""
    place = Place(suite=shard.place.suite, edition=shard.place.edition)
    cases = [
        case
        for case in rows_of(Case, read_part(store, Case, place, shard.sources["cases"]))
        if can_take(system, case) and answers_case(client, case)
    ]
    return first_of(system, cases, shard.number)


@task(name="test", task_run_name="test {shards[0].place.system} {shards[0].number}")
def answer_cases(
    shards: tuple[Shard, ...], system: System, budget_usd: Decimal | None = None, retry_status: Sequence[str] = ()
) -> list[Made]:
    """Ask one system about a batch of shards: all cases at once, as many in flight as the system's limits say.

    A case whose trial was extreme gets further trials, where the suite has them (M-6).
    Shards whose cases are all answered are written also where something stopped the rest, which is raised afterwards.
    """
    with favoured():
        return _answer_all(Store.open(shards[0].root), shards, system, budget_usd, retry_status)


def _answer_all(
    store: Store, shards: tuple[Shard, ...], system: System, budget_usd: Decimal | None, retry_status: Sequence[str]
) -> list[Made]:
    first = shards[0]
    system, client = reach(store, system, budget_usd)
    cases = {shard.key: _cases_for(store, shard, system, client) for shard in shards}
    journal = journal_name(first.place.suite, first.place.edition, system.id, first.key)
    desk = open_desk(
        store,
        system,
        first.place.suite,
        {c.case_id for some in cases.values() for c in some},
        journal,
        run_id=first.run_id,
        budget_usd=budget_usd,
        purpose="test",
        client=client,
        reopen=lambda known: reopened(known, ended_invalid(store, shards), statuses(retry_status)),
    )
    try:
        suite = ordered(store, suite_of(first.place.suite), str(first.place.edition), system.id, client)
        answers, problem = run(_converse_all(store, desk, cases, journal, suite))
    finally:
        file_calls(store, first.place, first.key, first.number, journal)
    done = [shard for shard in shards if len(answers[shard.key]) == len(cases[shard.key])]
    rows = {shard.key: [a for trials in answers[shard.key] for a in trials] for shard in done}
    tables = {key: to_table(Answer, of_shard) for key, of_shard in rows.items()}
    if tables:
        pass_gate(
            store, Answer, first.place, first.key, concat_tables(tables.values()), min_rows=0, run_id=first.run_id
        )
    made: list[Made] = []
    for shard in done:
        advance("test", shard.size - len(answers[shard.key]))
        part = write_table(store, Answer, shard.place, shard.key, shard.number, tables[shard.key])
        failed = sum(a.status in ALWAYS for a in rows[shard.key])
        made.append(
            Made(key=shard.key, rows=part.rows, counts={"calls": 0 if made else desk.asked, "unanswered": failed})
        )
    if problem:
        raise problem
    return made


async def _converse_all(
    store: Store, desk: Desk, cases: Mapping[str, Sequence[Case]], journal: str, suite: Suite
) -> tuple[dict[str, list[list[Answer]]], BaseException | None]:
    """The answers of each case's trials by shard, and what stopped the rest (the budget, the key).

    Those in flight come home and are written down first.
    """
    flat = [(key, case) for key, some in cases.items() for case in some]
    if not flat:
        return {key: [] for key in cases}, None
    near = asyncio.Semaphore(2 * desk.throttle.most)
    await desk.client.open()
    try:
        async with Journal(store, journal) as open_journal:
            desk.open(open_journal)

            async def one(case: Case) -> list[Answer]:
                trials: list[Answer] = []
                async with near:  # a brief's documents are read only when its turn is near
                    brief = _filled(store, case)
                    planned = planned_trials(suite, desk.client, case.case_id)
                    while (trial := next_trial_of(suite, trials, planned)) is not None:
                        trials.append(await desk.converse(case, brief, suite.source.next_message, trial))
                advance("test")
                return trials

            results = await asyncio.gather(*(one(case) for _, case in flat), return_exceptions=True)
    finally:
        await desk.client.close()
    LOG.info("%s: %d calls, at most %d in flight", desk.system.id, desk.asked, desk.throttle.limit)
    answers: dict[str, list[list[Answer]]] = {key: [] for key in cases}
    for (key, _), result in zip(flat, results, strict=True):
        if isinstance(result, list):
            answers[key].append(result)
    return answers, _problem(results)


def _problem(results: Sequence[list[Answer] | BaseException]) -> BaseException | None:
    """What to tell of the exceptions among the results: a stop first, with how many cases it cost."""
    lacking = [r for r in results if isinstance(r, BaseException)]
    for problem in lacking:
        if isinstance(problem, SystemStoppedError):
            return SystemStoppedError(f"{problem} {len(lacking)} of {len(results)} cases of the shard have no answer.")
    return lacking[0] if lacking else None


def seal_answers(plans: Sequence[Plan], results: Sequence[Sequence[Any]], root: str) -> list[Outcome]:
    """End the stage for every system; what a system could not finish is told after the others are sealed."""
    store = Store.open(root)
    outcomes, problems = [], []
    for one, made in zip(plans, results, strict=True):
        seal_calls(store, one.place)
        try:
            each = [m for result in made for m in (result if isinstance(result, list) else [result])]
            outcomes.append(finish(store, Answer, one, each))
        except StageError as problem:
            problems.append(problem)
    if problems:
        raise StageError(" ".join(map(str, problems)))
    return outcomes
