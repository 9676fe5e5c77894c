"""The profile of one answer and the tendencies of one system, against tables worked out by hand."""

from decimal import Decimal
from typing import Any

import pytest

from profiles import documents, invoices
from schemas import readings
from schemas.field_errors import FIELD_ERRORS
from schemas.invoices import FIELDS as INVOICE_FIELDS
from schemas.row import to_table
from schemas.stamp import Stamp
from schemas.status import GRADED, STATUSES
from schemas.tendency import Tendency


def test_profile_of_a_wrong_answer(kit: Any) -> None:
    grades = kit.make_grades("wrw", ["lost_diacritics", "base_instead_of_total"])
    found = documents.profile(kit.FIELDS, kit.make_case(), kit.make_answer(), list(reversed(grades)))
    assert (found.points, found.max_points, found.is_scored, found.is_faultless) == (1, 3, True, False)
    assert found.deviations == ["base_instead_of_total", "lost_diacritics"]
    assert [(s.item, s.error, s.given, s.expected) for s in found.critical_path] == [
        ("supplier", "lost_diacritics", "X", "supplier"),
        ("total", "base_instead_of_total", "X", "total"),
    ]
    assert (found.structure, found.question, found.rubric_version) == ("json", "answerable", "g1")
    assert (found.cost_usd, found.latency_ms, found.trial) == (Decimal("0.002"), 100, 1)


@pytest.mark.parametrize(("marks", "faultless"), [("rrr", True), ("rar", True), ("rir", False), ("rwr", False)])
def test_faultless_means_right_or_absent(kit: Any, marks: str, faultless: bool) -> None:
    """D-14: an invented value breaks it although it is outside the denominator."""
    found = documents.profile(kit.FIELDS, kit.make_case(), kit.make_answer(), kit.make_grades(marks))
    assert found.is_faultless is faultless
    assert found.max_points == sum(mark in "rw" for mark in marks)


def test_invalid_json_is_the_first_step(kit: Any) -> None:
    grades = kit.make_grades("waw", ["invalid_json"] * 2, json=0, first=0, shape="none")
    found = documents.profile(kit.FIELDS, kit.make_case(), kit.make_answer(status="invalid"), grades)
    assert [s.item for s in found.critical_path] == ["answer", "supplier", "total"]
    first = found.critical_path[0]
    assert (first.error, first.given, first.expected) == ("invalid_json", "why", "one JSON object")
    assert (found.is_valid, found.is_valid_first, found.structure) == (False, False, "none")
    assert found.deviations == ["invalid_json"]


