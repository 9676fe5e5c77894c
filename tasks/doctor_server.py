"""The orchestration as `zkusebna doctor` sees it: Prefect's server, its pool and worker where one is set, else the embedded one; the clocks."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from schemas.finding import Finding
from tasks.database import SERVER_AT_FAULT, told_of_answer, why_unusable

if TYPE_CHECKING:
    import httpx

POOL = "zkusebna"
MOST_APART_S = 30.0
"""The server's clock and this one's: beyond, heartbeats and schedules go wrong."""
_SECONDS = 10.0
_MEND_DATABASE = (
    "Start the database that the server's PREFECT_API_DATABASE_CONNECTION_URL names, give it room, end what locks it."
)
_DEPLOYMENTS = Path(__file__).resolve().parent.parent / "prefect.yaml"


def look_at_server() -> list[Finding]:
    """Prefect's server, where a run on this machine would use one: reachable, of this version, its clock, pool, worker and deployments."""
    import httpx
    from prefect.settings import get_current_settings

    url = get_current_settings().api.url
    if not url:
        return [_embedded()]
    key = get_current_settings().api.key
    headers = {"Authorization": f"Bearer {key.get_secret_value()}"} if key else {}
    try:
        with httpx.Client(base_url=str(url).rstrip("/"), headers=headers, timeout=_SECONDS) as api:
            reply = api.get("/admin/version")
            reply.raise_for_status()
            return [_version(str(url), reply.json()), *_database(api, str(url)), _clocks(reply), *_workers(api)]
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as problem:
        if isinstance(problem, httpx.HTTPStatusError) and problem.response.status_code >= SERVER_AT_FAULT:
            told = told_of_answer(str(url), f"answers with HTTP {problem.response.status_code}")
            return [Finding(name="database", state="broken", told=told, mend=_MEND_DATABASE)]
        told = f"Prefect's server at {url} does not answer as one: {type(problem).__name__}: {problem}."
        mend = "Start it (`prefect server start`), mend PREFECT_API_URL, or unset it: runs then bring a server of their own."
        return [Finding(name="server", state="broken", told=told, mend=mend)]


def _embedded() -> Finding:
    """Without a server each run starts one: its folder and its database have to be writable."""
    if why := why_unusable():
        told = f"No PREFECT_API_URL is set, and the embedded server cannot {why}."
        mend = "Make room, end what holds it, make it writable, or name another folder in PREFECT_HOME."
        return Finding(name="server", state="broken", told=told, mend=mend)
    told = f"No PREFECT_API_URL is set: each run brings a server of its own (Prefect {version('prefect')})."
    return Finding(name="server", state="ok", told=told)


def _version(url: str, told: Any) -> Finding:
    ours = version("prefect")
    if str(told) == ours:
        return Finding(name="server", state="ok", told=f"Prefect {ours} answers at {url}.")
    mend = "Give server and workers the same version of Prefect, the server first."
    return Finding(
        name="server", state="note", told=f"The server at {url} has Prefect {told}, this machine {ours}.", mend=mend
    )


def _database(api: "httpx.Client", url: str) -> list[Finding]:
    """Whether the server's own database answers it; a server that does not say is left alone."""
    if api.get("/ready").status_code != HTTPStatus.SERVICE_UNAVAILABLE:
        return []
    told = f"The server at {url} answers, but its database does not."
    return [Finding(name="database", state="broken", told=told, mend=_MEND_DATABASE)]


def _clocks(reply: "httpx.Response") -> Finding:
    date = reply.headers.get("Date")
    if date is None:
        return Finding(name="clock", state="note", told="The server tells no time.", mend="Compare the clocks by hand.")
    apart = (datetime.now(UTC) - parsedate_to_datetime(date)).total_seconds()
    if abs(apart) <= MOST_APART_S:
        return Finding(name="clock", state="ok", told=f"Within {MOST_APART_S:.0f} s of the server's.")
    told = f"This machine is {abs(apart):,.0f} s {'ahead of' if apart > 0 else 'behind'} the server."
    return Finding(name="clock", state="broken", told=told, mend="Set both clocks, e.g. `timedatectl set-ntp true`.")


def _workers(api: "httpx.Client") -> list[Finding]:
    pool = api.get(f"/work_pools/{POOL}")
    if pool.status_code == 404:
        mend = "`zkusebna deploy`"
        return [Finding(name="worker", state="broken", told=f"The server has no work pool {POOL!r}.", mend=mend)]
    pool.raise_for_status()
    if pool.json()["is_paused"]:
        return [
            Finding(
                name="worker",
                state="broken",
                told=f"The work pool {POOL!r} is paused.",
                mend=f"`prefect work-pool resume {POOL}`",
            )
        ]
    workers = api.post(f"/work_pools/{POOL}/workers/filter", json={})
    workers.raise_for_status()
    online = [w["name"] for w in workers.json() if w["status"] == "ONLINE"]
    found = [
        Finding(name="worker", state="ok", told=f"{len(online)} online in the pool {POOL!r}.")
        if online
        else Finding(
            name="worker",
            state="broken",
            told=f"No worker is online in the pool {POOL!r}: runs stay scheduled.",
            mend=f"`prefect worker start --pool {POOL}`",
        )
    ]
    return [*found, _deployments(api)]


def _deployments(api: "httpx.Client") -> Finding:
    reply = api.post("/deployments/filter", json={"limit": 200})
    reply.raise_for_status()
    wanted = {d["name"] for d in yaml.safe_load(_DEPLOYMENTS.read_text(encoding="utf-8"))["deployments"]}
    lacking = sorted(wanted - {d["name"] for d in reply.json()})
    if lacking:
        told = f"Not deployed: {', '.join(lacking)}."
        return Finding(name="deployments", state="note", told=told, mend="`zkusebna deploy`")
    return Finding(name="deployments", state="ok", told=f"All {len(wanted)} of prefect.yaml are there.")
