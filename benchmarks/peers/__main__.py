"""Ours, inspect_ai and promptfoo on the same requests in one run; see README.md in this folder.

python -m benchmarks.peers [--cases 2000] [--at-once 64] [--rounds 3] [--kill-cases 1000] [--kill-at-once 32] [--only zkusebna,…]
"""

import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

import typer
from rich.console import Console
from rich.table import Table

from benchmarks.peers.kills import KILLS, Survived, survive
from benchmarks.peers.tools import DIRECT, Inspect, Ours, Promptfoo, Tool, Work
from benchmarks.stand_in import forget, ledger, stand_in
from benchmarks.tree import Tree, Used

Spent = tuple[float, Used]
"""Seconds from the first request to the last reply, and what the whole program used."""

CACHE = Path.home() / ".cache" / "zkusebna-peers"


def main(
    cases: int = 2000,
    at_once: int = 64,
    rounds: int = 3,
    latency_ms: float = 200.0,
    kill_cases: int = 1000,
    kill_at_once: int = 32,
    inspect_version: str = "0.3.285",
    promptfoo_version: str = "0.121.20",
    only: str = "",
    cache: Path = CACHE,
) -> None:
    """Install the peers apart, build the cases, let the three ask them in turn, kill each three times, and print two tables."""
    cache.mkdir(parents=True, exist_ok=True)
    tools: list[Tool] = []
    for tool in (Ours(), Inspect(inspect_version), Promptfoo(promptfoo_version)):
        if only and tool.name.split()[0] not in only.split(","):
            continue
        if problem := tool.install(cache):
            print(problem)
        else:
            tools.append(tool)
    with tempfile.TemporaryDirectory() as folder, stand_in(latency_ms) as url:
        if rounds:
            work = _work(Path(folder) / "speed", cases, at_once, url, rounds)
            _tell_speed(_race(tools, work, rounds, cases), cases, latency_ms, at_once)
        if kill_cases:
            work = _work(Path(folder) / "kills", kill_cases, kill_at_once, url, 1)
            killed = {tool.name: survive(tool, work, 1, kill_cases, Path(folder) / "log") for tool in tools}
            _tell_kills(killed, kill_cases, kill_at_once)


def _work(folder: Path, cases: int, at_once: int, url: str, rounds: int) -> Work:
    """Build the cases in a process of its own, so that nothing of it stays behind."""
    folder.mkdir()
    words = [sys.executable, "-m", "benchmarks.peers.ours", "build", str(folder), str(cases), str(at_once), url]
    more = {**os.environ, **DIRECT, "PREFECT_HOME": str(folder / "prefect")}
    told = json.loads(subprocess.check_output([*words, str(rounds)], env=more).splitlines()[-1])
    return Work(folder, told["root"], told["edition"], Path(told["bodies"]), told["systems"], url, at_once)


def _race(tools: Sequence[Tool], work: Work, rounds: int, cases: int) -> dict[str, list[Spent]]:
    """Each tool once a round, in an order that is drawn anew; a tool that does not answer all cases is told and left out."""
    used: dict[str, list[Spent]] = {tool.name: [] for tool in tools}
    for number in range(1, rounds + 1):
        for tool in random.sample(tools, len(tools)):
            forget(work.url)
            log = work.folder / f"{tool.name.split()[0]}-{number}.log"
            start = tool.start(work, number)
            code, spent = Tree(start.words, start.folder, start.more, log).ended()
            told = ledger(work.url)
            if code or told["distinct_answered"] != cases:
                said = log.read_text(errors="replace").strip().splitlines()[-1:]
                answered = f"{told['distinct_answered']} of {cases} answered"
                print(f"{tool.name}: exit status {code}, {answered}; it said last: {said}")
                continue
            used[tool.name].append((told["span_s"], spent))
            figures = f"{spent.wall_s:.1f} s, asking {told['span_s']:.1f} s, processor {spent.processor_s:.1f} s"
            print(
                f"round {number}, load {os.getloadavg()[0]:.1f}: {tool.name} {figures}, {spent.memory_mb:.0f} MB",
                file=sys.stderr,
            )
    return used


def _tell_speed(used: dict[str, list[Spent]], cases: int, latency_ms: float, at_once: int) -> None:
    ideal = cases * latency_ms / 1000 / at_once
    table = Table(title=f"{cases} requests of {latency_ms:g} ms, {at_once} at once, ideal {ideal:.2f} s; medians")
    figures: dict[str, Callable[[Spent], float]] = {
        "wall s": lambda s: s[1].wall_s,
        "asking s": lambda s: s[0],
        "processor s": lambda s: s[1].processor_s,
        "memory MB": lambda s: s[1].memory_mb,
    }
    for column in ("", *(heading for name in figures for heading in (name, "× ours"))):
        table.add_column(column, justify="right")
    ours = used.get(Ours.name) or []
    for tool, some in used.items():
        row = [tool]
        for figure in figures.values() if some else ():
            value = median(map(figure, some))
            row += [f"{value:.1f}", f"{value / median(map(figure, ours)):.2f}" if ours else ""]
        table.add_row(*row)
    Console(width=110).print(table)


def _tell_kills(killed: dict[str, Survived], cases: int, at_once: int) -> None:
    table = Table(title=f"{cases} requests, {at_once} at once, SIGKILL {KILLS} times")
    for column in (
        "",
        "answers paid",
        "paid again",
        "in flight at the kills",
        "of the answers that had come, lost",
        "ended",
    ):
        table.add_column(column, justify="right")
    for name, told in killed.items():
        figures = (told.answered, told.twice, told.in_flight, told.lost)
        table.add_row(name, *map(str, figures), "with all answers" if told.ended else "no")
    Console(width=110).print(table)


if __name__ == "__main__":
    typer.run(main)
