"""Recorded conversations: a reply a turn, and a sentence with file and line for every one that does not fit."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from roleplay_support import CONTROL_TURNS

from schemas.exchange import Brief, Message, Request
from schemas.system import System
from tasks.clients.recorded import RecordedClient
from tasks.trials import is_answered

ENTRY = {"id": "x", "name": "x", "vendor": "v", "family": "f", "client": "recorded", "suites": [], "inputs": ["text"]}


def client(path: Path, *lines: Any) -> RecordedClient:
    told = [line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines]
    path.write_text("\n".join(told), encoding="utf-8")
    return RecordedClient(System.model_validate({**ENTRY, "options": {"file": str(path)}}))


def brief(case_id: str, messages: int = 13, **more: Any) -> Brief:
    planned = tuple(f"zpráva {n}" for n in range(1, messages + 1))
    return Brief(
        suite="roleplay", case_id=case_id, language="cs", prompt="úvod", messages=planned, prompt_version="1", **more
    )


def said(one: RecordedClient, case_id: str, turn: int, trial: int = 1) -> str:
    spoken = tuple(Message(role=("user", "assistant")[n % 2], text="x") for n in range(2 * turn + 1))
    request = Request(system_id="x", suite="roleplay", case_id=case_id, language="cs", trial=trial, messages=spoken)
    return asyncio.run(one.complete(request)).text


def test_a_reply_a_turn_and_a_trial_a_line(tmp_path: Path) -> None:
    other = [f"podruhé {text}" for text in CONTROL_TURNS]
    one = client(
        tmp_path / "a.jsonl",
        {"case_id": "hra", "replies": CONTROL_TURNS},
        {"case_id": "hra", "trial": 2, "replies": other},
    )
    assert is_answered(one, brief("hra"))
    assert one.trials("hra") == 2
    assert [said(one, "hra", turn) for turn in range(14)] == list(CONTROL_TURNS)
    assert [said(one, "hra", turn, 2) for turn in range(14)] == other
    assert one.problems(["hra"]) == []


@pytest.mark.parametrize(
    ("line", "told"),
    [
        (
            {"replies": CONTROL_TURNS[:10]},
            "14 replies were expected, one a turn, not 10; a run that ended early ends with an empty reply",
        ),
        ({"replies": (*CONTROL_TURNS, "navíc")}, "14 replies were expected, one a turn, not 15"),
        (
            {"text": "Jedna odpověď na všechno."},
            "a list `replies` of 14 texts was expected, one a turn, not one `text`",
        ),
        ({"replies": CONTROL_TURNS}, None),
        ({"replies": (*CONTROL_TURNS[:9], " ")}, None),  # an empty answer ends a conversation
        ({"replies": (*CONTROL_TURNS, " ")}, "14 replies were expected, one a turn, not 15"),
    ],
)
def test_what_does_not_fit_is_told_and_not_answered(line: dict[str, Any], told: str | None, tmp_path: Path) -> None:
    """By hand; the line after it is taken."""
    whole = {"case_id": "cela", "replies": CONTROL_TURNS}
    one = client(tmp_path / "a.jsonl", "", {"case_id": "hra", **line}, whole)
    assert is_answered(one, brief("hra")) == (told is None)
    assert is_answered(one, brief("cela"))
    assert one.problems(["hra", "cela"]) == ([f"line 2 of a.jsonl is left out: of 'hra' {told}"] if told else [])


def test_a_trial_that_does_not_fit_ends_the_trials_of_its_case(tmp_path: Path) -> None:
    lines = [{"case_id": "hra", "trial": n, "replies": CONTROL_TURNS[: 3 if n == 2 else 14]} for n in (1, 2, 3)]
    one = client(tmp_path / "a.jsonl", *lines)
    assert is_answered(one, brief("hra"))
    assert one.trials("hra") == 1


def test_one_question_takes_one_text_or_an_answer_to_the_repeat(tmp_path: Path) -> None:
    """M-2: where the suite may ask once more, a second reply is the answer to that; without one the first stands."""
    one = client(
        tmp_path / "a.jsonl", {"case_id": "a", "text": "{"}, {"case_id": "b", "replies": ["{", "{}"]},
        {"case_id": "c", "replies": ["{", "{}", "{}"]}, {"case_id": "d", "replies": ["{", "{}"]},
    )  # fmt: skip
    asked = {name: is_answered(one, brief(name, 0, answer_schema={} if name != "d" else None)) for name in "abcd"}
    assert asked == {"a": True, "b": True, "c": False, "d": False}
    assert (said(one, "a", 0), said(one, "a", 1), said(one, "b", 0), said(one, "b", 1)) == ("{", "{", "{", "{}")
    assert one.problems(["a", "b", "c", "d"]) == [
        "line 3 of a.jsonl is left out: of 'c' one reply was expected, not 3",
        "line 4 of a.jsonl is left out: of 'd' one reply was expected, not 2",
    ]


@pytest.mark.parametrize(
    "line", ['{"case_id": "a"}', '{"case_id": "a", "text": "x", "replies": ["y"]}', '{"case_id": "a", "replies": []}']
)
def test_a_line_says_one_text_or_a_list(line: str, tmp_path: Path) -> None:
    one = client(tmp_path / "a.jsonl", line)
    [told] = one.problems(["a"])
    assert told.startswith(
        'line 1: expected {"case_id": "…", "text": "…"}, or "replies": ["…", …] for a conversation, but'
    )
    assert not one.answers("a")
