"""The judged passes of the role-play: T and axis L in pass 1, R in pass 2, one question a rubric over the whole transcript (R-4 to R-9).

A judge reads one run at a time, the rubric word for word, and what each message tries; it sees no other rubric and no other grade
(`readings.RUNS_A_QUESTION`). It gives points or labels with literal quotes, and code counts. A message without an answer is `not_reached` by
code: it is graded in no rubric and never 0 (G-11).

| item                    | pass     | points | label |
|-------------------------|----------|--------|-------|
| `T1` … `T12`            | atomic   | 0–2    | the points |
| `B1` … `B4`             | atomic   | 0–1    | the points |
| `R1` … `R6`             | holistic | 0–2    | the points |
| `L1@01` … `L1@13`       | atomic   | 1 of 0 | played, annulled, not_reached |
| `L3@01`, `L8@02`, …     | atomic   | 1 of 0 | the type of one event, in the order of the judge |
| `events`                | atomic   | how many events were read | read |

Whatever has an `error` counts nowhere; `given` is the number of the answer that the quote stands in, several by commas.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from grading.judged import OFF_SCALE, UNREAD, YES_NO, open_reply
from grading.questions import prompt, source, version
from grading.roleplay_reply import Marked, Read, Run, entries_by, run_of
from schemas.exchange import Language
from schemas.grade import Exam, PassName, Verdict
from schemas.judging import Question, Reading
from schemas.roleplay import MESSAGES, PLAYED
from schemas.scale import Scale

PROMPTS = ("roleplay/graded", "roleplay/labelled", "again")
LANGUAGES: tuple[Language, ...] = ("cs", "en")
JUDGED_VERSION = "roleplay-judged-1 " + " ".join(version(name, lang) for name in PROMPTS for lang in LANGUAGES)

POINTS = (0.0, 1.0, 2.0)
EVENTS_READ = "events"
NOT_REACHED = "not_reached"
RUBRICS: dict[PassName, tuple[str, ...]] = {"atomic": ("t", "l"), "holistic": ("r",)}


def prompts() -> dict[str, str]:
    """What judges are asked, word for word, by the name of its file (G-9, R-13)."""
    return {f"{name}.{language}": source(name, language) for name in PROMPTS for language in LANGUAGES}


def questions(exam: Exam, pass_name: PassName) -> list[Question]:
    """One question a rubric of the pass; none about a run in which nothing was answered."""
    run = run_of(exam)
    return [_question(exam, run, name) for name in RUBRICS[pass_name]] if any(a.strip() for a in run.answers) else []


def _question(exam: Exam, run: Run, name: str) -> Question:
    rubric = exam.truth["rubrics"][name]
    shown: dict[str, Any] = {"rubric": rubric, "turns": run.turns}
    if name == "l":
        file, schema = "roleplay/labelled", _labels_schema(rubric)
        shown |= {"items": rubric["items"], "states": PLAYED, "types": [*_types(rubric)]}
    else:
        file, schema = "roleplay/graded", _points_schema(_graded(exam, run, name))
        shown |= {"items": _graded(exam, run, name), "scenario": exam.truth["scenario"]}
    return Question(
        item=name.upper(),
        prompt=prompt(file, exam.language, **shown),
        prompt_version=version(file, exam.language),
        answer_schema=schema,
        language=exam.language,
    )


def _all_items(exam: Exam, name: str) -> list[Mapping[str, Any]]:
    rubric = exam.truth["rubrics"][name]
    return [*rubric["items"], *rubric["bonuses"]]


def _graded(exam: Exam, run: Run, name: str) -> list[Mapping[str, Any]]:
    """Items that can be graded: of single messages those that were reached."""
    return [item for item in _all_items(exam, name) if item["message"] is None or run.is_answered(item["message"])]


def _types(rubric: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """Items of axis L by the type of event that a judge labels."""
    return {item["event"]: item for item in rubric["items"] if item["kind"] == "event"}


def _object(**fields: Any) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


TEXT = {"type": "string"}


def _points_schema(items: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    grade = _object(
        item={"enum": [item["id"] for item in items]}, points={"type": "number"}, quotes={"type": "array", "items": TEXT}, reason=TEXT
    )  # fmt: skip
    return _object(grades={"type": "array", "items": grade})


def _labels_schema(rubric: Mapping[str, Any]) -> dict[str, Any]:
    message = _object(message={"type": "integer"}, state={"enum": list(PLAYED)}, quote=TEXT)
    event = _object(type={"enum": [*_types(rubric)]}, answer={"type": "integer"}, quote=TEXT, reason=TEXT)
    return _object(messages={"type": "array", "items": message}, events={"type": "array", "items": event})


def read_reply(exam: Exam, question: Question, reply: str, *, judge_id: str, is_last: bool) -> Reading:
    """The grades in a judge's reply, or what the judge is told so that it answers once more (G-7, R-9)."""
    opened = open_reply(reply, question.language)
    read = Read(run_of(exam), question.language)
    name = question.item.lower()
    made = _labels(exam, read, opened.value) if name == "l" else _points(exam, read, name, opened.value)
    told: dict[str, Any] = {
        "pass_name": "holistic" if name == "r" else "atomic", "judge_id": judge_id, "rubric_version": question.prompt_version,
    }  # fmt: skip
    verdicts = tuple(Verdict(**told, **one) for one in made)
    if (problem := opened.problem or read.problem) and not is_last:
        return Reading(problem=problem)
    return Reading(verdicts=verdicts)


