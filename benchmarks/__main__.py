"""Documents made, fields graded, and the share of a run's wall time that is orchestration.

    python -m benchmarks [--size N]

Figures are medians of three; quote ratios where the machine is shared. What takes longer is run by its name: `benchmarks.door` (a gateway, beside
bare httpx), `benchmarks.orchestration` (what Prefect costs), `benchmarks.peers` (beside inspect_ai and promptfoo), `benchmarks.workers` (one Dask
worker against two), `benchmarks.bucket` (requests to an object store), `benchmarks.scaling`, `benchmarks.aggregate`, `benchmarks.evidence`,
`benchmarks.legal`, `benchmarks.pii`, `benchmarks.documents`.
"""

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import typer

REPEATS = 3


def machine() -> str:
    """What the figures were taken on."""
    load = os.getloadavg()[0]
    return f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, load {load:.1f}"


def median_of(act: Callable[[], float]) -> float:
    """The median of three measurements."""
    return statistics.median(act() for _ in range(REPEATS))


def documents_a_second(level: str, pairs: int = 15) -> float:
    """Documents drawn, typeset and read or rasterised in a second, one core."""
    from datasets import invoices
    from datasets.editions import edition_for

    edition = edition_for("invoices", invoices.SET_VERSION, 7, pairs, "bench", (level,))
    list(invoices.make_cases(edition, "bench", 0, 1))
    begun = time.process_time()
    made = list(invoices.make_cases(edition, "bench", 0, pairs))
    return len(made) / (time.process_time() - begun)


def emails_a_second(pairs: int = 1000) -> float:
    """E-mails written in a second of processor time, one core, Czech and American."""
    from datasets import emails
    from datasets.editions import edition_for

    edition = edition_for("emails", emails.SET_VERSION, 7, pairs, "bench")
    list(emails.make_cases(edition, "bench", 0, 1))
    begun = time.process_time()
    made = sum(1 for _ in emails.make_cases(edition, "bench", 0, pairs))
    return made / (time.process_time() - begun)


def fields_a_second(pairs: int = 30) -> float:
    """Fields graded in a second, both passes, one core; every second answer has a wrong total."""
    from datasets import invoices as source
    from datasets.editions import edition_for
    from grading import invoices as grader
    from schemas.answer import BlindAnswer
    from schemas.grade import Exam

    edition = edition_for("invoices", source.SET_VERSION, 7, pairs, "bench", ("text",))
    exams = []
    for number, made in enumerate(source.make_cases(edition, "bench", 0, pairs)):
        truth = made.case.to_truth()
        said = json.dumps(truth | {"total": "1"} if number % 2 else truth, ensure_ascii=False)
        answer = BlindAnswer(case_id=made.case.case_id, trial=1, status="ok", replies=(said,))
        exams.append(Exam(truth=truth, language=made.case.language, answer=answer))
    begun = time.process_time()
    graded = 0
    for exam in exams:
        graded += len(grader.atomic(exam))
        grader.holistic(exam)
    return graded / (time.process_time() - begun)


def command(size: int, folder: str) -> tuple[float, float]:
    """Wall seconds of `zkusebna run` with `rules` and `ocr-rules`, and of the same again, when there is nothing to do."""
    words = [str(Path(sys.executable).with_name("zkusebna")), "run", "--suites", "invoices", "--size", str(size)]
    walls = []
    for _ in range(2):
        begun = time.monotonic()
        subprocess.run([*words, "--seed", "7", "--store", f"{folder}/store"], check=True, capture_output=True)
        walls.append(time.monotonic() - begun)
    return walls[0], walls[1]


def stages(size: int, folder: str) -> float:
    """Wall seconds of the same stages without Prefect, in a process of their own."""
    code = (
        "import sys; sys.path.insert(0, 'tests')\n"
        "from pipeline_support import run_stages\n"
        f"run_stages({folder + '/plain'!r}, 'invoices', ['rules', 'ocr-rules'], {size})\n"
    )
    begun = time.monotonic()
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    return time.monotonic() - begun


def main(size: int = 60) -> None:
    """Measure and print."""
    print(f"machine: {machine()}")
    for level in ("text", "image"):
        print(
            f"documents a second, level {level}: {median_of(lambda level=level: documents_a_second(level)):.1f} (one core)"
        )
    rate = median_of(emails_a_second)
    print(f"e-mails a second: {rate:,.0f} (one core), so 10,000 take {10_000 / rate:.1f} s of processor time")
    print(f"fields graded a second: {median_of(fields_a_second):,.0f} (one core, both passes)")
    with tempfile.TemporaryDirectory() as folder:
        first, second = command(size, folder)
        plain = stages(size, folder)
    print(f"zkusebna run --suites invoices --size {size}: {first:.1f} s; again, with nothing to do: {second:.1f} s")
    print(f"the same stages without Prefect, shards one after another: {plain:.1f} s")
    print(f"fixed share of the run (start of Prefect's server, flows, report): {second / first:.0%}")


if __name__ == "__main__":
    typer.run(main)
