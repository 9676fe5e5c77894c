"""The shared scenarios: complete, bounded, in both languages; an unknown one is told by name (A-4)."""

import re

import pytest
from pydantic import ValidationError

from datasets.interactions import known_scenarios, load_scenario
from schemas.errors import UsageError
from schemas.scenario import Scenario, Step


@pytest.mark.parametrize("scenario_id", ["snake", "todo", "form"])
def test_a_scenario_is_complete(scenario_id: str) -> None:
    found = load_scenario(scenario_id)
    assert found.scenario_id == scenario_id
    assert len(found.interactions) == 3
    for interaction in found.interactions:
        said = [interaction.says, *(step.says for step in interaction.steps)]
        assert all(words.cs.strip() and words.en.strip() and words.cs != words.en for words in said)
        assert (
            sum(step.seconds * max(1, len(step.keys)) for step in interaction.steps if step.kind in ("press", "wait"))
            < 8
        )
        assert not any(re.search(r"[“”]", words.cs) and "„" not in words.cs for words in said)


def test_the_snake_is_steered_by_arrows() -> None:
    keys = {key for i in load_scenario("snake").interactions for step in i.steps for key in step.keys}
    assert {"ArrowDown", "ArrowLeft", "ArrowUp"} <= keys


def test_an_unknown_scenario_is_told() -> None:
    with pytest.raises(UsageError, match=r"Unknown scenario 'todos'; did you mean 'todo'\? Known: form, snake, todo\."):
        load_scenario("todos")
    assert known_scenarios() == ["form", "snake", "todo"]


@pytest.mark.parametrize(
    ("kind", "need"), [("press", "keys"), ("type", "target"), ("click", "target"), ("look", "text")]
)
def test_a_step_without_what_it_needs_is_refused(kind: str, need: str) -> None:
    with pytest.raises(ValidationError, match=f"a step '{kind}' needs '{need}': 'x'"):
        Step.model_validate({"kind": kind, "says": {"cs": "x", "en": "x"}})


def test_a_fourth_interaction_is_refused() -> None:
    scenario = load_scenario("snake").model_dump()
    scenario["interactions"] += scenario["interactions"][:1]
    with pytest.raises(ValidationError):
        Scenario.model_validate(scenario)
