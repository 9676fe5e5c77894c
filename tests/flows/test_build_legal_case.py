"""The flow that makes a case of law: a suspended run holds no process, survives the server, and asks neither model nor person twice (L-4)."""

import json
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import yaml
from draft_support import CASE, ORDER, changed
from gateway_stub import Gateway, gateway_process
from server_support import ORDERED, Server, deploy, systems_file

from schemas.drafts import ToDecide
from schemas.errors import UsageError


@pytest.mark.usefixtures("prefect_server")
def test_the_order_of_steps_and_decisions(store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the waiting replaced: three questions, each with its text; a body that is run again asks nobody."""
    from flows import build_legal_case as module

    seen: list[tuple[str, str]] = []
    said = [
        {"choice": "approve", "who": "Jana Nová"},
        {"choice": "change", "who": "Jana Nová", "reason": "Ať je to z knihovny."},
        {"choice": "approve", "who": "Jana Nová"},
        {"choice": "approve", "who": "Petr Malý"},
    ]

    def person(asked: ToDecide, told: str) -> dict[str, Any]:
        seen.append((asked.version.step, told))
        return said[len(seen) - 1]

    monkeypatch.setattr(module, "ask_person", person)
    with Gateway() as gateway:
        monkeypatch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(systems_file(tmp_path, gateway.url)))
        closed = module.build_legal_case(**ORDERED, root=store)
        assert closed.name == f"cases/legal/cz/{CASE['id']}.yaml"
        assert [step for step, _ in seen] == ["facts", "case", "case", "check"]
        assert ORDER["source"] in seen[0][1]
        assert "nastoupila do knihovny" in changed(seen[2][1], "+")
        assert yaml.safe_load(Path(store, closed.name).read_text())["reviewed_by"] == "Petr Malý"
        asked = len(gateway.asked)
        assert module.build_legal_case(**ORDERED, root=store) == closed
        assert (len(gateway.asked), len(seen)) == (asked, 4)


@pytest.mark.usefixtures("prefect_server")
def test_a_run_that_cannot_wait_says_what_can(store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from flows.build_legal_case import build_legal_case

    with Gateway() as gateway:
        monkeypatch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(systems_file(tmp_path, gateway.url)))
        with pytest.raises(UsageError, match="start it as a run of the deployment `build-legal-case`"):
            build_legal_case(**ORDERED, root=store)


@pytest.mark.slow
def test_a_suspended_run_survives_the_server_and_asks_nobody_twice(store: str, tmp_path: Path) -> None:
    """Suspended, the server stopped and started again, resumed by typed input, to the end; each call stands in the ledger once."""
    with gateway_process() as url:
        server = Server(tmp_path, {"ZKUSEBNA_SYSTEMS_FILE": str(systems_file(tmp_path, url))})
        with server.up():
            run = deploy(server, store)
            assert server.execute(run) == "Suspended"
            assert "Krok 1 ze 3" in server.told(run)
            assert server.answer(run, choice="perhaps", who="Jana Nová") == "REJECT"
            assert server.answer(run, choice="approve") == "REJECT"
            assert server.get(f"/flow_runs/{run}")["state"]["name"] == "Suspended"
        with server.up():
            assert server.answer(run, choice="approve", who="Jana Nová") == "ACCEPT"
            assert server.execute(run) == "Suspended"
            assert "Krok 2 ze 3" in server.told(run)
            assert server.answer(run, choice="change", who="Jana Nová", corrected="question: [") == "ACCEPT"
            assert server.execute(run) == "Suspended"
            assert "it is no YAML" in server.told(run)
            assert server.answer(run, choice="approve", who="Jana Nová") == "ACCEPT"
            assert server.execute(run) == "Suspended"
            assert "Krok 3 ze 3" in server.told(run)
            assert server.answer(run, choice="approve", who="Petr Malý") == "ACCEPT"
            assert server.execute(run) == "Completed"
        with urllib.request.urlopen(f"{url.removesuffix('/v1')}/ledger", timeout=10) as reply:
            ledger = json.load(reply)
    assert (ledger["answered"], ledger["answered_twice"]) == (6, 0)
    case = yaml.safe_load(Path(store, f"cases/legal/cz/{CASE['id']}.yaml").read_text())
    assert (case["state"], case["reviewed_by"]) == ("approved", "Petr Malý")
    decisions = [json.loads(p.read_text()) for p in sorted(Path(store, "drafts").glob("*/*-decision.json"))]
    assert [(d["step"], d["choice"], bool(d["problem"])) for d in decisions] == [
        ("facts", "approve", False), ("case", "change", True), ("case", "approve", False), ("check", "approve", False)
    ]  # fmt: skip
    assert {d["run_id"] for d in decisions} == {run}
