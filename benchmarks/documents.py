"""Documents made: a second by level, a set of 150 a language on two cores, and memory from a hundred to two thousand.

    python -m benchmarks.documents [--size N] [--most N]

Times are processor time, which says the same on a machine that others use; wall time stands beside it with the load.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import typer

from benchmarks.__main__ import documents_a_second, machine, median_of

LEVELS = ("text", "image", "scan", "photo")


def make_set(size: int, folder: str) -> dict[str, Any]:
    """Make a set of all levels into a store, in a process of its own with two workers, as `zkusebna run` does without Prefect."""
    code = """
import json, resource, sys, time
from concurrent.futures import ThreadPoolExecutor
from tasks.build import ask_edition, make_cases, plan_cases, seal_cases
root, size = sys.argv[1], int(sys.argv[2])
begun, busy = time.monotonic(), time.process_time()
edition = ask_edition(root, "invoices", 7, size).id
plan = plan_cases(root, "invoices", edition)
with ThreadPoolExecutor(2) as pool:
    done = seal_cases(plan, list(pool.map(make_cases.fn, plan.missing)), root)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"documents": done.rows, "wall": time.monotonic() - begun, "busy": time.process_time() - busy, "peak_mb": peak}))
"""
    run = subprocess.run([sys.executable, "-c", code, folder, str(size)], check=True, capture_output=True, text=True)
    made: dict[str, Any] = json.loads(run.stdout.strip().splitlines()[-1])
    return made


def stored_mb(folder: str) -> float:
    """What a store takes on the disk."""
    return sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file()) / 2**20


def main(size: int = 150, most: int = 2000) -> None:
    """Measure and print."""
    print(f"machine: {machine()}")
    for level in LEVELS:
        rate = median_of(lambda level=level: documents_a_second(level))
        print(f"level {level}: {rate:.1f} documents a second of one core, {2 * rate:.1f} of two")
    for documents in (100, 2 * size, most):
        with tempfile.TemporaryDirectory() as folder:
            begun = time.monotonic()
            made = make_set(documents // 2, folder)
            wall = time.monotonic() - begun
            print(
                f"{made['documents']} documents in all levels: {made['busy']:.0f} s of processor time,"
                f" {1000 * made['busy'] / made['documents']:.0f} ms a document, {made['wall']:.0f} s of wall time"
                f" (with its start {wall:.0f} s, load {os.getloadavg()[0]:.1f}); peak {made['peak_mb']:.0f} MB;"
                f" {1024 * stored_mb(folder) / made['documents']:.0f} KB a document"
            )


if __name__ == "__main__":
    typer.run(main)
