"""One e-mail by hand, through real graders to its profile and to its tendencies (G-1, D-9, D-13, D-14)."""

import json

import pandas as pd

from grading import emails as grading
from profiles import emails
from schemas.answer import Answer
from schemas.case import Case
from schemas.grade import Exam, Grade
from schemas.stamp import Stamp

TRUTH = {
    "category": "reklamace",
    "priority": "vysoká",
    "sentiment": "negativní",
    "customer": "Truhlářství Říha, s.r.o.",
    "order_number": "OBJ-2024-0117",
    "invoice_number": None,
    "amount": "1210.00",
    "currency": "CZK",
    "deadline": "2024-03-08",
    "other_dates": ["2024-03-05"],
}
GIVEN = {k: v for k, v in TRUTH.items() if k != "other_dates"} | {
    "priority": "střední",
    "customer": "Truhlarstvi Riha, s.r.o.",
    "invoice_number": "F24-00001",
    "deadline": "2024-03-05",
    "amount": None,
}
PATH = [
    ("priority", "wrong_value", "střední", "vysoká"),
    ("customer", "lost_diacritics", "Truhlarstvi Riha, s.r.o.", "Truhlářství Říha, s.r.o."),
    ("invoice_number", "wrong_value", "F24-00001", None),
    ("amount", "missing", None, "1210.00"),
    ("deadline", "swapped_dates", "2024-03-05", "2024-03-08"),
]


def graded():
    case = Case(
        suite="emails", edition="e1", case_id="emails-cs-0001", pair_id="emails-0001", language="cs", split="public",
        level="text", variant="complaint", layout="thread", prompt_version="p", set_version="1", brief="{}",
        truth=json.dumps(TRUTH), text="", document_sha256=None, image_sha256=None, canary=None,
    )  # fmt: skip
    answer = Answer(
        suite="emails", edition="e1", system_id="s", case_id=case.case_id, trial=1, status="ok", text=json.dumps(GIVEN),
        replies=[json.dumps(GIVEN)], request_hashes=[], system_version="1", prompt_version="p", error=None,
        cost_usd=0, latency_ms=40, run_id="r",
    )  # fmt: skip
    exam = Exam(truth=TRUTH, language="cs", answer=answer.blind())
    place = {"suite": "emails", "edition": "e1", "system_id": "s", "case_id": case.case_id, "trial": 1}
    verdicts = [*grading.atomic(exam), *grading.holistic(exam)]
    return case, answer, [Grade.model_validate({**place, **dict(v)}) for v in verdicts]


def test_the_critical_path_says_what_would_have_made_it_perfect():
    profile = emails.profile(*graded())
    assert [(s.item, s.error, s.given, s.expected) for s in profile.critical_path] == PATH
    assert (profile.points, profile.max_points) == (4, 8)
    assert (profile.is_faultless, profile.is_valid) == (False, True)


def test_the_tendencies_of_one_email():
    case, answer, grades = graded()
    profile = emails.profile(case, answer, grades)
    stamp = Stamp(
        suite="emails", edition="e1", system_id="s", seed=1, set_version="1", prompt_version="p",
        rubric_version=profile.rubric_version, run_id="r", run_date="2024-03-01",
    )  # fmt: skip
    profiles = pd.DataFrame([profile.model_dump(exclude={"critical_path"})])
    atomic = pd.DataFrame([g.model_dump() for g in grades if g.pass_name == "atomic"])
    rows = {(t.dimension, t.group_name, t.metric): t for t in emails.tendencies(profiles, atomic, stamp)}
    assert rows["overall", "all", "field_accuracy"].value == 4 / 8
    assert rows["variant", "complaint", "field_accuracy"].value == 4 / 8
    assert rows["layout", "thread", "field_accuracy"].value == 4 / 8
    assert rows["field", "priority", "field_accuracy"].value == 0
    assert rows["error", "wrong_value", "error_count"].value == 2  # the invented number among them
    assert rows["error", "swapped_dates", "error_count"].value == 1
