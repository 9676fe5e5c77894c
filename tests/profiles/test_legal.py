"""The profile of a legal answer and the tendencies of a system: by hand, against SQL over the raw grades, drafts apart (G-1, L-4)."""

import random
from typing import Any

import duckdb
import pandas as pd
import pytest
from legal_grades import (
    STAMP,
    folded,
    frame,
    grade,
    keyed,
    make_answer,
    make_case,
    model,
    read,
    references,
    rules,
    truth,
    whole,
)

from profiles import legal
from profiles.legal_board import board
from schemas.grade import Grade
from schemas.profile import Profile, Step
from schemas.row import to_table
from schemas.tendency import Tendency

GOOD = [*rules("M:11 N:1 B:1"), *references("11", extra=1), *whole(1, 0)]


def of_case(case_id: str, told: str = "M:11 N:1 B:1", *, trial: int = 1, verdict: float = 1, **case: Any) -> Profile:
    at = {"case_id": case_id, "trial": trial}
    grades = [*rules(told, **at), *references("11", **at), *whole(verdict, 0.5, **at)]
    return read(grades, make_case(case_id, **case), trial=trial)


def test_the_critical_path_begins_with_the_key_exception() -> None:
    """Then the other rules, then references, with the rule's text as what was expected; a violated rule gives its words."""
    quote = {"quote": "Platí to vždy."}
    grades = [*rules("M:00 N:1 B:0"), *references("h0"), *whole(0, 0.9)]
    grades = [g if g.item != "N1" else grade("N1", 0, label="violated", error="violated", **quote) for g in grades]
    assert read(grades).critical_path == [
        Step(item="M1", error="missed_key_exception", given=None, expected="Pravidlo M1."),
        Step(item="M2", error="missed", given=None, expected="Pravidlo M2."),
        Step(item="N1", error="violated", given="Platí to vždy.", expected=None),
        Step(item="R1", error="reference_incomplete", given=None, expected="§ 1 zákona"),
        Step(item="R2", error="reference_absent", given=None, expected="§ 2 zákona"),
    ]
    assert read(grades).deviations == [
        "missed",
        "missed_key_exception",
        "reference_absent",
        "reference_incomplete",
        "violated",
    ]


def test_the_path_sorts_a_later_key_exception_first() -> None:
    of = truth()
    of["must_contain"][0]["key_exception"], of["must_contain"][1]["key_exception"] = False, True
    path = read([*rules("M:00 N:1 B:1"), *references("11")], make_case(of=of)).critical_path
    assert [step.item for step in path] == ["M2", "M1"]


def test_points_and_faultless_are_the_mechanical_judges() -> None:
    """2 + 1 + 1 rules, 3 of references, 1 beyond: 8; a model that finds errors changes nothing."""
    good = read([*GOOD, *model("M:00 N:0 B:0")])
    assert (good.points, good.max_points, good.is_faultless, good.critical_path) == (8, 8, True, [])
    assert not read([*rules("M:11 N:1 B:1"), *references("1h"), *whole(1, 0)]).is_faultless
    unjudged = read([*rules("M:nn N:n B:n"), *references("11")])
    assert (unjudged.is_faultless, unjudged.max_points) == (False, 4)
    assert not read(model()).is_faultless


@pytest.mark.parametrize(
    ("text", "structure", "is_valid"),
    [("# Závěr\nNe.", "headings", True), ("**Závěr**\nNe.", "headings", True), ("- jedna\n- dvě", "list", True),
     ("Ne, dne 1. 6. 2025 už ne.", "plain", True), ("1. Ne.", "plain", True), (" ", "empty", False)],
)  # fmt: skip
def test_structure(text: str, structure: str, is_valid: bool) -> None:
    found = read(GOOD, text=text)
    assert (found.structure, found.is_valid) == (structure, is_valid)


@pytest.mark.parametrize(
    ("state", "question"), [("draft", "not_reviewed"), ("reviewed", "answerable"), ("approved", "answerable")]
)
def test_question(state: str, question: str) -> None:
    found = read(GOOD, make_case(state=state))
    assert (found.question, found.state, found.area, found.meta_task) == (question, state, "civil", "classification")


