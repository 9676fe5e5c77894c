"""What Prefect costs: its share of a stage's wall time, and processor time a task run, the server's included.

python -m benchmarks.orchestration [--cases 2000] [--latency-ms 200] [--at-once 64] [--rounds 3] [--pairs 52] [--systems 6]

Against a Prefect server in a process of its own, set up as the project sets it up. *Share*: the flow `test` over the stand-in for a gateway, and
the same stage without Prefect (plan, the same task functions on as many threads, seal), in turn. *A task run*: the flows `grade` and `profile`
over small shards; what the bodies of tasks, planning and sealing used on their own threads is taken off, and what Arrow's threads used for the
same work without Prefect. The rest of this process and the server's time are Prefect's, less what the idle server uses in as long a time. The
server is asked how many task runs it recorded.
"""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial, wraps
from pathlib import Path
from statistics import median
from typing import Any

import psutil
import typer
import yaml

from benchmarks.stand_in import stand_in

ROOT = Path(__file__).parents[1]
DRAIN_S = 6.0
"""So long after a flow its last records have reached the server and the database."""


@contextlib.contextmanager
def server(folder: Path) -> Iterator[psutil.Process]:
    """A Prefect server with its database in the folder; `PREFECT_API_URL` leads to it from here on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    os.environ |= {
        "PREFECT_HOME": str(folder),
        "PREFECT_API_URL": f"http://127.0.0.1:{port}/api",
        "PREFECT_LOGGING_LEVEL": "WARNING",
    }
    words = [sys.executable, "-m", "prefect", "server", "start", "--host", "127.0.0.1", "--port", str(port), "--no-ui"]
    with (folder / "server.log").open("ab") as log:
        process = subprocess.Popen(words, cwd=ROOT, stdout=log, stderr=log)
    try:
        until = time.monotonic() + 180
        while True:
            try:
                urllib.request.urlopen(f"{os.environ['PREFECT_API_URL']}/health", timeout=5).close()
                break
            except (urllib.error.URLError, OSError):
                if time.monotonic() > until:
                    raise
                time.sleep(0.3)
        yield psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait(60)


def used_by(process: psutil.Process) -> float:
    """Processor seconds of a process and what it started."""
    some = [process, *process.children(recursive=True)]
    return sum(t.user + t.system for t in (p.cpu_times() for p in some))


def task_runs() -> int:
    """How many task runs the server knows."""
    asked = urllib.request.Request(
        f"{os.environ['PREFECT_API_URL']}/task_runs/count", b"{}", {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(asked, timeout=60) as reply:
        return int(reply.read())


def share(folder: str, cases: int, at_once: int, url: str, rounds: int) -> None:
    """The stage `test` with Prefect and without, in turn; prints the medians."""
    from benchmarks.door import Bench
    from flows.stages import run_test
    from tasks.choose import find_system
    from tasks.settings import Settings
    from tasks.test import answer_cases, batches, plan_answers, seal_answers
    from tasks.turns import turn

    bench = Bench(folder, cases, at_once, {"slow": url, "plain": url}, rounds)

    def with_prefect(system: str) -> None:
        run_test(bench.root, "invoices", bench.edition, [system])

    def without(name: str) -> None:
        system = find_system(name)
        with turn(bench.root), ThreadPoolExecutor(Settings.read().workers) as pool:
            (plan,) = plan_answers(bench.root, "invoices", bench.edition, [system])
            made = list(pool.map(partial(answer_cases.fn, system=system), batches(plan.missing)))
            seal_answers([plan], [made], bench.root)

    with_prefect("slow-0")  # warm
    without("plain-0")
    walls: list[tuple[float, float]] = []
    for number in range(1, rounds + 1):
        pair = []
        for act, name in ((with_prefect, f"slow-{number}"), (without, f"plain-{number}")):
            begun = time.monotonic()
            act(name)
            pair.append(time.monotonic() - begun)
        walls.append((pair[0], pair[1]))
        print(
            f"round {number}, load {os.getloadavg()[0]:.1f}: {pair[0]:.2f} s, {pair[1]:.2f} s without Prefect",
            file=sys.stderr,
        )
    lost = median(1 - plain / full for full, plain in walls)
    full, plain = (median(w[n] for w in walls) for n in (0, 1))
    print(
        f"stage `test`, {cases} cases: {full:.2f} s with Prefect, {plain:.2f} s without; share of the wall time {lost:.1%}"
    )


class Bodies:
    """Processor time that the stages' own functions used, each on its thread."""

    def __init__(self) -> None:
        self.spent = 0.0
        self._lock = threading.Lock()

    def timed(self, act: Callable[..., Any]) -> Callable[..., Any]:
        """The same function, its time counted."""

        @wraps(act)
        def counted(*given: Any, **named: Any) -> Any:
            before = time.thread_time()
            try:
                return act(*given, **named)
            finally:
                with self._lock:
                    self.spent += time.thread_time() - before

        return counted


