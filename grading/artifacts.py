"""Grading of web pages on the criteria of A-5: by measurements alone, by judges that see the evidence, and by people.

`atomic` are the checks of the mechanical judge (`grading.page_checks`); `holistic` is what follows from them for a criterion. `questions`
and `read_reply` are for models: one question an answer, with the files of A-1 and nothing else; it is asked in the holistic pass, since
the mechanical one is the program's alone. A grade below the top needs a concrete defect as its reason: a judge that gives none is asked once more,
then the grade counts and is flagged.
"""

from collections.abc import Mapping
from typing import Any

from grading.judged import UNREAD, Reply, open_reply
from grading.page_checks import BROKEN, FINE, NOT_JUDGED, STILL, Finding, check, throws_at_load
from grading.questions import prompt, source, version
from schemas.anchors import anchors, anchors_version
from schemas.artifacts import HALVES, NO_PAGE, OF_JUDGES, OF_PEOPLE, Criterion
from schemas.evidence import FILES, FULL, HEIGHT, Measurements
from schemas.evidence_row import PICTURE, Evidence
from schemas.exchange import Attachment, Language
from schemas.grade import Exam, PassName, Verdict
from schemas.judging import Question, Reading
from schemas.scale import Scale

RUBRIC_VERSION = "artifacts-2"

PROMPTS = ("artifacts/page",)
JUDGED_VERSION = f"artifacts-judged-2 {anchors_version()} " + " ".join(
    version(name, language) for name in (*PROMPTS, "again") for language in ("cs", "en")
)

MECHANICAL, MASKING = "measurements", "masking"
LABELS = {1.0: "good", 0.5: "flawed", 0.0: "bad"}
NO_REASON = "no_reason"
SHORTEST_REASON = 8
"""Letters of a reason that could name a defect at all."""


def atomic(exam: Exam) -> list[Verdict]:
    """One verdict a check, 0 or 1; `max_points` 0 where the measurements cannot say."""
    made = [_checked(finding) for finding in check(exam)]
    if exam.answer.n_masked:
        told = f"named {exam.answer.n_masked} times in the page, which is shown as it is"
        made.append(_verdict("atomic", MASKING, "self_identified", 0, 0, "named", reason=told))
    return made


def _checked(finding: Finding) -> Verdict:
    if not finding.is_judged:
        return _verdict("atomic", MECHANICAL, finding.item, 0, 0, NOT_JUDGED)
    points = float(finding.fault is None)
    return _verdict(
        "atomic", MECHANICAL, finding.item, points, 1, finding.fault or FINE, finding.fault, reason=finding.reason
    )


def holistic(exam: Exam) -> list[Verdict]:
    """The criteria, as far as the measurements say anything of them (A-5).

    works: 0 where there is no page, nothing of it runs or is seen, it stands still though it has to move, or nothing that was tried
    goes (`_is_useless`); 0.5 where a check found a fault, else 1. look: 0 where nothing is seen or most of the page is blank, 0.5 where a
    whole screen or all below the first one is. conformity: 0 where nothing is seen. The rest is not judged. Without a page all are 0.
    """
    findings = check(exam)
    faults = {f.item: f for f in findings if f.fault}
    broken = next((f for f in findings if f.fault in BROKEN), None)
    given: dict[Criterion, tuple[float, Finding | None]] = {}
    if broken is not None and broken.fault == NO_PAGE:
        given = dict.fromkeys(OF_JUDGES, (0.0, broken))
    elif exam.evidence is not None:
        if any(f.is_judged for f in findings if f.item != "page"):
            first = broken or next((faults[i] for i in faults if i != "below_fold"), None)
            is_useless = broken is not None or _is_useless(exam, findings)
            given["works"] = (0.0 if is_useless else 0.5 if first else 1.0, first)
        if "blank" in faults:
            given |= {"look": (0.0, faults["blank"]), "conformity": (0.0, faults["blank"])}
        elif "below_fold" in faults:
            given["look"] = (_look_below(exam.evidence.measurements), faults["below_fold"])
    return [_criterion(criterion, given.get(criterion)) for criterion in OF_JUDGES]


def _is_useless(exam: Exam, findings: list[Finding]) -> bool:
    """Whether nothing goes for which the page was made.

    It stands still though it has to move; or, where it is neither to be read alone nor moves by itself as it should, every use that could
    be tried failed, two at least, or one where it throws at load or the pointer reaches no control.
    """
    by_item = {f.item: f for f in findings}
    if by_item["motion"].fault == STILL:
        return True
    if exam.truth["is_static"] or by_item["motion"].is_judged:
        return False
    uses = [f for f in findings if f.item.startswith("use-") and f.is_judged]
    is_hurt = bool(by_item["reach"].fault or (by_item["console"].fault and throws_at_load(exam)))
    return len(uses) >= (1 if is_hurt else 2) and all(f.fault for f in uses)


def _look_below(measured: Measurements) -> float:
    """0 where most of the page's height is one plain surface, else 0.5."""
    height = max(measured.page_height or 0, HEIGHT)
    return 0.0 if (measured.longest_blank_px or 0) > height / 2 else 0.5


