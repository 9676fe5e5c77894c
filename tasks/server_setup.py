"""What `zkusebna deploy` puts on a Prefect server: work pool, deployments of `prefect.yaml`, automations; as often as wanted."""

import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from schemas.errors import StageError, UsageError, nearest
from schemas.exchange import Frozen
from tasks.database import SERVER_AT_FAULT, see_server, told_of_answer
from tasks.runners import chosen_runner
from tasks.settings import Settings, environment, unknown_settings

if TYPE_CHECKING:
    from uuid import UUID

    from prefect.client.orchestration import SyncPrefectClient

HOME = Path(__file__).resolve().parent.parent
"""The folder of the project, where `prefect.yaml` stands and a worker is started."""

POOL, POOL_TYPE = "zkusebna", "process"

RUNS_AT_ONCE = 4
"""How many runs a new pool starts side by side; each brings `ZKUSEBNA_WORKERS` tasks."""


class Deployed(Frozen):
    """What stands on the server now: its address, the pool's limit, names of deployments and of automations, what notifies."""

    url: str
    at_once: int | None
    deployments: tuple[str, ...]
    automations: tuple[str, ...]
    notified_by: str


def deploy(store: str, at_once: int | None = None) -> Deployed:
    """Set up the server that `PREFECT_API_URL` names, or set it up again: what is there already is brought up to date.

    store: path of the store that runs use unless they say another; at_once: runs of the pool side by side, by default what it has.
    A schedule or an automation that an operator switched off stays off. UsageError for a server that cannot be reached, a pool of another
    type, an unknown setting, a runner that there is none of or a notification block that is not there; StageError where Prefect refuses the
    deployments or its database fails it.
    """
    import httpx
    from prefect.exceptions import PrefectHTTPStatusError
    from prefect.settings import PREFECT_API_URL

    if unknown := unknown_settings():
        known = {f"ZKUSEBNA_{name.upper()}" for name in Settings.model_fields}
        raise UsageError(f"Unknown setting {unknown[0]!r} in the environment{nearest(unknown[0], known)}")
    chosen_runner(Settings.read())
    if not (url := str(PREFECT_API_URL.value() or "")):
        raise UsageError(
            "No Prefect server is named; start one by `prefect server start` and set PREFECT_API_URL, e.g. to http://127.0.0.1:4200/api."
        )
    try:
        return _set_up(url, store, at_once)
    except PrefectHTTPStatusError as problem:
        if (status := problem.response.status_code) < SERVER_AT_FAULT:
            raise
        raise StageError(told_of_answer(url, f"answers with HTTP {status}")) from problem
    except httpx.TransportError as problem:
        raise StageError(told_of_answer(url, f"stopped answering ({type(problem).__name__})")) from problem


def _set_up(url: str, store: str, at_once: int | None) -> Deployed:
    from prefect.client.orchestration import get_client

    with get_client(sync_client=True) as client:
        see_server(client)
        block = notification_block(client, Settings.read().notify)
        limit = _ensure_pool(client, at_once)
        _register(url, store)
        return Deployed(
            url=url,
            at_once=limit,
            deployments=names_of_deployments(),
            automations=_ensure_automations(client, block),
            notified_by=Settings.read().notify or "",
        )


def names_of_deployments() -> tuple[str, ...]:
    """The deployments of `prefect.yaml`."""
    told = yaml.safe_load((HOME / "prefect.yaml").read_text(encoding="utf-8"))
    return tuple(d["name"] for d in told["deployments"])


def notification_block(client: "SyncPrefectClient", name: str | None) -> "UUID | None":
    """The id of the block `type/name` by which automations notify; None where no name is given. UsageError for one that is not there."""
    if not name:
        return None
    from prefect.exceptions import ObjectNotFound

    kind, _, document = name.partition("/")
    try:
        return client.read_block_document_by_name(document, kind).id
    except ObjectNotFound as problem:
        there = [
            f"{b.block_type.slug}/{b.name}"
            for b in client.read_block_documents()
            if b.name and b.block_type and "notify" in (b.block_schema.capabilities if b.block_schema else ())
        ]
        raise UsageError(
            f"The notification block {name!r} of ZKUSEBNA_NOTIFY is not on the server{nearest(name, there)}"
            " Make it in the UI under Blocks, and name it as type/name, e.g. custom-webhook/ops."
        ) from problem


def _ensure_pool(client: "SyncPrefectClient", at_once: int | None) -> int | None:
    """Make the work pool, or set its limit where one is given; its limit then."""
    from prefect.client.schemas.actions import WorkPoolCreate, WorkPoolUpdate
    from prefect.exceptions import ObjectNotFound

    try:
        pool = client.read_work_pool(POOL)
    except ObjectNotFound:
        new = WorkPoolCreate(name=POOL, type=POOL_TYPE, concurrency_limit=at_once or RUNS_AT_ONCE)
        return client.create_work_pool(new).concurrency_limit
    if pool.type != POOL_TYPE:
        raise UsageError(
            f"The work pool {POOL!r} is there with the type {pool.type!r}, but {POOL_TYPE!r} was expected;"
            f" delete it by `prefect work-pool delete {POOL}` and run `zkusebna deploy` again."
        )
    if at_once is None or at_once == pool.concurrency_limit:
        return pool.concurrency_limit
    client.update_work_pool(POOL, WorkPoolUpdate(concurrency_limit=at_once))
    return at_once


def _register(url: str, store: str) -> None:
    """Register all deployments by Prefect's own command, which reads `prefect.yaml`."""
    done = subprocess.run(
        [sys.executable, "-m", "prefect", "--no-prompt", "deploy", "--all"],
        cwd=HOME,
        env=environment(ZKUSEBNA_HOME=str(HOME), ZKUSEBNA_STORE=store),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        told = " ".join((done.stderr or done.stdout).split())[-400:]
        if answer := re.search(r"Server error '(5\d\d)", told):
            raise StageError(told_of_answer(url, f"answers with HTTP {answer[1]}"))
        raise StageError(f"Prefect refused the deployments of prefect.yaml: {told}")


def _ensure_automations(client: "SyncPrefectClient", block: "UUID | None") -> tuple[str, ...]:
    """Make each automation, or bring the one of its name up to date; whether it is on stays as the operator left it."""
    from tasks.automations import automations

    wanted = automations(block)
    for automation in wanted:
        there = [a for a in client.read_automations_by_name(automation.name) if a.name == automation.name]
        if not there:
            client.create_automation(automation)
            continue
        same: dict[str, Any] = {"enabled": there[0].enabled}
        client.update_automation(there[0].id, automation.model_copy(update=same))
    return tuple(a.name for a in wanted)
