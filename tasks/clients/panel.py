"""`panel`: the rotating panel of the jury, drawn for every check from the pool of jurors; it is asked by a sitting (`tasks/jury.py`)."""

from schemas.errors import UsageError
from schemas.system import System
from tasks.clients import Client


def make(system: System) -> Client:
    """None: its jurors have clients of their own."""
    raise UsageError(f"{system.id!r} is asked by a sitting of the jury, never as one system: `zkusebna jury sit`.")


def missing(system: System) -> str | None:
    """What the pool lacks for a panel (J-1, J-7)."""
    from tasks.panel import why_no_jury  # which asks every juror's client whether it can run

    return why_no_jury()
