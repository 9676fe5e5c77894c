"""A stage bound by the processor on one Dask worker and on two, each of one process and one thread.

    python -m benchmarks.workers [--size N] [--rounds N] [--levels a,b]

The stage is `build` of the suite `invoices` (typesetting, rasterising, wear of scans), as a flow with Prefect's embedded server, into a new store
each time. Rounds alternate, so that other work on the machine hits both; the ratio of medians is the figure. Processor time of the workers
stands beside it: where two of them together use more than one, the machine was busy or has fewer cores than workers.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil
import typer

from benchmarks.__main__ import machine
from tasks.settings import be_quiet

LEVELS = "image,scan,photo"
PORT = 18786


@contextmanager
def cluster(workers: int, port: int) -> Iterator[tuple[str, list[psutil.Process]]]:
    """A scheduler with some workers of one thread: its address, and the processes of the workers."""
    address = f"tcp://127.0.0.1:{port}"
    words = [["scheduler", "--host", "127.0.0.1", "--port", str(port)]]
    words += [["worker", address, "--nthreads", "1", "--no-nanny", "--memory-limit", "0"] for _ in range(workers)]
    running = [
        subprocess.Popen([sys.executable, "-m", "dask", *one, "--no-dashboard"], stderr=subprocess.DEVNULL)
        for one in words
    ]
    try:
        yield address, [psutil.Process(one.pid) for one in running[1:]]
    finally:
        for one in running:
            one.kill()
            one.wait()


def build(address: str, folder: str, size: int, seed: int, levels: tuple[str, ...]) -> float:
    """Seconds of wall time that the stage takes on the workers of a scheduler."""
    from flows.synthesize import synthesize
    from tasks.build import ask_edition
    from tasks.dask_runner import DaskRunner

    edition = ask_edition(folder, "invoices", seed, size, levels).id
    stage = synthesize.with_options(task_runner=DaskRunner(address, 1))
    begun = time.monotonic()
    outcome = stage(folder, "invoices", edition)
    took = time.monotonic() - begun
    if outcome.made != outcome.shards or outcome.rows != 2 * size:
        raise SystemExit(f"The stage made {outcome.rows} documents in {outcome.made} of {outcome.shards} shards.")
    return took


def busy_s(processes: list[psutil.Process]) -> float:
    """Processor time of some processes together, in seconds."""
    return sum(p.cpu_times().user + p.cpu_times().system for p in processes)


def main(size: int = 256, rounds: int = 3, levels: str = LEVELS) -> None:
    """Measure and print; size: documents a language, a multiple of 128 so that shards are even; levels: by commas."""
    be_quiet()
    os.environ["ZKUSEBNA_PRIVATE_SEED"] = "bench"
    os.environ.setdefault("PREFECT_HOME", tempfile.mkdtemp(prefix="zkusebna-prefect-"))
    print(f"machine: {machine()}")
    took: dict[int, list[float]] = {1: [], 2: []}
    with ExitStack() as up:
        clusters = {n: up.enter_context(cluster(n, PORT + n)) for n in took}
        for seed in range(rounds + 1):  # the first round warms up: workers load what a stage needs
            for n, (address, workers) in clusters.items():
                with tempfile.TemporaryDirectory() as folder:
                    before = busy_s(workers)
                    seconds = build(
                        address, str(Path(folder) / "store"), size if seed else 128, seed, tuple(levels.split(","))
                    )
                    if seed:
                        took[n].append(seconds)
                    load = os.getloadavg()[0]
                    print(
                        f"{'round ' + str(seed) if seed else 'warm-up'}, workers {n}: {seconds:.1f} s,"
                        f" {busy_s(workers) - before:.1f} s of processor time, load {load:.1f}",
                        flush=True,
                    )
    one, two = (statistics.median(took[n]) for n in (1, 2))
    print(
        f"{2 * size} documents: one worker {one:.1f} s, two {two:.1f} s, ratio {two / one:.2f} (at most 0.6 is wanted)"
    )


if __name__ == "__main__":
    typer.run(main)
