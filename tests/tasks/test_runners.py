"""Which runner the settings choose, and what is told where they cannot be kept."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from prefect.task_runners import ThreadPoolTaskRunner
from server_support import free_port

from datasets.tables import Place
from flows.runner import task_runner
from schemas.errors import UsageError
from tasks.choose import find_system
from tasks.dask_runner import DaskRunner, asks_a_provider, reach, shards_of
from tasks.runners import chosen_runner
from tasks.settings import Settings
from tasks.shards import Shard

COMMAND = str(Path(sys.executable).with_name("zkusebna"))


def test_threads_are_the_default_and_dask_is_one_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZKUSEBNA_WORKERS", "3")
    monkeypatch.delenv("ZKUSEBNA_RUNNER", raising=False)
    assert isinstance(task_runner(), ThreadPoolTaskRunner)
    monkeypatch.setenv("ZKUSEBNA_RUNNER", "dask")
    monkeypatch.setenv("ZKUSEBNA_DASK_ADDRESS", "tcp://10.0.0.5:8786")
    runner = task_runner()
    assert isinstance(runner, DaskRunner)
    assert (runner.given, runner.workers) == ("tcp://10.0.0.5:8786", 3)
    assert runner.duplicate() == runner
    assert runner != DaskRunner(None, 3)


def test_a_wrong_word_is_told_with_the_nearest_right_one() -> None:
    with pytest.raises(
        UsageError, match=r"^Unknown runner 'desk' in ZKUSEBNA_RUNNER; did you mean 'dask'\? Known: dask, threads\.$"
    ):
        chosen_runner(Settings(runner="desk"))
    with pytest.raises(UsageError, match="ZKUSEBNA_DASK_ADDRESS is set, but ZKUSEBNA_RUNNER is 'threads'"):
        chosen_runner(Settings(dask_address="tcp://h:1"))


def test_a_package_that_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", [])
    monkeypatch.setattr(sys, "path_importer_cache", {})
    monkeypatch.delitem(sys.modules, "prefect_dask")
    with pytest.raises(UsageError, match=r"prefect-dask is not installed; `pip install -e '\.\[dask\]'`"):
        chosen_runner(Settings(runner="dask"))


@pytest.mark.parametrize("address", ["tcp://", "tcp://host", "10.0.0.5", "tcp://host:abc", "nonsense"])
def test_an_address_that_is_none_is_told(address: str) -> None:
    with pytest.raises(UsageError, match=r"but host and port were expected, e\.g\. tcp://10\.0\.0\.5:8786"):
        reach(address)


def test_a_scheduler_that_cannot_be_reached_is_told_by_the_command(tmp_path: Path) -> None:
    """In one sentence, before anything is begun: no store is made, and no server is started."""
    address = f"tcp://127.0.0.1:{free_port()}"
    settings = {
        **os.environ,
        "ZKUSEBNA_RUNNER": "dask",
        "ZKUSEBNA_DASK_ADDRESS": address,
        "PREFECT_HOME": str(tmp_path / "home"),
    }
    words = ["run", "--suites", "invoices", "--systems", "rules", "--size", "10", "--store", str(tmp_path / "store")]
    done = subprocess.run([COMMAND, *words], env=settings, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith(
        f"zkusebna: The Dask scheduler at {address} cannot be reached (Connection refused); start it by"
    )
    assert not (tmp_path / "store" / "editions").exists()


def test_only_tasks_of_shards_that_ask_no_provider_go_to_dask() -> None:
    shard = Shard(root="r", place=Place(suite="invoices", edition="e"), number=0, key="k")
    assert shards_of({"shard": shard, "pass_name": "atomic"}) == (shard,)
    assert shards_of({"shards": (shard, shard), "system": None}) == (shard, shard)
    assert shards_of({"sitting": "s", "budget_usd": None}) == ()
    rules = find_system("rules")
    assert not asks_a_provider({"shards": (shard,), "system": rules})
    for client in ("openai", "openrouter", "local", "command", "service", "scripted", "panel"):
        assert asks_a_provider({"shards": (shard,), "system": rules.model_copy(update={"client": client})})
