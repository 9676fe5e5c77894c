"""One invoice by hand, through real graders to its profile and to its tendencies (G-1, G-2, D-13, D-14)."""

import json
from decimal import Decimal
from typing import Any

import pandas as pd
import pytest

from grading import invoices as grading
from profiles import invoices
from schemas.answer import Answer
from schemas.case import Case
from schemas.grade import Exam, Grade
from schemas.stamp import Stamp

TRUTH: dict[str, Any] = {
    "supplier": "Truhlářství Říha, s.r.o.",
    "company_id": "10698884",
    "tax_id": "CZ10698884",
    "document_number": "2024-0117",
    "variable_symbol": "20240117",
    "issue_date": "2024-03-01",
    "tax_point_date": "2024-02-28",
    "due_date": "2024-03-15",
    "tax_base_by_rate": {"21": "1000.00"},
    "tax_by_rate": {"21": "210.00"},
    "total": "1210.00",
    "currency": "CZK",
    "account": "19-2000145399/0800",
}
GIVEN = TRUTH | {
    "supplier": "Truhlarstvi Riha, s.r.o.",
    "issue_date": "2024-03-15",
    "total": "1000.00",
    "account": None,
}
PATH = [
    ("supplier", "lost_diacritics", "Truhlarstvi Riha, s.r.o.", "Truhlářství Říha, s.r.o."),
    ("issue_date", "swapped_dates", "2024-03-15", "2024-03-01"),
    ("total", "base_instead_of_total", "1000.00", "1210.00"),
    ("account", "missing", None, "19-2000145399/0800"),
]
"""What would have had to be different, by hand."""


@pytest.fixture
def graded() -> tuple[Case, Answer, list[Grade]]:
    case = Case(
        suite="invoices", edition="e1", case_id="invoices-cs-0001", pair_id="invoices-0001", language="cs", split="public",
        level="text", variant="ordinary", layout="classic", prompt_version="p", set_version="1", brief="{}",
        truth=json.dumps(TRUTH), text="", document_sha256=None, image_sha256=None, canary=None,
    )  # fmt: skip
    answer = Answer(
        suite="invoices", edition="e1", system_id="s", case_id=case.case_id, trial=1, status="ok", text=json.dumps(GIVEN),
        replies=[json.dumps(GIVEN)], request_hashes=[], system_version="1", prompt_version="p", error=None,
        cost_usd=Decimal("0.01"), latency_ms=40, run_id="r",
    )  # fmt: skip
    exam = Exam(truth=TRUTH, language="cs", answer=answer.blind())
    place = {"suite": "invoices", "edition": "e1", "system_id": "s", "case_id": case.case_id, "trial": 1}
    verdicts = [*grading.atomic(exam), *grading.holistic(exam)]
    return case, answer, [Grade.model_validate({**place, **dict(v)}) for v in verdicts]


def test_the_critical_path_says_what_would_have_made_it_perfect(graded: tuple[Case, Answer, list[Grade]]) -> None:
    profile = invoices.profile(*graded)
    assert [(s.item, s.error, s.given, s.expected) for s in profile.critical_path] == PATH
    assert (profile.points, profile.max_points) == (9, 13)
    assert profile.deviations == ["base_instead_of_total", "lost_diacritics", "missing", "swapped_dates"]
    assert (profile.is_faultless, profile.is_valid, profile.is_valid_first, profile.structure) == (
        False,
        True,
        True,
        "json",
    )


def test_the_tendencies_of_one_invoice(graded: tuple[Case, Answer, list[Grade]]) -> None:
    profile = invoices.profile(*graded)
    stamp = Stamp(
        suite="invoices", edition="e1", system_id="s", set_version="1", prompt_version="p", rubric_version="1", seed=1,
        run_id="r", run_date="2026-01-31",
    )  # fmt: skip
    frame = pd.DataFrame([profile.model_dump(exclude={"critical_path"})])
    marks = pd.DataFrame([g.model_dump() for g in graded[2] if g.pass_name == "atomic"])
    rows = {(t.dimension, t.group_name, t.metric): t for t in invoices.tendencies(frame, marks, stamp)}
    assert rows["overall", "all", "field_accuracy"].value == pytest.approx(9 / 13)
    assert rows["overall", "all", "faultless"].value == 0
    assert rows["field", "total", "field_accuracy"].value == 0
    assert rows["field", "due_date", "field_accuracy"].value == 1
    assert rows["error", "lost_diacritics", "error_count"].value == 1
    assert rows["error", "invalid_json", "error_count"].value == 0
    assert rows["overall", "all", "cost_per_1000_usd"].value == pytest.approx(10)
