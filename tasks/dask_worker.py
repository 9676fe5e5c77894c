"""The worker's side of stage tasks on Dask: who sent a task, whether this worker may do it, how far it is, whether anybody still waits for it.

A worker is another process, perhaps on another machine: it has to have the same code, secret seed, files and store as the run that sends a
task, or rows would differ without a word. Each task looks before it begins. What a thread would share with its run (progress, the end of
the run) goes through Dask's scheduler.
"""

import functools
import hashlib
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from importlib import import_module
from pathlib import Path
from typing import Any

from distributed import Semaphore, Worker, WorkerPlugin, get_worker

from datasets.store import Store
from schemas.errors import StageError, StoreError, UsageError
from schemas.exchange import Frozen
from tasks.progress import Step, listen
from tasks.settings import Settings, be_quiet

SEND_EVERY_S = 0.25
"""Steps are gathered for so long and told together."""

HOME = Path(__file__).resolve().parent.parent
FOLDERS = ("schemas", "datasets", "grading", "profiles", "tasks", "flows")


class Errand(Frozen):
    """What a task takes along: the topic of its run's progress, its shard, the store and a file in it, what the run was started with."""

    topic: str
    shard: str
    root: str
    sign: str
    standing: dict[str, str]


class Prepared(WorkerPlugin):
    """Has a worker's progress told to the runs that wait for it, and its log lines taken by Prefect; told to the scheduler by every run."""

    name = "zkusebna"

    def setup(self, worker: Worker) -> None:
        """Called by Dask on every worker that is there or comes later; once a worker."""
        be_quiet()
        log = logging.getLogger("zkusebna")
        log.setLevel(logging.INFO)
        if not _HEARD:
            _HEARD.append(worker.address)
            listen(_tell)
            log.addHandler(_Lines())


_HEARD: list[str] = []


class _Work:
    """A task that is being done here."""

    def __init__(self, worker: Worker, topic: str) -> None:
        self.worker, self.topic, self.key = worker, topic, worker.get_current_task()
        self.steps: dict[str, int] = {}
        self.sent = time.monotonic()

    def add(self, step: Step) -> None:
        """Take a step; StageError where the run that sent the task is gone or was cancelled."""
        there = self.worker.state.tasks.get(self.key)
        if there is None or there.state != "executing":
            raise StageError("The run that sent this task to Dask does not wait for it any more.")
        self.steps[step.stage] = self.steps.get(step.stage, 0) + step.items
        if time.monotonic() - self.sent >= SEND_EVERY_S:
            self.send()

    def send(self) -> None:
        """Tell the run of the steps since the last time."""
        self.sent, steps = time.monotonic(), {stage: n for stage, n in self.steps.items() if n}
        self.steps = {}
        if steps:
            self.worker.log_event(self.topic, {"steps": steps})


_WORK: ContextVar[_Work | None] = ContextVar("the Dask task that is done here", default=None)


def _tell(step: Step) -> None:
    if (work := _WORK.get()) is not None:
        work.add(step)


class _Lines(logging.Handler):
    """Lines of our own log, told to the run too: a terminal shows its warnings."""

    def emit(self, record: logging.LogRecord) -> None:
        """Tell of one line."""
        if (work := _WORK.get()) is not None:
            work.worker.log_event(work.topic, {"line": [record.name, record.levelno, record.getMessage()]})


class Guarded:
    """The body of a task as it goes to a Dask worker: looked at before it begins, told of while it works.

    It travels by its name, so that a worker runs what stands in its own module, with that module's locks and limits.
    """

    def __init__(self, module: str, name: str, errand: Errand) -> None:
        self.there, self.errand = (module, name), errand
        self.body = getattr(import_module(module), name).fn
        functools.update_wrapper(self, self.body)

    def __call__(self, *given: Any, **named: Any) -> Any:
        with at_work(self.errand):
            return self.body(*given, **named)

    def __reduce__(self) -> tuple[Any, ...]:
        return Guarded, (*self.there, self.errand)


@contextmanager
def at_work(errand: Errand) -> Iterator[None]:
    """While this lasts, steps of progress are told to the run; UsageError where this worker would make other rows than the run's own process.

    A shard is made by one task at a time: one whose run was cancelled may need a moment to see it, and its journal is not free before.
    """
    worker = get_worker()
    _compare(worker, errand)
    with Semaphore(max_leases=1, name=f"{errand.root} {errand.shard}"):
        work = _Work(worker, errand.topic)
        token = _WORK.set(work)
        try:
            yield
        finally:
            _WORK.reset(token)
            work.send()


def _compare(worker: Worker, errand: Errand) -> None:
    here = standing()
    for name, wanted in errand.standing.items():
        if here[name] != wanted:
            raise UsageError(
                f"The Dask worker {worker.address} has another {name} than the run that sends it tasks; start it with the same."
            )
    try:
        is_there = Store.open(errand.root, create=False).exists(errand.sign)
    except StoreError:
        is_there = False
    if not is_there:
        raise UsageError(
            f"The Dask worker {worker.address} does not see the store of the run at {errand.root!r}; give --store (root) an absolute path"
            " on a file system that all machines share, or a store that all can reach."
        )


def standing() -> dict[str, str]:
    """What rows are made from besides the store: hashes of the code, the secret seed and the files that settings name, by their names."""
    settings = Settings.read()
    return {
        "code": _code(),
        "ZKUSEBNA_PRIVATE_SEED": _slow_hash(settings.private_seed or ""),
        "ZKUSEBNA_SYSTEMS_FILE": _hash(settings.systems_file),
        "ZKUSEBNA_LEGAL_FOLDER": _hash(settings.legal_folder),
        "ZKUSEBNA_ROLEPLAY_FOLDER": _hash(settings.roleplay_folder),
    }


@functools.cache
def _slow_hash(secret: str) -> str:
    """Tells whether two secrets are the same, and nothing more (G-8)."""
    return hashlib.scrypt(secret.encode(), salt=b"zkusebna/dask", n=2**14, r=8, p=1, dklen=16).hex()


@functools.cache
def _code() -> str:
    return hashlib.sha256("".join(_hash(HOME / folder) for folder in FOLDERS).encode()).hexdigest()


def _hash(path: Path | None) -> str:
    """A hash of a file, or of all files of a folder with their names; empty for none."""
    if path is None or not path.exists():
        return ""
    files = sorted(p for p in path.rglob("*") if p.is_file() and "__pycache__" not in p.parts) if path.is_dir() else []
    digest = hashlib.sha256(b"" if files else path.read_bytes() if path.is_file() else b"")
    for file in files:
        digest.update(f"{file.relative_to(path)}\n".encode() + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()
