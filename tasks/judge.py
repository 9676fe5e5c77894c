"""Stage `grade`, judged: models are asked about answers through the door, and their replies become grades (G-4, G-6, G-7).

A judge gets what `questions` of the suite's grader says, and nothing that names the system that answered. A reply that cannot be used
(unreadable, off the scale, a quote that is not there) is told why and asked for once more; what is still wrong then is recorded and
left out of the score. The same question about the same words is asked once, however many systems gave them (M-4).
"""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from decimal import Decimal

from prefect import task

from datasets.calls import file_calls, seal_calls
from datasets.journal import Journal, journal_name
from datasets.store import Store
from datasets.tables import Place, find_part, part_of, read_part, rows_of, sealed, shard_key, write_table
from schemas.answer import Answer
from schemas.case import Case
from schemas.errors import StageError, UsageError
from schemas.exchange import Attachment, Brief, Frozen, Message, Transcript
from schemas.grade import Exam, Grade, PassName, Verdict
from schemas.judging import Question
from schemas.row import to_table
from schemas.status import GRADED
from schemas.system import System
from tasks.ask import Desk, make_client, system_version
from tasks.choose import known_systems
from tasks.collect import evidence_behind, read_evidence
from tasks.desks import open_desk
from tasks.gate import pass_gate
from tasks.grade import answers_at, exam_of, names_to_mask
from tasks.loop import run
from tasks.progress import advance
from tasks.retries import ALWAYS
from tasks.shards import Made, Plan, Shard, plan
from tasks.suites import Judging, suite_of
from tasks.test import cases_of
from tasks.tiles import WITHIN_LIMITS, tiled

LOG = logging.getLogger("zkusebna.judge")

UNASKED = "unasked"
"""Error of a grade that a judge could not be asked for; the next run asks again."""


def plan_judged(
    root: str, suite: str, edition: str, systems: Sequence[str], pass_name: PassName, judge: System, run_id: str = ""
) -> list[Plan]:
    """One plan a system for one pass by one judge; shards are those of the answers."""
    store, judging = Store.open(root), suite_of(suite).judging
    if judging is None:
        return []
    if judge.judges and suite not in judge.judges:
        raise UsageError(f"{judge.id!r} does not judge {suite}; its entry says: {', '.join(judge.judges)}.")
    if suite_of(suite).has_evidence and "image" not in judge.inputs:
        raise UsageError(
            f"{judge.id!r} takes no pictures, so it cannot judge {suite}; its entry needs `inputs: [text, image]`."
        )
    cases = cases_of(store, suite, edition)
    made_by = ("grades", Grade.version, pass_name, judging.JUDGED_VERSION, system_version(judge, make_client(judge)))
    plans = []
    for system in systems:
        place = Place(suite=suite, edition=edition, system=system, judge=judge.id)
        answers = sealed(store, Answer, answers_at(place))
        if answers is None:
            raise StageError(f"The answers of {system} to {suite} {edition} are not there; run the stage test first.")
        shards = [
            Shard(
                root=root,
                place=place,
                number=part.shard,
                key=shard_key(*made_by, part.digest, case.digest, *seen.values()),
                size=part.rows,
                sources={"cases": case.name, "answers": part.name, **seen},
                run_id=run_id,
            )
            for part in answers
            for case, seen in [(part_of(cases, part.shard), evidence_behind(store, place, part.shard))]
        ]
        plans.append(plan(store, Grade, place, shards, again=_unasked(store, shards)))
    return plans


def _unasked(store: Store, shards: Sequence[Shard]) -> set[str]:
    found = set()
    for shard in shards:
        part = find_part(store, Grade, shard.place, shard.key)
        if part and UNASKED in read_part(store, Grade, shard.place, part.name, ["error"])["error"].to_pylist():
            found.add(shard.key)
    return found


class Asked(Frozen):
    """One question about one answer."""

    pass_name: PassName
    case: Case
    answer: Answer
    exam: Exam
    question: Question


@task(name="judge", task_run_name="judge {pass_name} {judge.id} {shard.place.system} {shard.number}")
def judge_answers(shard: Shard, pass_name: PassName, judge: System, budget_usd: Decimal | None = None) -> Made:
    """Have one judge grade one shard of answers in one pass."""
    store, suite = Store.open(shard.root), shard.place.suite
    judging = suite_of(suite).judging
    assert judging is not None
    asked = list(_asked(store, shard, judging, pass_name))
    journal = journal_name(suite, shard.place.edition, judge.id, shard.key)
    desk = open_desk(
        store,
        judge,
        suite,
        {a.case.case_id for a in asked},
        journal,
        run_id=shard.run_id,
        budget_usd=budget_usd,
        purpose="judge",
    )
    home = Place(suite=suite, edition=shard.place.edition, system=judge.id)
    try:
        verdicts = run(_ask_all(store, desk, judging, asked, journal))
    finally:
        file_calls(store, home, shard.key, shard.number, journal)
    grades = list(_grades(shard, judge, asked, verdicts))
    table = to_table(Grade, grades)
    pass_gate(store, Grade, shard.place, shard.key, table, min_rows=0, run_id=shard.run_id)
    advance("judge", shard.size)
    part = write_table(store, Grade, shard.place, shard.key, shard.number, table)
    unasked = sum(g.error == UNASKED for g in grades)
    return Made(key=shard.key, rows=part.rows, counts={"grades": part.rows, "calls": desk.asked, "unanswered": unasked})