def _points(exam: Exam, read: Read, name: str, value: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    by_item = entries_by("item", value.get("grades"))
    asked = {item["id"] for item in _graded(exam, read.run, name)}
    for item in _all_items(exam, name):
        if item["id"] not in asked:
            yield {"item": item["id"], "points": 0, "max_points": 0, "label": NOT_REACHED, "error": NOT_REACHED}
            continue
        is_bonus = len(item["anchors"]) == len(YES_NO)
        scale = YES_NO if is_bonus else POINTS
        marked = read.points(item["id"], by_item.get(item["id"]), scale, at=item["message"], is_bonus=is_bonus)
        yield _grade(item, marked, max(scale), is_bonus)


def _grade(item: Mapping[str, Any], marked: Marked, most: float, is_bonus: bool) -> dict[str, Any]:
    said = {"item": item["id"], "expected": item["anchors"][0]["text"], **_said(marked)}
    if marked.error:
        return {**said, "points": 0, "max_points": 0, "label": marked.error, "error": marked.error}
    lost = None if marked.value == most or is_bonus else "partly" if marked.value else "failed"
    error = OFF_SCALE if marked.is_off_scale else lost
    return {**said, "points": marked.value, "max_points": most, "label": f"{marked.value:g}", "error": error}


def _said(marked: Marked) -> dict[str, Any]:
    return {
        "quote": "\n".join(marked.quotes) or None,
        "given": ", ".join(str(place) for place in dict.fromkeys(marked.places)) or None,
        "reason": marked.reason,
    }


def _labels(exam: Exam, read: Read, value: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    by_message = entries_by("message", value.get("messages"))
    for message in range(1, MESSAGES + 1):
        item = f"L1@{message:02}"
        if not read.run.is_answered(message):
            yield {"item": item, "points": 1, "max_points": 0, "label": NOT_REACHED}
            continue
        marked = read.state(message, by_message.get(str(message)), PLAYED)
        yield _label(item, marked, str(marked.value))
    types = _types(exam.truth["rubrics"]["l"])
    events = read.events(value.get("events"), {word: item["from_answer"] for word, item in types.items()})
    if events is None:
        yield {"item": EVENTS_READ, "points": 0, "max_points": 0, "label": UNREAD, "error": UNREAD}
        return
    yield {"item": EVENTS_READ, "points": len(events), "max_points": 0, "label": "read"}
    numbers: dict[str, int] = {}
    for marked in events:
        axis = types[marked.value]["id"] if marked.value else "L0"
        numbers[axis] = numbers.get(axis, 0) + 1
        yield _label(f"{axis}@{numbers[axis]:02}", marked, str(marked.value))


def _label(item: str, marked: Marked, word: str) -> dict[str, Any]:
    """A state or an event; with an error it counts nowhere."""
    counts = 0 if marked.error else 1
    label = marked.error if marked.error == UNREAD else word
    return {"item": item, "points": counts, "max_points": 0, "label": label, "error": marked.error, **_said(marked)}


def items_of(truth: Mapping[str, Any]) -> list[str]:
    """All items of a case that a person may grade: those of T, its bonuses and those of R."""
    return [item["id"] for name in ("t", "r") for part in ("items", "bonuses") for item in truth["rubrics"][name][part]]


def scale_of(truth: Mapping[str, Any], item: str) -> Scale | None:
    """The scale on which a person grades an item (R-4, R-6); None for an item that there is not."""
    if item not in items_of(truth):
        return None
    values = YES_NO if item.startswith("B") else POINTS
    errors = {} if item.startswith("B") else {0.0: "failed", 1.0: "partly"}
    return Scale(
        pass_name="holistic" if item.startswith("R") else "atomic", max_points=max(values), values=values,
        labels={value: f"{value:g}" for value in values}, errors=errors,
    )  # fmt: skip
