"""A Dask scheduler and its workers as an operator starts them: processes of their own, one thread each."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
from distributed import Client
from server_support import free_port

from tasks.dask_worker import Errand, at_work
from tasks.progress import advance

ROOT = Path(__file__).parents[1]


class Cluster:
    """A scheduler with two workers; `client` asks it what happened."""

    def __init__(self, folder: Path, environment: dict[str, str], workers: int = 2) -> None:
        ours = os.pathsep.join((str(ROOT), str(ROOT / "tests")))  # functions of this module travel by their name
        self.log, self.environment, self.workers = folder / "dask.log", {**environment, "PYTHONPATH": ours}, workers
        self.address = f"tcp://127.0.0.1:{free_port()}"
        self.processes: list[subprocess.Popen[bytes]] = []

    @contextmanager
    def up(self) -> Iterator["Cluster"]:
        """Start it, wait for its workers, and end it."""
        port = self.address.rsplit(":", 1)[1]
        try:
            self._start("scheduler", "--host", "127.0.0.1", "--port", port, "--no-dashboard")
            for _ in range(self.workers):
                self._start("worker", self.address, "--nthreads", "1", "--no-dashboard", "--memory-limit", "0")
            with self._asking() as self.client:
                self.client.wait_for_workers(self.workers, timeout=180)
                yield self
        finally:
            for process in self.processes:
                for child in psutil.Process(process.pid).children(recursive=True):
                    with suppress(psutil.NoSuchProcess):
                        child.kill()
                process.kill()
                process.wait()

    def _start(self, *words: str) -> None:
        with self.log.open("ab") as log:
            self.processes.append(
                subprocess.Popen(
                    [sys.executable, "-m", "dask", *words], env=self.environment, cwd=ROOT, stdout=log, stderr=log
                )
            )

    def _asking(self) -> Client:
        until = time.monotonic() + 120
        while True:
            try:
                return Client(self.address, set_as_default=False, timeout=2)
            except (OSError, TimeoutError):
                if time.monotonic() > until:
                    raise AssertionError(self.log.read_text(encoding="utf-8")[-3000:]) from None

    def pids(self) -> dict[str, int]:
        """Process ids of the workers by address."""
        return dict(self.client.run(_pid))

    def told_by(self) -> dict[str, int]:
        """How many steps each worker has told of, since the scheduler was started."""
        return dict(self.client.run_on_scheduler(_steps))

    def busy(self) -> list[str]:
        """Addresses of the workers that do something."""
        return [address for address, keys in self.client.run(_doing).items() if keys]


def _pid() -> int:
    return os.getpid()


def _steps(dask_scheduler: Any) -> dict[str, int]:
    found: dict[str, int] = {}
    for topic in dask_scheduler.get_events():
        for _, message in dask_scheduler.get_events(topic) if topic.startswith("zkusebna-") else ():
            found[message["worker"]] = found.get(message["worker"], 0) + sum(message.get("steps", {}).values())
    return found


def _doing(dask_worker: Any) -> list[str]:
    return [str(key) for key in dask_worker.active_threads.values()]


def steps_of(errand: Errand, steps: int, log: str) -> int:
    """A task that takes a tenth of a second a step and writes down when."""
    with at_work(errand):
        for _ in range(steps):
            with Path(log).open("a", encoding="utf-8") as file:
                print(time.time(), file=file)
            time.sleep(0.1)
            advance("t")
    return steps


def attempt(errand: Errand) -> str:
    """What a worker says to an errand; nothing where it takes it."""
    try:
        with at_work(errand):
            return ""
    except Exception as problem:  # noqa: BLE001 - whatever it is, the test reads it
        return str(problem)
