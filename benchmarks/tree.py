"""A program and all that it starts: wall time, processor time and memory of the whole tree, and its sudden end."""

import contextlib
import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

EVERY_S = 0.1
"""Seconds between two looks at the tree; what a process uses after the last look at it is counted where its parent waits for it."""


@dataclass(frozen=True)
class Used:
    """What a program used from its start to its end: seconds, seconds of all its processes, and their memory together at the peak, in MB."""

    wall_s: float
    processor_s: float
    memory_mb: float


class Tree:
    """A running program in a session of its own, watched by a thread; what it prints goes to a file."""

    def __init__(self, words: Sequence[str], folder: Path, more: Mapping[str, str], log: Path) -> None:
        self._started = time.monotonic()
        with log.open("ab") as file:
            self.process = subprocess.Popen(
                words,
                cwd=folder,
                env={**os.environ, **more},
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
                start_new_session=True,
            )
        self._seen: dict[int, psutil.Process] = {}
        self._used: dict[int, float] = {}
        self.peak_mb = 0.0
        self._watcher = threading.Thread(target=self._watch, daemon=True)
        self._over = threading.Event()
        self._watcher.start()

    def _look_around(self) -> None:
        for known in [*self._seen.values()] or [psutil.Process(self.process.pid)]:
            with contextlib.suppress(psutil.Error):
                self._seen.setdefault(known.pid, known)
                for child in known.children(recursive=True):
                    self._seen.setdefault(child.pid, child)

    def _watch(self) -> None:
        while not self._over.wait(EVERY_S):
            with contextlib.suppress(psutil.Error):
                self._look_around()
            memory = 0.0
            for process in list(self._seen.values()):
                with contextlib.suppress(psutil.Error):
                    times = process.cpu_times()
                    self._used[process.pid] = times.user + times.system
                    memory += _memory(process)
            self.peak_mb = max(self.peak_mb, memory / 1e6)

    def ended(self) -> tuple[int, Used]:
        """Wait for the end; the exit status and what was used. Processes that outlive the program are ended."""
        _, status, usage = os.wait4(self.process.pid, 0)
        wall = time.monotonic() - self._started
        self._over.set()
        self._watcher.join()
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self._end_all(signal.SIGKILL)
        used = max(sum(self._used.values()), usage.ru_utime + usage.ru_stime)
        return self.process.returncode, Used(wall, used, self.peak_mb)

    def stop(self) -> None:
        """Stop all of it where it stands (SIGSTOP); `kill` follows."""
        self._look_around()
        self._end_all(signal.SIGSTOP)

    def kill(self) -> None:
        """SIGKILL to all of it at once, as when a machine goes down."""
        self._look_around()
        self._end_all(signal.SIGKILL)
        self.ended()

    def is_running(self) -> bool:
        """Whether the program itself has not ended."""
        return psutil.pid_exists(self.process.pid) and psutil.Process(self.process.pid).status() != "zombie"

    def _end_all(self, how: signal.Signals) -> None:
        for process in self._seen.values():
            with contextlib.suppress(psutil.Error, ProcessLookupError):
                process.send_signal(how)


def _memory(process: psutil.Process) -> int:
    """Bytes of a process, with its share of what it shares with others where the system tells that (Linux)."""
    full = process.memory_full_info()
    return int(getattr(full, "pss", full.rss))
