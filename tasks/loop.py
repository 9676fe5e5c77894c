"""The one event loop of this process on which all shards ask, so that limits hold for all of them together."""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


def _running() -> asyncio.AbstractEventLoop:
    global _loop
    with _lock:
        if _loop is None or _loop.is_closed():
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="asking", daemon=True).start()
        return _loop


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on the loop from any thread but the loop's own, and return its result or raise its exception."""
    future = asyncio.run_coroutine_threadsafe(work, _running())
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise
