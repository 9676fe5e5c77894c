"""Server, worker and provider of an operator: what tests of mornings and of kills share."""

import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psutil
import yaml
from gateway_scenarios import Asked, Told, refuse
from gateway_stub import Gateway
from ui_support import ENDED, RETRY, Shown

SYSTEM: dict[str, Any] = {
    "id": "acme", "name": "Acme", "vendor": "acme", "family": "acme", "client": "openai", "suites": [], "inputs": ["text"],
    "default": False,
}  # fmt: skip


class Provider(Gateway):
    """A gateway that can be down: from the n-th answer on it says 503 until it is mended."""

    def __init__(self) -> None:
        super().__init__()
        self.answers_left: int | None = None
        good = self.server._decide

        def decide(asked: Asked) -> Told:
            if self.answers_left is None:
                return good(asked)
            self.answers_left -= 1
            return good(asked) if self.answers_left >= 0 else refuse(503, "Service Unavailable")

        self.server._decide = decide  # type: ignore[method-assign]

    def begin(self, *, answers_left: int | None = None, latency_s: float = 0.0) -> None:
        """A new scenario with an empty ledger."""
        self.reset()
        self.answers_left, self.server.latency_s = answers_left, latency_s

    def mend(self) -> None:
        """Answer quickly from now on."""
        self.answers_left, self.server.latency_s = None, 0.0

    @property
    def ledger(self) -> dict[str, Any]:
        return self.server.ledger.shown()


def wait(is_so: Callable[[], bool], what: str, seconds: float = 300) -> None:
    """Wait until something is so, five minutes at most; processes start slowly on a busy machine."""
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until, what
        time.sleep(0.2)


class House:
    """A server that is set up by `zkusebna deploy`, its worker, and one system behind a provider; at_once: calls in flight at most."""

    def __init__(self, folder: Path, provider: Provider, stack: ExitStack, at_once: int = 1) -> None:
        options = {"url": provider.url, "model": "stub/ok"}
        entry = {**SYSTEM, "options": options, "limits": {"seconds": 60, "at_once": at_once}}
        file = folder / "systems.yaml"
        file.write_text(yaml.safe_dump([entry]), encoding="utf-8")
        self.folder, self.provider, self.store = folder, provider, str(folder / "store")
        settings = {"ZKUSEBNA_SYSTEMS_FILE": str(file), "ZKUSEBNA_PRIVATE_SEED": "of the test"}
        self.server = Shown(folder, {**settings, "PREFECT_WORKER_QUERY_SECONDS": "2"})
        self._up, self._at_work = stack.enter_context(ExitStack()), stack.enter_context(ExitStack())
        self._up.enter_context(self.server.up())
        self.server.run("flows.cli", "deploy", "--store", self.store)
        self.deployments = {d["name"]: d["id"] for d in self.server.post("/deployments/filter", {})}
        for name in ("nightly", "jury"):
            self.server.post(f"/deployments/{self.deployments[name]}/pause_deployment", {})

    def restart(self, *, killed: bool = False) -> None:
        """Stop the server, or kill it, and start it again on the same database, while the worker and its run go on."""
        if killed:
            kill(psutil.Process(self.server.process.pid))
        self._up.close()
        self._up.enter_context(self.server.up())

    def hire(self) -> None:
        """Start a worker; the one before, if there is one, is gone or goes now."""
        self._at_work.close()
        self.worker = self._at_work.enter_context(self.server.worker())

    def order(self, seed: int, suite: str = "invoices", size: int = 2, **more: Any) -> str:
        """A run of `evaluate` over texts, two of each language; its id. A seed of its own makes requests that are no other scenario's."""
        cheap = {"levels": ["text"]} if suite == "invoices" else {}
        given = {"suite": suite, "systems": ["acme"], "size": size, "seed": seed, **cheap, **more}
        path = f"/deployments/{self.deployments['evaluate']}/create_flow_run"
        return str(self.server.post(path, {"parameters": given})["id"])

    def run(self, run: str) -> dict[str, Any]:
        return dict(self.server.get(f"/flow_runs/{run}"))

    def retry(self, run: str) -> None:
        """What the button Retry sends."""
        self.server.post(f"/flow_runs/{run}/set_state", RETRY)

    def process(self, run: str) -> psutil.Process | None:
        """The process that does a run, if one is alive."""
        for process in psutil.process_iter():
            try:
                if process.environ().get("PREFECT__FLOW_RUN_ID") == run and process.status() != psutil.STATUS_ZOMBIE:
                    return process
            except psutil.Error:
                continue
        return None

    def alive(self) -> list[str]:
        """Runs that are said to go on, stages inside runs among them."""
        runs = self.server.post("/flow_runs/filter", {})
        return [f"{r['name']} {r['state']['name']}" for r in runs if r["state"]["type"] not in (*ENDED, "SCHEDULED")]

    def artifacts(self) -> dict[str, Any]:
        return {a["key"]: a for a in self.server.post("/artifacts/latest/filter", {})}


def kill(process: psutil.Process, *, with_children: bool = True) -> None:
    """SIGKILL, for children too."""
    for each in [*(process.children(recursive=True) if with_children else []), process]:
        try:
            each.kill()
        except psutil.NoSuchProcess:
            continue
    process.wait(30)
