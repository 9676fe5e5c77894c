"""Lines appended to a bucket: safe on the local disk at once, in the bucket at most `FLUSH_S` later (M-4).

An object never grows, so what is appended under one name becomes several objects (`datasets.appending.segment_of`), one a flush. Until it
is sent, a segment stands below `spool/` of the local copy; a run on this machine that is given the store's turn sends what a killed one left
there. So only the loss of the machine itself can lose replies, those of the last `FLUSH_S`.
"""

import os
import threading
import uuid
from collections.abc import Callable
from pathlib import Path

from datasets.appending import base_of, segment_of
from datasets.folders import sync_folder
from schemas.errors import StoreError

FLUSH_S = 1.0
"""At most so long a line is on the local disk alone."""

LARGEST_LOG = 64 * 1024
"""A log is written again with each line until it has so many bytes; then the next object begins."""


class BucketAppending:
    """Lines that go into a bucket segment by segment.

    send: writes an object by name and bytes; spool: folder on the local disk; writer: a word that no other writer of the name has.
    """

    def __init__(self, send: Callable[[str, bytes], None], spool: Path, name: str, writer: str) -> None:
        self._send, self._spool, self._name, self._writer = send, spool, name, writer
        self._guard = threading.Lock()
        self._number, self._lines = 0, bytearray()
        self._timer: threading.Timer | None = None
        self._problem: OSError | StoreError | None = None
        self._is_closed = False

    def write(self, data: bytes) -> None:
        """Keep lines on the local disk, and send them within `FLUSH_S`; OSError where that, or an earlier sending, failed."""
        with self._guard:
            if self._is_closed:
                raise ValueError(f"{self._name} is closed")
            if self._problem is not None:
                problem, self._problem = self._problem, None
                raise problem
            self._keep(data)
            if self._timer is None:
                self._timer = threading.Timer(FLUSH_S, self._flush)
                self._timer.daemon = True
                self._timer.start()

    def close(self) -> None:
        """Send what was not sent; OSError where it cannot be."""
        with self._guard:
            self._is_closed = True
            if self._timer is not None:
                self._timer.cancel()
            self._send_all()

    def _keep(self, data: bytes) -> None:
        file = self._spool / segment_of(self._name, self._writer, self._number)
        is_new = not file.exists()
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("ab") as spooled:
            spooled.write(data)
            spooled.flush()
            os.fsync(spooled.fileno())
        if is_new:
            sync_folder(file.parent)
        self._lines += data

    def _flush(self) -> None:
        with self._guard:
            self._timer = None
            try:
                self._send_all()
            except (OSError, StoreError) as problem:
                self._problem = problem

    def _send_all(self) -> None:
        if not self._lines:
            return
        name = segment_of(self._name, self._writer, self._number)
        self._send(name, bytes(self._lines))
        (self._spool / name).unlink(missing_ok=True)
        self._number, self._lines = self._number + 1, bytearray()


def send_left(send: Callable[[str, bytes], None], spool: Path) -> None:
    """Send what killed writers left in the spool, without a last line that was cut off; safe to repeat.

    Each file goes out under a name of its own: a writer that lives, in a process that needs no turn, may have sent more under the name that the
    file has, and nothing of that may be written over. A line that is sent twice counts once, as calls do.
    """
    for file in sorted(spool.rglob("*.jsonl")) if spool.exists() else ():
        try:
            whole = file.read_bytes()
        except FileNotFoundError:  # its writer lives, and has sent it
            continue
        if lines := whole[: whole.rfind(b"\n") + 1]:
            send(segment_of(base_of(str(file.relative_to(spool))), uuid.uuid4().hex[:12], 0), lines)
        file.unlink(missing_ok=True)


class Logs:
    """Logs in a bucket: each writer has objects of its own, so none writes over another's lines."""

    def __init__(self, send: Callable[[str, bytes], None], writer: str) -> None:
        self._send, self._writer = send, writer
        self._guard = threading.Lock()
        self._open: dict[str, tuple[int, bytes]] = {}

    def note(self, name: str, line: bytes) -> None:
        """Add a line to a log."""
        with self._guard:
            number, lines = self._open.get(name, (0, b""))
            lines += line + b"\n"
            self._send(segment_of(name, self._writer, number), lines)
            self._open[name] = (number, lines) if len(lines) < LARGEST_LOG else (number + 1, b"")
