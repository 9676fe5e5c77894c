"""One contract, run on every row of the table of suites.

A suite whose right answer is not its truth as JSON brings `suite_answers/<word>.py` with `right(case)` and `wrong(case)`, and with
`counts(verdict)` where not every point is one for a right answer, and `evidence(answer)` where graders see evidence (A-1).
"""

import inspect
import itertools
import json
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import pytest

from datasets.editions import edition_for
from datasets.tables import rows_of
from schemas.answer import Answer, BlindAnswer
from schemas.case import Case, MadeCase
from schemas.edition import Edition
from schemas.exchange import Message
from schemas.grade import Exam, Grade, Verdict
from schemas.row import to_table
from schemas.tables import TABLES
from tasks.suites import SUITES, Grader, Reader, Source, Suite, suite_of

SECRET = "a secret that no page may hold"


@pytest.fixture(scope="module", params=sorted(SUITES))
def suite(request: pytest.FixtureRequest) -> Suite:
    return suite_of(request.param)


@pytest.fixture(scope="module")
def edition(suite: Suite) -> Edition:
    return edition_for(suite.word, suite.source.SET_VERSION, seed=3, size=12, secret=SECRET)


@pytest.fixture(scope="module")
def made(suite: Suite, edition: Edition) -> list[MadeCase]:
    return list(suite.source.make_cases(edition, SECRET, 0, suite.source.units(edition)))


def exam_of(made: MadeCase, answer: BlindAnswer) -> Exam:
    own = own_answers(made.case.suite)
    seen = own.evidence(answer) if hasattr(own, "evidence") else None
    return Exam(truth=made.case.to_truth(), language=made.case.language, answer=answer, evidence=seen)


def own_answers(word: str) -> Any:
    """The suite's own module of answers, or None."""
    name = f"suite_answers.{word}"
    return import_module(name) if find_spec(name) else None


def right_answer(case: Case) -> BlindAnswer:
    """The truth in the form that the brief asks for, where the suite does not say it otherwise."""
    if own := own_answers(case.suite):
        answer: BlindAnswer = own.right(case)
        return answer
    schema = case.to_brief().answer_schema
    wanted = set(schema["properties"]) if schema else None
    truth = {k: v for k, v in case.to_truth().items() if wanted is None or k in wanted}
    return said(case, json.dumps(truth, ensure_ascii=False))


def wrong_answers(case: Case) -> list[BlindAnswer]:
    """Answers that hold nothing of what was asked for."""
    if own := own_answers(case.suite):
        answers: list[BlindAnswer] = own.wrong(case)
        return answers
    return [said(case, reply) for reply in ("", "{}", "Na to neumím odpovědět.", "[]", '{"a": ')]


def said(case: Case, reply: str) -> BlindAnswer:
    return BlindAnswer(case_id=case.case_id, trial=1, status="ok", replies=(reply,))


def both_passes(suite: Suite, exam: Exam) -> list[Verdict]:
    return [*suite.grader.atomic(exam), *suite.grader.holistic(exam)]


@pytest.mark.parametrize(("protocol", "role"), [(Source, "source"), (Grader, "grader"), (Reader, "reader")])
def test_modules_keep_the_protocols(suite: Suite, protocol: type, role: str) -> None:
    """Every name of the protocol is there, functions with its very parameters."""
    module = getattr(suite, role)
    for name in protocol.__annotations__:
        assert isinstance(getattr(module, name), str)
    for name, function in inspect.getmembers(protocol, inspect.isfunction):
        if not name.startswith("_"):
            wanted = list(inspect.signature(function).parameters)[1:]
            assert list(inspect.signature(getattr(module, name)).parameters) == wanted, f"{module.__name__}.{name}"