def small_shards(folder: Path, pairs: int, systems: int) -> tuple[str, str, list[str]]:
    """A store with answers of some systems by rules, in shards of four pairs: its root, the edition and the systems."""
    import tasks.shards
    from tasks.build import ask_edition, make_cases, plan_cases, seal_cases
    from tasks.choose import find_system
    from tasks.shards import settle
    from tasks.test import answer_cases, batches, plan_answers, seal_answers

    names, root = [f"rules-{n}" for n in range(systems)], str(folder / "grades")
    edition = ask_edition(root, "invoices", 7, pairs, ("text",)).id
    tasks.shards.LEAST_UNITS = 4
    plan = plan_cases(root, "invoices", edition)
    seal_cases(plan, settle(make_cases.fn, plan.missing), root)
    chosen = [find_system(name) for name in names]
    plans = plan_answers(root, "invoices", edition, chosen)
    made = [settle(partial(answer_cases.fn, system=s), batches(p.missing)) for p, s in zip(plans, chosen, strict=True)]
    seal_answers(plans, made, root)
    return root, edition, names


def without_prefect(root: str, edition: str, names: list[str]) -> float:
    """Grade and profile without Prefect; processor time of threads that the tasks' own functions start (Arrow's), in seconds."""
    from tasks.grade import PASSES, grade_answers, plan_grades, seal_grades
    from tasks.profile import plan_profiles, profile_answers, seal_profiles
    from tasks.shards import settle

    before = time.process_time() - time.thread_time()
    plans = [plan_grades(root, "invoices", edition, names, name) for name in PASSES]
    made = [
        [settle(partial(grade_answers.fn, pass_name=name), plan.missing) for plan in some]
        for name, some in zip(PASSES, plans, strict=True)
    ]
    seal_grades(plans, made, root)
    profiles = plan_profiles(root, "invoices", edition, names)
    seal_profiles(profiles, [settle(profile_answers.fn, plan.missing) for plan in profiles], root)
    return time.process_time() - time.thread_time() - before


def watched() -> Bodies:
    """Have the bodies of tasks, planning and sealing of `grade` and `profile` count their time."""
    import flows.dual_pass
    import flows.stages
    from tasks.grade import grade_answers
    from tasks.profile import profile_answers

    bodies = Bodies()
    for task in (grade_answers, profile_answers):
        task.fn = bodies.timed(task.fn)
    for module, some in (
        (flows.dual_pass, ("plan_grades", "seal_grades")),
        (flows.stages, ("plan_profiles", "seal_profiles")),
    ):
        for name in some:
            setattr(module, name, bodies.timed(getattr(module, name)))
    return bodies


def a_task_run(process: psutil.Process, root: str, edition: str, names: list[str]) -> None:
    """The flows `grade` and `profile`; prints what is Prefect's, a task run."""
    import great_expectations.expectations  # noqa: F401 - paid once a process

    from flows.stages import run_grade, run_profile

    shutil.copytree(root, f"{root}-plain")
    helpers = without_prefect(f"{root}-plain", edition, names)
    bodies = watched()
    idle_from, idle = time.monotonic(), used_by(process)
    time.sleep(DRAIN_S)
    rate = (used_by(process) - idle) / (time.monotonic() - idle_from)
    runs, begun, client, theirs = task_runs(), time.monotonic(), time.process_time(), used_by(process)
    run_grade(root, "invoices", edition, names, judges=[])
    run_profile(root, "invoices", edition, names)
    client = time.process_time() - client - bodies.spent - helpers
    time.sleep(DRAIN_S)
    wall = time.monotonic() - begun
    theirs, runs = used_by(process) - theirs, task_runs() - runs
    own = 1000 * (bodies.spent + helpers) / runs
    print(
        f"{runs} task runs of `grade` and `profile` in {wall:.0f} s; the stages' own work {own:.0f} ms of processor time each"
    )
    client, theirs, resting = (1000 * spent / runs for spent in (client, theirs, rate * wall))
    print(
        f"a task run: {client + theirs - resting:.1f} ms of processor time, {client:.1f} ms in the client and {theirs - resting:.1f} ms in the"
        f" server (which uses {resting:.1f} ms more in that time when it is idle); load {os.getloadavg()[0]:.1f}"
    )


def main(
    cases: int = 2000, latency_ms: float = 200.0, at_once: int = 64, rounds: int = 3, pairs: int = 52, systems: int = 6
) -> None:
    """Measure and print; a figure of 0 cases or 0 pairs is left out."""
    from tasks.settings import be_quiet

    be_quiet()
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory() as folder, stand_in(latency_ms) as url:
        home = Path(folder) / "prefect"
        home.mkdir()
        with server(home) as process:
            if pairs:
                file = Path(folder) / "rules.yaml"
                (rules,) = (
                    e for e in yaml.safe_load((ROOT / "datasets/systems.yaml").read_text()) if e["id"] == "rules"
                )
                file.write_text(
                    yaml.safe_dump([{**rules, "id": f"rules-{n}"} for n in range(systems)]), encoding="utf-8"
                )
                os.environ["ZKUSEBNA_SYSTEMS_FILE"] = str(file)
                a_task_run(process, *small_shards(Path(folder), pairs, systems))
            if cases:
                share(folder, cases, at_once, url, rounds)


if __name__ == "__main__":
    typer.run(main)
