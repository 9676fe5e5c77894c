"""Reading the grades of texts with personal data: the profile of one answer and the aggregates of one system (D-12 to D-15)."""

import json

import pandas as pd
import pytest
from pii_support import Text, texts

from grading import pii as grader
from profiles import pii
from schemas.answer import Answer
from schemas.grade import Exam, Grade
from schemas.pii import FIELDS
from schemas.profile import Profile
from schemas.stamp import Stamp

STAMP = Stamp(
    suite="pii", edition="test-1", system_id="x", seed=1, set_version="1.0", prompt_version="p", rubric_version="r",
    run_id="1", run_date="2026-01-01",
)  # fmt: skip
PLACE = {"suite": "pii", "edition": "test-1", "system_id": "x", "trial": 1}


def graded(text: Text, said: dict[str, object]) -> tuple[Profile, list[Grade]]:
    reply = json.dumps(said, ensure_ascii=False)
    answer = Answer(
        **PLACE, case_id=text.case.case_id, status="ok", text=reply, replies=[reply], request_hashes=[], system_version="1",
        prompt_version="p", error=None, cost_usd=0, latency_ms=5, run_id="r",
    )  # fmt: skip
    exam = Exam(truth=text.truth, language=text.case.language, answer=answer.blind())
    grades = [
        Grade(**PLACE, case_id=text.case.case_id, **dict(v)) for v in (*grader.atomic(exam), *grader.holistic(exam))
    ]
    return pii.profile(text.case, answer, grades), grades


def right(text: Text) -> dict[str, object]:
    return {f.name: text.truth[f.name] for f in FIELDS}


def test_the_critical_path_names_every_list_that_is_wrong() -> None:
    text = next(t for t in texts(30) if t.truth["emails"] and t.truth["phones"] and not t.truth["accounts"])
    profile, _ = graded(
        text, right(text) | {"phones": [], "emails": [*text.truth["emails"], "info@x.example"], "accounts": ["1/0100"]}
    )
    steps = {s.item: s.error for s in profile.critical_path}
    assert steps == {"emails": "invented_value", "phones": "missing", "accounts": "invented_value"}
    assert not profile.is_faultless
    faultless, _ = graded(text, right(text))
    assert faultless.is_faultless
    assert faultless.critical_path == []
    assert faultless.max_points == sum(bool(text.truth[f.name]) for f in FIELDS)


def test_tendencies_count_what_was_made_wrong_on_purpose() -> None:
    """Every Czech list of telephones loses a value; so the gap of languages and the errors are known beforehand."""
    found = [
        graded(t, right(t) | ({"phones": t.truth["phones"][1:]} if t.case.language == "cs" else {})) for t in texts(30)
    ]
    profiles = pd.DataFrame([p.model_dump(exclude={"critical_path"}) for p, _ in found])
    grades = pd.DataFrame([g.model_dump() for _, gs in found for g in gs if g.pass_name == "atomic"])
    rows = {(r.split, r.dimension, r.group_name, r.metric): r for r in pii.tendencies(profiles, grades, STAMP)}
    czech = [t for t in texts(30, language="cs") if t.case.split == "public"]
    lists = [sum(bool(t.truth[f.name]) for f in FIELDS) for t in czech]
    wrong = sum(bool(t.truth["phones"]) for t in czech)
    assert wrong > 5
    gap = rows["public", "overall", "all", "language_gap"].value
    assert gap == pytest.approx(-wrong / sum(lists))
    assert rows["public", "field_en", "phones", "field_accuracy"].value == 1
    assert rows["public", "field_cs", "phones", "field_accuracy"].value == 0
    told = {
        e: rows["public", "error", e, "error_count"].value for e in ("missing", "incomplete_list", "invented_value")
    }
    many = sum(len(t.truth["phones"]) > 1 for t in czech)
    assert told == {"missing": wrong - many, "incomplete_list": many, "invented_value": 0}
    assert {r.group_name for r in rows.values() if r.dimension == "variant"} == {"record", "ticket", "minutes", "email"}
