"""Asks models for the draft of a case and for verdicts about it, through the door; calls have the purpose `draft` (L-4, M-3, M-4).

A reply that cannot be used is told why and asked for once more (M-2). What was answered is in `calls` and is never asked again, whatever
stopped the run; so a step may be repeated from its beginning.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from decimal import Decimal
from typing import Any, TypeVar

from datasets.calls import file_calls, seal_calls, spent_usd
from datasets.drafts import LANGUAGE, signals_of
from datasets.journal import Journal, journal_name
from datasets.legal import SET_VERSION, SUITE
from datasets.store import Store
from datasets.tables import Place
from schemas.answer import BlindAnswer
from schemas.case import Case
from schemas.drafts import Step
from schemas.errors import StageError
from schemas.exchange import Brief, Frozen, Message, Transcript
from schemas.grade import Exam, Verdict
from schemas.judging import Question
from schemas.legal import LegalCase, Truth
from schemas.replies import find_json
from schemas.status import GRADED
from schemas.system import System
from tasks.ask import Desk
from tasks.budget import Budget
from tasks.desks import open_desk
from tasks.loop import run

T = TypeVar("T")

Complain = Callable[[dict[str, Any] | None], str | None]
"""What a model is told about the object in its reply so that it answers once more; None where the object can be used."""


class Table(Frozen):
    """Where one step of a draft is asked about."""

    root: str
    draft: str
    step: Step
    run_id: str
    budget_usd: Decimal | None = None
    """What the draft may spend at most, all its steps and runs together (M-8)."""

    @property
    def place(self) -> str:
        """The edition under which the calls of this draft stand."""
        return f"draft-{self.draft}"


def at_desk(table: Table, system: System, work: Callable[[Desk], Awaitable[T]]) -> T:
    """Do some asking at a desk of one system; its calls are filed and published also where something stopped the rest."""
    store, case_id = Store.open(table.root), f"{table.draft}-{table.step}"
    journal = journal_name(SUITE, table.place, system.id, table.draft)
    place = Place(suite=SUITE, edition=table.place, system=system.id)
    desk = open_desk(
        store, system, SUITE, {case_id}, journal, run_id=table.run_id, budget_usd=table.budget_usd, purpose="draft"
    )  # fmt: skip
    if table.budget_usd is not None:  # a run that waited goes on in another process: what was paid before counts too
        desk.budget = Budget(table.budget_usd, desk.budget, "the draft", spent_usd(store, SUITE, table.place))

    async def sit() -> T:
        await desk.client.open()
        try:
            async with Journal(store, journal) as opened:
                desk.open(opened)
                return await work(desk)
        finally:
            await desk.client.close()

    try:
        return run(sit())
    finally:
        file_calls(store, place, table.draft, 0, journal)
        seal_calls(store, place)


async def ask_object(
    desk: Desk, table: Table, prompt: str, version: str, schema: dict[str, Any], complain: Complain
) -> dict[str, Any]:
    """The object in the reply to a prompt, empty where there is none; asked for once more where it cannot be used."""
    text = await _ask(desk, table, prompt, version, schema, lambda reply: complain(found_in(reply)))
    return found_in(text) or {}


def found_in(reply: str) -> dict[str, Any] | None:
    """The object in a reply as plain values: YAML and JSON know no decimals."""
    found = find_json(reply).value
    return None if found is None else json.loads(json.dumps(found, default=float))


async def _ask(
    desk: Desk,
    table: Table,
    prompt: str,
    version: str,
    schema: dict[str, Any],
    complain: Callable[[str], str | None],
) -> str:
    """The text of the last reply; StageError where none could be had, which the next run asks for again."""

    def next_message(_: Brief, transcript: Transcript) -> Message | None:
        if not transcript:
            return Message(role="user", text=prompt)
        told = complain(transcript[-1].text) if len(transcript) == 2 else None
        return Message(role="user", text=told) if told else None

    case = _row(table, version)
    brief = Brief(
        suite=SUITE,
        case_id=case.case_id,
        language=LANGUAGE,
        prompt=prompt,
        prompt_version=version,
        answer_schema=schema,
    )
    answer = await desk.converse(case, brief, next_message)
    if answer.status not in GRADED | {"invalid"} or not answer.replies:
        why = f"{answer.status}: {answer.error}" if answer.error else answer.status
        raise StageError(
            f"{desk.system.id} could not be asked for the step {table.step!r} of a draft ({why}); run it again."
        )
    return answer.replies[-1]


def _row(table: Table, prompt_version: str) -> Case:
    """What the door has to know of a case: its names and versions."""
    name = f"{table.draft}-{table.step}"
    nothing = dict.fromkeys(("text", "document_sha256", "image_sha256", "canary"))
    return Case(
        suite=SUITE,
        edition=table.place,
        case_id=name,
        pair_id=name,
        language=LANGUAGE,
        split="public",
        level="text",
        variant="draft",
        layout="draft",
        prompt_version=prompt_version,
        set_version=SET_VERSION,
        brief="{}",
        truth="{}",
        **nothing,
    )


def judged(table: Table, case: LegalCase, judge: System) -> tuple[str, list[str]]:
    """What is wrong with a case, and who judged: the mechanical judge where it has signals, else a model (L-4)."""
    from grading import legal
    from grading.admission import problems
    from grading.citations import parse

    store = Store.open(table.root)
    unread = [
        f"The citation of {r.id}, {r.cite!r}, cannot be read; expected as '§ 35 odst. 1 zákona č. 262/2006 Sb.' or 'sp. zn. 25 Cdo 1234/2020'."
        for r in case.references
        if not parse(r.cite)
    ]
    signals, wrong = signals_of(store, case)
    told = [*unread, *wrong]
    if told:
        return "", [*told, *problems(case, None)]
    if signals is not None:
        marks = {rule: signal.model_dump(mode="json") for rule, signal in signals.rules.items()}
        return "signals", problems(case, lambda text: legal.atomic(_exam(case, text, marks)))
    texts = tuple(dict.fromkeys((case.foil, case.reference)))
    verdicts = dict(zip(texts, at_desk(table, judge, lambda desk: _judge_all(desk, table, case, texts)), strict=True))
    return judge.id, problems(case, verdicts.__getitem__)


async def _judge_all(desk: Desk, table: Table, case: LegalCase, texts: Sequence[str]) -> list[list[Verdict]]:
    """The verdicts on each text; what stopped one of them is raised when all that were in flight are home."""
    found = await asyncio.gather(*(_judge(desk, table, case, text) for text in texts), return_exceptions=True)
    for one in found:
        if isinstance(one, BaseException):
            raise one
    return [one for one in found if not isinstance(one, BaseException)]


async def _judge(desk: Desk, table: Table, case: LegalCase, text: str) -> list[Verdict]:
    """The atomic pass on one text by a model: a question a statement; references are read by the program (L-5)."""
    from grading import legal

    exam = _exam(case, text, {})
    verdicts = [verdict for verdict in legal.atomic(exam) if verdict.item.startswith("R")]

    async def ask(question: Question) -> tuple[Verdict, ...]:
        def complain(reply: str) -> str | None:
            return legal.read_reply(exam, question, reply, judge_id=desk.system.id, is_last=False).problem

        said = await _ask(desk, table, question.prompt, question.prompt_version, question.answer_schema, complain)
        return legal.read_reply(exam, question, said, judge_id=desk.system.id, is_last=True).verdicts

    questions = [q for q in legal.questions(exam, "atomic") if q.item[0] in "MN"]  # bonuses admit nothing
    found = await asyncio.gather(*map(ask, questions), return_exceptions=True)
    for one in found:
        if isinstance(one, BaseException):
            raise one
        verdicts += one
    return verdicts


def _exam(case: LegalCase, text: str, signals: dict[str, Any]) -> Exam:
    """A text as the answer to a case, as a grader sees it."""
    truth = Truth(**dict(case.model_copy(update={"notes": ""})), signals=signals)
    answer = BlindAnswer(case_id=case.id, trial=1, status="ok", replies=(text,))
    return Exam(truth=truth.model_dump(mode="json"), language=case.language, answer=answer)
