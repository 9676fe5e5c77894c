"""States of claims from verdicts: aggregates and profiles by hand; the audience moves nothing (J-3, J-5, G-1)."""

import json
from typing import Any

import pandas as pd
import pytest

from grading import jury as grader
from profiles import jury
from schemas.answer import Answer
from schemas.case import Case
from schemas.grade import Exam, Grade
from schemas.profile import Profile
from schemas.row import to_table
from schemas.stamp import Stamp
from schemas.tendency import Tendency

STAMP = Stamp(
    suite="jury", edition="e1", system_id="panel", set_version="1.0", prompt_version="p1", rubric_version="g1", seed=7, run_id="r1",
    run_date="2026-01-31",
)  # fmt: skip
PLACE: dict[str, Any] = {"suite": "jury", "edition": "e1"}


def case(claim: str, language: str = "cs", area: str = "law") -> Case:
    return Case(
        **PLACE, case_id=f"jury-{language}-{claim}", pair_id=claim, language=language, split="public", level="text", variant="question",
        layout="question", prompt_version="p1", set_version="1.0", brief="{}", truth='{"since": null}', text=None, document_sha256=None,
        image_sha256=None, canary=None, area=area,
    )  # fmt: skip


def told(case: Case, trial: int, reply: str, status: str = "ok") -> tuple[Profile, list[Grade]]:
    """One answer by way of its grades, as the stages do it."""
    key: dict[str, Any] = {**PLACE, "system_id": "panel", "case_id": case.case_id, "trial": trial}
    answer = Answer.model_validate({
        **key, "status": status, "text": reply, "replies": [reply], "request_hashes": [], "system_version": "1", "prompt_version": "p1",
        "error": None, "cost_usd": 0, "latency_ms": 0, "run_id": "r",
    })  # fmt: skip
    exam = Exam(truth=case.to_truth(), language=case.language, answer=answer.blind())
    verdicts = [*grader.atomic(exam), *grader.holistic(exam)] if status == "ok" else []
    grades = [Grade.model_validate({**key, **v.model_dump()}) for v in verdicts]
    return jury.profile(case, answer, grades), grades


def ballot(verdict: str, reason: str = "Proto.") -> str:
    return json.dumps({"verdict": verdict, "reason": reason, "since": None})


def rows_of(told_of: list[tuple[Profile, list[Grade]]]) -> list[Tendency]:
    profiles = to_table(Profile, [p for p, _ in told_of]).to_pandas()
    grades = pd.DataFrame([g.model_dump() for _, some in told_of for g in some if g.pass_name == "atomic"])
    return jury.tendencies(profiles, grades, STAMP)


@pytest.fixture
def rows() -> list[Tendency]:
    """alpha: 4 UMÍ, one of them in English, and 1 NEUMÍ; beta: 1 and 1; gamma, of another field: 2 NEUMÍ."""
    alpha, beta, gamma = case("alpha"), case("beta"), case("gamma", area="science")
    said = [
        *(told(alpha, n, ballot("UMÍ")) for n in (1, 2, 3)),
        told(alpha, 4, ballot("NEUMÍ")),
        told(case("alpha", "en"), 1, ballot("UMÍ", "Because. Of that.")),
        told(beta, 1, ballot("UMÍ")),
        told(beta, 2, ballot("NEROZHODNUTO")),
        told(gamma, 1, ballot("NEUMÍ")),
        told(gamma, 2, "NEUMÍ"),
    ]
    return rows_of(said)


def value(rows: list[Tendency], dimension: str, group: str, metric: str) -> float | None:
    (row,) = [r for r in rows if (r.dimension, r.group_name, r.metric) == (dimension, group, metric)]
    return row.value


def test_claims_by_hand(rows: list[Tendency]) -> None:
    votes = ("votes_able", "votes_unable", "votes_undecided")
    assert [value(rows, "claim", "alpha", m) for m in votes] == [4, 1, 0]
    assert [value(rows, "claim", "beta", m) for m in votes] == [1, 0, 1]
    assert value(rows, "claim", "alpha", "consensus") == 0.8
    (share,) = [r for r in rows if r.group_name == "alpha" and r.metric == "consensus"]
    assert (round(share.low or 0, 4), round(share.high or 0, 4)) == (0.3755, 0.9638)  # Wilson's interval of 4 of 5
    assert (share.method, share.n_items) == ("wilson", 5)


