"""Criteria of web pages: what follows from measurements, what judges are shown and how their replies are read (A-1 to A-6, G-6)."""

import json
from typing import Any

import pytest
from web_support import GOOD, TASK, exam, measured, seen

from grading import artifacts
from schemas.artifacts import OF_JUDGES
from schemas.evidence import FILES, FULL, ConsoleError, Reach, Use
from schemas.evidence_row import Evidence
from schemas.grade import Exam
from schemas.judging import Question


def criteria(evidence: Evidence | None = None, html: str = GOOD, **truth: Any) -> dict[str, float | None]:
    verdicts = artifacts.holistic(exam(html, evidence, **truth))
    return {v.item: v.points if v.max_points else None for v in verdicts}


NOTHING = dict.fromkeys(OF_JUDGES, None)
ERROR = ConsoleError(kind="console.error", text="x", loads=("timeline",), at_s=0.1)
THROWN = ConsoleError(kind="pageerror", text="x", loads=("timeline",), at_s=0.1)
SHUT = Reach(controls=2, covered=2, by="<div>")
DEAF = [Use(number=n, changed=0.2, heard=False) for n in (1, 2, 3)]


def dead(*changed: float) -> Evidence:
    return seen(uses=[Use(number=n, changed=c) for n, c in enumerate(changed, 1)])


@pytest.mark.parametrize(
    ("evidence", "wanted"),
    [
        (seen(), {"works": 1.0}),
        (seen(errors=[ERROR]), {"works": 0.5}),
        (dead(0.0, 0.2, 0.2), {"works": 0.5}),
        (dead(0.0, 0.0, 0.0), {"works": 0.0}),
        (seen(is_one_colour=True), {"works": 0.0, "look": 0.0, "conformity": 0.0}),
        (seen(load_s=None), {"works": 0.0}),
        (seen(below_fold=0.5, below_fold_blank=True), {"works": 1.0, "look": 0.5}),
        (
            seen(page_height=1700, below_fold=0.53, below_fold_blank=True, longest_blank_px=900),
            {"works": 1.0, "look": 0.0},
        ),
        (
            seen(page_height=3000, below_fold=0.73, below_fold_blank=False, longest_blank_px=900),
            {"works": 1.0, "look": 0.5},
        ),
        (seen(errors=[THROWN], uses=[Use(number=1, changed=0.0)]), {"works": 0.0}),
        (seen(errors=[ERROR], uses=[Use(number=1, changed=0.0)]), {"works": 0.5}),
        (seen(reach=SHUT, uses=[Use(number=1, changed=0.0)]), {"works": 0.0}),
        (seen(reach=SHUT), {"works": 0.5}),
    ],
)
def test_what_follows_from_measurements_and_nothing_else(evidence: Evidence, wanted: dict[str, float]) -> None:
    assert criteria(evidence) == {**NOTHING, **wanted}


@pytest.mark.parametrize(
    ("evidence", "truth", "works"),
    [
        (dead(0.0, 0.0, 0.0), {"is_static": True}, 0.5),  # it can still be read
        (seen(moves=True, uses=DEAF), {"moves_by_itself": True}, 0.5),  # it moves as it should
        (seen(moves=True, uses=DEAF), {}, 0.0),
        (seen(moves=False), {"moves_by_itself": True}, 0.0),
    ],
)
def test_what_a_page_is_for_decides_what_is_left_of_it(evidence: Evidence, truth: dict[str, Any], works: float) -> None:
    assert criteria(evidence, **truth)["works"] == works


def test_without_a_page_everything_is_nothing() -> None:
    assert criteria(html="Stránku vytvořit nemohu.") == dict.fromkeys(OF_JUDGES, 0.0)


def test_without_evidence_only_that_there_is_a_page_is_said() -> None:
    bare = exam().model_copy(update={"evidence": None})
    assert {v.item for v in artifacts.atomic(bare) if v.max_points} == {"page"}
    assert not [v for v in artifacts.holistic(bare) if v.max_points]
    assert artifacts.questions(bare, "holistic") == []


def test_a_page_that_names_its_maker_is_flagged_and_costs_nothing() -> None:
    """G-6: flagged, not altered."""
    flagged = [v for v in artifacts.atomic(exam(n_masked=2)) if v.item == "self_identified"]
    assert [(v.judge_id, v.max_points, v.label) for v in flagged] == [("masking", 0.0, "named")]
    assert not [v for v in artifacts.atomic(exam()) if v.item == "self_identified"]


def question(evidence: Evidence | None = None, language: str = "cs", **truth: Any) -> Question:
    (asked,) = artifacts.questions(exam(evidence=evidence, language=language, **truth), "holistic")
    return asked


