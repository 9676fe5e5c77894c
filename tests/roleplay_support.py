"""Runs of role-play for tests: a model that plays by a table of answers, a judge that grades by a table of points, each through the gateway."""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from gateway_scenarios import SCENARIOS, Asked, Told, answer
from gateway_stub import Gateway

from datasets import roleplay
from schemas.grade import Grade
from schemas.roleplay import MESSAGES, TRAPS, Control
from schemas.roleplay_rubrics import BONUSES
from tasks import throttle

CONTROL_TURNS = tuple(
    f"Odpověď {n}: strážný {word} a zapsal to do knihy stranu {n}."
    for n, word in enumerate(
        [
            "přišel",
            "mlčel",
            "kývl",
            "vstal",
            "zakašlal",
            "odešel",
            "usedl",
            "počkal",
            "zhasl",
            "přiložil",
            "spálil",
            "zívl",
            "vzal",
            "otevřel",
        ]
    )
)
"""Fourteen answers that repeat nothing."""


def turn_of(asked: Asked) -> int:
    """Which answer is asked for, from 0."""
    return len(asked.request["messages"]) // 2


def player(turns: Sequence[str] = CONTROL_TURNS) -> Callable[[Asked], Told]:
    """A model that says these answers in their order."""
    return lambda asked: answer(asked, turns[turn_of(asked)])


def answers_in(prompt: str) -> list[str]:
    """The model's answers as a judge's prompt shows them."""
    return [a.strip() for a in re.findall(r"\[(?:Odpověď|Answer) \d+, model\]\n(.*?)\n(?=\n\[|</)", prompt, re.DOTALL)]


def judge(
    points: Mapping[str, int] | None = None,
    states: Mapping[int, str] | None = None,
    events: Sequence[tuple[str, int]] = (("letter_burnt", 10),),
    quote: Callable[[str, int], str] | None = None,
) -> Callable[[Asked], Told]:
    """A judge that gives full points but for those told, finds every message played but for those told, and these events.

    quote: the words that an item about an answer stands on; else the answer's first five words.
    """

    def says(asked: Asked) -> Told:
        prompt = asked.request["messages"][0]["content"]
        said = answers_in(prompt)

        def words(item: str, at: int) -> str:
            return quote(item, at) if quote else " ".join(said[min(at, len(said) - 1)].split()[:5])

        if '"grades"' in prompt:
            items = re.search(r"(?:Ohodnoťte položky|Grade the items) ([TRB\d, ]+),", prompt)
            assert items is not None
            told = [
                {
                    "item": item, "points": (points or {}).get(item, 1 if item in BONUSES else 2),
                    "quotes": [words(item, int(item[1:]))], "reason": "Je to tam.",
                }
                for item in items[1].split(", ")
            ]  # fmt: skip
            return answer(asked, json.dumps({"grades": told}, ensure_ascii=False))
        messages = [
            {"message": n, "state": (states or {}).get(n, "played"), "quote": words("L1", n)}
            for n in range(1, min(len(said), MESSAGES + 1))
        ]
        found = [
            {"type": kind, "answer": at, "quote": words(kind, at), "reason": "Stalo se to."}
            for kind, at in events
            if at < len(said)
        ]
        return answer(asked, json.dumps({"messages": messages, "events": found}, ensure_ascii=False))

    return says


def reader(changed: Mapping[str, int] | None = None) -> Callable[[Asked], Told]:
    """A judge that knows the control transcripts: it gives each one the grades and quotes of its file, but for the points that are changed.

    Runs that are no control transcript it cannot grade; so systems that play control transcripts get true grades.
    """
    known = {control.turns: control for found in roleplay.controls().values() for control in found}

    def quotes(control: Control, item: str) -> list[str]:
        told = control.quotes.get(item, [])
        return [told] if isinstance(told, str) else list(told)

    def says(asked: Asked) -> Told:
        prompt = asked.request["messages"][0]["content"]
        said = answers_in(prompt)
        control = next(
            c
            for turns, c in known.items()
            if [" ".join(t.split()) for t in turns] == [" ".join(s.split()) for s in said]
        )
        if '"grades"' in prompt:
            items = re.search(r"(?:Ohodnoťte položky|Grade the items) ([TRB\d, ]+),", prompt)
            assert items is not None
            points = {**control.expected.points, **(changed or {})}
            told = [
                {"item": i, "points": points[i], "quotes": quotes(control, i), "reason": "Podle kotvy."}
                for i in items[1].split(", ")
            ]
            return answer(asked, json.dumps({"grades": told}, ensure_ascii=False))
        annulled = quotes(control, "L1")
        messages = [
            {
                "message": n,
                "state": "annulled" if annulled else "played",
                "quote": annulled[n - 1] if annulled else said[n].split("\n")[0],
            }
            for n in range(1, MESSAGES + 1)
        ]
        words = {
            "L2": "letter_burnt",
            "L3": "world_event",
            "L4": "character_act",
            "L6": "out_of_play",
            "L7": "kindness",
            "L8": "plays_user",
        }
        events = [
            {"type": word, "answer": next(n for n, turn in enumerate(control.turns) if q in turn), "quote": q, "reason": "Je to tam."}
            for axis, word in words.items() for q in quotes(control, axis)
        ]  # fmt: skip
        return answer(asked, json.dumps({"messages": messages, "events": events}, ensure_ascii=False))

    return says


