"""Prefect's server on PostgreSQL: deployed, a worker, one run; and what is told while the database is away or full."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from pipeline_support import assert_sound, run_stages, stable_rows
from postgres_support import Postgres, programs
from server_support import ROOT, Server

pytestmark = pytest.mark.slow

BINS = programs()
NONE = "no PostgreSQL on this machine: `apt-get install postgresql`"


@pytest.fixture(scope="module")
def database() -> Iterator[Postgres]:
    if BINS is None:
        pytest.skip(NONE)
    with Postgres(BINS).up() as one:
        yield one


@pytest.fixture(scope="module")
def server(database: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    one = Server(tmp_path_factory.mktemp("server"), {"ZKUSEBNA_PRIVATE_SEED": "the same for all"})
    one.environment["PREFECT_API_DATABASE_CONNECTION_URL"] = database.url
    one.environment["PREFECT_CLIENT_MAX_RETRIES"] = "0"
    with one.up():
        yield one


def zkusebna(server: Server, *words: str) -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-m", "flows.cli", *words],
        env=server.environment, cwd=ROOT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


def test_a_run_of_a_deployment_is_green(
    database: Postgres, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From an empty database to a finished run by a worker of the pool; rows are those of the stages without Prefect."""
    store = str(tmp_path / "store")
    code, out, err = zkusebna(server, "deploy", "--store", store)
    assert code == 0, err
    assert "evaluate" in out
    worker = [sys.executable, "-m", "prefect", "worker", "start", "--pool", "zkusebna", "--run-once"]
    (deployment,) = [d["id"] for d in server.post("/deployments/filter", {}) if d["name"] == "evaluate"]
    order = {"root": store, "suite": "invoices", "systems": ["rules"], "seed": 7, "size": 4, "levels": ["text"]}
    run = server.post(f"/deployments/{deployment}/create_flow_run", {"parameters": order})["id"]
    done = subprocess.run(worker, env=server.environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert server.get(f"/flow_runs/{run}")["state"]["type"] == "COMPLETED", done.stdout[-3000:] + done.stderr[-3000:]
    assert_sound(store)
    monkeypatch.setenv("ZKUSEBNA_PRIVATE_SEED", "the same for all")
    run_stages(str(tmp_path / "by_hand"), "invoices", ["rules"], 4, ("text",), seed=7)
    assert stable_rows(store) == stable_rows(tmp_path / "by_hand")
    assert database.ask("select state_type from flow_run where name like 'evaluate%'") == "COMPLETED"


def test_a_database_that_is_away_is_told(database: Postgres, server: Server, tmp_path: Path) -> None:
    """By `doctor` and by `deploy`, in a sentence each; when it is back, so is everything."""
    database.stop()
    try:
        told = json.loads(zkusebna(server, "doctor", "--json", "--store", str(tmp_path / "store"))[1])
        code, _, err = zkusebna(server, "deploy", "--store", str(tmp_path / "store"))
    finally:
        database.start()
    (found,) = [f for f in told if f["name"] == "database"]
    assert found["state"] == "broken"  # by /ready where no connection is left, by an answer of 5xx where one is tried
    assert (
        "answers, but its database does not." in found["told"]
        or "its database is full, locked or away" in found["told"]
    )
    assert code == 1
    assert len(err.splitlines()) == 1
    assert "its database is full, locked or away" in err
    until = time.monotonic() + 60
    while zkusebna(server, "deploy", "--store", str(tmp_path / "store"))[0]:
        assert time.monotonic() < until


@pytest.mark.parametrize("fault", ["full", "locked"])
def test_a_sqlite_database_that_is_full_or_locked_is_told(fault: str, tmp_path: Path) -> None:
    """A server whose file may not grow any more, or which another program holds: `deploy` says so and can be repeated."""
    server = Server(tmp_path, {"PREFECT_CLIENT_MAX_RETRIES": "0", "PREFECT_SERVER_DATABASE_TIMEOUT": "1"})
    server.environment["ZKUSEBNA_STORE"] = str(tmp_path / "store")
    file, hold = tmp_path / "prefect.db", ""
    with server.up():
        if fault == "full":  # no file of the server may grow beyond a page any more
            pid = _pid_of(server)
            subprocess.run(["prlimit", "--fsize=4096:", "--pid", pid], check=True)
        else:
            hold = "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute('BEGIN EXCLUSIVE'); print(1, flush=True); sys.stdin.read()"
        holder = subprocess.Popen(
            [sys.executable, "-c", hold or "import sys; print(1, flush=True); sys.stdin.read()", str(file)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )  # fmt: skip
        assert holder.stdout is not None
        holder.stdout.readline()
        try:
            code, _, err = zkusebna(server, "deploy")
        finally:
            holder.communicate(b"")
        assert (code, len(err.splitlines())) == (1, 1), err
        assert "its database is full, locked or away" in err
        if fault == "full":
            subprocess.run(["prlimit", "--fsize=unlimited:", "--pid", pid], check=True)
        server.environment.pop("PREFECT_CLIENT_MAX_RETRIES")
        code, _, err = zkusebna(server, "deploy")
        assert code == 0, err


def _pid_of(server: Server) -> str:
    """The process that listens at the server's port."""
    import psutil

    (found,) = {
        c.pid for c in psutil.net_connections("tcp") if c.status == "LISTEN" and c.laddr and c.laddr.port == server.port
    }
    return str(found)
