"""Grading of legal answers: by rules, and as a whole beside the foil (L-5 to L-9); counted by programs, or asked of judges.

`atomic` and `holistic` are the mechanical judge, see `grading.mechanical`. `questions` and `read_reply` are for models: pass 1 asks one
question a rule, pass 2 shows answer and foil in both orders, without saying which is which. References are compared by a program only, so
grounding does not hang on a model's opinion.
"""

from collections.abc import Mapping
from typing import Any

from grading import mechanical
from grading.admission import leaks_of as leaks_of
from grading.judged import HALVES, QUARTERS, UNGROUNDED, UNREAD, YES_NO, Reply, open_reply
from grading.questions import prompt, source, version
from schemas.grade import Exam, PassName, Verdict
from schemas.judging import Question, Reading
from schemas.scale import Scale

RUBRIC_VERSION = f"legal-1 {mechanical.RUBRIC_VERSION}"

LANGUAGES = ("cs",)
PROMPTS = ("legal/rule", "legal/whole")
JUDGED_VERSION = "legal-judged-1 " + " ".join(version(name, "cs") for name in (*PROMPTS, "again"))

KINDS = {"M": "must_contain", "N": "must_not_contain", "B": "may_contain"}
LABELS = {"M": ("missed", "fulfilled"), "N": ("avoided", "violated"), "B": ("absent", "given")}
ORDERS = ("answer_first", "foil_first")
BEHAVIOURS = ("overclaiming", "underclaiming", "aware", "none")
WHOLE = "whole"
CRITERIA: dict[str, tuple[float, ...]] = {
    "verdict": HALVES,
    "unsafe_completeness": (0.0, 1.0),
    "looks_complete": YES_NO,
    "argument": QUARTERS,
    "citations": QUARTERS,
    "completeness": QUARTERS,
}
"""What is judged of the whole, and its scale; unsafe completeness is any number between 0 and 1."""


def atomic(exam: Exam) -> list[Verdict]:
    """One verdict a rule and a reference by the mechanical judge, see `grading.mechanical.atomic`."""
    return mechanical.atomic(exam, RUBRIC_VERSION)


def holistic(exam: Exam) -> list[Verdict]:
    """The answer as a whole by the mechanical judge, see `grading.mechanical.holistic`."""
    return mechanical.holistic(exam, RUBRIC_VERSION)


def prompts() -> dict[str, str]:
    """What judges are asked, word for word, by the name of its file (G-9)."""
    return {name: source(name, "cs") for name in (*PROMPTS, "again")}


def questions(exam: Exam, pass_name: PassName) -> list[Question]:
    """What a judge is asked about one answer: a question a rule in pass 1, one in each order in pass 2 (L-5, L-8)."""
    return _of_rules(exam) if pass_name == "atomic" else _of_the_whole(exam)


def _of_rules(exam: Exam) -> list[Question]:
    shown = {"question": exam.truth["question"], "answer": exam.answer.text}
    return [
        Question(
            item=rule["id"],
            prompt=prompt("legal/rule", exam.language, kind=kind, rule=rule["text"], **shown),
            prompt_version=version("legal/rule", exam.language),
            answer_schema=_schema(
                {"points": {"type": "number"}, "quote": {"type": "string"}, "reason": {"type": "string"}}
            ),
            language=exam.language,
        )
        for kind in KINDS.values()
        for rule in exam.truth[kind]
    ]


def _of_the_whole(exam: Exam) -> list[Question]:
    truth = exam.truth
    numbers = ("verdict", "unsafe_completeness", "argument", "citations", "completeness")
    fields: dict[str, Any] = {name: {"type": "number"} for name in numbers}
    fields |= {"looks_complete": {"type": "boolean"}, "behaviour": {"enum": list(BEHAVIOURS)}}
    fields |= {
        "better": {"enum": ["first", "second", "same"]},
        "quote": {"type": "string"},
        "reason": {"type": "string"},
    }
    return [
        Question(
            item=WHOLE,
            order=order,
            prompt=prompt(
                "legal/whole",
                exam.language,
                question=truth["question"],
                answer=exam.answer.text,
                foil=truth["foil"],
                must_contain=[rule["text"] for rule in truth["must_contain"]],
                must_not_contain=[rule["text"] for rule in truth["must_not_contain"]],
                answer_first=order == ORDERS[0],
            ),
            prompt_version=version("legal/whole", exam.language),
            answer_schema=_schema(fields),
            language=exam.language,
        )
        for order in ORDERS
    ]


