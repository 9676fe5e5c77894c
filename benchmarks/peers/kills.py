"""What survives a kill: a program is stopped by SIGKILL, whole, three times on its way, and started again each time."""

import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks.peers.tools import Start, Tool, Work
from benchmarks.stand_in import forget, ledger
from benchmarks.tree import Tree

KILLS = 3
PATIENCE_S = 900.0
"""A program that gets no further for so long is given up."""


@dataclass(frozen=True)
class Survived:
    """By the stand-in's ledger: requests answered, answers paid again, of them those that had come before the kill, and in flight at the kills.

    A call in flight at a kill is paid by whoever asks; an answer that had come and is paid again was lost.
    """

    answered: int
    twice: int
    lost: int
    in_flight: int
    ended: bool


def survive(tool: Tool, work: Work, number: int, cases: int, log: Path) -> Survived:
    """Kill when a third of what was left is answered, three times; then let it end. A run that does not end is told so."""
    forget(work.url)
    came: dict[str, int] = {}
    in_flight = 0
    start = tool.start(work, number)
    for _ in range(KILLS):
        before = ledger(work.url)
        tree = _run(start, log)
        had = before["distinct_answered"]
        _wait(tree, work.url, had + (cases - had) // 3)
        tree.stop()
        told = ledger(work.url)
        tree.kill()
        for body, times in told["by_body"].items():
            if times > before["by_body"].get(body, 0):
                came.setdefault(body, times)
        in_flight += told["requests"] - sum(told["status"].values())
        time.sleep(1.0)  # what was in flight is answered and paid, whoever listens
        start = tool.again(work, number)
    code, _ = _run(start, log).ended()
    told = ledger(work.url)
    lost = sum(told["by_body"][body] - times for body, times in came.items())
    ended = code == 0 and told["distinct_answered"] == cases
    return Survived(told["answered"], told["answered_twice"], lost, in_flight, ended)


def _run(start: Start, log: Path) -> Tree:
    if start.before:
        subprocess.run(start.before, cwd=start.folder, capture_output=True, check=False)
    return Tree(start.words, start.folder, start.more, log)


def _wait(tree: Tree, url: str, wanted: int) -> None:
    until = time.monotonic() + PATIENCE_S
    while tree.is_running() and time.monotonic() < until and ledger(url)["distinct_answered"] < wanted:
        time.sleep(0.1)
