"""What a person sees while a stage works: whoever listens in this process is told of totals and steps.

The command line listens with its bars; under a worker nobody does, and nothing is sent anywhere.
"""

import threading
from collections.abc import Callable
from typing import Literal

from schemas.exchange import Frozen


class Step(Frozen):
    """A stage begins with a total, or goes on by a number of items."""

    kind: Literal["begin", "advance"]
    stage: str
    items: int


_listeners: list[Callable[[Step], None]] = []
_lock = threading.Lock()


def listen(listener: Callable[[Step], None]) -> None:
    """Have every step of this process told to a function; it is called from worker threads, one at a time."""
    _listeners.append(listener)


def begin(stage: str, items: int) -> None:
    """Say that a stage has so many items to do."""
    _tell(Step(kind="begin", stage=stage, items=items))


def advance(stage: str, items: int = 1) -> None:
    """Say that a stage has done so many items more."""
    _tell(Step(kind="advance", stage=stage, items=items))


def _tell(step: Step) -> None:
    with _lock:
        for listener in _listeners:
            listener(step)
