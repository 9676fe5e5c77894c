"""Stage tasks on Dask: a scheduler with two workers of one thread; rows are those of threads, whatever dies on the way."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
import yaml
from dask_support import Cluster, attempt, steps_of
from distributed import Client
from pipeline_support import assert_sound, stable_rows

from datasets.store import Store
from tasks.dask_worker import Errand, Prepared, standing

pytestmark = pytest.mark.slow

COMMAND = str(Path(sys.executable).with_name("zkusebna"))
SUITES = ["--suites", "invoices", "--systems", "rules,echo", "--size", "66", "--seed", "7", "--levels", "text"]
"""Two shards, tasks that go to Dask and tasks that stay."""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A secret and a home of our own, and a system that is no program of ours: what it is asked stays in the run's process."""
    folder = tmp_path_factory.mktemp("home")
    echo: dict[str, Any] = {
        "id": "echo", "name": "echo", "vendor": "t", "family": "t", "client": "scripted", "suites": [], "inputs": ["text"],
        "options": {"replies": ["{}"], "cost_usd": "0.001", "log": str(folder / "asked.log")}, "limits": {"max_cost_usd": "0.001"},
        "default": False,
    }  # fmt: skip
    (folder / "systems.yaml").write_text(yaml.safe_dump([echo]), encoding="utf-8")
    ours = {"PREFECT_HOME": str(folder), "ZKUSEBNA_PRIVATE_SEED": "the same for all", "COLUMNS": "200"}
    return {
        **os.environ,
        **ours,
        "ZKUSEBNA_SYSTEMS_FILE": str(folder / "systems.yaml"),
        "LOG": str(folder / "asked.log"),
    }


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]) -> Iterator[Cluster]:
    with Cluster(tmp_path_factory.mktemp("dask"), environment).up() as found:
        yield found


def far(cluster: Cluster, environment: dict[str, str]) -> dict[str, str]:
    return {**environment, "ZKUSEBNA_RUNNER": "dask", "ZKUSEBNA_DASK_ADDRESS": cluster.address}