def test_an_answer_that_was_not_given_is_not_scored() -> None:
    """G-11: left out, never 0."""
    found = legal.profile(make_case(), make_answer(status="filtered", text=None, replies=[]), [])
    assert (found.is_scored, found.scores, found.max_points, found.critical_path) == (False, [], 0, [])
    rows = keyed(folded([found, of_case("b")]))
    assert (
        rows["overall", "all", "correctness", "signals"].n_left_out,
        rows["overall", "all", "correctness", "signals"].value,
    ) == (1, 1.0)
    coverage = rows["overall", "all", "coverage", ""]
    assert (coverage.value, coverage.n_documents, coverage.n_left_out) == (0.5, 2, 1)
    with pytest.raises(ValueError, match="'a' of 's1', trial 1, has status 'ok' and 0 grades; expected some"):
        legal.profile(make_case(), make_answer(), [])


def test_only_approved_cases_enter_the_standing() -> None:
    """L-4: by hand; the draft is all wrong and the reviewed one too, and no row of the standing knows them."""
    rows = keyed(folded([
        of_case("a"), of_case("b", "M:10 N:1 B:1", area="tax"),
        of_case("c", "M:00 N:0 B:0", state="draft", area="tax"), of_case("d", "M:00 N:0 B:0", state="reviewed"),
    ]))  # fmt: skip
    assert rows["overall", "all", "correctness", "signals"].value == 0.75
    assert rows["area", "tax", "correctness", "signals"].value == 0.5
    assert rows["area_draft", "tax", "correctness", "signals"].value == 0
    assert rows["state", "draft", "correctness", "signals"].value == 0
    assert rows["state", "reviewed", "violated", "signals"].value == 1
    assert rows["error_draft", "missed_key_exception", "error_count", "signals"].value == 1
    assert rows["error", "missed_key_exception", "error_count", "signals"].value == 0
    assert rows["error", "missed", "error_count", "signals"].value == 1
    assert {key[0] for key in rows} == {
        *("overall", "area", "category", "meta_task", "error"), *("state", "area_draft", "category_draft", "meta_task_draft", "error_draft"),
        *("area_reviewed", "category_reviewed", "meta_task_reviewed", "error_reviewed"),
    }  # fmt: skip


def test_without_an_approved_case_there_is_no_standing() -> None:
    rows = folded([of_case("a", state="draft"), of_case("b", state="draft")])
    standing = keyed(rows)["overall", "all", "atomic_composite", "signals"]
    assert (standing.value, standing.note, standing.n_documents) == (None, "no_cases", 0)
    found = board(rows, ["s1"])
    assert {line["part"] for line in found.rows} == {"not reviewed by a lawyer"}
    both = board(folded([of_case("a"), of_case("b", state="draft")]), ["s1"])
    assert [line["part"] for line in both.rows] == ["standing", "not reviewed by a lawyer"]
    assert board([], []).rows == ()


def test_trials_are_pooled_within_their_case() -> None:
    """Means over all answers, 1, 1, 0: a case is one cluster however many trials it has (S-1)."""
    row = keyed(folded([of_case("a"), of_case("a", trial=2), of_case("b", "M:00 N:1 B:1")]))[
        "overall", "all", "correctness", "signals"
    ]
    assert (row.value, row.n_documents, row.n_items) == (pytest.approx(2 / 3), 2, 3)


def test_cases_that_were_not_asked_are_counted() -> None:
    """The task adds rows without scores for them."""
    more = pd.DataFrame(
        [
            {
                "case_id": "z",
                "trial": 1,
                "split": "public",
                "system_id": "s1",
                "is_scored": False,
                "state": "approved",
                "area": "tax",
            }
        ]
    )
    profiles = pd.concat([frame([of_case("a")]), more], ignore_index=True)
    rows = keyed(legal.tendencies(profiles, pd.DataFrame(), STAMP))
    assert rows["overall", "all", "correctness", "signals"].n_left_out == 1
    assert rows["area", "tax", "correctness", "signals"].note == "nothing_decided"


