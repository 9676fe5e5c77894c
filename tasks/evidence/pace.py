"""How many trials run side by side, and when the next may start: many at a time make shots late, and a start costs more than all else (A-1).

Starts keep apart, so that trials do not take their shots, and use their pages, all at the same moments. A trial whose shots came late lowers
the number that may run, one whose shots were on time raises it again a little: other work on the machine is thus made room for.
"""

import contextlib
import threading
import time
from collections.abc import Iterator

APART_S = 1.5
"""Seconds between two starts: about what the start of a browser takes on a core."""

FEWEST = 3


class Pace:
    """Shared by the threads of one collection; `at_once` trials side by side at most, and fewer where shots are late."""

    def __init__(self, at_once: int, apart_s: float = APART_S) -> None:
        self.most, self.apart_s = float(max(1, at_once)), apart_s
        self.allowed = self.most
        self._running, self._next = 0, 0.0
        self._freed = threading.Condition()

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a place and for the moment of the next start; the place is given back at the end."""
        with self._freed:
            self._freed.wait_for(lambda: self._running < int(self.allowed))
            self._running += 1
            begin = max(time.monotonic(), self._next)
            self._next = begin + self.apart_s
        try:
            time.sleep(max(0.0, begin - time.monotonic()))
            yield
        finally:
            with self._freed:
                self._running -= 1
                self._freed.notify_all()

    def heed(self, *, was_late: bool) -> None:
        """One fewer after a trial whose shots came late, an `allowed`-th more after one whose shots were on time."""
        with self._freed:
            lowered = max(min(FEWEST, self.most), self.allowed - 1)
            self.allowed = lowered if was_late else min(self.most, self.allowed + 1 / self.allowed)
            self._freed.notify_all()
