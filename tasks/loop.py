"""The one event loop of this process on which all shards ask, so that limits hold for all of them together."""

import asyncio
import contextlib
import gc
import sys
import threading
from collections.abc import Coroutine, Iterator
from typing import Any, TypeVar

T = TypeVar("T")

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


def _turn_on(loop: asyncio.AbstractEventLoop) -> None:
    """Run the loop, also behind a SystemExit, which ends asyncio's own: whoever waits for the work gets it, where it would wait for ever.

    The console of Prefect's logs raises it in a run whose worker was killed, since nobody reads what it writes.
    """
    while not loop.is_closed():
        with contextlib.suppress(SystemExit):
            loop.run_forever()
            break


def _running() -> asyncio.AbstractEventLoop:
    global _loop
    with _lock:
        if _loop is None or _loop.is_closed():
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_turn_on, args=(_loop,), name="asking", daemon=True).start()
        return _loop


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on the loop from any thread but the loop's own, and return its result or raise its exception."""
    future = asyncio.run_coroutine_threadsafe(work, _running())
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


OFTEN = 10_000
"""New objects between two looks of the garbage collector while shards are asked; Python's own 700 are there 5 calls."""

HAND_OVER_S = 0.0005
"""How long a thread may keep the interpreter from another one meanwhile; Python's own 5 ms are there several times in each flush of the journal,
whose thread waits for the loop before it writes and again after every wait for the disk."""

_asking = 0
_before: tuple[tuple[int, int, int], float] = gc.get_threshold(), sys.getswitchinterval()


@contextlib.contextmanager
def favoured() -> Iterator[None]:
    """While this lasts asking goes before the comfort of the rest of the process; at the end all is as before. Threads may be inside together.

    The garbage collector looks at what is made meanwhile, and not at what was there before: Prefect, pandas and Great Expectations leave a
    million objects behind that live as long as the process; going through them again and again took a quarter of the processor time of asking.
    And threads hand over to one another soon, so that replies are on disk soon and their places in flight are free for the next calls.
    """
    global _asking, _before
    with _lock:
        _asking += 1
        if _asking == 1:
            _before = gc.get_threshold(), sys.getswitchinterval()
            gc.freeze()
            gc.set_threshold(OFTEN, *_before[0][1:])
            sys.setswitchinterval(HAND_OVER_S)
    try:
        yield
    finally:
        with _lock:
            _asking -= 1
            if _asking == 0:
                sys.setswitchinterval(_before[1])
                gc.set_threshold(*_before[0])
                gc.unfreeze()
