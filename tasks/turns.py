"""One writing run a store: a command says at once that another one is writing, a deployment's run waits for its turn.

A run that is inside a turn already (a stage of `nightly`, a flow that a command started) takes no second one. The lock goes with its process,
so what a dead one left is no obstacle.
"""

import contextlib
import functools
import inspect
import logging
import time
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import ParamSpec, TypeVar

from datasets.compaction import mend_all
from datasets.store import Store
from schemas.errors import StoreError
from tasks.database import server_at_hand

P = ParamSpec("P")
R = TypeVar("R")

LOG = logging.getLogger("zkusebna.turns")

LONGEST_WAIT_S = 12 * 3600.0
"""After this a run that waits gives up: what it waits for is not a run any more that somebody would call normal."""
LOOK_EVERY_S = 5.0

_HELD: ContextVar[frozenset[str]] = ContextVar("roots whose lock this run holds", default=frozenset())


@contextlib.contextmanager
def writing(root: str, *, create: bool = True, wait_s: float = 0.0) -> Iterator[Store]:
    """The store of a run, locked against a second one; what a killed run left half-written is swept away or ended.

    wait_s: how long to wait for another run to end; StoreError where it has not ended by then.
    """
    store = Store.open(root, create=create)
    with contextlib.ExitStack() as held:
        _wait(store, held, wait_s)
        token = _HELD.set(_HELD.get() | {store.address})
        try:
            store.sweep()
            mend_all(store)
            yield store
        finally:
            _HELD.reset(token)


def _wait(store: Store, held: contextlib.ExitStack, wait_s: float) -> None:
    until, is_told = time.monotonic() + wait_s, False
    while True:
        try:
            held.enter_context(store.locked())
            return
        except StoreError:
            if time.monotonic() >= until:
                raise
        if not is_told:
            LOG.warning("another run is writing to the store; this one waits for it to end")
            is_told = True
        time.sleep(min(LOOK_EVERY_S, max(0.0, until - time.monotonic())))


@contextlib.contextmanager
def turn(root: str) -> Iterator[None]:
    """The turn of a run at a store: it waits for another one to end, at most 12 hours (StoreError), unless it has the turn already."""
    if Store.open(root).address in _HELD.get():
        yield
        return
    with writing(root, wait_s=LONGEST_WAIT_S):
        yield


def in_turn(body: Callable[P, R]) -> Callable[P, R]:
    """Have the whole body of a flow with the parameter `root` stand in a `turn`, and tell a server that goes away meanwhile in a sentence."""
    told = inspect.signature(body)

    @functools.wraps(body)
    def waiting(*given: P.args, **named: P.kwargs) -> R:
        bound = told.bind(*given, **named)
        bound.apply_defaults()
        with turn(str(bound.arguments["root"])), server_at_hand():
            return body(*given, **named)

    return waiting
