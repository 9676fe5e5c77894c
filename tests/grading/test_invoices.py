"""Grading of invoices in two passes; the oracle is a table written by hand, and each pass is the second implementation of the other."""

import json
from typing import Any, Literal

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading import invoices
from schemas.answer import Answer, BlindAnswer
from schemas.field_errors import FIELD_ERRORS, RECORD_ERRORS
from schemas.fields import answer_schema
from schemas.grade import Exam, Verdict
from schemas.invoices import FIELDS

Language = Literal["cs", "en"]

CS: dict[str, Any] = {
    "supplier": "Truhlářství Dvořáček a syn",
    "company_id": "00177041",
    "tax_id": None,
    "document_number": "2024-017",
    "variable_symbol": "2024017",
    "issue_date": "2024-05-02",
    "tax_point_date": "2024-04-30",
    "due_date": "2024-05-16",
    "tax_base_by_rate": {"21": "1000.00"},
    "tax_by_rate": {"21": "210.00"},
    "total": "1210.00",
    "currency": "CZK",
    "account": "733836833/2010",
}
EN: dict[str, Any] = {
    "supplier": "Maple Ridge Joinery Inc.",
    "company_id": "123456789",
    "document_number": "INV-0042",
    "variable_symbol": "0042",
    "issue_date": "2024-05-02",
    "due_date": "2024-05-16",
    "tax_base_by_rate": {"8.25": "1000.00"},
    "tax_by_rate": {"8.25": "82.50"},
    "total": "1082.50",
    "currency": "USD",
    "account": "055968537/0012345678",
}
TRUTHS = {"cs": CS, "en": EN}


def exam(language: Language, *replies: str) -> Exam:
    answer = BlindAnswer(case_id="case-1", trial=1, status="ok", replies=replies)
    return Exam(truth=TRUTHS[language], language=language, answer=answer)


def holistic(language: Language, *replies: str) -> dict[str, Verdict]:
    return {v.item: v for v in invoices.holistic(exam(language, *replies))}


RIGHT = json.dumps(CS)
FENCED = f"```json\n{RIGHT}\n```"
RECORDS = [  # replies, points of json, json_first, schema, document; label of structure
    ([RIGHT], (1, 1, 1, 1), "json"),
    ([FENCED], (1, 1, 1, 1), "fenced"),
    ([f"Hotovo: {RIGHT}"], (1, 1, 1, 1), "embedded"),
    (["Promiňte.", RIGHT], (1, 0, 1, 1), "json"),
    ([RIGHT, "Už jsem odpověděl."], (0, 1, 0, 0), "none"),
    (["Ne.", "Ne."], (0, 0, 0, 0), "none"),
    ([], (0, 0, 0, 0), "none"),
    ([RIGHT[:-1]], (0, 0, 0, 0), "none"),
    ([RIGHT.replace("1210.00", "1 210,00 Kč")], (1, 1, 1, 1), "json"),
    ([RIGHT.replace("1210.00", "1210.01")], (1, 1, 1, 0), "json"),
    ([RIGHT.replace('"1210.00"', "1210.00")], (1, 1, 0, 1), "json"),
    ([RIGHT.replace('"tax_id": null', '"tax_id": ""')], (1, 1, 1, 1), "json"),
    ([RIGHT.replace('"tax_id": null, ', "")], (1, 1, 0, 1), "json"),
    ([RIGHT.replace('"tax_id": null', '"tax_id": "CZ00177041"')], (1, 1, 1, 0), "json"),
    ([RIGHT.replace('"tax_id": null', '"tax_id": null, "note": "x"')], (1, 1, 0, 1), "json"),
    ([RIGHT.replace("{", "{ ", 1).replace('{"21": "210.00"}', '{"21": 210.00}')], (1, 1, 0, 1), "json"),
    (["{}"], (1, 1, 0, 0), "json"),
]


@pytest.mark.parametrize(("replies", "points", "structure"), RECORDS)
def test_the_record_is_what_a_person_says(replies: list[str], points: tuple[int, ...], structure: str) -> None:
    verdicts = holistic("cs", *replies)
    assert tuple(verdicts[item].points for item in ("json", "json_first", "schema", "document")) == points
    assert (verdicts["structure"].label, verdicts["structure"].max_points) == (structure, 0)
    for verdict in verdicts.values():
        assert (verdict.pass_name, verdict.judge_id) == ("holistic", "record")
        if verdict.item != "structure":
            assert verdict.max_points == 1
            assert (verdict.label, verdict.error is None, verdict.reason is None) == (
                ("right", True, True) if verdict.points else ("wrong", False, False)
            )


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"total": 1210}, "total: a number where string or null is wanted."),
        ({"total": ["1210.00"]}, "total: a list where string or null is wanted."),
        ({"tax_by_rate": {"21": 210.0}}, "tax_by_rate: a value of the map is a number where string is wanted."),
        ({"tax_by_rate": "210.00"}, "tax_by_rate: a string where object or null is wanted."),
        ({"Josef Novák": "1"}, "The answer has keys that are no fields."),
        ({"total": ...}, "The answer: 'total' is a required property."),
    ],
)
def test_the_schema_tells_its_first_fault_without_values(change: dict[str, Any], reason: str) -> None:
    reply = json.dumps({k: v for k, v in (CS | change).items() if v is not ...})
    verdict = holistic("cs", reply)["schema"]
    assert (verdict.points, verdict.error, verdict.reason) == (0, "invalid_schema", reason)


