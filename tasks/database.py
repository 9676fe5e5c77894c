"""Prefect's database as a run sees it: the file of the embedded server, and what a server's answers say of its own."""

import contextlib
import sqlite3
from pathlib import Path

from sqlalchemy.engine import make_url

from schemas.errors import UsageError

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