def _grades(
    shard: Shard, judge: System, asked: Sequence[Asked], verdicts: Sequence[Sequence[Verdict]]
) -> Iterator[Grade]:
    """Verdicts as rows."""
    judged = known_systems().get(str(shard.place.system))
    for a, of_one in zip(asked, verdicts, strict=True):
        for verdict in of_one:
            yield Grade(
                suite=shard.place.suite,
                edition=shard.place.edition,
                system_id=a.answer.system_id,
                case_id=a.answer.case_id,
                trial=a.answer.trial,
                answer_hash=a.answer.content_hash,
                is_same_vendor=judged is not None and judged.vendor == judge.vendor,
                **dict(verdict),
            )


def _asked(store: Store, shard: Shard, judging: Judging, pass_name: PassName) -> Iterator[Asked]:
    """The questions about the answers of a shard, in the order of the answers."""
    place, names = Place(suite=shard.place.suite, edition=shard.place.edition), names_to_mask(shard.place)
    cases = {c.case_id: c for c in rows_of(Case, read_part(store, Case, place, shard.sources["cases"]))}
    seen = read_evidence(store, shard.place, shard.sources.get("evidence"))
    for answer in rows_of(Answer, read_part(store, Answer, answers_at(shard.place), shard.sources["answers"])):
        if answer.status in GRADED:
            case = cases[answer.case_id]
            exam = exam_of(case, answer, names, seen.get((answer.case_id, answer.trial)))
            for question in judging.questions(exam, pass_name):
                yield Asked(pass_name=pass_name, case=case, answer=answer, exam=exam, question=question)


async def _ask_all(
    store: Store, desk: Desk, judging: Judging, asked: Sequence[Asked], journal: str
) -> list[list[Verdict]]:
    """What the judge's replies came to, question by question; a stop (the budget, the key) is raised when all in flight are home."""
    if not asked:
        return []
    await desk.client.open()
    try:
        async with Journal(store, journal) as open_journal:
            desk.open(open_journal)
            near = asyncio.Semaphore(2 * desk.throttle.most)  # pictures are read only when their turn is near

            async def one(a: Asked) -> list[Verdict]:
                async with near:
                    return await _ask(store, desk, judging, a)

            results = await asyncio.gather(*(one(a) for a in asked), return_exceptions=True)
    finally:
        await desk.client.close()
    LOG.info("%s: %d calls, at most %d in flight", desk.system.id, desk.asked, desk.throttle.limit)
    problems = [r for r in results if isinstance(r, BaseException)]
    if problems:
        raise problems[0]
    return [r for r in results if not isinstance(r, BaseException)]


async def _ask(store: Store, desk: Desk, judging: Judging, asked: Asked) -> list[Verdict]:
    """One question, asked once more where the first reply cannot be used (A-5, G-7, M-2)."""
    question, exam, judge_id = asked.question, asked.exam, desk.system.id

    def next_message(_: Brief, transcript: Transcript) -> Message | None:
        if not transcript:
            return Message(role="user", text=question.prompt, attachments=filled(store, question, desk.system))
        if len(transcript) > 2:
            return None
        reading = judging.read_reply(exam, question, transcript[-1].text, judge_id=judge_id, is_last=False)
        return Message(role="user", text=reading.problem) if reading.problem else None

    brief = Brief(
        suite=asked.case.suite,
        case_id=asked.case.case_id,
        language=question.language,
        prompt=question.prompt,
        prompt_version=question.prompt_version,
        answer_schema=question.answer_schema,
    )
    case = asked.case.model_copy(update={"prompt_version": question.prompt_version})
    reply = await desk.converse(case, brief, next_message)
    if not reply.replies or reply.status not in GRADED | {"invalid"}:
        return [_no_verdict(desk, asked, reply)]
    reading = judging.read_reply(exam, question, reply.replies[-1], judge_id=judge_id, is_last=True)
    return list(reading.verdicts)


def filled(store: Store, question: Question, judge: System) -> tuple[Attachment, ...]:
    """What is shown to the judge, with its bytes; tall pictures in tiles where a service has limits."""
    filled = [a.model_copy(update={"data": store.get_blob(a.sha256)}) for a in question.attachments]
    if judge.client in WITHIN_LIMITS:
        return tuple(part for attachment in filled for part in tiled(attachment))
    return tuple(filled)


def _no_verdict(desk: Desk, asked: Asked, reply: Answer) -> Verdict:
    """A question without a reply: recorded, outside every score; errors and time-outs are asked again by the next run."""
    question = asked.question
    return Verdict(
        pass_name=asked.pass_name,
        judge_id=desk.system.id,
        item=f"{question.item}@{question.order}" if question.order else question.item,
        points=0,
        max_points=0,
        label=reply.status,
        error=UNASKED if reply.status in ALWAYS else reply.status,
        reason=reply.error,
        rubric_version=question.prompt_version,
    )


def seal_judged(root: str, suite: str, edition: str, judge: System) -> None:
    """Publish the calls of a judge; call it when it is not being asked."""
    seal_calls(Store.open(root), Place(suite=suite, edition=edition, system=judge.id))
