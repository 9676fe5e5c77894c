"""Evidence a minute on this machine, side by side against the naive sequence, and how late the shots are.

    python -m benchmarks.evidence [--pages 12] [--at-once 6] [--naive 2]

The naive sequence opens one page after another: the shots of the first 12 seconds, then each interaction on a load of its own.
"""

import os
import statistics
import tempfile
import time
from pathlib import Path

import typer

PAGES = Path(__file__).parents[1] / "tests" / "pages"
ORDINARY = (
    "still",
    "drift",
    "dead",
    "unveiled",
    "hollow",
    "snake",
    "todo",
    "form",
    "veil",
    "shader",
    "first_frame",
    "borrowed",
)
"""Pages as models write them: still and moving, short and long; a few with faults, none that hangs."""


def main(pages: int = 12, at_once: int = 6, naive: int = 2) -> None:
    """Collect and print."""
    from datasets.interactions import known_scenarios, load_scenario
    from schemas.evidence import LATE_S, Trial
    from tasks.browse import collect_all

    names = [ORDINARY[number % len(ORDINARY)] for number in range(pages)]
    with tempfile.TemporaryDirectory() as made:
        trials = [
            Trial(
                html=(PAGES / f"{name}.html").read_bytes(),
                folder=Path(made) / f"{number}-{name}",
                scenario=load_scenario(name) if name in known_scenarios() else None,
            )
            for number, name in enumerate(names)
        ]
        begun = time.monotonic()
        slow = len(list(collect_all(trials[:naive], at_once=1, in_sequence=True))) / (time.monotonic() - begun) * 60
        begun = time.monotonic()
        done = [collected.measurements for collected in collect_all(trials, at_once=at_once)]
        fast = len(done) / (time.monotonic() - begun) * 60
    late = sorted(shot.late_s for found in done for shot in found.shots if shot.late_s is not None)
    print(f"machine: {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    print(f"naive sequence: {slow:.1f} a minute")
    print(
        f"{at_once} at once: {fast:.1f} a minute, {fast / slow:.1f} times as many; shots taken again: {sum(d.takes - 1 for d in done)}"
    )
    over = sum(seconds > LATE_S for seconds in late)
    print(
        f"shots late: median {statistics.median(late):.2f} s, largest {late[-1]:.2f} s; {over} of {len(late)} over {LATE_S:g} s"
    )


if __name__ == "__main__":
    typer.run(main)
