"""Replies of judges that were asked elsewhere: read as those given here, wrong lines told, the rest taken (A-5, G-7, S-5)."""

import json
from pathlib import Path
from typing import Any

import pytest
from pipeline_support import places_of, run_stages

from datasets.store import Store
from datasets.tables import read
from schemas.answer import Answer
from schemas.errors import UsageError
from schemas.grade import Grade
from schemas.tendency import Tendency
from tasks.recorded_grades import import_judged

CASES = 2


@pytest.fixture
def graded(tmp_path: Path) -> str:
    """A store with control answers to two cases."""
    root = str(tmp_path / "store")
    run_stages(root, "legal", ["controls"], CASES)
    return root


def table(root: str, model: Any) -> list[dict[str, Any]]:
    store = Store.open(root)
    return [row for place in places_of(store, model) for row in read(store, model, place).to_pylist()]


def said(points: float, quote: str = "", **more: Any) -> str:
    return json.dumps({"points": points, "quote": quote, "reason": "Proto.", **more}, ensure_ascii=False)


def line(case: str, text: str, **changed: Any) -> str:
    base = {"case": case, "system": "controls", "item": "M1", "judge": "their-judge", "vendor": "Theirs"}
    return json.dumps({**base, "date": "2026-03-01", "text": text, **changed}, ensure_ascii=False)


def file_of(tmp_path: Path, *lines: str) -> Path:
    file = tmp_path / "replies.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    return file


def test_replies_are_read_as_those_given_here(graded: str, tmp_path: Path) -> None:
    """A wrapped object, a quote that is there, one that is not, a value off the scale, no number; and the whole in one order."""
    answers = {a["trial"]: a for a in table(graded, Answer) if a["case_id"] == case_in(graded)}
    case, words = case_in(graded), " ".join(answers[1]["text"].split()[:8])
    whole = {"verdict": 1, "unsafe_completeness": 0.2, "argument": 1, "citations": 1, "completeness": 1}
    whole |= {"looks_complete": True, "behaviour": "aware", "better": "first", "quote": words, "reason": "Celé."}
    told = import_judged(
        graded,
        file_of(
            tmp_path,
            line(case, f"Zde:\n```json\n{said(1, words)}\n```"),
            line(case, said(1, "toto v odpovědi rozhodně nestojí"), item="M2"),
            line(case, said(0.6, words), item="N1"),
            line(case, "Nevím.", item="M1", trial=2),
            line(case, json.dumps(whole), item="whole", order="answer_first"),
        ),
        "legal",
    )
    assert (told.taken, told.problems) == (5, ())
    rows = {(g["trial"], g["item"]): g for g in table(graded, Grade) if g["judge_id"] == "their-judge"}
    marks = {key: (g["points"], g["max_points"], g["error"]) for key, g in rows.items() if "@" not in key[1]}
    assert marks == {
        (1, "M1"): (1, 1, None),
        (1, "M2"): (0, 0, "ungrounded"),
        (1, "N1"): (1, 1, "off_scale"),
        (2, "M1"): (0, 0, "unread"),
    }
    assert rows[1, "verdict@answer_first"]["points"] == 1
    assert {g["is_same_vendor"] for g in rows.values()} == {False}
    assert {g["rubric_version"] for g in rows.values()} == {"recorded 2026-03-01"}
    assert {g["answer_hash"] for key, g in rows.items() if key[0] == 1} == {
        g["answer_hash"] for g in table(graded, Grade) if (g["case_id"], g["trial"]) == (case, 1)
    }


def case_in(root: str) -> str:
    return min(str(a["case_id"]) for a in table(root, Answer))


def test_a_later_reply_replaces_an_earlier_one_and_a_run_keeps_and_counts_them(graded: str, tmp_path: Path) -> None:
    case = case_in(graded)
    import_judged(graded, file_of(tmp_path, line(case, said(0)), line(case, said(0), item="M2")), "legal")
    import_judged(graded, file_of(tmp_path, line(case, said(0), date="2026-03-02")), "legal")
    run_stages(graded, "legal", ["controls"], CASES)
    rows = [g for g in table(graded, Grade) if g["judge_id"] == "their-judge"]
    assert sorted((g["item"], g["rubric_version"]) for g in rows) == [
        ("M1", "recorded 2026-03-02"), ("M2", "recorded 2026-03-01"),
    ]  # fmt: skip
    assert [t for t in table(graded, Tendency) if t["judge_id"] == "their-judge"]


def test_wrong_lines_are_told_and_the_rest_is_taken(graded: str, tmp_path: Path) -> None:
    case = case_in(graded)
    good = line(case, said(0))
    lines = {
        "{": "the line: invalid JSON",
        line(case, said(0), vendor=""): "vendor: string should have at least 1 character",
        line(case, said(0), judges="x"): "judges: extra inputs are not permitted; did you mean 'judge'?",
        line(f"{case}x", said(0)): f"there is no case '{case}x'; did you mean '{case}'?",
        line(case, said(0), system="control"): "there is no system 'control' with answers; did you mean 'controls'?",
        line(case, said(0), item="M11"): "there is no item 'M11'; did you mean 'M1'?",
        line(case, said(0), trial=9): "controls has no answer to",
        line(case, said(0), item="whole"): "order: 'answer_first' or 'foil_first' was expected for 'whole', not ''.",
        line(case, said(0), judge="smollm2"): "judge: 'smollm2' is the id of a system that is asked here",
        line(
            case, said(0), judge="person-x"
        ): "judge: 'person-x' is the id of a system that is asked here, or of a person",
        line(case, said(0), date="2999-01-01"): "the date 2999-01-01 is still to come.",
    }
    told = import_judged(graded, file_of(tmp_path, *lines, good), "legal")
    assert told.taken == 1
    assert len(told.problems) == len(lines)
    for number, (problem, start) in enumerate(zip(told.problems, lines.values(), strict=True), start=1):
        assert problem.startswith(f"replies.jsonl, line {number}: {start}"), problem


def test_a_file_that_is_not_there_and_a_suite_without_judges_are_told(graded: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot be read: No such file"):
        import_judged(graded, tmp_path / "nowhere.jsonl", "legal")
    with pytest.raises(UsageError, match="nothing for a judge to grade"):
        import_judged(graded, tmp_path / "nowhere.jsonl", "invoices")
