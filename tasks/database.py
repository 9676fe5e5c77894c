"""Prefect's server and its database as a run sees them: whether they can be used, and the sentence where they cannot."""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from schemas.errors import StageError, UsageError

if TYPE_CHECKING:
    from prefect.client.orchestration import SyncPrefectClient

WAIT_S = 5.0
"""How long another run's embedded server may hold the file; it holds it for milliseconds."""

PROBE_BYTES = 1 << 20
"""What has to fit on the disk for a run's records."""

SERVER_AT_FAULT = 500


def why_unusable() -> str | None:
    """Why the embedded server cannot keep its records: the clause of a sentence; None where it can.

    Its folder has to be writable with room for a megabyte, its SQLite file free to be written. Another kind of database is left to the server.
    """
    from prefect.settings import get_current_settings
    from sqlalchemy.engine import make_url

    settings = get_current_settings()
    probe = settings.home / ".zkusebna-probe"
    try:
        settings.home.mkdir(parents=True, exist_ok=True)
        with contextlib.ExitStack() as end:
            end.callback(probe.unlink, missing_ok=True)
            probe.write_bytes(b"\0" * PROBE_BYTES)
    except OSError as problem:
        return f"keep its records in {settings.home}: {problem.strerror}"
    given = settings.server.database.connection_url
    url = make_url(given.get_secret_value()) if given else None
    if url is None or url.get_backend_name() != "sqlite" or url.database in (None, "", ":memory:"):
        return None
    return _why_not(Path(str(url.database)))


def _why_not(file: Path) -> str | None:
    if not file.exists():
        return None
    try:
        with contextlib.closing(sqlite3.connect(file, timeout=WAIT_S, isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")
            database.execute("ROLLBACK")
    except sqlite3.Error as problem:
        return f"write to its database {file}: {problem}"
    return None


def see_database() -> None:
    """UsageError where the embedded server could not start for its database; it would be waited for three minutes first."""
    if why := why_unusable():
        raise UsageError(
            f"The embedded Prefect server cannot {why}; make room, end what holds it, or name another folder in PREFECT_HOME."
        )


def told_of_answer(url: str, what: str) -> str:
    """The sentence on a server that answers with an error of its own, or not at all; what: what it does."""
    return (
        f"The Prefect server at {url} {what}: its database is full, locked or away; look at the server's log, make"
        " room or start the database, then do the same again."
    )


def see_server(client: "SyncPrefectClient | None" = None) -> None:
    """UsageError where nobody answers at the address of the server (`PREFECT_API_URL`)."""
    from prefect.client.orchestration import get_client

    with contextlib.nullcontext(client) if client else get_client(sync_client=True) as asked:
        if problem := asked.api_healthcheck():
            raise UsageError(
                f"The Prefect server at {_address()} cannot be reached ({str(problem) or type(problem).__name__});"
                " start it by `prefect server start`, or set PREFECT_API_URL to where it is."
            )


@contextlib.contextmanager
def server_at_hand() -> Iterator[None]:
    """What is begun in here needs the server (`PREFECT_API_URL`): StageError with a sentence where it goes away; other errors stay what they are."""
    import httpx

    try:
        yield
    except (httpx.TransportError, RuntimeError) as problem:
        if not _is_of_server(problem):
            raise
        raise StageError(_gone(type(problem).__name__)) from problem


def _is_of_server(problem: Exception) -> bool:
    """Whether an error tells that Prefect's server does not answer: one of a request to it, or of Prefect's engine that cannot begin a flow."""
    import httpx

    if not (address := _address()):
        return False
    if isinstance(problem, httpx.TransportError):
        try:
            return str(problem.request.url).startswith(address)
        except RuntimeError:  # httpx: an error that belongs to no request
            return False
    return str(problem).startswith("Failed to reach API")


def _gone(why: str) -> str:
    return (
        f"The Prefect server at {_address()} went away during the run ({why}); what was done stays in the store. Start the server and press Retry,"
        " or give the same command again."
    )


def _address() -> str:
    from prefect.settings import PREFECT_API_URL

    return str(PREFECT_API_URL.value() or "")
