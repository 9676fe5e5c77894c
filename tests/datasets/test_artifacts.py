"""Tasks of web pages as a set: files that are wrong are told and the rest is taken, control pages are answers by trial, nothing leaks (A-4, S-5)."""

import json
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from web_support import CONTROLS, DEAD, GOOD, TASK, folder_of

from datasets import artifacts
from datasets.controls import control_answers, controls_version
from datasets.editions import edition_for
from schemas.artifacts import ControlKind
from schemas.case import Case
from schemas.edition import Edition
from schemas.errors import UsageError
from schemas.exchange import Message
from tasks.suites import SUITES


def edition(size: int = 1, version: str = artifacts.SET_VERSION) -> Edition:
    return edition_for("artifacts", version, seed=1, size=size, secret="secret")


def rows(size: int = 1) -> list[Case]:
    return [made.case for made in artifacts.make_cases(edition(size), "secret", 0, size)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A set of one task with two control pages."""
    made = folder_of(tmp_path)
    monkeypatch.setattr(artifacts, "FOLDER", made)
    return made


def test_the_set_of_the_project_is_sound() -> None:
    """At least six tasks in three languages, among them static and moving ones; each has a good control and broken ones."""
    read = artifacts.read_tasks(artifacts.FOLDER)
    assert read.problems == ()
    assert len(read.tasks) >= 6
    assert {task.language for task in read.tasks} == {"cs", "en", "pl"}
    assert any(task.is_static for task in read.tasks)
    assert any(task.moves_by_itself for task in read.tasks)
    for task in read.tasks:
        kinds = [control.kind for control in read.controls[task.id]]
        assert kinds[0] == "good"
        assert len(kinds) >= 4
        good = [control for control in read.controls[task.id] if control.kind == "good"]
        assert all(set(control.expected.values()) == {1.0} for control in good)


def test_every_kind_of_control_is_there_for_a_judge_that_the_others_served() -> None:
    """S-5: what a judge was made by says nothing of how fit it is, so each kind stands among the pages that served nobody."""
    read = artifacts.read_tasks(artifacts.FOLDER)
    every = [control for some in read.controls.values() for control in some]
    assert {judge for control in every for judge in control.served} == {"measurements"}
    assert {c.kind for c in every if not c.served} == set(get_args(ControlKind))
    first = [c for task in read.tasks[: SUITES["artifacts"].default_size] for c in read.controls[task.id]]
    assert {c.kind for c in first if not c.served} == set(get_args(ControlKind))


def test_bad_files_are_told_and_the_rest_is_taken(folder: Path) -> None:
    home = folder / "tasks"
    (home / "no-yaml.yaml").write_text("id: [", encoding="utf-8")
    (home / "other.yaml").write_text(yaml.safe_dump({**TASK, "id": "another"}), encoding="utf-8")
    (home / "short.yaml").write_text(yaml.safe_dump({**TASK, "id": "short", "requirements": []}), encoding="utf-8")
    fine: dict[str, Any] = {**TASK, "id": "second"}
    (home / "second.yaml").write_text(yaml.safe_dump(fine), encoding="utf-8")
    (folder / "controls" / "second").mkdir()
    lacking = [{"file": "not-there.html", "kind": "good", "expected": {}}]
    (folder / "controls" / "second" / "controls.yaml").write_text(yaml.safe_dump(lacking), encoding="utf-8")
    read = artifacts.read_tasks(folder)
    assert [task.id for task in read.tasks] == ["pocitadlo", "second"]
    told = sorted(read.problems)
    assert told[0] == "controls/second/controls.yaml: there is no page 'not-there.html' beside it."
    assert told[1].startswith("tasks/no-yaml.yaml: while parsing")
    assert told[2] == "tasks/other.yaml: the id 'another' was found, expected 'other', the name of the file."
    assert told[3].startswith("tasks/short.yaml: requirements: ")
    assert len(told) == 4


def test_a_control_off_the_scale_is_told(tmp_path: Path) -> None:
    odd = [{"file": "good.html", "kind": "good", "expected": {"look": 0.7}}]
    read = artifacts.read_tasks(folder_of(tmp_path, controls=odd))
    assert read.controls == {"pocitadlo": ()}
    assert "expected.look: 0, 0.5 or 1 was expected, not 0.7" in read.problems[0]


def test_a_folder_without_tasks_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has no task"):
        artifacts.read_tasks(tmp_path)


def test_control_pages_are_answers_by_trial(folder: Path) -> None:
    assert control_answers("artifacts", "pocitadlo") == (GOOD, DEAD)
    assert control_answers("artifacts", "other") == ()


def test_the_version_of_controls_follows_the_pages_alone(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = controls_version("artifacts")
    other = folder_of(tmp_path / "marks", controls=[{**CONTROLS[0], "expected": {"works": 0.5}}, CONTROLS[1]])
    monkeypatch.setattr(artifacts, "FOLDER", other)
    assert controls_version("artifacts") == first
    third = folder_of(tmp_path / "page")
    (third / "controls" / "pocitadlo" / "dead.html").write_text("<p>jiná</p>", encoding="utf-8")
    monkeypatch.setattr(artifacts, "FOLDER", third)
    assert controls_version("artifacts") != first


def test_the_truth_tells_what_is_certain_and_holds_no_page(folder: Path) -> None:
    """S-5: by hand from the file; null is left out, and no text of a page stands in the case."""
    case = rows()[0]
    assert case.to_truth()["controls"] == {
        "1": {"kind": "good", "expected": {"conformity": 1.0, "works": 1.0, "look": 1.0}, "served": []},
        "2": {"kind": "dead_buttons", "expected": {"works": 0.0}, "served": []},
    }
    assert "<button>" not in case.model_dump_json()
    assert case.to_truth()["n_words"] == 8
    assert case.to_truth()["scenario"] is None


def test_the_brief_is_the_specification_asked_once(folder: Path) -> None:
    brief = rows()[0].to_brief()
    assert brief.prompt == TASK["prompt"]
    first = artifacts.next_message(brief, ())
    assert first == Message(role="user", text=TASK["prompt"])
    assert artifacts.next_message(brief, (first, Message(role="assistant", text="Ne."))) is None


def test_versions_follow_what_decides_the_cases(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def version_with(name: str, **task: Any) -> str:
        monkeypatch.setattr(artifacts, "FOLDER", folder_of(tmp_path / name, task))
        return json.dumps(artifacts.versions())

    first = version_with("first")
    assert version_with("same") == first
    changes: list[dict[str, Any]] = [
        {"prompt": "Jiné zadání."}, {"is_static": True}, {"moves_by_itself": True}, {"requirements": [{"id": "Q1", "text": "Jiný."}]},
    ]  # fmt: skip
    found = {version_with(f"c{number}", **change) for number, change in enumerate(changes)}
    assert len(found | {first}) == len(changes) + 1


def test_another_version_of_the_set_is_refused(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"is of version .0\.9."):
        list(artifacts.make_cases(edition(version="0.9"), "secret", 0, 1))