def test_strangers_and_private_cases_are_refused() -> None:
    profiles = frame([of_case("a")])
    with pytest.raises(ValueError, match="profiles of 's1' among them"):
        legal.tendencies(profiles, pd.DataFrame(), STAMP.model_copy(update={"system_id": "s2"}))
    with pytest.raises(ValueError, match="a private case among them"):
        legal.tendencies(profiles.assign(split="private"), pd.DataFrame(), STAMP)


def drawn() -> tuple[list[Profile], list[Grade]]:
    """Forty cases in two trials, two judges, all by chance; some texts are not found in the answer."""
    draw = random.Random(11)
    profiles, everything = [], []
    for n in range(40):
        of = truth(m=draw.randint(1, 3), n=draw.randint(1, 2), b=draw.randint(0, 2))
        case = make_case(f"c{n}", of=of, area=draw.choice(["civil", "tax"]))
        for trial in (1, 2):
            at = {"case_id": case.case_id, "trial": trial}

            def told(marks: str, of: dict[str, Any] = of) -> str:
                kinds = (("M", "must_contain"), ("N", "must_not_contain"), ("B", "may_contain"))
                return " ".join(f"{k}:{''.join(draw.choice(marks) for _ in of[name])}" for k, name in kinds if of[name])

            halves = (0, 0.5, 1)
            grades = [
                *rules(told("0111"), **at), *references("".join(draw.choice("01h") for _ in "ab"), draw.randint(0, 1), **at),
                *whole(draw.choice(halves), draw.random(), complete=draw.randint(0, 1), **at),
                *model(
                    told("00111111u"), of_answer=at, verdict=(draw.choice(halves), draw.choice(halves)), quality=draw.choice((0, 0.25, 1)),
                    unsafe=(draw.random(), draw.random()), preferred=(1, draw.choice((0, 1, 1))), complete=(draw.randint(0, 1), 1),
                ),
            ]  # fmt: skip
            profiles.append(read(grades, case, trial=trial))
            everything += grades
    return profiles, everything


SQL = """
WITH rule AS (
  SELECT case_id, trial, judge_id, left(item, 1) AS letter, item, points, max_points FROM grades
  WHERE pass_name = 'atomic' AND judge_id <> 'citations'),
answer AS (SELECT DISTINCT case_id, trial, judge_id FROM rule),
r AS (
  SELECT case_id, trial, judge_id,
    sum(points) FILTER (letter = 'M') / nullif(sum(max_points) FILTER (letter = 'M'), 0) AS correctness,
    sum(points) FILTER (letter = 'N') / nullif(sum(max_points) FILTER (letter = 'N'), 0) AS avoidance,
    coalesce(sum(points) FILTER (letter = 'B'), 0) AS bonus_points, coalesce(sum(max_points) FILTER (letter = 'B'), 0) AS bonus_most,
    count(*) FILTER (letter IN ('M', 'N') AND max_points > 0 AND points < max_points) AS lost,
    count(*) FILTER (letter = 'N' AND max_points > 0 AND points < max_points) AS violated,
    CASE WHEN bool_or(item = 'M1' AND max_points > 0 AND points = 0) THEN 1.0
         WHEN bool_or(item = 'M1' AND max_points = 0) THEN NULL ELSE 0.0 END AS key_missed
  FROM rule GROUP BY ALL),
cited AS (
  SELECT case_id, trial, sum(points) FILTER (item[1] = 'R') / sum(max_points) FILTER (item[1] = 'R') AS grounding,
    sum(points) FILTER (item = 'extra_citations') AS extra
  FROM grades WHERE judge_id = 'citations' GROUP BY ALL),
one AS (
  SELECT r.*, grounding, (bonus_points + extra) / (bonus_most + 1) AS bonus,
    0.5 * correctness + 0.25 * avoidance + 0.15 * grounding + 0.1 * (bonus_points + extra) / (bonus_most + 1) AS base
  FROM r JOIN cited USING (case_id, trial)),
w AS (
  SELECT case_id, trial, judge_id,
    avg(points) FILTER (split_part(item, '@', 1) = 'verdict' AND max_points > 0) AS said,
    avg(points) FILTER (split_part(item, '@', 1) = 'unsafe_completeness' AND max_points > 0) AS unsafe,
    avg(points) FILTER (split_part(item, '@', 1) = 'looks_complete' AND max_points > 0) AS complete,
    avg(points) FILTER (split_part(item, '@', 1) IN ('argument', 'citations', 'completeness') AND max_points > 0) AS quality,
    count(DISTINCT points) FILTER (split_part(item, '@', 1) = 'preferred') > 1 AS flipped,
    count(*) FILTER (item LIKE 'preferred@%') > 0 AS twice
  FROM grades WHERE pass_name = 'holistic' GROUP BY ALL),
told AS (
  SELECT one.*, flipped, twice, CASE WHEN NOT flipped THEN unsafe END AS unsafe_completeness,
    CASE WHEN NOT flipped AND avoidance IS NOT NULL THEN
      0.4 * CASE WHEN violated > 0 THEN 0 ELSE said END + 0.3 * (1 - unsafe) + 0.3 * quality END AS holistic_composite,
    CASE WHEN NOT flipped THEN key_missed * complete END AS unsafe_rate
  FROM one JOIN w USING (case_id, trial, judge_id))
SELECT judge_id, avg(correctness) AS correctness, avg(avoidance) AS avoidance, avg(grounding) AS grounding, avg(bonus) AS bonus,
  avg(key_missed) AS key_missed, avg(base * 0.5 ** lost) AS atomic_composite,
  avg(CASE WHEN base < 0.5 * lost THEN 0 ELSE base - 0.5 * lost END) AS atomic_composite_flat,
  avg(unsafe_completeness) AS unsafe_completeness, avg(holistic_composite) AS holistic_composite, avg(unsafe_rate) AS unsafe_completeness_rate,
  avg(flipped::INT) FILTER (twice) AS flip_rate, count(*) AS answers
FROM told JOIN cases USING (case_id) WHERE area = $area OR $area = 'all' GROUP BY judge_id
"""


