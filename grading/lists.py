"""List fields: right only if complete and with nothing extra, and why a wrong one is wrong (D-12, D-13).

A list is compared as the set of its values in canonical form: neither order nor repetition counts (`readings.LISTS_ARE_SETS`). What is
*extra* stands in the answer and not in the truth, what is *lacking* the other way round. The category is the first that fits:

| category         | when |
|------------------|------|
| lost_diacritics  | an extra value is a lacking one without some of its diacritics (names, addresses, e-mails) |
| swapped_dates    | something is lacking, and an extra date is another date of the same document |
| number_format    | an extra value has the right digits of a lacking one in a form that does not say it |
| invented_value   | an extra value is one that the document holds as not personal (a company's IČO, D-12), or there are more extra than lacking |
| incomplete_list  | there are more lacking than extra |
| wrong_value      | everything else: as many values stand in the place of others |

A reason quotes neither the document nor the answer: the column `reason` is not private (G-8).
"""

from collections.abc import Mapping
from typing import Any

from grading.causes import Wrong, lost, number_format
from grading.normalise import canonical, is_absent
from grading.shown import shown
from schemas import readings
from schemas.exchange import DocumentLanguage
from schemas.field_errors import FieldError
from schemas.fields import Field

RUBRIC_VERSION = "lists-1"
"""Rises when the same answer may get another grade (G-13)."""

Fault = tuple[FieldError, str]
_MARKED = ("text", "identifier", "address")


def values(field: Field, value: object, language: DocumentLanguage) -> dict[object, object]:
    """The values of a list by their canonical form; empty and null items are none, a single value is a list of one.

    What cannot be read as a value of the kind is kept as what it looks like, so it is extra and never right.
    """
    items = value if isinstance(value, list) else [value]
    found: dict[object, object] = {}
    for item in items:
        if not is_absent(item):
            form = canonical(field.kind, item, language)
            found.setdefault(("unreadable", shown(item)) if form is None else form, item)
    return found


def given_values(
    field: Field, value: object, truth: Mapping[str, Any], language: DocumentLanguage
) -> dict[object, object]:
    """The values of an answer's list; under another reading of names, base forms count as the forms that are written."""
    found = values(field, value, language)
    if field.name != "names" or readings.NAMES_AS_WRITTEN:
        return found
    written = _written_forms(field, truth, language)
    return {written.get(form, form): item for form, item in found.items()}


def is_empty(value: object) -> bool:
    """Whether a list says that there is nothing: absent, or nothing but absent items."""
    return is_absent(value) or (isinstance(value, list) and all(map(is_absent, value)))


def compare(field: Field, truth: Mapping[str, Any], given: object, language: DocumentLanguage) -> Fault | None:
    """None where the list is complete and has nothing extra; otherwise the category and the reason (D-12)."""
    want, got = values(field, truth[field.name], language), given_values(field, given, truth, language)
    extra = {form: item for form, item in got.items() if form not in want}
    lacking = {form: item for form, item in want.items() if form not in got}
    if not readings.LISTS_ARE_SETS and isinstance(given, list) and len(given) > len(got):
        return "invented_value", "A value is said more than once."
    if not extra and not lacking:
        return None
    return (
        _lost_diacritics(field, extra, lacking)
        or _swapped_dates(field, truth, extra, lacking, language)
        or _number_format(field, extra, lacking, language)
        or _invented(field, truth, extra, lacking, language)
        or _incomplete(extra, lacking)
        or ("wrong_value", _another(field, truth, extra, lacking, language))
    )


def _lost_diacritics(field: Field, extra: Mapping[object, object], lacking: Mapping[object, object]) -> Fault | None:
    pairs = (
        (right, given) for given in extra for right in lacking if isinstance(given, str) and isinstance(right, str)
    )
    if field.kind in _MARKED and any(lost(right, given) for right, given in pairs):
        return "lost_diacritics", "The diacritics of a value are lost."
    return None


def _swapped_dates(
    field: Field,
    truth: Mapping[str, Any],
    extra: Mapping[object, object],
    lacking: Mapping[object, object],
    language: DocumentLanguage,
) -> Fault | None:
    if field.kind != "date" or not lacking:
        return None
    others = {canonical("date", day, language) for day in _not_personal(truth).get("other_date", ())}
    return ("swapped_dates", "A date is another date of the same document.") if others & set(extra) else None


def _number_format(
    field: Field, extra: Mapping[object, object], lacking: Mapping[object, object], language: DocumentLanguage
) -> Fault | None:
    for got, given in extra.items():
        for want, right in lacking.items():
            form = None if isinstance(got, tuple) else got
            wrong = Wrong(field, (field,), {field.name: right}, language, given, want, form)
            if reason := number_format(wrong):
                return "number_format", reason
    return None


def _invented(
    field: Field,
    truth: Mapping[str, Any],
    extra: Mapping[object, object],
    lacking: Mapping[object, object],
    language: DocumentLanguage,
) -> Fault | None:
    for kind, found in _not_personal(truth).items():
        if any(canonical(field.kind, value, language) in extra for value in found):
            return "invented_value", f"A value is no personal data but a value of the kind {kind}."
    if len(extra) > len(lacking):
        return "invented_value", "The list has more values than the document."
    return None


def _incomplete(extra: Mapping[object, object], lacking: Mapping[object, object]) -> Fault | None:
    many = len(lacking) - len(extra)
    return ("incomplete_list", f"The list lacks {many} of the document's values.") if many > 0 else None


def _another(
    field: Field,
    truth: Mapping[str, Any],
    extra: Mapping[object, object],
    lacking: Mapping[object, object],
    language: DocumentLanguage,
) -> str:
    if any(isinstance(form, tuple) for form in extra):
        return f"A value cannot be read as one of the kind {field.kind}."
    if field.name == "names" and set(_written_forms(field, truth, language)) & set(extra):
        return "A name stands in its base form and not as it is written in the text."
    if {str(form).casefold() for form in extra} & {str(form).casefold() for form in lacking}:
        return "Only the letter case of a value differs."
    return "A value is another one."


def _not_personal(truth: Mapping[str, Any]) -> Mapping[str, list[str]]:
    found: Mapping[str, list[str]] = truth.get("not_personal") or {}
    return found


def _written_forms(field: Field, truth: Mapping[str, Any], language: DocumentLanguage) -> dict[object, object]:
    """Names as written, by their base form."""
    pairs = (truth.get("base_forms") or {}).items()
    return {canonical(field.kind, base, language): canonical(field.kind, written, language) for written, base in pairs}
