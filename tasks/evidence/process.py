"""The child process of a trial: started, held to its limits, and ended with everything below it (A-11)."""

import os
import resource
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from schemas.evidence import Killed, Limits
from tasks.settings import variables

ROOT = Path(__file__).parents[2]
POLL_S = 0.25
PASSED_ON = ("PATH", "LANG", "LD_LIBRARY_PATH", "PLAYWRIGHT_BROWSERS_PATH", "PYTHONDONTWRITEBYTECODE")
"""All that the child sees of our environment; the browser sees less."""

MEBI = 2**20


@dataclass
class Ran:
    """How a trial's process ended: what was killed, how long it took, how many processes survived (none, or it is a defect)."""

    code: int | None = None
    killed: list[Killed] = field(default_factory=list)
    wall_s: float = 0.0
    left: int = 0


def run_trial(scratch: Path, deadline_s: float, limits: Limits) -> Ran:
    """Run `tasks.evidence.trial` over a scratch folder until it ends or the deadline passes; then nothing of it is left.

    The child's own files (log, profile, pictures) go to `scratch`. Not finding a process that we look for is no error: it ended.
    """
    temporary = scratch / "tmp"
    temporary.mkdir(mode=0o711)
    environment = variables(PASSED_ON) | {"HOME": str(scratch), "TMPDIR": str(temporary)}
    begun = time.monotonic()
    with (scratch / "log").open("wb") as log:
        child = subprocess.Popen(
            [sys.executable, "-m", "tasks.evidence.trial", str(scratch)],
            cwd=ROOT, env=environment, stdin=subprocess.PIPE, stdout=log, stderr=log, start_new_session=True,
        )  # fmt: skip
    family = Family(child.pid)
    ran = Ran()
    try:
        while (code := _wait(child, POLL_S)) is None:
            now = time.monotonic() - begun
            if now > deadline_s:
                ran.killed.append(Killed(what="trial", why=f"deadline of {deadline_s:g} s", at_s=round(now, 2)))
                break
            ran.killed += family.hold(limits, now)
    finally:
        ran.left = family.end(child)
    ran.code = code
    ran.wall_s = round(time.monotonic() - begun, 2)
    return ran


def _wait(child: "subprocess.Popen[bytes]", seconds: float) -> int | None:
    try:
        return child.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        return None


class Family:
    """A process and all below it, also those whose parent has died: whoever was once seen is remembered with its start time."""

    def __init__(self, head: int) -> None:
        self.head = head
        self.seen: dict[int, str] = {}

    def look(self) -> list[int]:
        """The living members, the head first; new ones are remembered."""
        found, waiting = [self.head], [self.head, *self.seen]
        while waiting:
            for pid in children_of(waiting.pop()):
                if pid not in self.seen and (start := start_of(pid)):
                    self.seen[pid] = start
                    waiting.append(pid)
        return found + [pid for pid, start in self.seen.items() if start_of(pid) == start]

    def hold(self, limits: Limits, now: float) -> list[Killed]:
        """Set the limit of data where the browser's sandbox has set its own, and kill who holds too much memory."""
        held = {}
        for pid in self.look()[1:]:
            _lower_data(pid, limits.memory_mb * MEBI)
            held[pid] = memory_of(pid)
        if not held:
            return []
        total, biggest = sum(held.values()), max(held, key=lambda pid: held[pid])
        if held[biggest] > limits.memory_mb:
            why = f"process over {limits.memory_mb} MB of memory"
        elif total > limits.tree_mb:
            why = f"all processes together over {limits.tree_mb} MB of memory"
        else:
            return []
        kill(biggest)
        return [Killed(what="process", why=why, at_s=round(now, 2))]

    def end(self, child: "subprocess.Popen[bytes]") -> int:
        """Kill all, and again until none is left or 3 s have passed; how many are left."""
        until = time.monotonic() + 3
        while True:
            members = [pid for pid in self.look() if pid != self.head or child.poll() is None]
            for pid in members:
                kill(pid)
            if child.poll() is None:
                _kill_group(child.pid)
                _wait(child, POLL_S)
            if not members or time.monotonic() > until:
                return len(members)
            time.sleep(0.02)


def children_of(pid: int) -> list[int]:
    """The processes that a process's threads have started; none where it has ended."""
    try:
        tasks = list(Path(f"/proc/{pid}/task").iterdir())
    except OSError:
        return []
    return [int(word) for task in tasks for word in _read(task / "children").split()]


def start_of(pid: int) -> str:
    """When a process started, in ticks; empty where it is gone or only waits to be reaped. Tells a process from a later one of its number."""
    words = _read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()
    return words[19] if len(words) > 19 and words[0] not in ("Z", "X") else ""


def memory_of(pid: int) -> float:
    """Resident memory in MB that is not a file's."""
    lines = _read(Path(f"/proc/{pid}/status")).splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith(("RssAnon:", "RssShmem:"))) / 1024


def kill(pid: int) -> None:
    """End a process at once, where it is still there and ours to end."""
    try:
        os.kill(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _kill_group(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return


def _lower_data(pid: int, most: int) -> None:
    """Lower RLIMIT_DATA of a process whose sandbox is up (it has then set a limit of its own); never before, which would crash it."""
    if not hasattr(resource, "prlimit"):
        return
    try:
        _, hard = resource.prlimit(pid, resource.RLIMIT_DATA)
        if hard != resource.RLIM_INFINITY and hard > most:
            resource.prlimit(pid, resource.RLIMIT_DATA, (most, most))
    except (ProcessLookupError, PermissionError, ValueError):
        return


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
