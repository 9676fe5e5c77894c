"""What judges would be asked about a suite's answers, and what it would cost, before anything is done (M-8).

Where an answer is in the store its questions are those that would go out, so known replies are found. Before that an answer of typical
length stands in, and evidence of a typical page where answers are pages. At most: every question is asked once more. A repeat is no part
of the calls that go out at least.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePath

from datasets.store import Store
from datasets.tables import Place, read, rows_of, sealed
from schemas.answer import Answer
from schemas.case import Case
from schemas.evidence import FILES, Measurements
from schemas.evidence_row import MEDIA, Evidence, Item
from schemas.exchange import Attachment, Brief, Message, Transcript
from schemas.judging import Question
from schemas.replies import find_json
from schemas.status import GRADED
from schemas.system import System
from tasks.ask import make_client
from tasks.collect import collected
from tasks.forecast import Forecast, Left, read_asked
from tasks.judge import filled
from tasks.prices import Quote
from tasks.suites import Suite
from tasks.trials import is_answered, planned_trials
from tasks.trials_ordered import ordered

STAND_IN = "Odpověď, jejíž délka je obvyklá. " * 30
"""An answer that is not there yet; about a thousand characters."""

SIZES = {"artifact.html": 15_000, "interactions.json": 1_500, "console-errors.json": 200}
"""Bytes of the texts in the evidence of a typical page."""

AGAIN = "x" * 400
"""What a judge is told when it is asked once more."""


TYPICAL = Evidence(
    files=tuple(
        Item(name=name, media_type=MEDIA[PurePath(name).suffix], sha256=f"{number:064x}", size_bytes=SIZES.get(name, 0))
        for number, name in enumerate(FILES)
    ),
    measurements=Measurements(),
)
"""Evidence of a page that is not there yet."""


class _Talk:
    """A question, and once more where the reply cannot be used."""

    def next_message(self, brief: Brief, transcript: Transcript) -> Message | None:
        if not transcript:
            return Message(role="user", text=brief.prompt, attachments=brief.attachments)
        is_unread = len(transcript) == 2 and find_json(transcript[1].text).value is None
        return Message(role="user", text=AGAIN) if is_unread else None


@dataclass(frozen=True)
class _Judged(Suite):
    """The suite as a judge is asked about it."""

    @cached_property
    def source(self) -> _Talk:  # type: ignore[override] # of a source only what is said is wanted
        return _Talk()


def judge_forecast(store: Store | None, suite: Suite, judge: System, quote: Quote | None) -> Forecast:
    """The forecast of a judge in a suite."""
    talk = _Judged(suite.word, default_size=suite.default_size, full_size=suite.full_size)
    return Forecast(judge, quote, read_asked(store, suite.word, judge.id), talk)


def judged_left(
    forecast: Forecast,
    store: Store | None,
    suite: Suite,
    edition: str,
    cases: Sequence[Case],
    systems: Iterable[System],
    trials: int | None = None,
) -> Iterator[Left]:
    """What is left of each answer that the judge would be asked about: all its questions together."""
    for system in systems:
        client, place = make_client(system), Place(suite=suite.word, edition=edition, system=system.id)
        answers, seen = _answers(store, place), collected(store, place) if store else None
        asked = [case for case in cases if is_answered(client, case.to_brief())][: system.most_cases(suite.word)]
        for case in asked:
            times = ordered(store, suite, edition, system.id, client, trials)
            for trial in range(1, planned_trials(times, client, case.case_id) + 1):
                answer = answers.get((case.case_id, trial))
                if answer is None or answer.status in GRADED:
                    evidence = _evidence(suite, seen, answer)
                    briefs = _questions(
                        suite, case, system, answer, evidence, _Shown(store if seen else None, forecast.system)
                    )
                    yield _together([forecast.left(brief) for brief in briefs])


def _answers(store: Store | None, place: Place) -> Mapping[tuple[str, int], Answer]:
    if store is None or sealed(store, Answer, place) is None:
        return {}
    return {(a.case_id, a.trial): a for a in rows_of(Answer, read(store, Answer, place))}


def _evidence(suite: Suite, seen: Mapping[tuple[str, int], Evidence] | None, answer: Answer | None) -> Evidence | None:
    """What was collected of an answer; of one that is not there yet, or was not opened yet, that of a typical page."""
    if not suite.has_evidence:
        return None
    return TYPICAL if seen is None or answer is None else seen.get((answer.case_id, answer.trial))


@dataclass(frozen=True)
class _Shown:
    """What a judge is shown beside the words: from the store as it goes out, else as much as the evidence says."""

    store: Store | None
    judge: System

    def of(self, question: Question, evidence: Evidence | None) -> tuple[Attachment, ...]:
        if self.store is not None and evidence is not TYPICAL:
            return filled(self.store, question, self.judge)
        sizes = {f.name: f.size_bytes for f in evidence.files} if evidence else {}
        return tuple(
            a.model_copy(update={"data": b"x" * sizes.get(a.name or "", 0) if a.kind == "text" else b""})
            for a in question.attachments
        )


def _questions(
    suite: Suite, case: Case, system: System, answer: Answer | None, evidence: Evidence | None, shown: _Shown
) -> Iterator[Brief]:
    from schemas.answer import BlindAnswer
    from schemas.grade import Exam
    from tasks.grade import PASSES, exam_of

    judging = suite.judging
    if judging is None:
        return
    blind = BlindAnswer(case_id=case.case_id, trial=1, status="ok", replies=(STAND_IN,))
    stand_in = Exam(truth=case.to_truth(), language=case.language, answer=blind, evidence=evidence)
    exam = exam_of(case, answer, system.names, evidence) if answer else stand_in
    for pass_name in PASSES:
        for question in judging.questions(exam, pass_name):
            yield Brief(
                suite=suite.word,
                case_id=case.case_id,
                language=question.language,
                prompt=question.prompt,
                prompt_version=question.prompt_version,
                answer_schema=question.answer_schema,
                attachments=shown.of(question, evidence),
            )


def _together(parts: Sequence[Left]) -> Left:
    prices = [[getattr(part, name) for part in parts] for name in ("low", "expected", "most")]
    low, expected, most = (None if None in some else sum(some) for some in prices)
    return Left(
        cached=sum(p.cached for p in parts), to_ask=sum(p.to_ask for p in parts), low=low, expected=expected, most=most
    )