def test_czech_has_13_fields_and_english_11() -> None:
    czech, english = (invoices.atomic(exam(lang, json.dumps(TRUTHS[lang]))) for lang in ("cs", "en"))
    assert [v.item for v in czech] == [f.name for f in FIELDS]
    assert {v.item for v in czech} - {v.item for v in english} == {"tax_id", "tax_point_date"}
    assert (len(czech), len(english)) == (13, 11)
    assert sum(v.points for v in czech) == sum(v.max_points for v in czech) == 12
    assert sum(v.points for v in english) == sum(v.max_points for v in english) == 11
    assert {v.judge_id for v in czech} == {"fields"}


def test_only_the_last_reply_is_graded_by_field() -> None:
    assert {v.error for v in invoices.atomic(exam("cs", RIGHT, "Nic."))} == {"invalid_json", None}
    assert {v.error for v in invoices.atomic(exam("cs", "Nic.", RIGHT))} == {None}


def test_every_verdict_carries_the_versions() -> None:
    verdicts = invoices.atomic(exam("cs", RIGHT)) + invoices.holistic(exam("cs", RIGHT))
    assert {v.rubric_version for v in verdicts} == {invoices.RUBRIC_VERSION}


def test_the_author_never_arrives() -> None:
    """G-6: two answers of the same words get the same verdicts, whoever gave them, and no verdict can name the author."""

    def graded(system: str) -> list[Verdict]:
        row = Answer(
            suite="invoices", edition="e", system_id=system, case_id="case-1", trial=1, status="ok", text=RIGHT, replies=[RIGHT],
            request_hashes=[], system_version="v", prompt_version="1", error=None, cost_usd="0", latency_ms=0, run_id=system,
        )  # fmt: skip
        blind = Exam(truth=CS, language="cs", answer=row.blind())
        return invoices.atomic(blind) + invoices.holistic(blind)

    assert graded("sentinel-system") == graded("other-system")
    assert "sentinel-system" not in str(graded("sentinel-system"))


WORDS = st.sampled_from(
    ["", " ", "N/A", "CZ00177041", "2024-05-16", "2. 5. 2024", "1 210,00", "1210", "Kč", "12-3456789", "0042", "\ud800"]
)
VALUES = st.one_of(
    st.none(),
    WORDS,
    st.integers(0, 3000),
    st.floats(0, 3000, allow_nan=False),
    st.booleans(),
    st.lists(WORDS, max_size=2),
    st.dictionaries(st.sampled_from(["21", "21 %", "8.25", "0"]), WORDS | st.none(), max_size=2),
)  # fmt: skip


@st.composite
def answers(draw: st.DrawFn) -> tuple[Language, dict[str, Any]]:
    """Answers near the truth: none to three fields are other values, other notations or not there."""
    language: Language = draw(st.sampled_from(["cs", "en"]))
    answer = dict(TRUTHS[language])
    for name in draw(st.lists(st.sampled_from([f.name for f in FIELDS]), max_size=3)):
        value = draw(VALUES | st.just(...) | st.just(answer.get(name)))
        answer.pop(name, None)
        if value is not ...:
            answer[name] = value
    return language, answer


@settings(deadline=None, max_examples=500)
@given(answers())
def test_the_document_is_right_exactly_when_every_field_is(drawn: tuple[Language, dict[str, Any]]) -> None:
    """Two implementations against each other (D-14, G-4)."""
    language, answer = drawn
    reply = json.dumps(answer)
    labels = {v.label for v in invoices.atomic(exam(language, reply))}
    assert holistic(language, reply)["document"].points == (labels <= {"right", "absent"})


@settings(deadline=None, max_examples=300)
@given(answers())
def test_the_schema_verdict_is_that_of_a_plain_validator(drawn: tuple[Language, dict[str, Any]]) -> None:
    language, answer = drawn
    try:
        jsonschema.validate(answer, answer_schema(FIELDS, language))
        valid = 1
    except jsonschema.ValidationError:
        valid = 0
    assert holistic(language, json.dumps(answer))["schema"].points == valid


@settings(deadline=None, max_examples=300)
@given(st.lists(st.text(), max_size=3), st.sampled_from(["cs", "en"]))
def test_no_reply_raises(replies: list[str], language: Language) -> None:
    verdicts = invoices.atomic(exam(language, *replies)) + invoices.holistic(exam(language, *replies))
    assert {v.error for v in verdicts} - {None} <= {*FIELD_ERRORS, *RECORD_ERRORS}
