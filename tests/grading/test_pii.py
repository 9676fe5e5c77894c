"""Grading of lists of personal data: a hand-written table of answers, the notations that are equal, the record as a whole (D-11 to D-13)."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grading import pii
from schemas import readings
from schemas.answer import BlindAnswer
from schemas.exchange import Language
from schemas.field_errors import FIELD_ERRORS, RECORD_ERRORS
from schemas.grade import Exam, Verdict
from schemas.pii import FIELDS

CS: dict[str, Any] = {
    "names": ["Janem Horákem", "Zdeňka Tichá", "Věře Křížové"],
    "emails": ["jan.horak@posta.example", "ticha@dopisy.example"],
    "phones": ["+420 650 123 456", "651 222 333"],
    "addresses": ["Lipová 12, 602 00 Brno", "Ludvíka Hřebena 7, 779 00 Olomouc"],
    "birth_dates": ["1985-06-16", "1990-02-03"],
    "national_ids": ["855616/8654", "030101/0018"],
    "accounts": ["19-2000145399/0800", "CZ6508000000192000145399"],
    "base_forms": {"Janem Horákem": "Jan Horák", "Věře Křížové": "Věra Křížová"},
    "not_personal": {
        "company_id": ["27074358"],
        "company_name": ["Horák a synové, s. r. o."],
        "general_email": ["info@horak.example"],
        "switchboard": ["+420 659 000 111"],
        "company_address": ["Dlouhá 5, 110 00 Praha 1"],
        "company_account": ["733836833/2010"],
        "other_date": ["2024-03-01", "2024-05-02"],
        "reference": ["840312/0456"],
        "named_after": ["Ludvíka Hřebena"],
    },
}
EN: dict[str, Any] = {
    "names": ["Peter B. Wolfe", "Hazel O'Connell"],
    "emails": ["wolfe@postbox.example"],
    "phones": ["(614) 555-0123"],
    "addresses": ["1425 Maple Ave Apt 4, Akron, OH 44308"],
    "birth_dates": ["1985-03-04", "1990-12-10"],
    "national_ids": ["666-98-6891"],
    "accounts": ["055968537/0123456"],
    "base_forms": {},
    "not_personal": {"company_id": ["24-9549656"], "other_date": ["2024-03-01"]},
}
TRUTHS = {"cs": CS, "en": EN}
EMPTY = {f.name: [] for f in FIELDS} | {"base_forms": {}, "not_personal": CS["not_personal"]}


def exam(language: Language, *replies: str, truth: dict[str, Any] | None = None) -> Exam:
    answer = BlindAnswer(case_id="case-1", trial=1, status="ok", replies=replies)
    return Exam(truth=truth or TRUTHS[language], language=language, answer=answer)


def graded(language: Language, field: str, value: Any, truth: dict[str, Any] | None = None) -> Verdict:
    reply = json.dumps({field: value}, ensure_ascii=False)
    return next(v for v in pii.atomic(exam(language, reply, truth=truth)) if v.item == field)


# field, what was answered, None for right or the category (D-13); the truth is CS above.
TABLE = [
    ("names", ["Janem Horákem", "Zdeňka Tichá", "Věře Křížové"], None),
    ("names", ["Věře Křížové", "Zdeňka Tichá", "Janem Horákem"], None),  # another order
    ("names", ["Janem Horákem", "Janem Horákem", "Zdeňka Tichá", "Věře Křížové"], None),  # said twice
    (
        "names",
        ["Janem\u00a0Horákem", "Zden\u030cka Ticha\u0301", " Věře  Křížové "],
        None,
    ),  # spaces and composition are format
    ("names", ["Janem Horakem", "Zdeňka Tichá", "Věře Křížové"], "lost_diacritics"),
    ("names", ["Janem Horakem", "Zdeňka Tichá"], "lost_diacritics"),  # before an incomplete list
    (
        "names",
        ["Janem Horakem", "Zdeňka Tichá", "Věře Křížové", "Karel"],
        "lost_diacritics",
    ),  # before an invented value
    ("names", ["Zdeňka Tichá", "Věře Křížové"], "incomplete_list"),
    ("names", ["Zdeňka Tichá"], "incomplete_list"),
    (
        "names",
        ["Jan Horák", "Zdeňka Tichá", "Věře Křížové"],
        "wrong_value",
    ),  # the base form, and the prompt asks for the form as written
    ("names", ["Ing. Janem Horákem", "Zdeňka Tichá", "Věře Křížové"], "wrong_value"),  # with a title
    ("names", ["janem horákem", "Zdeňka Tichá", "Věře Křížové"], "wrong_value"),  # letter case is content
    ("names", ["Janem Horákem", "Zdeňka Tichá", "Věře Křížové", "Horák a synové, s. r. o."], "invented_value"),
    (
        "names",
        ["Zdeňka Tichá", "Věře Křížové", "Ludvíka Hřebena"],
        "invented_value",
    ),  # a street's name, although one is lacking too
    ("names", ["Janem Horákem", "Zdeňka Tichá", "Věře Křížové", "paní Tichá"], "invented_value"),
    ("names", [], "missing"),
    ("names", None, "missing"),
    ("names", ["", None], "missing"),
    ("names", "Janem Horákem, Zdeňka Tichá, Věře Křížové", "incomplete_list"),  # one string is one value
    ("names", [["Janem Horákem"], "Zdeňka Tichá", "Věře Křížové"], "wrong_value"),  # a list inside cannot be read
    ("emails", ["jan.horak@posta.example", "ticha@dopisy.example", "info@horak.example"], "invented_value"),
    ("emails", ["jan.horak@posta.example"], "incomplete_list"),
    ("emails", ["jan.horak@posta.example", "ticha@dopis.example"], "wrong_value"),
    ("phones", ["650123456", "+420651222333"], None),
    ("phones", ["00420 650 123 456", "651-222-333"], None),
    ("phones", ["650 123 456", "651 222 333", "659000111"], "invented_value"),  # the switchboard
    ("phones", ["+421 650 123 456", "651 222 333"], "wrong_value"),  # another country
    ("phones", ["650 123 456"], "incomplete_list"),
    ("addresses", ["Lipová 12\n602 00 Brno", "Ludvíka Hřebena 7, 77900 Olomouc"], None),
    ("addresses", ["Lipova 12, 602 00 Brno", "Ludvíka Hřebena 7, 779 00 Olomouc"], "lost_diacritics"),
    ("addresses", ["Lipová 12, Brno", "Ludvíka Hřebena 7, 779 00 Olomouc"], "wrong_value"),
    ("addresses", ["Lipová 12, 602 00 Brno", "Dlouhá 5, 110 00 Praha 1"], "invented_value"),  # the registered office
    ("birth_dates", ["16. 6. 1985", "3. února 1990"], None),
    ("birth_dates", ["1985-06-16", "2024-03-01"], "swapped_dates"),  # the date of the meeting
    ("birth_dates", ["1985-06-16", "1990-02-03", "2024-03-01"], "invented_value"),  # nothing is lacking
    ("birth_dates", ["1985-06-16", "1990-03-02"], "number_format"),  # day and month exchanged
    ("birth_dates", ["1985-06-16", "1991-02-03"], "wrong_value"),
    ("national_ids", ["8556168654", "0301010018"], None),
    ("national_ids", ["855616 / 8654", "030101/0018"], None),
    ("national_ids", ["855616/8654", "30101/0018"], "number_format"),  # the leading zero is lost
    ("national_ids", ["855616/8654", "27074358"], "invented_value"),  # D-12: a company's IČO
    ("national_ids", ["855616/8654", "030101/0018", "27074358"], "invented_value"),
    ("national_ids", ["855616/8654", "030101/0018", "840312/0456"], "invented_value"),  # a number of a file
    ("accounts", ["000019-2000145399/0800", "CZ65 0800 0000 1920 0014 5399"], None),
    ("accounts", ["19-2000145399/0800", "733836833/2010"], "invented_value"),  # a company's account
    ("accounts", ["192000145399/0800", "CZ6508000000192000145399"], "number_format"),
    ("accounts", ["19-2000145399/0800"], "incomplete_list"),
]


@pytest.mark.parametrize(("field", "value", "error"), TABLE)
def test_the_table(field: str, value: Any, error: str | None) -> None:
    verdict = graded("cs", field, value)
    assert (verdict.error, verdict.points, verdict.max_points) == (error, 0 if error else 1, 1)
    assert verdict.label == ("wrong" if error else "right")
    if error:
        assert verdict.reason
        for hidden in ("Horák", "Tichá", "650", "8556", "Lipová"):
            assert hidden not in verdict.reason  # the column is not private (G-8)


@pytest.mark.parametrize(
    ("field", "value", "error"),
    [
        ("names", ["Peter B. Wolfe", "Hazel O'Connell"], None),
        ("names", ["Peter Wolfe", "Hazel O'Connell"], "wrong_value"),  # without the initial
        ("phones", ["+1 614 555 0123"], None),
        ("phones", ["614.555.0123"], None),
        ("phones", ["1-614-555-0123"], None),
        ("addresses", ["1425 Maple Ave Apt 4\nAkron, OH 44308"], None),
        ("birth_dates", ["03/04/1985", "December 10, 1990"], None),
        ("birth_dates", ["04/03/1985", "12/10/1990"], "number_format"),  # an American date has the month first
        ("national_ids", ["666986891"], None),
        ("national_ids", ["666-98-6891", "24-9549656"], "invented_value"),  # the EIN
        ("accounts", ["055968537 / 0123456"], None),
        ("accounts", ["055968537/123456"], "number_format"),  # the zero belongs to an American account
        ("accounts", ["0123456"], "wrong_value"),
    ],
)
def test_the_table_in_english(field: str, value: Any, error: str | None) -> None:
    assert graded("en", field, value).error == error


@pytest.mark.parametrize("value", [None, [], [""], "", ...])
def test_a_field_that_the_text_does_not_have_is_right_when_empty(value: Any) -> None:
    """D-11: and it stays out of the denominator."""
    reply = json.dumps({} if value is ... else {"accounts": value})
    verdict = next(v for v in pii.atomic(exam("cs", reply, truth=EMPTY)) if v.item == "accounts")
    assert (verdict.label, verdict.error, verdict.max_points) == ("absent", None, 0)


def test_a_value_for_a_field_that_the_text_does_not_have_is_invented() -> None:
    for value in (["27074358"], "27074358", ["27074358", "1"]):
        verdict = graded("cs", "national_ids", value, truth=EMPTY)
        assert (verdict.label, verdict.error, verdict.points, verdict.max_points) == (
            "invented",
            "invented_value",
            0,
            0,
        )


def test_every_category_of_lists_is_in_the_table_and_in_the_order_of_precedence() -> None:
    order = [
        "missing",
        "lost_diacritics",
        "swapped_dates",
        "number_format",
        "invented_value",
        "incomplete_list",
        "wrong_value",
    ]
    told = {error for _, _, error in TABLE} - {None}
    assert told == set(order)
    assert [e for e in FIELD_ERRORS if e in told] == order
    assert graded("cs", "names", ["x"]).error == "incomplete_list"
    assert {v.error for v in pii.atomic(exam("cs", "No."))} == {"invalid_json"}


def test_the_other_reading_of_names_accepts_the_base_form(monkeypatch: pytest.MonkeyPatch) -> None:
    """G-14: the switch moves names alone, in both passes."""
    base = CS | {"names": ["Jan Horák", "Zdeňka Tichá", "Věra Křížová"]}
    reply = json.dumps({f.name: base[f.name] for f in FIELDS}, ensure_ascii=False)
    for as_written, points in ((True, 0), (False, 1)):
        monkeypatch.setattr(readings, "NAMES_AS_WRITTEN", as_written)
        assert graded("cs", "names", base["names"]).points == points
        assert next(v for v in pii.holistic(exam("cs", reply)) if v.item == "document").points == points
        assert graded("cs", "names", ["Jana Horáka", "Zdeňka Tichá", "Věra Křížová"]).error == "wrong_value"
        assert graded("cs", "names", CS["names"]).points == 1


def test_the_other_reading_of_lists_counts_what_is_said_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readings, "LISTS_ARE_SETS", False)
    assert graded("cs", "emails", [*CS["emails"], CS["emails"][0]]).error == "invented_value"
    assert graded("cs", "emails", CS["emails"]).error is None


@pytest.mark.parametrize("language", ["cs", "en"])
def test_the_right_answer_is_faultless(language: Language) -> None:
    truth = {f.name: TRUTHS[language][f.name] for f in FIELDS}
    verdicts = [*pii.atomic(exam(language, json.dumps(truth))), *pii.holistic(exam(language, json.dumps(truth)))]
    assert all(v.points == v.max_points and v.error is None for v in verdicts)
    assert [v.item for v in verdicts[:7]] == [f.name for f in FIELDS]
    assert {v.rubric_version for v in verdicts} == {pii.RUBRIC_VERSION}


VALUES = st.one_of(
    st.none(),
    st.lists(st.sampled_from(["Janem Horákem", "27074358", "855616/8654", "2024-03-01", "", "x"]) | st.none() | st.integers(), max_size=4),
    st.text(max_size=8),
    st.dictionaries(st.text(max_size=2), st.text(max_size=2), max_size=2),
)  # fmt: skip


@settings(deadline=None, max_examples=400)
@given(st.dictionaries(st.sampled_from([f.name for f in FIELDS]), VALUES), st.sampled_from(["cs", "en"]))
def test_the_document_is_right_exactly_when_every_list_is(change: dict[str, Any], language: Language) -> None:
    """Two implementations against each other (D-14, G-4); whatever is answered, nothing raises."""
    answer = {f.name: TRUTHS[language][f.name] for f in FIELDS} | change
    reply = json.dumps(answer)
    labels = {v.label for v in pii.atomic(exam(language, reply))}
    assert next(v for v in pii.holistic(exam(language, reply)) if v.item == "document").points == (
        labels <= {"right", "absent"}
    )


@settings(deadline=None, max_examples=200)
@given(st.lists(st.text(), max_size=3), st.sampled_from(["cs", "en"]))
def test_no_reply_raises(replies: list[str], language: Language) -> None:
    verdicts = pii.atomic(exam(language, *replies)) + pii.holistic(exam(language, *replies))
    assert {v.error for v in verdicts} - {None} <= {*FIELD_ERRORS, *RECORD_ERRORS}


@settings(deadline=None, max_examples=200)
@given(st.sets(st.sampled_from(CS["names"])), st.permutations(CS["names"]))
def test_a_list_is_right_only_if_complete(said: set[str], order: list[str]) -> None:
    """D-12, by sets: any subset but the whole is wrong, in any order."""
    value = [name for name in order if name in said]
    assert graded("cs", "names", value).points == (said == set(CS["names"]))
