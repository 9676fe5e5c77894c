"""Texts with personal data made in a second of processor time, and the time for 10,000 of them, one core.

python -m benchmarks.pii [--texts 10000]
"""

import resource
import time

import typer

from benchmarks.__main__ import machine, median_of


def texts_a_second(texts: int) -> float:
    """Texts drawn, written and put into rows in a second of processor time."""
    from datasets import pii
    from datasets.editions import edition_for

    edition = edition_for("pii", pii.SET_VERSION, 7, texts // 2, "bench")
    list(pii.make_cases(edition, "bench", 0, 1))
    begun = time.process_time()
    made = sum(1 for _ in pii.make_cases(edition, "bench", 0, texts // 2))
    return made / (time.process_time() - begun)


def main(texts: int = 10_000) -> None:
    """Measure and print."""
    print(f"machine: {machine()}")
    rate = median_of(lambda: texts_a_second(texts))
    print(
        f"texts a second of processor time: {rate:,.0f} (one core, median of three); 10,000 texts in {10_000 / rate:.1f} s"
    )
    print(f"memory at most: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB, texts not kept")


if __name__ == "__main__":
    typer.run(main)