def test_fields_and_all_by_hand(rows: list[Tendency]) -> None:
    states = ("claims_able", "claims_unable", "claims_disputed")
    assert [value(rows, "overall", "all", m) for m in states] == [1, 1, 1]
    assert [value(rows, "area", "law", m) for m in states] == [1, 0, 1]
    assert [value(rows, "area", "science", m) for m in states] == [0, 1, 0]
    assert value(rows, "overall", "all", "votes_able") == 5
    assert value(rows, "overall", "all", "faultless") == pytest.approx(7 / 9)


def test_a_claim_without_verdicts_is_left_out_and_counted() -> None:
    """G-11: as rows of cases that nobody was asked come to the aggregates."""
    one = told(case("alpha"), 1, ballot("UMÍ"))
    profiles = to_table(Profile, [one[0]]).to_pandas()
    missing = profiles.assign(case_id="jury-cs-delta", pair_id="delta", is_scored=False, is_faultless=False, area=None)
    grades = pd.DataFrame([g.model_dump() for g in one[1] if g.pass_name == "atomic"])
    found = jury.tendencies(pd.concat([profiles, missing], ignore_index=True), grades, STAMP)
    (row,) = [r for r in found if r.group_name == "delta" and r.metric == "consensus"]
    assert (row.value, row.note, row.n_left_out) == (None, "no_verdicts", 1)
    (whole,) = [r for r in found if r.dimension == "overall" and r.metric == "claims_disputed"]
    assert (whole.value, whole.n_documents, whole.n_left_out) == (1, 1, 1)
    assert [line["claim"] for line in jury.board(found, ["panel"]).rows] == ["alpha"]


def test_the_board_tells_states_in_the_words_of_the_method(rows: list[Tendency]) -> None:
    board = jury.board(rows, ["panel"])
    assert [(r["claim"], r["state"], r["share"]) for r in board.rows] == [
        ("alpha", "UMÍ", "80%"), ("beta", "SPORNÉ", "50%"), ("gamma", "NEUMÍ", "100%"),
    ]  # fmt: skip
    assert {name for parts in board.shown for name in parts} <= set(board.rows[0])
    assert "2026-01-31" in board.caption


def test_profiles_by_hand() -> None:
    good, _ = told(case("alpha"), 1, ballot("UMÍ"))
    assert (good.is_scored, good.is_faultless, good.structure, good.deviations) == (True, True, "json", [])
    named, _ = told(case("alpha"), 1, ballot("UMÍ", "Jsem [model]."))
    assert (named.is_faultless, named.deviations) == (False, ["names_juror"])
    assert [(s.item, s.error) for s in named.critical_path] == [("reason", "names_juror")]
    word, _ = told(case("alpha"), 1, "UMÍ")
    assert (word.structure, word.points, word.deviations) == ("word", 1, ["no_reason"])
    none, _ = told(case("alpha"), 1, "Nevím.")
    assert (none.is_scored, none.points, none.max_points) == (False, 0, 1)
    assert none.critical_path[0].expected == "UMÍ, NEUMÍ, NEROZHODNUTO"


def test_a_profile_wants_grades_exactly_where_there_is_an_answer() -> None:
    _, grades = told(case("alpha"), 1, ballot("UMÍ"))
    answer = Answer.model_validate({
        **PLACE, "system_id": "panel", "case_id": "jury-cs-alpha", "trial": 1, "status": "timeout", "text": None, "replies": [],
        "request_hashes": [], "system_version": "1", "prompt_version": "p1", "error": None, "cost_usd": 0, "latency_ms": 0, "run_id": "r",
    })  # fmt: skip
    with pytest.raises(ValueError, match="has status 'timeout' and 1 grades"):
        jury.profile(case("alpha"), answer, grades[:1])
    with pytest.raises(ValueError, match="profiles of 'panel' among them"):
        jury.tendencies(
            pd.DataFrame({"system_id": ["panel"]}), pd.DataFrame(), STAMP.model_copy(update={"system_id": "x"})
        )
