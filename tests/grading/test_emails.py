"""Grading of e-mails; the oracle is a table written by hand from the words of D-9, D-11 and D-13."""

import json

import jsonschema
import pytest

from grading import emails
from schemas.answer import BlindAnswer
from schemas.emails import FIELDS
from schemas.fields import answer_schema
from schemas.grade import Exam

CS = {
    "category": "změna objednávky",
    "priority": "vysoká",
    "sentiment": "neutrální",
    "customer": "Truhlářství Říha, s.r.o.",
    "order_number": "0125/0017",
    "invoice_number": None,
    "amount": "1210.50",
    "currency": "CZK",
    "deadline": "2024-03-08",
    "other_dates": ["2024-03-05", "2024-03-15"],
}
EN = {
    "category": "order change",
    "priority": "high",
    "sentiment": "neutral",
    "customer": "Maple Ridge Joinery Inc.",
    "order_number": "PO-0042",
    "invoice_number": "INV-0042",
    "amount": None,
    "currency": None,
    "deadline": None,
    "other_dates": ["2024-03-05"],
}

ROWS = [
    # language, field, given, label, error
    ("cs", "category", "změna objednávky", "right", None),
    ("cs", "category", "Změna  objednávky", "right", None),
    ("cs", "category", "zmena objednavky", "wrong", "lost_diacritics"),
    ("cs", "category", "ZMENA objednavky", "wrong", "lost_diacritics"),
    ("cs", "category", "reklamace", "wrong", "wrong_value"),
    ("cs", "category", "order change", "wrong", "wrong_value"),
    ("cs", "category", None, "wrong", "missing"),
    ("cs", "category", 3, "wrong", "wrong_value"),
    ("cs", "category", ["změna objednávky"], "wrong", "wrong_value"),
    ("cs", "priority", "VYSOKÁ", "right", None),
    ("cs", "priority", "vysoka", "wrong", "lost_diacritics"),
    ("cs", "priority", "high", "wrong", "wrong_value"),
    ("cs", "sentiment", "negativní", "wrong", "wrong_value"),
    ("cs", "customer", "Truhlářství Říha, s.r.o.", "right", None),
    ("cs", "customer", "Truhlarstvi Riha, s.r.o.", "wrong", "lost_diacritics"),
    ("cs", "customer", "Jan Říha", "wrong", "wrong_value"),
    ("cs", "order_number", "0125/ 0017", "right", None),
    ("cs", "order_number", "125/0017", "wrong", "number_format"),
    ("cs", "order_number", "01250017", "wrong", "number_format"),
    ("cs", "invoice_number", None, "absent", None),
    ("cs", "invoice_number", "2024001", "invented", "wrong_value"),
    ("cs", "amount", "1 210,50 Kč", "right", None),
    ("cs", "amount", 1210.5, "right", None),
    ("cs", "amount", "121050", "wrong", "number_format"),
    ("cs", "currency", "Kč", "right", None),
    ("cs", "currency", "EUR", "wrong", "wrong_value"),
    ("cs", "deadline", "8. března 2024", "right", None),
    ("cs", "deadline", "2024-03-05", "wrong", "swapped_dates"),  # the day of the message
    ("cs", "deadline", "15. 3. 2024", "wrong", "swapped_dates"),  # the deadline of an older one
    ("cs", "deadline", "2024-08-03", "wrong", "number_format"),
    ("cs", "deadline", "2024-03-09", "wrong", "wrong_value"),
    ("cs", "deadline", "do pátku", "wrong", "wrong_value"),
    ("en", "category", "Order Change", "right", None),
    ("en", "category", "změna objednávky", "wrong", "wrong_value"),
    ("en", "amount", "12.00", "invented", "wrong_value"),
    ("en", "currency", "", "absent", None),
    ("en", "deadline", "2024-03-05", "invented", "wrong_value"),
]


def exam(truth, language, *replies):
    answer = BlindAnswer(case_id="c", trial=1, status="ok", replies=replies)
    return Exam(truth=truth, language=language, answer=answer)


@pytest.mark.parametrize(("language", "field", "given", "label", "error"), ROWS)
def test_the_table(language, field, given, label, error):
    truth = CS if language == "cs" else EN
    said = {**{f.name: truth[f.name] for f in FIELDS}, field: given}
    verdicts = {v.item: v for v in emails.atomic(exam(truth, language, json.dumps(said, ensure_ascii=False)))}
    assert list(verdicts) == [f.name for f in FIELDS]
    assert (verdicts[field].label, verdicts[field].error) == (label, error)
    others = [v for name, v in verdicts.items() if name != field]
    assert all(v.error is None for v in others)


def test_a_word_of_no_list_is_told_and_not_quoted():
    said = json.dumps({**CS, "category": "stížnost"})
    (verdict,) = [v for v in emails.atomic(exam(CS, "cs", said)) if v.item == "category"]
    assert verdict.reason == "This is none of the allowed words."


def test_the_schema_holds_the_words_of_the_language():
    """A validator of its own: a word of the other language, a number and a further key are refused, null is not."""
    for language, truth, other in (("cs", CS, EN), ("en", EN, CS)):
        schema = answer_schema(FIELDS, language)
        right = {f.name: truth[f.name] for f in FIELDS}
        jsonschema.validate(right, schema)
        jsonschema.validate(dict.fromkeys(right), schema)
        for wrong in ({**right, "priority": other["priority"]}, {**right, "amount": 5}, {**right, "mood": "good"}):
            with pytest.raises(jsonschema.ValidationError):
                jsonschema.validate(wrong, schema)
            holistic = {v.item: v for v in emails.holistic(exam(truth, language, json.dumps(wrong)))}
            assert holistic["schema"].error == "invalid_schema"
        holistic = {v.item: v for v in emails.holistic(exam(truth, language, json.dumps(right)))}
        assert all(v.error is None for v in holistic.values())


def test_no_json_loses_all_present_fields():
    verdicts = emails.atomic(exam(EN, "en", "Sorry."))
    assert [v.item for v in verdicts if v.error == "invalid_json"] == [
        "category",
        "priority",
        "sentiment",
        "customer",
        "order_number",
        "invoice_number",
    ]
    assert all(v.label == "absent" for v in verdicts[6:])