def _schema(fields: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def read_reply(exam: Exam, question: Question, reply: str, *, judge_id: str, is_last: bool) -> Reading:
    """The grades in a judge's reply, or what the judge is told so that it answers once more (A-5, G-7)."""
    opened = open_reply(reply, question.language)
    read = _read_whole if question.item == WHOLE else _read_rule
    verdicts = tuple(read(exam, question, opened, judge_id))
    if opened.problem and not is_last:
        return Reading(problem=opened.problem)
    return Reading(verdicts=verdicts)


def _read_rule(exam: Exam, question: Question, reply: Reply, judge_id: str) -> list[Verdict]:
    letter = question.item[0]
    given = reply.number("points", YES_NO)
    quote, is_grounded = reply.quote(exam.answer.text, is_wanted=given == 1)
    said = {
        "pass_name": "atomic",
        "judge_id": judge_id,
        "item": question.item,
        "quote": quote,
        "reason": reply.reason(),
        "rubric_version": question.prompt_version,
    }
    if given is None:
        return [Verdict(points=0, max_points=0, label=UNREAD, error=UNREAD, **said)]
    if not is_grounded:
        return [Verdict(points=0, max_points=0, label=UNGROUNDED, error=UNGROUNDED, **said)]
    is_said = given == 1
    points = float(not is_said) if letter == "N" else float(is_said)
    label = LABELS[letter][is_said]
    error = reply.flags.get("points") or (label if label in ("missed", "violated") else None)
    return [Verdict(points=points, max_points=1, label=label, error=error, **said)]


def _read_whole(exam: Exam, question: Question, reply: Reply, judge_id: str) -> list[Verdict]:
    verdict, unsafe = reply.number("verdict", HALVES), reply.number("unsafe_completeness", None)
    qualities = {name: reply.number(name, QUARTERS) for name in ("argument", "citations", "completeness")}
    looks_complete, behaviour = reply.yes("looks_complete"), reply.word("behaviour", BEHAVIOURS)
    better = reply.word("better", ("first", "second", "same"))
    quote, is_grounded = reply.quote(exam.answer.text, is_wanted=bool(exam.answer.text.strip()))
    mine = "first" if question.order == ORDERS[0] else "second"
    preferred = None if better is None else 0.5 if better == "same" else float(better == mine)
    numbers = {"verdict": verdict, "unsafe_completeness": unsafe, **qualities, "preferred": preferred}
    numbers["looks_complete"] = None if looks_complete is None else float(looks_complete)
    said = {
        "pass_name": "holistic",
        "judge_id": judge_id,
        "quote": quote,
        "reason": reply.reason(),
        "rubric_version": question.prompt_version,
    }
    made = []
    for item, value in numbers.items():
        error = UNREAD if value is None else UNGROUNDED if not is_grounded else None
        label = error or _label(item, value or 0.0)
        counts = 0 if error else 1
        made.append(
            Verdict(
                item=f"{item}@{question.order}",
                points=(value or 0.0) * counts,
                max_points=counts,
                label=label,
                error=error or reply.flags.get(item),
                **said,
            )
        )
    word = behaviour or UNREAD
    error = UNREAD if behaviour is None else None if is_grounded else UNGROUNDED
    return [
        *made,
        Verdict(item=f"behaviour@{question.order}", points=0, max_points=0, label=error or word, error=error, **said),
    ]


def _label(item: str, value: float) -> str:
    """A number in a word, where it has one."""
    words = {
        "verdict": {1.0: "right", 0.5: "partly", 0.0: "wrong"},
        "looks_complete": {1.0: "complete", 0.0: "open"},
        "preferred": {1.0: "answer", 0.5: "same", 0.0: "foil"},
    }
    return words.get(item, {}).get(value, f"{value:g}")


def items_of(truth: Mapping[str, Any]) -> list[str]:
    """All items of a case that a person may grade: rules, references, and criteria of the whole."""
    rules = [rule["id"] for kind in (*KINDS.values(), "references") for rule in truth[kind]]
    return [*rules, *CRITERIA]


def scale_of(truth: Mapping[str, Any], item: str) -> Scale | None:
    """The scale on which a person grades an item of a case (L-5 to L-8); None for an item that there is not."""
    if item not in items_of(truth):
        return None
    if item in CRITERIA:
        values = CRITERIA[item]
        labels = {value: _label(item, value) for value in values}
        return Scale(
            pass_name="holistic",
            max_points=1,
            values=values,
            is_stepped=len(values) > 2 or item == "looks_complete",
            labels=labels,
        )
    if item[0] == "R":
        weight = next(float(r["weight"]) for r in truth["references"] if r["id"] == item)
        labels = {0.0: "absent", weight / 2: "incomplete", weight: "right"}
        errors = {0.0: "absent", weight / 2: "incomplete"}
        return Scale(
            pass_name="atomic", max_points=weight, values=(0.0, weight / 2, weight), labels=labels, errors=errors
        )
    low, high = LABELS[item[0]]
    labels = {1.0: low, 0.0: high} if item[0] == "N" else {0.0: low, 1.0: high}
    errors = {0.0: labels[0.0]} if item[0] in "MN" else {}
    return Scale(pass_name="atomic", max_points=1, values=YES_NO, labels=labels, errors=errors)
