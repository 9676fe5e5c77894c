"""Runs a program of somebody else's within limits: of time, of output, and of what it leaves behind.

A protocol of our own stands on asyncio's transport: with its streams, waiting for a program never ends where nobody reads what is
left in a pipe, or where a process that the program has set free holds one open (tried).
"""

import asyncio
import contextlib
import os
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

MOST_BYTES = 1_000_000
"""Of what a program prints; what is longer is cut off there, and the program ended."""
_TAIL_BYTES = 4096
_SECONDS_FOR_THE_REST = 1.0
"""After the end of a program, for what still stands in its pipes."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended: its exit code (minus the signal), what it printed, the end of its errors, and whether it printed too much."""

    code: int
    printed: bytes
    errors: bytes
    is_cut: bool


class _Watch(asyncio.SubprocessProtocol):
    """Collects what a program prints, and knows when it has ended."""

    def __init__(self) -> None:
        self.printed, self.errors = bytearray(), b""
        self.is_over, self.has_exited, self.is_read = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._open = {1, 2}

    @property
    def is_cut(self) -> bool:
        """Whether more was printed than is kept."""
        return len(self.printed) > MOST_BYTES

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Keep the beginning of the output (one byte over the limit) and the end of the errors."""
        if fd == 2:
            self.errors = (self.errors + data)[-_TAIL_BYTES:]
            return
        self.printed += data[: MOST_BYTES + 1 - len(self.printed)]
        if self.is_cut:
            self.is_over.set()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """A pipe has been read to its end."""
        self._open.discard(fd)
        if not self._open:
            self.is_read.set()

    def process_exited(self) -> None:
        """The program itself has ended; others may still hold its pipes."""
        self.has_exited.set()
        self.is_over.set()


async def run_within(words: Sequence[str], folder: Path, env: Mapping[str, str], given: bytes, seconds: float) -> Ended:
    """Run a program in a folder with exactly this environment; it and all of its process group are gone afterwards.

    words: program and arguments. given: its standard input. TimeoutError after so many seconds; OSError or ValueError where it
    cannot be started at all.
    """
    loop = asyncio.get_running_loop()
    transport, watch = await loop.subprocess_exec(_Watch, *words, cwd=folder, env=env, start_new_session=True)
    group = transport.get_pid()
    try:
        async with asyncio.timeout(seconds):
            entrance = transport.get_pipe_transport(0)
            assert isinstance(entrance, asyncio.WriteTransport)
            entrance.write(given)
            entrance.close()  # once all is written; a program need not read it
            await watch.is_over.wait()
    finally:
        _end(group)
        await watch.has_exited.wait()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(watch.is_read.wait(), _SECONDS_FOR_THE_REST)
        transport.close()
    printed = bytes(watch.printed[:MOST_BYTES])
    return Ended(transport.get_returncode() or 0, printed, watch.errors, watch.is_cut)


def _end(group: int) -> None:
    """End a program and all that it has started in its process group."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)
