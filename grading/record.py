"""The holistic pass over fields: the answer as one record, apart from the verdicts on its fields (D-16, G-4).

| item         | points | what is asked |
|--------------|--------|---------------|
| `json`       | 0 or 1 | the last reply holds one JSON object (valid after the one repeat of M-2) |
| `json_first` | 0 or 1 | the first reply does |
| `schema`     | 0 or 1 | the object is valid against the schema of the answer, value types and keys included |
| `structure`  | of 0   | the label says how the object stands in the last reply: json, fenced, embedded, none |
| `document`   | 0 or 1 | the whole answer equals the whole truth: not a single error (D-14) |
"""

import functools
from collections.abc import Mapping
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from grading import lists
from grading.normalise import canonical, is_absent
from grading.shown import shown
from schemas.exchange import DocumentLanguage
from schemas.field_errors import RecordError
from schemas.fields import Field, answer_schema, document_language, of_language
from schemas.grade import Exam, Verdict
from schemas.replies import Found, find_json

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator, ValidationError

RUBRIC_VERSION = "record-1"
"""Rises when the same answer may get another grade (G-13)."""

_LONGEST_REASON = 200
_TYPES = {str: "a string", bool: "true or false", int: "a number", float: "a number", Decimal: "a number"}
_TYPES |= {list: "a list", dict: "a map", type(None): "null"}


def holistic(fields: tuple[Field, ...], exam: Exam, rubric_version: str = RUBRIC_VERSION) -> list[Verdict]:
    """The five verdicts on the record; never raises for an answer."""
    replies = exam.answer.replies
    last = find_json(exam.answer.text)
    first = find_json(replies[0]) if len(replies) > 1 else last
    invalid: tuple[RecordError, str] | None = ("invalid_json", last.problem or "") if last.value is None else None

    def verdict(item: str, fault: tuple[RecordError, str] | None) -> Verdict:
        error, reason = fault or (None, None)
        label = "wrong" if fault else "right"
        return _verdict(item, 0 if fault else 1, 1, label, rubric_version, error=error, reason=reason)

    return [
        verdict("json", invalid),
        verdict("json_first", ("invalid_json", first.problem or "") if first.value is None else None),
        verdict("schema", invalid or _schema_fault(fields, document_language(exam.language), last)),
        _verdict("structure", 0, 0, last.structure, rubric_version),
        verdict("document", invalid or _document_fault(fields, exam, last)),
    ]


def _verdict(item: str, points: int, most: int, label: str, version: str, **more: str | None) -> Verdict:
    return Verdict(
        pass_name="holistic",
        judge_id="record",
        item=item,
        points=points,
        max_points=most,
        label=label,
        error=more.get("error"),
        reason=more.get("reason"),
        rubric_version=version,
    )


def _schema_fault(
    fields: tuple[Field, ...], language: DocumentLanguage, found: Found
) -> tuple[RecordError, str] | None:
    first = next(iter(_validator(fields, language).iter_errors(found.value)), None)
    return ("invalid_schema", _message(first)) if first else None


@functools.cache
def _validator(fields: tuple[Field, ...], language: DocumentLanguage) -> "Draft202012Validator":
    from jsonschema import Draft202012Validator

    return Draft202012Validator(answer_schema(fields, language))


def _message(error: "ValidationError") -> str:
    """What the validator says, without the values and keys of the answer: the column `reason` is not private (G-8)."""
    where = str(error.absolute_path[0]) if error.absolute_path else "The answer"
    if error.validator == "type":
        wanted = error.validator_value
        options = " or ".join(wanted) if isinstance(wanted, list) else wanted
        inside = "a value of the map is " if len(error.absolute_path) > 1 else ""
        return f"{where}: {inside}{_TYPES.get(type(error.instance), 'another value')} where {options} is wanted."
    if error.validator == "additionalProperties":
        return f"{where} has keys that are no fields."
    message = shown(error.message) or ""
    return f"{where}: {message}."[:_LONGEST_REASON]


def _document_fault(fields: tuple[Field, ...], exam: Exam, found: Found) -> tuple[RecordError, str] | None:
    language = document_language(exam.language)
    answer = _record(fields, language, found.value or {}, exam.truth)
    truth = _record(fields, language, exam.truth, exam.truth)
    if answer == truth:
        return None
    return "wrong_document", "The answer as a whole is not the document as a whole."


def _record(
    fields: tuple[Field, ...], language: DocumentLanguage, values: Mapping[str, Any], truth: Mapping[str, Any]
) -> dict[str, object]:
    """The present fields in canonical form; lists as sets."""
    wanted = {field.name: field for field in of_language(fields, language)}
    found: dict[str, object] = {}
    for name, value in values.items():
        if name not in wanted or (lists.is_empty(value) if wanted[name].is_list else is_absent(value)):
            continue
        field = wanted[name]
        is_list = field.is_list
        found[name] = (
            set(lists.given_values(field, value, truth, language))
            if is_list
            else canonical(field.kind, value, language)
        )
    return found
