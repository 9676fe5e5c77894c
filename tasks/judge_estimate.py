"""What judges would be asked about a suite's answers, and what it would cost, before anything is done (M-8).

Where an answer is in the store its questions are those that would go out, so known replies are found. Before that an answer of typical
length stands in. At most: every question is asked once more. A repeat is no part of the calls that go out at least.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from datasets.store import Store
from datasets.tables import Place, read, rows_of, sealed
from schemas.answer import Answer
from schemas.case import Case
from schemas.exchange import Brief, Message, Transcript
from schemas.replies import find_json
from schemas.status import GRADED
from schemas.system import System
from tasks.ask import make_client
from tasks.forecast import Forecast, Left, read_asked
from tasks.prices import Quote
from tasks.suites import Suite
from tasks.trials import planned_trials

STAND_IN = "Odpověď, jejíž délka je obvyklá. " * 30
"""An answer that is not there yet; about a thousand characters."""

AGAIN = "x" * 400
"""What a judge is told when it is asked once more."""


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
) -> Iterator[Left]:
    """What is left of each answer that the judge would be asked about: all its questions together."""
    for system in systems:
        client, place = make_client(system), Place(suite=suite.word, edition=edition, system=system.id)
        answers = _answers(store, place)
        asked = [case for case in cases if client.answers(case.case_id)][: system.most_cases(suite.word)]
        for case in asked:
            for trial in range(1, planned_trials(suite, client, case.case_id) + 1):
                answer = answers.get((case.case_id, trial))
                if answer is None or answer.status in GRADED:
                    briefs = _questions(suite, case, system, answer)
                    yield _together([forecast.left(brief) for brief in briefs])


def _answers(store: Store | None, place: Place) -> Mapping[tuple[str, int], Answer]:
    if store is None or sealed(store, Answer, place) is None:
        return {}
    return {(a.case_id, a.trial): a for a in rows_of(Answer, read(store, Answer, place))}


def _questions(suite: Suite, case: Case, system: System, answer: Answer | None) -> Iterator[Brief]:
    from schemas.answer import BlindAnswer
    from schemas.grade import Exam
    from tasks.grade import PASSES, exam_of

    judging = suite.judging
    if judging is None:
        return
    blind = BlindAnswer(case_id=case.case_id, trial=1, status="ok", replies=(STAND_IN,))
    stand_in = Exam(truth=case.to_truth(), language=case.language, answer=blind)
    exam = exam_of(case, answer, system.names) if answer else stand_in
    for pass_name in PASSES:
        for question in judging.questions(exam, pass_name):
            yield Brief(
                suite=suite.word,
                case_id=case.case_id,
                language=question.language,
                prompt=question.prompt,
                prompt_version=question.prompt_version,
                answer_schema=question.answer_schema,
                attachments=question.attachments,
            )


def _together(parts: Sequence[Left]) -> Left:
    prices = [[getattr(part, name) for part in parts] for name in ("low", "expected", "most")]
    low, expected, most = (None if None in some else sum(some) for some in prices)
    return Left(
        cached=sum(p.cached for p in parts), to_ask=sum(p.to_ask for p in parts), low=low, expected=expected, most=most
    )