def test_cases_are_the_same_again(suite: Suite, edition: Edition, made: list[MadeCase]) -> None:
    """D-3: the same edition gives the same cases and bytes, wherever a shard begins."""
    units = suite.source.units(edition)
    parts = itertools.pairwise([0, units // 3, units])
    again = [m for start, stop in parts for m in suite.source.make_cases(edition, SECRET, start, stop)]
    assert [m.model_dump() for m in again] == [m.model_dump() for m in made]
    assert [b.data for m in again for b in m.blobs] == [b.data for m in made for b in m.blobs]


def test_cases_are_distinct_and_a_third_is_private(suite: Suite, made: list[MadeCase]) -> None:
    """G-8, a third of a generated set, nothing of an authored one; both twins of a pair fall on the same side (D-8)."""
    cases = [m.case for m in made]
    assert len({c.case_id for c in cases}) == len(cases)
    splits: dict[str, set[str]] = {}
    for case in cases:
        splits.setdefault(case.pair_id, set()).add(case.split)
    assert all(len(s) == 1 for s in splits.values())
    assert sum(s == {"private"} for s in splits.values()) == (len(splits) // 3 if suite.is_generated else 0)


def test_private_cases_come_from_the_secret_alone(suite: Suite, edition: Edition, made: list[MadeCase]) -> None:
    """G-8: another secret gives other private cases and the very same public ones; the secret stands in no row."""
    other = list(suite.source.make_cases(edition, "another", 0, suite.source.units(edition)))
    for one, two in zip(made, other, strict=True):
        if one.case.split == "public":
            assert one.case == two.case
        else:
            assert one.case.truth != two.case.truth
            assert one.case.canary
            assert one.case.canary != two.case.canary
        assert SECRET not in one.case.model_dump_json()


def test_brief_shows_nothing_of_the_truth(made: list[MadeCase]) -> None:
    """A right answer cannot leak into a prompt: no long value of the truth stands in a brief, nor how the case was made."""
    for m in made:
        brief = m.case.brief
        shown = {m.case.case_id, m.case.to_truth().get("question")}  # what is asked is no answer
        shown |= offered(m.case.to_brief().answer_schema)
        for value in m.case.to_truth().values():
            if isinstance(value, str) and len(value) >= 6 and value not in shown:
                assert value not in brief
        for hidden in (m.case.split, m.case.layout, m.case.variant, m.case.canary or SECRET):
            assert hidden not in json.dumps(
                {k: v for k, v in json.loads(brief).items() if k not in ("prompt", "answer_schema")}
            )


def offered(schema: dict[str, Any] | None) -> set[Any]:
    """The words of closed lists: every brief shows all of them, so they tell nothing of a case."""
    return {word for field in (schema or {}).get("properties", {}).values() for word in field.get("enum", ())}


def test_conversation_ends(suite: Suite, made: list[MadeCase]) -> None:
    """Against the most stubborn system the conversation is over after few turns; the first message is the prompt."""
    brief = made[0].case.to_brief()
    transcript: tuple[Message, ...] = ()
    for _ in range(30):
        message = suite.source.next_message(brief, transcript)
        if message is None:
            break
        transcript = (*transcript, message, Message(role="assistant", text="Ne."))
    else:
        pytest.fail("30 turns and no end")
    assert transcript[0].text == brief.prompt


def counting(suite: Suite, verdicts: list[Verdict]) -> list[Verdict]:
    """Those whose points are points for a right answer."""
    own = own_answers(suite.word)
    return [v for v in verdicts if own.counts(v)] if hasattr(own, "counts") else verdicts


def test_right_answer_earns_full_marks(suite: Suite, made: list[MadeCase]) -> None:
    for m in made:
        verdicts = counting(suite, both_passes(suite, exam_of(m, right_answer(m.case))))
        assert sum(v.points for v in verdicts) == sum(v.max_points for v in verdicts) > 0
        assert not [v for v in verdicts if v.error]


def test_empty_answer_earns_nothing_and_does_not_crash(suite: Suite, made: list[MadeCase]) -> None:
    for m in made:
        for answer in wrong_answers(m.case):
            atomic = counting(suite, suite.grader.atomic(exam_of(m, answer)))
            assert sum(v.points for v in atomic) == 0
            assert all(v.error for v in atomic if v.max_points)


def test_passes_have_items_of_their_own(suite: Suite, made: list[MadeCase]) -> None:
    """Keys of grades are unique, and every verdict names its pass, its judge and the rubric's version."""
    for m in made:
        verdicts = both_passes(suite, exam_of(m, said(m.case, "{}")))
        assert len({(v.pass_name, v.judge_id, v.item) for v in verdicts}) == len(verdicts)
        assert {v.pass_name for v in verdicts} == {"atomic", "holistic"}
        assert all(v.rubric_version and v.judge_id for v in verdicts)


def rows(suite: Suite, m: MadeCase, blind: BlindAnswer) -> tuple[Answer, list[Grade]]:
    place: dict[str, Any] = {
        "suite": m.case.suite,
        "edition": m.case.edition,
        "system_id": "x",
        "case_id": m.case.case_id,
        "trial": 1,
    }
    answer = Answer(
        **place, status=blind.status, text=blind.text, replies=list(blind.replies), request_hashes=[], system_version="1",
        prompt_version=m.case.prompt_version, error=None, cost_usd=0, latency_ms=5, run_id="r", tokens_in=blind.tokens_in,
    )  # fmt: skip
    grades = [Grade(**place, **dict(v)) for v in both_passes(suite, exam_of(m, blind))]
    return answer, grades


def test_rows_fit_their_tables(suite: Suite, made: list[MadeCase]) -> None:
    """Cases, grades and profiles of a right and of an empty answer go through Arrow and come back the same."""
    profiles = []
    for m in made:
        for blind in (right_answer(m.case), wrong_answers(m.case)[0]):
            answer, grades = rows(suite, m, blind)
            back = rows_of(Grade, to_table(Grade, grades))
            assert sorted(back, key=str) == sorted(grades, key=str)
            profiles.append(suite.reader.profile(m.case, answer, grades))
    right, empty = profiles[::2], profiles[1::2]
    is_counted = hasattr(own_answers(suite.word), "counts")
    assert all(p.is_faultless and not p.critical_path for p in right)
    assert all(p.points == p.max_points for p in right) or is_counted
    assert all(not p.is_faultless and p.critical_path for p in empty)
    assert all(p.points < p.max_points if is_counted else p.points == 0 for p in empty)
    model = TABLES["cases"]
    assert rows_of(model, to_table(model, [m.case for m in made])) == sorted(
        (m.case for m in made), key=lambda c: c.case_id
    )