def _criterion(criterion: Criterion, given: tuple[float, Finding | None] | None) -> Verdict:
    if given is None:
        return _verdict("holistic", MECHANICAL, criterion, 0, 0, NOT_JUDGED)
    points, why = given
    error, reason = (why.fault, why.reason) if why else (None, None)
    return _verdict("holistic", MECHANICAL, criterion, points, 1, LABELS[points], error, reason=reason)


def _verdict(
    pass_name: PassName, judge: str, item: str, points: float, possible: float, label: str, error: str | None = None,
    reason: str | None = None,
) -> Verdict:  # fmt: skip
    return Verdict(
        pass_name=pass_name, judge_id=judge, item=item, points=points, max_points=possible, label=label, error=error, reason=reason,
        rubric_version=RUBRIC_VERSION,
    )  # fmt: skip


def prompts() -> dict[str, str]:
    """What judges are asked, word for word, by the name of its file (G-9)."""
    return {f"{name}.{language}": source(name, language) for name in (*PROMPTS, "again") for language in _LANGUAGES}


_LANGUAGES: tuple[Language, ...] = ("cs", "en")


def questions(exam: Exam, pass_name: PassName) -> list[Question]:
    """What a judge is asked about one answer: all criteria that its evidence shows; nothing where no page could be opened."""
    if pass_name == "atomic" or exam.evidence is None:
        return []
    language: Language = "cs" if exam.language == "cs" else "en"
    there = [name for name in FILES if exam.evidence.file(name)]
    criteria = [c for c in OF_JUDGES if c != "look" or FULL in there]
    words = prompt(
        "artifacts/page",
        language,
        specification=exam.truth["question"],
        requirements=exam.truth["requirements"],
        is_static=not exam.truth["moves_by_itself"],
        files=there,
        missing=[name for name in FILES if name not in there],
        criteria=criteria,
        anchors=anchors(language),
    )
    return [
        Question(
            item="page",
            prompt=words,
            prompt_version=f"{version('artifacts/page', language)}-{anchors_version()}",
            answer_schema=_schema(criteria),
            language=language,
            attachments=_attachments(exam.evidence),
        )
    ]


def _schema(criteria: list[Criterion]) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    for criterion in criteria:
        fields |= {f"{criterion}_reason": {"type": "string"}, criterion: {"type": "number"}}
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def _attachments(seen: Evidence) -> tuple[Attachment, ...]:
    """The files of A-1 by name, pictures as pictures; our measurements are no part of them."""
    files = [found for name in FILES if (found := seen.file(name))]
    return tuple(
        Attachment(
            kind="image" if f.media_type == PICTURE else "text", media_type=f.media_type, sha256=f.sha256, name=f.name
        )
        for f in files
    )


def read_reply(exam: Exam, question: Question, reply: str, *, judge_id: str, is_last: bool) -> Reading:
    """The grades in a judge's reply, or what the judge is told so that it answers once more (A-5)."""
    del exam
    opened = open_reply(reply, question.language)
    asked = [c for c in OF_JUDGES if c in question.answer_schema["properties"]]
    verdicts = tuple(_read(criterion, opened, question, judge_id) for criterion in asked)
    if opened.problem and not is_last:
        return Reading(problem=opened.problem)
    return Reading(verdicts=verdicts)


def _read(criterion: Criterion, reply: Reply, question: Question, judge_id: str) -> Verdict:
    given, reason = reply.number(criterion, HALVES), _reason(reply, criterion)
    said = {"pass_name": "holistic", "judge_id": judge_id, "item": criterion, "rubric_version": question.prompt_version}
    if given is None:
        return Verdict(points=0, max_points=0, label=UNREAD, error=UNREAD, reason=reason, **said)
    flag = reply.flags.get(criterion)
    if given < 1 and reason is None:
        reply.complain(NO_REASON, field=f"{criterion}_reason", value=f"{given:g}")
        flag = flag or NO_REASON
    error = flag or (LABELS[given] if given < 1 else None)
    return Verdict(points=given, max_points=1, label=LABELS[given], error=error, reason=reason, **said)


def _reason(reply: Reply, criterion: Criterion) -> str | None:
    """The reason of a criterion, where it says anything."""
    told = reply.value.get(f"{criterion}_reason")
    words = " ".join(told.split())[:500] if isinstance(told, str) else ""
    return words if sum(c.isalpha() for c in words) >= SHORTEST_REASON else None


def items_of(truth: Mapping[str, Any]) -> list[str]:
    """What a person may grade in every task (A-5)."""
    del truth
    return list(OF_PEOPLE)


def scale_of(truth: Mapping[str, Any], item: str) -> Scale | None:
    """The scale of a criterion; None for one that there is not."""
    if item not in items_of(truth):
        return None
    errors = {value: label for value, label in LABELS.items() if value < 1}
    return Scale(
        pass_name="holistic", max_points=1, values=HALVES, labels=LABELS, errors=errors, needs_reason_below=1.0
    )
