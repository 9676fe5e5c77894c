"""A Prefect server of its own with runs of `build_legal_case`, for tests of what outlives a process."""

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

import yaml
from draft_support import ORDER

ROOT = Path(__file__).parents[1]
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


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """A Prefect server in a process of its own, on a SQLite file that outlives it, and the processes of its runs."""

    extra: tuple[str, ...] = ("--no-ui",)

    def __init__(self, folder: Path, settings: dict[str, str]) -> None:
        self.port, self.log = free_port(), folder / "server.log"
        self.environment = {
            **os.environ,
            **settings,
            "PREFECT_HOME": str(folder / "prefect"),
            "PREFECT_API_DATABASE_CONNECTION_URL": f"sqlite+aiosqlite:///{folder / 'prefect.db'}",
            "PREFECT_API_URL": f"http://127.0.0.1:{self.port}/api",
            "PREFECT_LOGGING_LEVEL": "INFO",
            "PREFECT_SERVER_SERVICES_TRIGGERS_ENABLED": "true",  # the tests themselves switch automations off
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
            *self.extra,
        ]
        with self.log.open("ab") as log:
            self.process = process = subprocess.Popen(command, env=self.environment, cwd=ROOT, stdout=log, stderr=log)
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
        """The Markdown at the head of the form of a suspended run."""
        keys = self.get(f"/flow_runs/{run}")["state"]["state_details"]["run_input_keyset"]
        schema = self.get(f"/flow_runs/{run}/input/{keys['schema']}")
        return str(schema["properties"]["choice"]["description"])


def deploy(server: Server, store: str, pool: str | None = None) -> str:
    """The deployment of prefect.yaml, and one run of it, for the workers of a pool where one is named; the id of the run."""
    (entry,) = [
        d for d in yaml.safe_load((ROOT / "prefect.yaml").read_text())["deployments"] if d["name"] == "build-legal-case"
    ]
    flow = server.post("/flows/", {"name": "build_legal_case"})["id"]
    about = {"name": entry["name"], "flow_id": flow, "entrypoint": entry["entrypoint"], "path": str(ROOT)}
    deployment = server.post("/deployments/", about | ({"work_pool_name": pool} if pool else {}))["id"]
    run: str = server.post(f"/deployments/{deployment}/create_flow_run", {"parameters": {**ORDERED, "root": store}})[
        "id"
    ]
    return run
