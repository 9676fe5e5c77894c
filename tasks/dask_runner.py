"""Stage tasks on Dask: one setting (`ZKUSEBNA_RUNNER=dask`), the same tasks, any number of machines.

Shards are made wherever Dask has a free worker. Tasks that ask a provider stay in the run's own process: budget, limits of calls in flight and
waits hold for one process, and asking needs no processor. Without an address a cluster of this machine is started at the first task and
serves all runs of this process.
"""

import atexit
import copy
import copyreg
import logging
import socket
import threading
import uuid
from collections.abc import Iterable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any
from urllib.parse import urlsplit

from distributed import KilledWorker, LocalCluster
from prefect import Flow, Task
from prefect.client.orchestration import get_client
from prefect.futures import PrefectFuture
from prefect.settings import PREFECT_API_URL, temporary_settings
from prefect.task_runners import ThreadPoolTaskRunner
from prefect_dask.client import PrefectDaskClient
from prefect_dask.task_runners import DaskTaskRunner, PrefectDaskFuture

from datasets.store import Store
from schemas.errors import StageError, StoreError, UsageError
from schemas.system import System
from tasks.dask_worker import Errand, Guarded, Prepared, standing
from tasks.progress import advance
from tasks.shards import Shard

WAIT_S = 5.0
"""How long a scheduler may take to answer."""

WORKERS_S = 30.0
"""How long a scheduler may take to have a worker."""

PROGRAMS = frozenset({"rules", "ocr_rules", "recorded", "controls"})
"""Kinds of client that are programs of ours: no provider limits them, they cost the processor and no money."""


class DaskRunner(DaskTaskRunner):
    """Prefect's runner of tasks on Dask with what threads give for nothing: progress, the run's budget, an end with the run.

    given: address of a scheduler; None is a cluster of this machine. workers: its processes, of one thread each; threads for tasks that stay.
    """

    def __init__(self, given: str | None, workers: int) -> None:
        self.given, self.workers = given, workers
        self.topic = f"zkusebna-{uuid.uuid4().hex}"
        self.signs: dict[str, str] = {}
        super().__init__(address=given, client_kwargs={"timeout": WAIT_S})

    def duplicate(self) -> "DaskRunner":
        """A new runner with the same settings, not started."""
        return type(self)(self.given, self.workers)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DaskRunner) and (self.given, self.workers) == (other.given, other.workers)

    __hash__ = None  # type: ignore[assignment]

    def __enter__(self) -> "DaskRunner":
        super().__enter__()  # type: ignore[no-untyped-call]
        self._threads: ThreadPoolTaskRunner[Any] = ThreadPoolTaskRunner(max_workers=self.workers)
        self._exit_stack.enter_context(self._threads)
        self._exit_stack.callback(self._remove_signs)
        return self

    @property
    def client(self) -> PrefectDaskClient:
        """The client, made at the first task; UsageError where the scheduler cannot be reached or has no worker."""
        if self._client is None:
            self.address = self.given or own_cluster(self.workers)
            reach(self.address)
            try:
                client = super().client
                client.wait_for_workers(1, timeout=WORKERS_S)
            except TimeoutError as problem:
                raise UsageError(
                    f"The Dask scheduler at {self.address} has no worker; start one by `dask worker {self.address} --nthreads 1`."
                ) from problem
            except OSError as problem:
                raise unreachable(self.address, problem) from problem
            client.register_plugin(Prepared())
            client.subscribe_topic(self.topic, _told)
        return super().client

    def submit(
        self,
        task: "Task[Any, Any]",
        parameters: dict[str, Any],
        wait_for: Iterable[PrefectFuture[Any]] | None = None,
        dependencies: Any = None,
    ) -> Any:
        """Send a task of shards to Dask, and any other to a thread of this process."""
        shards = shards_of(parameters)
        if not shards or asks_a_provider(parameters):
            return self._threads.submit(task, parameters, wait_for, dependencies)
        sent = copy.copy(task)
        body = Guarded(task.fn.__module__, task.fn.__qualname__, self._errand(task, shards))
        sent.fn = sent.__wrapped__ = body  # type: ignore[attr-defined]
        client = self.client
        with api_for_others():
            future = client.submit(
                sent, parameters=parameters, wait_for=wait_for, dependencies=dependencies, return_type="state"
            )
        return DaskFuture(wrapped_future=future, task_run_id=future.task_run_id)

    def _errand(self, task: "Task[Any, Any]", shards: tuple[Shard, ...]) -> Errand:
        first = shards[0]
        store = Store.open(first.root)
        if first.root not in self.signs:
            self.signs[first.root] = f"signs/{uuid.uuid4().hex}"
            store.put(self.signs[first.root], b"")
        name = f"{task.name} {first.place.folder} {first.key}"
        return Errand(topic=self.topic, shard=name, root=first.root, sign=self.signs[first.root], standing=standing())

    def _remove_signs(self) -> None:
        for root, sign in self.signs.items():
            with suppress(StoreError):
                Store.open(root, create=False).remove(sign)