def run(folder: Path, settings: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    command = [COMMAND, "run", *SUITES, "--store", str(folder / "store"), *words]
    return subprocess.run(command, env=settings, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def by_threads(tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]) -> tuple[Path, str]:
    """The store of the same run on threads, and what it printed."""
    folder = tmp_path_factory.mktemp("threads")
    done = run(folder, environment, "--budget", "2")
    assert done.returncode == 0, done.stderr
    return folder / "store", done.stdout


def counted(printed: str) -> list[str]:
    """The ends of the bars, and what was made."""
    bars = [
        " ".join((words := line.split())[:2] + [w for w in words if "/" in w])
        for line in printed.splitlines()
        if "━" in line
    ]
    return [*bars, *(line for line in printed.splitlines() if line.startswith("Made anew"))]


def test_a_run_on_two_workers_equals_one_on_threads(
    cluster: Cluster, by_threads: tuple[Path, str], environment: dict[str, str], tmp_path: Path
) -> None:
    """Rows, bars and counts are the same; both workers did something; what a provider is asked was asked by the run itself, once."""
    store, printed = by_threads
    log = Path(environment["LOG"])
    log.unlink()
    done = run(tmp_path, far(cluster, environment), "--budget", "2")
    assert done.returncode == 0, done.stderr
    assert_sound(tmp_path / "store")
    assert stable_rows(tmp_path / "store") == stable_rows(store)
    assert counted(done.stdout) == counted(printed)
    told = cluster.told_by()
    assert set(told) == set(cluster.pids())
    assert all(told.values())
    asked = log.read_text().split()
    assert len(asked) == len(set(asked))
    left = [p for p in (tmp_path / "store").rglob("*") if p.is_file() and p.parent.name in ("tmp", "signs")]
    assert not left


def test_a_worker_that_dies_costs_time_and_nothing_else(
    cluster: Cluster, by_threads: tuple[Path, str], environment: dict[str, str], tmp_path: Path
) -> None:
    """Its shard is made by another one; its nanny brings a new one."""
    before = cluster.pids()
    going = start(tmp_path, far(cluster, environment))
    os.kill(before[wait_for(cluster.busy, going)[0]], signal.SIGKILL)
    out, err = going.communicate(timeout=900)
    assert going.returncode == 0, out + err
    assert_sound(tmp_path / "store")
    assert stable_rows(tmp_path / "store") == stable_rows(by_threads[0])
    cluster.client.wait_for_workers(2, timeout=120)
    assert set(cluster.pids().values()) != set(before.values())


def test_workers_stop_when_their_run_does(
    cluster: Cluster, by_threads: tuple[Path, str], environment: dict[str, str], tmp_path: Path
) -> None:
    """A run that was killed, then one that was cancelled, leave workers that are free within moments; the next run does the rest."""
    for how in (signal.SIGKILL, signal.SIGTERM):
        going = start(tmp_path, far(cluster, environment))
        wait_for(cluster.busy, going)
        orphans = psutil.Process(going.pid).children(recursive=True)
        going.send_signal(how)
        going.wait(120)
        wait_for(lambda: not cluster.busy())
        for orphan in orphans:  # the embedded server of a killed run lives on
            if orphan.is_running():
                orphan.kill()
        assert not stable_rows(tmp_path / "store")["tendencies"]
    done = run(tmp_path, far(cluster, environment))
    assert done.returncode == 0, done.stderr
    assert_sound(tmp_path / "store")
    assert stable_rows(tmp_path / "store") == stable_rows(by_threads[0])


def start(folder: Path, settings: dict[str, str]) -> "subprocess.Popen[str]":
    command = [COMMAND, "run", *SUITES, "--store", str(folder / "store")]
    return subprocess.Popen(
        command, env=settings, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def wait_for(happened: Any, going: "subprocess.Popen[str] | None" = None) -> Any:
    """What a question is answered with when it is no longer nothing; `going` has to run meanwhile."""
    until = time.monotonic() + 900
    while not (answer := happened()):
        assert time.monotonic() < until
        assert going is None or going.poll() is None, going.communicate()
        time.sleep(0.05)
    return answer


def test_a_worker_that_would_make_other_rows_refuses(
    cluster: Cluster, errand: Errand, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another secret seed, another file of systems, other code, a store that it does not see: each is one sentence, and nothing is made."""
    assert told(cluster, errand) == ""
    for name in errand.standing:
        wrong = errand.model_copy(update={"standing": {**errand.standing, name: "another"}})
        assert f"has another {name} than the run that sends it tasks; start it with the same." in told(cluster, wrong)
    monkeypatch.setenv("ZKUSEBNA_PRIVATE_SEED", "another one")
    assert "another ZKUSEBNA_PRIVATE_SEED" in told(cluster, errand.model_copy(update={"standing": standing()}))
    elsewhere = errand.model_copy(update={"root": str(tmp_path / "elsewhere")})
    assert "does not see the store of the run at" in told(cluster, elsewhere)
    assert not (tmp_path / "elsewhere").exists()
    Store.open(tmp_path / "other")
    assert "does not see the store" in told(cluster, errand.model_copy(update={"root": str(tmp_path / "other")}))


@pytest.fixture
def errand(environment: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Errand:
    """What a task of this process takes along."""
    for name in ("ZKUSEBNA_PRIVATE_SEED", "ZKUSEBNA_SYSTEMS_FILE"):
        monkeypatch.setenv(name, environment[name])
    store = Store.open(tmp_path / "store")
    store.put("tmp/sign", b"")
    return Errand(topic="t", shard=str(tmp_path), root=str(store.root), sign="tmp/sign", standing=standing())


def test_a_task_that_nobody_waits_for_stops_at_its_next_step(cluster: Cluster, errand: Errand, tmp_path: Path) -> None:
    """Its client is gone, as when a run is killed; the shard is free for the next one, which ends."""
    log = tmp_path / "steps.log"
    with Client(cluster.address, set_as_default=False) as other:
        other.register_plugin(Prepared())
        gone = other.submit(steps_of, errand, 3000, str(log), pure=False)
        wait_for(log.exists)
        assert gone.status == "pending"
    wait_for(lambda: not cluster.busy())
    before = len(log.read_text().split())
    assert before < 3000
    assert cluster.client.submit(steps_of, errand, 3, str(log), pure=False).result(timeout=300) == 3
    assert len(log.read_text().split()) == before + 3


def test_a_shard_is_made_by_one_task_at_a_time_also_after_a_death(
    cluster: Cluster, errand: Errand, tmp_path: Path
) -> None:
    """Two tasks of a shard on two workers go one after the other; a worker that dies leaves its shard to another one."""
    logs = [tmp_path / f"{n}.log" for n in range(3)]
    futures = [cluster.client.submit(steps_of, errand, 30, str(log), pure=False) for log in logs[:2]]
    assert [f.result(timeout=300) for f in futures] == [30, 30]
    first, second = sorted([float(t) for t in log.read_text().split()] for log in logs[:2])
    assert first[-1] <= second[0]
    dying = cluster.client.submit(steps_of, errand, 100, str(logs[2]), pure=False)
    wait_for(logs[2].exists)
    os.kill(cluster.pids()[wait_for(cluster.busy)[0]], signal.SIGKILL)
    assert dying.result(timeout=300) == 100
    assert len(logs[2].read_text().split()) > 100


def told(cluster: Cluster, errand: Errand) -> str:
    return str(cluster.client.submit(attempt, errand, pure=False).result(timeout=120))
