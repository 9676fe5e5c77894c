"""How tasks run side by side: threads of this process, as many as `ZKUSEBNA_WORKERS` says, or workers of Dask (`ZKUSEBNA_RUNNER`)."""

import contextlib
import logging
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import prefect.flow_engine
from prefect import Task, unmapped
from prefect.futures import PrefectFuture
from prefect.task_runners import TaskRunner, ThreadPoolTaskRunner

from tasks.database import see_database, see_server
from tasks.progress import begin
from tasks.runners import chosen_runner
from tasks.settings import Settings, has_server, variables
from tasks.shards import Plan, Shard
from tasks.shown_progress import shown

logging.getLogger("zkusebna").setLevel(
    logging.INFO
)  # for the logs of runs; Prefect sends them (`tasks.settings.QUIET`)

prefect.flow_engine._send_heartbeats = partial(prefect.flow_engine._send_heartbeats, join_on_exit=False)
"""The end of a flow does not wait for the thread of its heartbeats, which sleeps whole seconds: half a second a flow on average, five flows a suite.
It sees by itself that the run has ended, and Prefect (3.9) does the same for flows that are coroutines; it has no setting for it."""


def task_runner() -> TaskRunner[Any]:
    """The task runner of a flow; UsageError for a runner that there is none of, or whose package is not installed."""
    settings = Settings.read()
    if chosen_runner(settings) == "threads":
        return ThreadPoolTaskRunner(max_workers=settings.workers)
    from tasks.dask_runner import DaskRunner

    return DaskRunner(settings.dask_address, settings.workers)


def reach_runner() -> None:
    """See at once that tasks can run where the settings say; UsageError where nobody answers at the address of Dask's scheduler."""
    if (address := Settings.read().dask_address) and chosen_runner(Settings.read()) == "dask":
        from tasks.dask_runner import reach

        reach(address)


def start(
    task: Task[Any, Any], plan: Plan, batches: Sequence[tuple[Shard, ...]] | None = None, **fixed: Any
) -> list[PrefectFuture[Any]]:
    """Start a task for every missing shard of a plan, or for every batch of them; `fixed` arguments are the same for all."""
    if not plan.missing:
        return []
    begin(task.name, sum(s.size for s in plan.missing))
    same: dict[str, Any] = {name: unmapped(value) for name, value in fixed.items()}
    return list(task.map(list(plan.missing if batches is None else batches), **same))


def gather(started: Sequence[Sequence[PrefectFuture[Any]]], about: str = "") -> list[list[Any]]:
    """What the started tasks returned, by plan; an exception stands in the place of a result.

    about: what they work on, for the progress that Prefect's UI shows, where there is a server to show it.
    """
    is_seen = has_server() and any(started)
    with shown(about) if is_seen else contextlib.nullcontext():
        return [[future.result(raise_on_failure=False) for future in futures] for futures in started]


@contextlib.contextmanager
def embedded() -> Iterator[None]:
    """While this lasts, flows that run in this process with a server of their own send no heartbeats: nobody there listens for them.

    With an API of its own (`PREFECT_API_URL`) nothing changes. UsageError where nobody answers there, or where the embedded server could not write to
    its database.
    """
    from prefect.settings import PREFECT_FLOWS_HEARTBEAT_FREQUENCY, temporary_settings

    if variables(["PREFECT_API_URL"]):
        see_server()
        yield
        return
    see_database()
    with temporary_settings({PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}):
        yield