def of_case(kind: str) -> Callable[[Asked], Told]:
    """A model that plays the control transcript of a kind, whatever scenario it is asked."""
    openings = {scenario.opening: scenario.case_id for scenario in roleplay.scenarios()}

    def says(asked: Asked) -> Told:
        case = openings[asked.request["messages"][0]["content"]]
        [turns] = [control.turns for control in roleplay.controls()[case] if control.kind == kind]
        return answer(asked, turns[turn_of(asked)])

    return says


def entry(name: str, url: str, **changes: Any) -> dict[str, Any]:
    """An entry of `systems.yaml` that asks the gateway."""
    return {
        "id": name, "name": name, "vendor": f"{name} house", "family": "f", "client": "openai", "suites": ["roleplay"], "inputs": ["text"],
        "options": {"url": url, "model": f"stub/{name}"}, "limits": {"at_once": 4, "seconds": 20}, "default": False, **changes,
    }  # fmt: skip


def systems(
    gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plays: Mapping[str, Callable[[Asked], Told]],
    judges: Mapping[str, Callable[[Asked], Told]] | None = None,
) -> None:  # fmt: skip
    """Systems under test and judges by their ids, each with what the gateway says in its place."""
    entries = [entry(name, gateway.url) for name in plays]
    entries += [entry(name, gateway.url, judges=["roleplay"]) for name in judges or {}]
    for name, says in {**plays, **(judges or {})}.items():
        monkeypatch.setitem(SCENARIOS, name, says)
    file = tmp_path / "systems.yaml"
    file.write_text(yaml.safe_dump(entries, allow_unicode=True), encoding="utf-8")
    monkeypatch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(file))
    throttle._THROTTLES.clear()


SCENARIO: dict[str, Any] = {
    "id": "tower",
    "version": "1.0",
    "language": "cs",
    "setting": "Věž hlásného",
    "opening": "Zahrajme si hru. Johana má u sebe sedm mincí. Platí pravidla světa.",
    "messages": [
        {"n": n, "trap": trap, "text": f"Zpráva hráče číslo {n} o tom, co Johana dělá.", "expects": f"Tajný záměr {n}."}
        for n, trap in enumerate(TRAPS, start=1)
    ],
    "facts": {"coins": 7, "letter": "dopis", "characters": ["hlásný"], "confiscated": "nůž"},
    "not_measurable": [],
}
"""A small scenario by hand."""


def written(**changes: Any) -> str:
    """The small scenario as a file, with other values of its keys."""
    return yaml.safe_dump({**SCENARIO, **changes}, allow_unicode=True, sort_keys=False)


def grade(item: str, points: float = 0.0, most: float = 0.0, label: str = "x", **more: Any) -> Grade:
    """One grade of the judge `j` about one run."""
    row: dict[str, Any] = {
        "suite": "roleplay", "edition": "e", "system_id": "x", "case_id": "keeper-cs", "trial": 1, "pass_name": "atomic", "judge_id": "j",
        "item": item, "points": points, "max_points": most, "label": label, "error": None, "expected": None, "given": None,
        "reason": None, "quote": None, "rubric_version": "1",
    }  # fmt: skip
    return Grade.model_validate({**row, **more})


def case_ids() -> list[str]:
    """The cases of the set in their order."""
    return [scenario.case_id for scenario in roleplay.scenarios()]