class DaskFuture(PrefectDaskFuture[Any]):
    """A task on Dask; what becomes of its worker is told in a sentence."""

    def result(self, timeout: float | None = None, raise_on_failure: bool = True) -> Any:
        """What the task returned; an exception in its place where it failed and `raise_on_failure` is not set."""
        try:
            return super().result(timeout, raise_on_failure)
        except KilledWorker as problem:
            told = StageError(
                f"Dask gave the task {self.task_run_id} up: {problem.allowed_failures + 1} workers in a row died with it, the last one at"
                f" {problem.last_worker.address}; look at the log of that worker (memory?)."
            )
        except CancelledError as problem:
            told = StageError(f"The connection to the Dask scheduler was lost ({problem}).")
        if raise_on_failure:
            raise told
        return told


def shards_of(parameters: dict[str, Any]) -> tuple[Shard, ...]:
    """The shards that a task is about: one, a batch of them, or none."""
    for value in parameters.values():
        if isinstance(value, Shard):
            return (value,)
        if isinstance(value, tuple) and value and all(isinstance(v, Shard) for v in value):
            return value
    return ()


def asks_a_provider(parameters: dict[str, Any]) -> bool:
    """Whether a task asks a system or a judge that is no program of ours, so that limits and budget have to hold for all of its calls."""
    return any(isinstance(v, System) and v.client not in PROGRAMS for v in parameters.values())


def _by_name(flow: "Flow[Any, Any]") -> Any:
    """A flow of a module travels by its name; Prefect sends it along with each of its tasks."""
    at = flow.fn.__module__, flow.fn.__qualname__
    if getattr(import_module(at[0]), at[1], None) is flow:
        return _flow, at
    return object.__reduce_ex__(flow, 2)


def _flow(module: str, name: str) -> Any:
    return getattr(import_module(module), name)


copyreg.pickle(Flow, _by_name)


if (
    logging.getLogger("prefect").getEffectiveLevel() > logging.INFO
):  # a terminal, where nobody wants to read of connections
    logging.getLogger("distributed").setLevel(logging.CRITICAL)

_clusters: dict[int, LocalCluster] = {}
_lock = threading.Lock()


def own_cluster(workers: int) -> str:
    """The address of the scheduler of this process, started where there is none yet; it ends with the process."""
    with _lock:
        if workers not in _clusters:
            _clusters[workers] = cluster = LocalCluster(
                n_workers=workers, threads_per_worker=1, host="127.0.0.1", dashboard_address=None, memory_limit=0
            )
            atexit.register(
                cluster.close
            )  # before the embedded server goes, which its workers still tell of their last tasks
        return str(_clusters[workers].scheduler_address)


def reach(address: str) -> None:
    """See that somebody listens at an address like tcp://host:8786; UsageError that says so where nobody does."""
    at = urlsplit(address if "://" in address else f"tcp://{address}")
    try:
        host, port = at.hostname, at.port
    except ValueError:
        host = port = None
    if not host or not port:
        raise UsageError(
            f"ZKUSEBNA_DASK_ADDRESS is {address!r}, but host and port were expected, e.g. tcp://10.0.0.5:8786."
        )
    if at.scheme not in ("tcp", "tls"):
        return
    try:
        socket.create_connection((host, port), timeout=WAIT_S).close()
    except OSError as problem:
        raise unreachable(address, problem) from problem


def unreachable(address: str, problem: Exception) -> UsageError:
    """The sentence on a scheduler that does not answer."""
    why = getattr(problem, "strerror", None) or str(problem).split("\n")[0] or type(problem).__name__
    return UsageError(
        f"The Dask scheduler at {address} cannot be reached ({why}); start it by `dask scheduler`, set ZKUSEBNA_DASK_ADDRESS to where it is,"
        " or unset it: a cluster of this machine is used then."
    )


@contextmanager
def api_for_others() -> Iterator[None]:
    """While this lasts, settings that go to another process name the API of this one, the embedded one too: it would start a server of its own."""
    if PREFECT_API_URL.value():
        yield
        return
    with get_client(sync_client=True) as client:
        url = str(client.api_url)
    with temporary_settings({PREFECT_API_URL: url}):
        yield


def _told(event: tuple[float, dict[str, Any]]) -> None:
    """Take the steps and lines that a worker tells of; `Client.subscribe_topic` says what an event is."""
    said = event[1]
    for stage, items in said.get("steps", {}).items():
        advance(stage, items)
    if "line" in said:
        name, level, words = said["line"]
        logging.getLogger(name).log(level, "%s", words)