@pytest.mark.parametrize("area", ["all", "civil", "tax"])
def test_sql_over_the_raw_grades_gives_the_same_numbers(area: str) -> None:
    """A second implementation that shares no line: from the table of grades to the mean over answers."""
    profiles, everything = drawn()
    rows = keyed(folded(profiles))
    grades = to_table(Grade, everything)
    cases = frame(profiles)[["case_id", "area"]].drop_duplicates()
    with duckdb.connect() as connection:
        connection.register("grades", grades)
        connection.register("cases", cases)
        found = connection.execute(SQL, {"area": area}).df().set_index("judge_id")
    assert set(found.index) == {"signals", "j1"}
    group = ("overall", "all") if area == "all" else ("area", area)
    compared = 0
    for judge, told in found.iterrows():
        for metric in found.columns.drop("answers"):
            row = rows.get((*group, metric, str(judge)))
            if row is None or row.value is None:
                assert pd.isna(told[metric]), (judge, metric)
            else:
                assert row.value == pytest.approx(told[metric], abs=1e-12), (judge, metric)
                compared += 1
    assert compared == 21


def test_each_number_has_its_interval_and_its_judge() -> None:
    rows = keyed(folded(drawn()[0]))
    for metric in ("atomic_composite", "unsafe_completeness_rate", "holistic_composite"):
        for judge in ("signals", "j1", "judges"):
            row: Tendency = rows["overall", "all", metric, judge]
            assert row.low is not None
            assert row.high is not None
            assert row.value is not None
            assert row.low <= row.value <= row.high
            assert row.method == "cluster_bootstrap"
    assert (
        rows["overall", "all", "atomic_composite", "judges"].value
        == rows["overall", "all", "atomic_composite", "j1"].value
    )
    assert ("overall", "all", "flip_rate", "signals") not in rows


def test_numbers_do_not_depend_on_the_order_of_rows_or_on_other_judges() -> None:
    profiles, _ = drawn()
    first = keyed(folded(profiles))
    assert keyed(folded(profiles[::-1])) == first
    alone = [p.model_copy(update={"scores": [s for s in p.scores if s.judge_id == "signals"]}) for p in profiles]
    assert {k: r for k, r in first.items() if k[3] == "signals"} == {
        k: r for k, r in keyed(folded(alone)).items() if k[3] == "signals"
    }
