"""`zkusebna deploy` against a real, empty Prefect server: in one go, and again; what the UI makes forms of; bad input."""

import http.server
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from server_support import ROOT, Server, free_port

NAMES = {d["name"] for d in yaml.safe_load((ROOT / "prefect.yaml").read_text(encoding="utf-8"))["deployments"]}
AUTOMATIONS = {"mark a lost run", "mark a run that did not start", "tell of a failed run", "tell of a regression"}


def command(environment: dict[str, str], *words: str, name: str = "deploy") -> tuple[int, str, str]:
    """`zkusebna deploy`, or another command, as a process: exit code, standard output, standard error."""
    told = subprocess.run(
        [sys.executable, "-m", "flows.cli", name, *words],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return told.returncode, told.stdout, told.stderr


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    one = Server(tmp_path_factory.mktemp("server"), {})
    with one.up():
        yield one


def state(server: Server) -> dict[str, Any]:
    """What stands on the server, without when it was written: what two deployments in a row have to agree on."""
    deployments = {
        d["name"]: {
            "root": d["parameters"].get("root"),
            "limit": d["global_concurrency_limit"]["limit"] if d["global_concurrency_limit"] else None,
            "schedules": [(s["slug"], s["schedule"], s["active"]) for s in d["schedules"]],
            "id": d["id"],
        }
        for d in server.post("/deployments/filter", {})
    }
    automations = {a["name"]: (a["id"], a["enabled"], a["actions"]) for a in server.post("/automations/filter", {})}
    pool = server.get("/work_pools/zkusebna")
    return {"deployments": deployments, "automations": automations, "pool": (pool["type"], pool["concurrency_limit"])}


def patch(server: Server, path: str, body: dict[str, Any]) -> None:
    httpx.patch(f"{server.environment['PREFECT_API_URL']}{path}", json=body, timeout=120).raise_for_status()


def test_an_empty_server_is_set_up_in_one_go_and_again(server: Server, tmp_path: Path) -> None:
    """Pool, deployments, limits, automations; a second time changes nothing, not even what an operator switched off."""
    store = str(tmp_path / "store")
    code, out, err = command(server.environment, "--store", store)
    assert (code, err) == (0, "")
    assert "not sent anywhere" in out
    first = state(server)
    assert first["pool"] == ("process", 4)
    assert set(first["deployments"]) == NAMES
    assert {d["root"] for d in first["deployments"].values()} == {store}
    assert {name for name, d in first["deployments"].items() if d["limit"] != 1} == {"build-legal-case"}
    ((_, schedule, active),) = first["deployments"]["nightly"]["schedules"]
    assert (schedule["cron"], schedule["timezone"], active) == ("0 2 * * *", "Europe/Prague", True)
    assert set(first["automations"]) == {f"zkusebna: {name}" for name in AUTOMATIONS}

    nightly = first["deployments"]["nightly"]["id"]
    (slot,) = server.get(f"/deployments/{nightly}")["schedules"]
    patch(server, f"/deployments/{nightly}/schedules/{slot['id']}", {"active": False})
    lost = first["automations"]["zkusebna: mark a lost run"][0]
    patch(server, f"/automations/{lost}", {"enabled": False})
    changed = state(server)
    assert changed != first
    assert command(server.environment, "--store", store)[0] == 0
    assert state(server) == changed
    assert command(server.environment, "--store", store, "--at-once", "2")[0] == 0
    assert state(server)["pool"] == ("process", 2)


def test_every_parameter_is_explained_in_the_form(server: Server) -> None:
    """The schema that the server hands to the UI: each field has a title and a description, each choice a default or is required."""
    for deployment in server.post("/deployments/filter", {}):
        schema = deployment["parameter_openapi_schema"]
        for name, field in schema["properties"].items():
            assert field.get("title"), (deployment["name"], name)
            assert len(field.get("description", "")) > 8, (deployment["name"], name)
            assert "default" in field or name in schema["required"], (deployment["name"], name)
        assert deployment["description"]


class Inbox:
    """Who is notified: a web server on loopback that keeps what was posted to it."""

    def __enter__(self) -> "Inbox":
        told: list[str] = []

        class Listener(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                told.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
                self.send_response(200)
                self.end_headers()

            def log_message(self, *words: object) -> None:
                pass

        self.told = told
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Listener)
        self.url = f"http://127.0.0.1:{self._server.server_port}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def wait(self, words: str) -> str:
        """The message that holds some words; fails after two minutes."""
        until = time.monotonic() + 120
        while time.monotonic() < until:
            for message in self.told:
                if words in message:
                    return message
            time.sleep(0.3)
        raise AssertionError(self.told)


REGRESSION = """
from prefect.events import emit_event
row = {"suite": "invoices", "system": "acme", "what": "field total", "metric": "accuracy", "before": 0.9, "now": 0.4}
emit_event("zkusebna.regression", resource={"prefect.resource.id": "zkusebna.run.r7"}, payload={"regressions": [row]})
"""

BLOCK = """
from prefect.blocks.notifications import CustomWebhookNotificationBlock as Webhook
Webhook(name="ops", url="{url}", json_data={{"text": "{{{{subject}}}} | {{{{body}}}}"}}).save("ops")
"""


def test_a_block_of_the_operator_is_told_of_failures_and_regressions(server: Server, tmp_path: Path) -> None:
    """A run that fails, and the event of a regression, arrive at a listener; no network is needed for one on this machine."""
    settings = {**server.environment, "ZKUSEBNA_NOTIFY": "custom-webhook/ops"}
    store = ["--store", str(tmp_path / "store")]
    code, _, err = command(settings, *store)
    assert code == 2
    assert "'custom-webhook/ops' of ZKUSEBNA_NOTIFY is not on the server" in err
    with Inbox() as inbox:
        run(server, BLOCK.format(url=inbox.url))
        code, _, err = command({**settings, "ZKUSEBNA_NOTIFY": "custom-webhook/opz"}, *store)
        assert (code, "did you mean 'custom-webhook/ops'?" in err) == (2, True)
        assert command(settings, *store)[0] == 0
        (grade,) = [d["id"] for d in server.post("/deployments/filter", {}) if d["name"] == "grade"]
        asked = {"parameters": {"root": store[1], "suite": "invoices", "edition": "none", "systems": ["rules"]}}
        failing = server.post(f"/deployments/{grade}/create_flow_run", asked)["id"]
        subprocess.run(
            [sys.executable, "-m", "prefect.engine", failing], env=server.environment, cwd=ROOT, capture_output=True, check=False
        )  # fmt: skip
        message = inbox.wait("grade invoices none rules")
        assert "Failed" in message
        assert f"/runs/flow-run/{failing}" in message
        run(server, REGRESSION)
        assert "invoices acme: accuracy of field total from 0.9 to 0.4" in inbox.wait("decisively worse")


def run(server: Server, code: str) -> None:
    subprocess.run([sys.executable, "-c", code], env=server.environment, cwd=ROOT, check=True)


def test_a_server_that_cannot_be_reached_is_told(tmp_path: Path) -> None:
    away = f"http://127.0.0.1:{free_port()}/api"
    code, _, err = command({**os.environ, "PREFECT_API_URL": away, "PREFECT_HOME": str(tmp_path)})
    assert code == 2
    assert err.startswith(f"zkusebna: The Prefect server at {away} cannot be reached")
    assert "prefect server start" in err
    assert len(err.splitlines()) == 1


def test_a_run_whose_server_cannot_be_reached_is_told_before_anything_is_done(tmp_path: Path) -> None:
    away = f"http://127.0.0.1:{free_port()}/api"
    store = ("--store", str(tmp_path / "store"))
    words = ("--suites", "invoices", "--size", "2", "--levels", "text", "--systems", "rules", *store)
    code, _, err = command({**os.environ, "PREFECT_API_URL": away, "PREFECT_HOME": str(tmp_path)}, *words, name="run")
    assert code == 2
    assert err.startswith(f"zkusebna: The Prefect server at {away} cannot be reached")
    assert len(err.splitlines()) == 1
    assert not list((tmp_path / "store").glob("tables/**/*.parquet"))


def test_no_server_and_an_unknown_setting_are_told(tmp_path: Path) -> None:
    environment = {**os.environ, "PREFECT_HOME": str(tmp_path)}
    assert "No Prefect server is named" in command(environment)[2]
    code, _, err = command({**environment, "ZKUSEBNA_WORKER": "3"})
    assert (code, len(err.splitlines())) == (2, 1)
    assert "Unknown setting 'ZKUSEBNA_WORKER' in the environment; did you mean 'ZKUSEBNA_WORKERS'?" in err


def test_a_pool_of_another_type_is_told_and_stays(tmp_path: Path) -> None:
    server = Server(tmp_path, {})
    with server.up():
        server.post("/work_pools/", {"name": "zkusebna", "type": "kubernetes"})
        code, _, err = command(server.environment)
        assert code == 2
        assert "'zkusebna' is there with the type 'kubernetes', but 'process' was expected" in err
        assert len(err.splitlines()) == 1
        assert server.post("/deployments/filter", {}) == []
