"""Values of a case in words: lists and maps as people write them, an empty list as nothing (D-12, G-1)."""

from profiles.report.cases import _lines, _said, _step, _value
from profiles.report.material import Reply
from schemas.grade import Grade
from schemas.profile import Step


def grade(**changes: object) -> Grade:
    row = {
        "suite": "pii", "edition": "e", "system_id": "s", "case_id": "c", "trial": 1, "pass_name": "atomic", "judge_id": "fields", "item": "names",
        "points": 0.0, "max_points": 1.0, "label": "wrong", "error": "incomplete_list", "expected": '["Jan Horák", "Eva Malá"]',
        "given": '["Jan Horák"]', "reason": None, "quote": None, "rubric_version": "1",
    }  # fmt: skip
    return Grade.model_validate({**row, **changes})


def test_lists_are_words() -> None:
    assert _value('["Jan Horák", "Eva Malá"]') == "Jan Horák; Eva Malá"
    assert _value("[]") is None
    assert _value("[sic]") == "[sic]", "a value that only looks like a list stays as it is"
    assert _said(grade()).value == "Jan Horák"
    assert _said(grade(given="[]")).value is None


def test_the_critical_path_adds_to_an_empty_list_and_leaves_out_of_one_that_should_be() -> None:
    told = [
        _step(Step(item="names", error="invented_value", expected=expected, given=given)).cs
        for expected, given in (("[]", '["IČO 1"]'), ('["Eva Malá"]', "[]"), ('["Eva Malá"]', '["Eva Mala"]'))
    ]
    assert all("[" not in words for words in told)
    assert "Eva Malá" in told[1]
    assert "IČO 1" in told[0]
    assert "Eva Mala" in told[2]
    assert "Eva Malá" in told[2]


def test_what_a_truth_holds_beside_the_fields_is_no_line() -> None:
    truth = {
        "names": ["Jan Horák"],
        "phones": [],
        "not_personal": {"company_id": ["53904541"]},
        "base_forms": {"a": "b"},
        "other_dates": ["x"],
    }
    for replies in ({}, {"s": Reply(grades=(grade(),))}):
        assert [(line.field.en, line.truth) for line in _lines(truth, replies)] == [("Names", "Jan Horák")]
