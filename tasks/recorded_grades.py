"""Grades of judges that were asked elsewhere join those given here, read and checked as a judge's reply is (A-5, G-7, L-5).

    {"case": "chata-po-tete", "system": "smollm2", "item": "M1", "judge": "acme-judge", "vendor": "Acme", "date": "2026-03-01",
     "text": "{\\"points\\": 1, \\"quote\\": \\"…\\", \\"reason\\": \\"…\\"}"}

One JSON line a reply. `item` is what was asked: a rule, or `whole` with `order`; `trial` counts as 1 where it is left out. A reply from
elsewhere cannot be asked for once more: what is off its scale is snapped down and flagged, and what has no number, or a quote that is not
in the answer, is recorded outside every score. A later reply of the same judge to the same question replaces the earlier one.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime
from pathlib import Path

from pydantic import ConfigDict, Field, ValidationError

from datasets.store import Store
from datasets.tables import Place
from schemas.answer import Answer
from schemas.errors import UsageError, nearest
from schemas.evidence_row import Evidence
from schemas.exchange import Frozen
from schemas.grade import Exam, Grade
from schemas.judging import Question
from schemas.marked import quoted
from schemas.status import GRADED
from tasks.choose import known_systems
from tasks.collect import collected
from tasks.grade import exam_of, names_to_mask
from tasks.people import PERSON, Answers, Imported, newest_edition, write_grades
from tasks.suites import Judging, suite_of

RECORDED = "recorded"
"""How the version of the rubric begins: nobody here knows which words the judge was asked."""


class Reply(Frozen):
    """One reply of a judge as a file has it."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    case: str
    system: str
    item: str
    judge: str = Field(pattern=r"^[a-z][a-z0-9._-]*$")
    vendor: str = Field(min_length=1)
    date: date
    text: str
    order: str = ""
    trial: int = Field(default=1, ge=1)


def import_judged(root: str, file: Path, suite: str, edition: str | None = None) -> Imported:
    """Bring in the replies of a file; what is wrong in it is told by line, the rest is taken.

    edition: by default the one that was asked last. UsageError where the file cannot be read or nobody judges the suite.
    """
    judging = suite_of(suite).judging
    if judging is None:
        raise UsageError(f"The answers to {suite} are compared by programs; there is nothing for a judge to grade.")
    try:
        written = file.read_bytes().splitlines()
    except OSError as problem:
        raise UsageError(f"The grades {str(file)!r} cannot be read: {problem.strerror}.") from problem
    store = Store.open(root, create=False)
    with store.locked():
        place = Place(suite=suite, edition=edition or newest_edition(store, suite))
        bench, taken, problems = _Bench(store, place, judging), list[Grade](), list[str]()
        n_taken = 0
        for number, line in enumerate(written, start=1):
            if line.strip():
                try:
                    taken += list(bench.grades(_parse(line)))
                    n_taken += 1
                except ValueError as problem:
                    problems.append(f"{file.name}, line {number}: {problem}")
        write_grades(store, place, taken)
    return Imported(taken=n_taken, problems=tuple(problems))


def _parse(line: bytes) -> Reply:
    """A line as a reply; ValueError that says what was expected."""
    try:
        reply = Reply.model_validate_json(line)
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(map(str, first["loc"])) or "the line"
        hint = nearest(where, Reply.model_fields) if first["type"] == "extra_forbidden" else "."
        raise ValueError(f"{where}: {first['msg'][0].lower()}{first['msg'][1:]}{hint}") from problem
    if reply.date > datetime.now(UTC).date():
        raise ValueError(f"the date {reply.date} is still to come.")
    if reply.judge in known_systems() or reply.judge.startswith(PERSON):
        raise ValueError(
            f"judge: {reply.judge!r} is the id of a system that is asked here, or of a person; another id was expected,"
            f" as {'recorded-' + reply.judge!r}."
        )
    return reply


class _Bench(Answers):
    """Replies become grades; ValueError with a sentence about what was wrong."""

    def __init__(self, store: Store, place: Place, judging: Judging) -> None:
        super().__init__(store, place)
        self.store, self.place, self.judging = store, place, judging
        self.evidence: dict[str, dict[tuple[str, int], Evidence]] = {}

    def grades(self, reply: Reply) -> Iterator[Grade]:
        """The grades of a reply, by the same reading as of one that was asked for here."""
        answer = self.of({"case": reply.case, "system": reply.system, "trial": str(reply.trial)})
        if not isinstance(answer, Answer):
            raise ValueError(answer)  # noqa: TRY004 - a sentence about the line, no wrong type
        if answer.status not in GRADED:
            raise ValueError(f"the answer of {reply.system!r} to {reply.case!r} is {answer.status}; nobody grades it.")
        exam = self._exam(answer)
        question = self._question(exam, reply)
        reading = self.judging.read_reply(exam, question, reply.text, judge_id=reply.judge, is_last=True)
        judged = known_systems().get(answer.system_id)
        is_same = judged is not None and judged.vendor.casefold() == reply.vendor.casefold()
        for verdict in reading.verdicts:
            yield Grade(
                suite=answer.suite,
                edition=answer.edition,
                system_id=answer.system_id,
                case_id=answer.case_id,
                trial=answer.trial,
                answer_hash=answer.content_hash,
                is_same_vendor=is_same,
                **{**dict(verdict), "rubric_version": f"{RECORDED} {reply.date}"},
            )

    def _exam(self, answer: Answer) -> Exam:
        place = self.place.model_copy(update={"system": answer.system_id})
        if answer.system_id not in self.evidence:
            has_evidence = suite_of(place.suite).has_evidence
            self.evidence[answer.system_id] = (collected(self.store, place) if has_evidence else None) or {}
        seen = self.evidence[answer.system_id].get((answer.case_id, answer.trial))
        return exam_of(self.cases[answer.case_id], answer, names_to_mask(place), seen)

    def _question(self, exam: Exam, reply: Reply) -> Question:
        """What the judge was asked, among all that a judge is asked about the answer."""
        passes = (self.judging.questions(exam, "atomic"), self.judging.questions(exam, "holistic"))
        asked = [question for of_pass in passes for question in of_pass]
        found = [q for q in asked if q.item == reply.item]
        if not found:
            raise ValueError(f"there is no item {reply.item!r}{nearest(reply.item, [q.item for q in asked])}")
        for question in found:
            if question.order == reply.order:
                return question
        orders = " or ".join(repr(q.order) for q in found)
        raise ValueError(f"order: {orders} was expected for {reply.item!r}, not {quoted(reply.order)}.")
