"""All of it at once, without containers: server on PostgreSQL, a worker, a Dask scheduler with two workers, the store in a bucket."""

import subprocess
import sys
from pathlib import Path

import pytest
from bucket_support import Bucket
from dask_support import Cluster
from pipeline_support import run_stages, stable_rows
from postgres_support import Postgres, programs
from server_support import ROOT, Server

pytestmark = pytest.mark.slow

SUITES = {"invoices": ["rules"], "emails": ["rules", "ocr-rules"]}
SECRET = "the same for all"


def test_a_deployment_over_many_machines_ends_as_a_run_on_one(
    bucket: Bucket, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows are equal in all columns that are not volatile; both Dask workers did something; a second run makes nothing anew."""
    bins = programs()
    if bins is None:
        pytest.skip("no PostgreSQL on this machine: `apt-get install postgresql`")
    monkeypatch.setenv("ZKUSEBNA_PRIVATE_SEED", SECRET)
    for suite, systems in SUITES.items():
        run_stages(str(tmp_path / "one"), suite, systems, 66, ("text",) if suite == "invoices" else ())
    with Postgres(bins).up() as database:
        server = Server(tmp_path, {"ZKUSEBNA_PRIVATE_SEED": SECRET, "ZKUSEBNA_STORE": bucket.address})
        server.environment["PREFECT_API_DATABASE_CONNECTION_URL"] = database.url
        with server.up(), Cluster(tmp_path, server.environment).up() as cluster:
            server.environment |= {"ZKUSEBNA_RUNNER": "dask", "ZKUSEBNA_DASK_ADDRESS": cluster.address}
            deploy = [sys.executable, "-m", "flows.cli", "deploy"]
            subprocess.run(deploy, env=server.environment, cwd=ROOT, check=True, capture_output=True)
            for suite, systems in SUITES.items():
                levels = {"levels": ["text"]} if suite == "invoices" else {}
                order = {"suite": suite, "systems": systems, "seed": 7, "size": 66, **levels}
                assert _ended(server, order) == "COMPLETED"
            assert stable_rows(bucket.address) == stable_rows(tmp_path / "one")
            assert set(cluster.told_by()) == set(cluster.pids())
            before = bucket.names("tables/")
            assert _ended(server, order) == "COMPLETED"
            assert bucket.names("tables/") == before
        assert (
            database.ask("select count(*) from flow_run where state_type = 'COMPLETED' and name like 'evaluate%'")
            == "3"
        )


def _ended(server: Server, order: dict[str, object]) -> str:
    """The state in which a run of the deployment `evaluate` ends, done by a worker of the pool."""
    (deployment,) = [d["id"] for d in server.post("/deployments/filter", {}) if d["name"] == "evaluate"]
    run = server.post(f"/deployments/{deployment}/create_flow_run", {"parameters": order})["id"]
    worker = [sys.executable, "-m", "prefect", "worker", "start", "--pool", "zkusebna", "--run-once"]
    done = subprocess.run(worker, env=server.environment, cwd=ROOT, capture_output=True, text=True, check=False)
    state: str = server.get(f"/flow_runs/{run}")["state"]["type"]
    assert state == "COMPLETED", done.stdout[-3000:] + done.stderr[-3000:]
    return state