def test_a_judge_is_shown_the_files_of_a_1_and_nothing_of_ours() -> None:
    """A-1, A-11: exactly the named files; neither measurements nor who answered."""
    asked = question()
    assert [a.name for a in asked.attachments] == list(FILES)
    assert {a.name: a.kind for a in asked.attachments if a.name.endswith(".png")} == dict.fromkeys(
        [n for n in FILES if n.endswith(".png")], "image"
    )
    assert "measurements" not in asked.prompt
    assert TASK["prompt"] in asked.prompt
    assert "Q1: Tlačítko Přidat zvýší číslo o jedna." in asked.prompt
    assert artifacts.questions(exam(), "atomic") == []


def test_missing_files_are_told_and_look_needs_the_whole_picture() -> None:
    asked = question(seen(without=(FULL, "interact-3.png")))
    assert "look" not in asked.answer_schema["properties"]
    assert "nebylo možné pořídit: shot-full.png, interact-3.png" in asked.prompt
    assert "`look`" not in asked.prompt
    assert "look" in question().answer_schema["properties"]


def test_still_pages_carry_the_instruction_of_a_2() -> None:
    assert "tři stejné snímky nejsou vada" in question(moves_by_itself=False).prompt
    assert "tři stejné snímky nejsou vada" not in question(moves_by_itself=True).prompt
    assert "three equal shots are no defect" in question(language="pl").prompt


def reply(**changes: Any) -> str:
    said: dict[str, Any] = dict.fromkeys(OF_JUDGES, 1) | {f"{c}_reason": "" for c in OF_JUDGES}
    return json.dumps({**said, **changes})


def read(said: str, *, is_last: bool) -> tuple[str | None, dict[str, tuple[float, float, str | None]]]:
    paper: Exam = exam()
    (asked,) = artifacts.questions(paper, "holistic")
    reading = artifacts.read_reply(paper, asked, said, judge_id="j", is_last=is_last)
    return reading.problem, {v.item: (v.points, v.max_points, v.error) for v in reading.verdicts}


def test_at_the_top_a_reason_is_optional() -> None:
    problem, given = read(reply(), is_last=False)
    assert problem is None
    assert given == dict.fromkeys(OF_JUDGES, (1.0, 1.0, None))


@pytest.mark.parametrize("reason", ["", "—", "Ano.", None])
def test_below_the_top_a_reason_is_asked_for_once_more_then_flagged(reason: str | None) -> None:
    """A-5."""
    said = reply(works=0.5, works_reason=reason)
    problem, _ = read(said, is_last=False)
    assert problem is not None
    assert "Hodnota 0.5 potřebuje v poli works_reason konkrétní vadu" in problem
    _, given = read(said, is_last=True)
    assert given["works"] == (0.5, 1.0, "no_reason")


def test_a_reason_with_a_defect_is_enough() -> None:
    problem, given = read(reply(works=0, works_reason="Tlačítko Přidat nic nedělá, viz interact-1.png."), is_last=False)
    assert problem is None
    assert given["works"] == (0.0, 1.0, "bad")


def test_values_are_pinned_to_the_scale() -> None:
    """A-5: asked once more, then snapped down and flagged."""
    said = reply(look=0.8, look_reason="Písmo se překrývá.")
    assert "povolené jsou jen 0, 0.5, 1" in str(read(said, is_last=False)[0])
    assert read(said, is_last=True)[1]["look"] == (0.5, 1.0, "off_scale")


def test_a_reply_that_cannot_be_read_gives_no_grade() -> None:
    problem, given = read("Nechci.", is_last=True)
    assert problem is None
    assert set(given.values()) == {(0.0, 0.0, "unread")}


def test_people_grade_their_own_criteria_on_the_same_scale() -> None:
    """A-5: shared by people and judges; the way of working is for people alone, structure and logic for judges."""
    truth = exam().truth
    assert artifacts.items_of(truth) == ["conformity", "works", "look", "code", "process"]
    scale = artifacts.scale_of(truth, "process")
    assert scale is not None
    assert (scale.values, scale.needs_reason_below) == ((0.0, 0.5, 1.0), 1.0)
    assert artifacts.scale_of(truth, "logic") is None


def test_prompts_are_published_in_both_languages() -> None:
    assert set(artifacts.prompts()) == {f"{n}.{lang}" for n in ("artifacts/page", "again") for lang in ("cs", "en")}


def test_measured_evidence_is_what_the_support_says() -> None:
    assert measured().late_s == 0
