"""The atomic pass over fields: each field of an answer against the truth, one verdict a field (D-11, D-13, G-2)."""

from typing import Any

from grading import lists
from grading.causes import Wrong, cause
from grading.normalise import canonical, is_absent
from grading.shown import shown
from schemas import readings
from schemas.field_errors import FieldError
from schemas.fields import Field, document_language, of_language
from schemas.grade import Exam, Verdict
from schemas.replies import Found, find_json

RUBRIC_VERSION = "fields-1"
"""Rises when the same answer may get another grade (G-13)."""


def atomic(fields: tuple[Field, ...], exam: Exam, rubric_version: str = RUBRIC_VERSION) -> list[Verdict]:
    """One verdict for every field that documents of the language can have, in order.

    Labels: `right` 1 of 1; `wrong` 0 of 1 with one category; `absent` 0 of 0, where the document has no such field and the answer
    gives none; `invented` 0 of 0, where it gives one (of 1 under `readings.INVENTED_IN_DENOMINATOR`), category `wrong_value`, of a list
    `invented_value`. A list field is right only if complete and with nothing extra, see `grading.lists` (D-12).
    Without one JSON object in the last reply every field of the document is wrong with `invalid_json`. Keys that are no fields are
    ignored here; the schema refuses them (D-16). Never raises for an answer; ValueError for a truth that cannot be read.
    """
    found = find_json(exam.answer.text)
    wanted = of_language(fields, exam.language)
    return [_verdict(field, wanted, exam, found, rubric_version) for field in wanted]


def _verdict(field: Field, fields: tuple[Field, ...], exam: Exam, found: Found, version: str) -> Verdict:
    truth = exam.truth.get(field.name)
    given = found.value.get(field.name) if found.value is not None else None
    points, most, label = 0, 1, "wrong"
    error: FieldError | None = None
    reason: str | None = None
    if is_absent(truth):
        truth, most, label = None, 0, "absent"
        if not _is_empty(field, given):
            most, label = int(readings.INVENTED_IN_DENOMINATOR), "invented"
            error = "invented_value" if field.is_list else "wrong_value"
            reason = "The document does not have this field."
    elif found.value is None:
        error, reason = "invalid_json", found.problem
    elif _is_empty(field, given):
        error, reason = "missing", "The answer gives no value."
    else:
        error, reason = _compare(field, fields, exam, truth, given)
        points, label = (0, "wrong") if error else (1, "right")
    return Verdict(
        pass_name="atomic",
        judge_id="fields",
        item=field.name,
        points=points,
        max_points=most,
        label=label,
        error=error,
        expected=shown(truth),
        given=shown(given),
        reason=reason,
        rubric_version=version,
    )


def _is_empty(field: Field, value: object) -> bool:
    return lists.is_empty(value) if field.is_list else is_absent(value)


def _compare(
    field: Field, fields: tuple[Field, ...], exam: Exam, truth: Any, given: object
) -> tuple[FieldError | None, str | None]:
    """Nothing where the values are equal; otherwise the category and the reason."""
    language = document_language(exam.language)
    if field.is_list:
        return lists.compare(field, exam.truth, given, language) or (None, None)
    want = canonical(field.kind, truth, language)
    if want is None:
        raise ValueError(f"The truth of {field.name!r} is no value of the kind {field.kind!r}: {truth!r}.")
    got = canonical(field.kind, given, language)
    if got == want:
        return None, None
    return cause(Wrong(field, fields, exam.truth, language, given, want, got))
