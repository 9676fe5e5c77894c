"""The client `controls`: the text of each trial, five trials a case, at no cost; other systems keep the trials of their suite (S-5)."""

import asyncio
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
import yaml
from legal_support import CONTROLS, SIGNALS, case_text, folder_of
from pipeline_support import run_test, stable_rows

from datasets import legal
from datasets.systems import load_systems
from schemas.errors import UsageError
from schemas.exchange import Message, Reply, Request
from schemas.system import System
from tasks.ask import make_client, why_missing
from tasks.clients import controls
from tasks.estimate import estimate
from tasks.suites import SUITES, Suite

TEXTS = [control["text"] for control in yaml.safe_load(CONTROLS)["controls"]]
FILE = "zkusebni-doba.yaml"


def system_of(**changes: Any) -> System:
    return System.model_validate({**load_systems()["controls"].model_dump(), **changes})


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two cases, one of them with control answers."""
    cases = {FILE: case_text(), "bez-kontrol.yaml": case_text("bez-kontrol", area="tax")}
    folder = folder_of(tmp_path, cases=cases, signals={FILE: SIGNALS}, controls={FILE: CONTROLS})
    monkeypatch.setattr(legal, "FOLDER", folder)
    monkeypatch.setitem(SUITES, "legal", Suite("legal", default_size=2, full_size=2, is_generated=False))
    return folder


def ask(trial: int, case_id: str = "zkusebni-doba", suite: str = "legal") -> Reply:
    messages = (Message(role="user", text="Otázka"),)
    request = Request(system_id="controls", suite=suite, case_id=case_id, language="cs", trial=trial, messages=messages)
    return asyncio.run(controls.make(system_of()).complete(request))


def test_the_entry_is_a_control_and_no_other_is() -> None:
    systems = load_systems()
    assert [name for name, system in systems.items() if system.is_control] == ["controls"]
    entry = systems["controls"]
    assert (entry.client, entry.vendor, entry.is_default) == ("controls", "zkusebna", True)
    assert sorted(entry.suites) == ["artifacts", "legal", "roleplay"]


def test_each_trial_is_one_text_at_no_cost(folder: Path) -> None:
    replies = [ask(trial) for trial in range(1, 6)]
    assert [reply.text for reply in replies] == TEXTS
    assert {(r.status, r.cost_usd, r.latency_ms) for r in replies} == {("ok", Decimal(0), 0)}


@pytest.mark.parametrize(
    ("trial", "case_id", "told"),
    [(6, "zkusebni-doba", "has 5 control answers, none for trial 6"), (1, "bez-kontrol", "has 0 control answers")],
)
def test_what_is_not_there_is_an_error_of_the_reply(folder: Path, trial: int, case_id: str, told: str) -> None:
    reply = ask(trial, case_id)
    assert (reply.status, reply.text) == ("api_error", "")
    assert reply.error
    assert told in reply.error


def test_only_cases_with_controls_are_asked(folder: Path) -> None:
    client = controls.make(system_of())
    found = {case: (client.answers(case), client.trials(case)) for case in ("zkusebni-doba", "bez-kontrol", "x")}
    assert found == {"zkusebni-doba": (True, 5), "bez-kontrol": (False, 0), "x": (False, 0)}


def test_another_text_is_another_version(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = make_client(system_of()).version
    changed = CONTROLS.replace("Druhá", "Třetí")
    other = folder_of(tmp_path / "other", cases={FILE: case_text()}, controls={FILE: changed})
    monkeypatch.setattr(legal, "FOLDER", other)
    assert make_client(system_of()).version != first


def test_suites_without_controls_are_refused() -> None:
    with pytest.raises(
        UsageError,
        match=r"System 'controls': there are no control answers for invoices; [a-z, ]*legal[a-z, ]* has some",
    ):
        controls.make(system_of(suites=("legal", "invoices")))
    with pytest.raises(UsageError, match="there are no control answers for every suite"):
        controls.make(system_of(suites=()))


def test_it_is_missing_where_no_file_is_there(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    of_law = system_of(suites=("legal",))
    assert why_missing(of_law) is None
    monkeypatch.setattr(legal, "FOLDER", folder_of(tmp_path / "empty", cases={FILE: case_text()}))
    assert why_missing(of_law) == "there are no control answers yet"


def test_a_run_asks_five_trials_of_each_controlled_case_once(folder: Path, tmp_path: Path) -> None:
    """Through the real stages; the estimate says five before, and none after; a second run asks nobody."""
    root = str(tmp_path / "store")

    def to_ask() -> list[tuple[int, Decimal | None]]:
        lines = estimate(root, ["legal"], ["controls"], 2, 7, None, is_full=False)
        return [(line.to_ask, line.most_usd) for line in lines]

    assert to_ask() == [(5, Decimal(0))]
    run_test(root, "legal", ["controls"], 2)
    rows = stable_rows(root)
    assert [(r["case_id"], r["trial"], r["text"]) for r in rows["answers"]] == [
        ("zkusebni-doba", trial, text) for trial, text in enumerate(TEXTS, start=1)
    ]
    assert [call["cost_usd"] for call in rows["calls"]] == [Decimal(0)] * 5
    run_test(root, "legal", ["controls"], 2)
    assert stable_rows(root) == rows
    assert to_ask() == [(0, Decimal(0))]


def test_another_system_keeps_the_trials_of_the_suite(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = {
        "id": "other", "name": "o", "vendor": "v", "family": "f", "client": "scripted", "suites": ["legal"], "inputs": ["text"],
        "options": {"replies": ["Ne."]},
    }  # fmt: skip
    (tmp_path / "systems.yaml").write_text(yaml.safe_dump([entry]), encoding="utf-8")
    monkeypatch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(tmp_path / "systems.yaml"))
    monkeypatch.setitem(SUITES, "legal", Suite("legal", default_size=2, full_size=2, is_generated=False, trials=2))
    run_test(str(tmp_path / "store"), "legal", ["other", "controls"], 2)
    asked = [(r["system_id"], r["case_id"], r["trial"]) for r in stable_rows(tmp_path / "store")["answers"]]
    assert sorted(asked) == sorted(
        [("controls", "zkusebni-doba", trial) for trial in range(1, 6)]
        + [("other", case, trial) for case in ("bez-kontrol", "zkusebni-doba") for trial in (1, 2)]
    )