def test_valid_at_the_repeat(kit: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """D-14 and M-2: still faultless, unless the other reading is switched on."""
    grades = kit.make_grades("rrr", first=0, shape="fenced")
    found = documents.profile(kit.FIELDS, kit.make_case(), kit.make_answer(), grades)
    assert (found.is_valid, found.is_valid_first, found.is_faultless) == (True, False, True)
    monkeypatch.setattr(readings, "FAULTLESS_NEEDS_VALID_FIRST", True)
    assert not documents.profile(kit.FIELDS, kit.make_case(), kit.make_answer(), grades).is_faultless


@pytest.mark.parametrize("status", STATUSES)
def test_not_scored_is_never_zero(kit: Any, status: str) -> None:
    """G-11: without an answer nothing is possible, so nothing can be lost."""
    grades = kit.make_grades("www") if status in GRADED else []
    found = documents.profile(kit.FIELDS, kit.make_case(), kit.make_answer(status=status), grades)
    assert found.is_scored is (status in GRADED)
    if not found.is_scored:
        assert (found.points, found.max_points, found.is_faultless, found.is_valid) == (0, 0, False, False)
        assert (found.structure, found.rubric_version, found.deviations, found.critical_path) == ("none", "", [], [])


def test_profile_refuses_what_does_not_belong_together(kit: Any) -> None:
    with pytest.raises(ValueError, match=r"status 'ok' and 0 grades; expected some"):
        documents.profile(kit.FIELDS, kit.make_case(), kit.make_answer(), [])
    with pytest.raises(ValueError, match=r"status 'timeout' and 6 grades; expected none"):
        documents.profile(kit.FIELDS, kit.make_case(), kit.make_answer(status="timeout"), kit.make_grades("rrr"))
    with pytest.raises(ValueError, match=r"expected grades of fields and of the items json"):
        documents.profile(kit.FIELDS, kit.make_case(), kit.make_answer(), kit.make_grades("rrr")[:3])
    with pytest.raises(ValueError, match=r"unknown field 'total'"):
        documents.profile(kit.FIELDS[:2], kit.make_case(), kit.make_answer(), kit.make_grades("rrr"))


def test_the_reader_of_invoices(kit: Any) -> None:
    """All 13 fields in the order of D-6, whatever the order of the grades."""
    grades = [
        kit.make_grade(f.name, "wrong", 0, 1, error="missing") for f in sorted(INVOICE_FIELDS, key=lambda f: f.name)
    ]
    found = invoices.profile(kit.make_case(), kit.make_answer(), [*grades, *kit.make_grades("rrr")[3:]])
    assert [s.item for s in found.critical_path] == [f.name for f in INVOICE_FIELDS]
    assert (found.points, found.max_points) == (0, 13)
    made = kit.Set()
    made.profiles, made.grades = [found], grades
    profiles, marks = made.frames()
    rows = kit.keyed(invoices.tendencies(profiles, marks, kit.STAMP))
    assert rows["public", "error", "missing", "error_count"].value == 13
    assert invoices.VERSION


@pytest.mark.parametrize(
    ("dimension", "group", "metric", "value", "n_documents", "n_items", "n_left_out"),
    [
        ("overall", "all", "field_accuracy", 16 / 20, 9, 20, 1),
        ("language", "cs", "field_accuracy", 9 / 11, 4, 11, 1),
        ("language", "en", "field_accuracy", 7 / 9, 5, 9, 0),
        ("level", "text", "field_accuracy", 6 / 9, 4, 9, 0),
        ("level", "photo", "field_accuracy", 10 / 11, 5, 11, 1),
        ("variant", "ordinary", "field_accuracy", 16 / 20, 9, 20, 1),
        ("layout", "l1", "faultless", 5 / 9, 9, 9, 1),
        ("overall", "all", "faultless", 5 / 9, 9, 9, 1),
        ("language", "cs", "faultless", 1 / 4, 4, 4, 1),
        ("language", "en", "faultless", 4 / 5, 5, 5, 0),
        ("overall", "all", "valid", 1.0, 9, 9, 1),
        ("overall", "all", "coverage", 9 / 10, 10, 10, 1),
        ("language", "cs", "coverage", 4 / 5, 5, 5, 1),
        ("overall", "all", "latency_p50_ms", 500, 9, 9, 1),
        ("overall", "all", "latency_p90_ms", 820, 9, 9, 1),
        ("overall", "all", "cost_per_1000_usd", 2.0, 9, 9, 1),
        ("field", "supplier", "field_accuracy", 8 / 9, 9, 9, 1),
        ("field", "tax_id", "field_accuracy", 2 / 3, 3, 3, 1),
        ("field", "total", "field_accuracy", 6 / 8, 8, 8, 1),
        ("field_cs", "total", "field_accuracy", 3 / 4, 4, 4, 1),
        ("field_en", "supplier", "field_accuracy", 4 / 5, 5, 5, 0),
        ("error", "missing", "error_count", 1, 9, 27, 1),
        ("error", "wrong_value", "error_count", 2, 9, 27, 1),
        ("error", "swapped_dates", "error_count", 0, 9, 27, 1),
        ("overall", "all", "language_gap", 6 / 7 - 5 / 7, 4, 14, 1),
        ("level", "text", "language_gap", 3 / 3 - 1 / 3, 2, 6, 0),
        ("level", "photo", "language_gap", 3 / 4 - 4 / 4, 2, 8, 1),
    ],
)
def test_by_hand(
    kit: Any, dimension: str, group: str, metric: str, value: float, n_documents: int, n_items: int, n_left_out: int
) -> None:
    row = kit.five_pairs().rows()["public", dimension, group, metric]
    assert row.value == pytest.approx(value)
    assert (row.n_documents, row.n_items, row.n_left_out, row.note) == (n_documents, n_items, n_left_out, None)


def test_every_row_carries_its_stamp_and_no_row_is_missing(kit: Any) -> None:
    """G-9. Groups: all, 2 languages, 2 levels with 8 metrics; 1 variant, 1 layout with 2; 3 + 3 + 2 fields; 8 errors; 3 gaps."""
    rows = kit.five_pairs().rows()
    assert len(rows) == 5 * 8 + 2 * 2 + 8 + len(FIELD_ERRORS) + 3
    assert {k[2] for k in rows if k[1] == "error"} == set(FIELD_ERRORS)
    for row in rows.values():
        assert row.model_dump(include=set(Stamp.model_fields)) == kit.STAMP.model_dump()
    assert to_table(Tendency, rows.values()).num_rows == len(rows)


def test_every_rate_has_its_interval(kit: Any) -> None:
    """S-1: shares of fields by clusters, plain shares by Wilson; the interval holds the value."""
    methods = {"field_accuracy": "cluster_bootstrap", "faultless": "wilson", "valid": "wilson", "valid_first": "wilson"}
    methods |= {"coverage": "wilson", "language_gap": "cluster_bootstrap"}
    for (_, dimension, _, metric), row in kit.five_pairs().rows().items():
        if metric in methods:
            assert row.method == ("wilson" if dimension.startswith("field") else methods[metric]), row
            assert row.low is not None
            assert row.high is not None
            assert row.value is not None
            assert row.low <= row.value <= row.high
            assert row.low < row.high
        else:
            assert (row.low, row.high, row.method) == (None, None, "none")


def test_tendencies_refuse_strangers(kit: Any) -> None:
    profiles, grades = kit.five_pairs().frames()
    with pytest.raises(ValueError, match="unknown system 's1'"):
        documents.tendencies(kit.FIELDS, profiles, grades, kit.STAMP.model_copy(update={"system_id": "s2"}))
    with pytest.raises(ValueError, match="unknown field 'colour'"):
        documents.tendencies(kit.FIELDS, profiles, grades.assign(item="colour"), kit.STAMP)
    with pytest.raises(ValueError, match="unknown error category 'typo'"):
        documents.tendencies(kit.FIELDS, profiles, grades.assign(error="typo"), kit.STAMP)
