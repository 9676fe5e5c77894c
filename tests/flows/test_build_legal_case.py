"""The flow that makes a case of law: a suspended run holds no process, survives the server, and asks neither model nor person twice (L-4)."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml
from draft_support import CASE, ORDER, WISHED
from gateway_stub import Gateway, gateway_process

from schemas.drafts import ToDecide
from schemas.errors import UsageError

ROOT = Path(__file__).parents[2]
ORDERED = {**ORDER, "system": "drafter"}


def systems_file(folder: Path, url: str) -> Path:
    """A file with one drafting model behind a gateway."""
    entry = {
        "id": "drafter",
        "name": "d",
        "vendor": "v",
        "family": "f",
        "client": "openai",
        "suites": [],
        "inputs": ["text"],
    }
    entry |= {"options": {"url": url, "model": "stub/draft"}, "limits": {"seconds": 20, "at_once": 4}, "default": False}
    file = folder / "systems.yaml"
    file.write_text(yaml.safe_dump([entry]), encoding="utf-8")
    return file


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
        assert f"+  {WISHED}" in seen[2][1]
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


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """A Prefect server in a process of its own, on a SQLite file that outlives it, and the processes of its runs."""

    def __init__(self, folder: Path, settings: dict[str, str]) -> None:
        self.port, self.log = free_port(), folder / "server.log"
        self.environment = {
            **os.environ,
            **settings,
            "PREFECT_HOME": str(folder / "prefect"),
            "PREFECT_API_DATABASE_CONNECTION_URL": f"sqlite+aiosqlite:///{folder / 'prefect.db'}",
            "PREFECT_API_URL": f"http://127.0.0.1:{self.port}/api",
            "PREFECT_LOGGING_LEVEL": "INFO",
        }

    @contextmanager
    def up(self) -> Iterator[None]:
        """Start the server, and stop it at the end as an operator does."""
        command = [
            sys.executable,
            "-m",
            "prefect",
            "server",
            "start",
            "--host",
            "127.0.0.1",
            "--port",
            str(self.port),
            "--no-ui",
        ]
        with self.log.open("ab") as log:
            process = subprocess.Popen(command, env=self.environment, cwd=ROOT, stdout=log, stderr=log)
        try:
            self._wait(process)
            yield
        finally:
            process.terminate()
            process.wait(60)

    def _wait(self, process: "subprocess.Popen[bytes]") -> None:
        until = time.monotonic() + 180
        while time.monotonic() < until and process.poll() is None:
            try:
                urllib.request.urlopen(f"{self.environment['PREFECT_API_URL']}/health", timeout=2).close()
                return
            except (urllib.error.URLError, OSError):
                time.sleep(0.2)
        raise AssertionError(self.log.read_text(encoding="utf-8")[-2000:])

    def post(self, path: str, body: Any) -> Any:
        """Ask the API."""
        return self._ask(path, json.dumps(body).encode())

    def get(self, path: str) -> Any:
        """Read from the API."""
        return self._ask(path, None)

    def _ask(self, path: str, data: bytes | None) -> Any:
        request = urllib.request.Request(
            f"{self.environment['PREFECT_API_URL']}{path}", data, {"Content-Type": "application/json"}
        )
        while True:
            try:
                with urllib.request.urlopen(request, timeout=120) as reply:
                    return json.load(reply)
            except urllib.error.HTTPError as problem:
                if problem.code != 503:  # SQLite is busy: ask again, as Prefect's own client does
                    raise

    def execute(self, run: str) -> str:
        """What a worker does with a scheduled run: a process of its own; returns the run's state when that process has ended."""
        done = subprocess.run(
            [sys.executable, "-m", "prefect.engine", run],
            env=self.environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        return str(self.get(f"/flow_runs/{run}")["state"]["name"])

    def answer(self, run: str, **given: str) -> str:
        """Resume with typed input, as the form of the UI does; the status that the server gives back."""
        return str(self.post(f"/flow_runs/{run}/resume", {"run_input": given})["status"])

    def told(self, run: str) -> str:
        """The Markdown above the form of a suspended run."""
        keys = self.get(f"/flow_runs/{run}")["state"]["state_details"]["run_input_keyset"]
        return str(self.get(f"/flow_runs/{run}/input/{keys['description']}"))


def deploy(server: Server, store: str) -> str:
    """The deployment of prefect.yaml, and one run of it; the id of the run."""
    (entry,) = [
        d for d in yaml.safe_load((ROOT / "prefect.yaml").read_text())["deployments"] if d["name"] == "build-legal-case"
    ]
    flow = server.post("/flows/", {"name": "build_legal_case"})["id"]
    deployment = server.post(
        "/deployments/", {"name": entry["name"], "flow_id": flow, "entrypoint": entry["entrypoint"], "path": str(ROOT)}
    )["id"]
    run: str = server.post(f"/deployments/{deployment}/create_flow_run", {"parameters": {**ORDERED, "root": store}})[
        "id"
    ]
    return run


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
