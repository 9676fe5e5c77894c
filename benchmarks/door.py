"""The door against a stand-in for a gateway: the stage `test` with Prefect included, beside bare httpx, and its own cost per call.

python -m benchmarks.door [--cases 2000] [--latency-ms 200] [--at-once 64] [--rounds 3]

A round asks all cases of a new system at the latency and of another one at none, each followed at once by bare httpx with the same bodies in a
process of its own, so that both saw the same machine. Printed are medians over the rounds. *Asking* is from the first request's making to the last
answer; *fixed* is the rest of the stage: the flow's start and end, reading cases, and of filing, gates and sealing what did not go on meanwhile.
"""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import typer
import yaml

from benchmarks.stand_in import stand_in

SYSTEM = {"name": "bench", "vendor": "bench", "family": "bench", "client": "openai", "suites": [], "inputs": ["text"]}  # fmt: skip


@dataclass(frozen=True)
class Times:
    """Wall and processor seconds of this process: of the whole stage, of asking within it, and of bare httpx."""

    stage: tuple[float, float]
    asking: tuple[float, float]
    bare: tuple[float, float]


class Bench:
    """A store with cases, two stand-ins for a gateway (with the latency and without), and their systems."""

    def __init__(self, folder: str, cases: int, at_once: int, urls: dict[str, str], rounds: int) -> None:
        from flows.stages import run_build

        self.folder, self.root, self.at_once, self.urls = Path(folder), f"{folder}/store", at_once, urls
        self.edition = run_build(self.root, "invoices", 7, cases // 2, ("text",)).place.edition
        self.bodies = self._bodies()
        file = self.folder / "systems.yaml"  # read once a process, so it names the systems of all rounds
        entries = [{**self.system(f"{kind}-{n}"), "default": False} for kind in urls for n in range(rounds + 1)]
        file.write_text(yaml.safe_dump(entries), encoding="utf-8")
        os.environ["ZKUSEBNA_SYSTEMS_FILE"] = str(file)

    def system(self, name: str) -> dict[str, Any]:
        """An entry of a system at a stand-in, `slow-1` at the slow one."""
        options = {"model": "stub/ok", "url": self.urls[name.split("-")[0]]}
        return {**SYSTEM, "id": name, "options": options, "limits": {"at_once": self.at_once, "max_tokens": 800}}

    def measure(self, name: str) -> Times:
        """Ask all cases of a new system; then bare httpx."""
        import tasks.test
        from flows.runner import embedded
        from flows.stages import run_test

        asking: list[tuple[float, float]] = []
        with _watched(tasks.test, asking), embedded():
            before = _now()
            run_test(self.root, "invoices", self.edition, [name])
            stage = _since(before)
        url = f"{self.urls[name.split('-')[0]]}/chat/completions"
        told = subprocess.check_output(
            [sys.executable, "-m", "benchmarks.bare", url, str(self.bodies), str(self.at_once)], text=True
        )
        wall, processor = map(float, told.split())
        return Times(stage, _span(asking), (wall, processor))

    def _bodies(self) -> Path:
        from datasets.invoices import next_message
        from datasets.store import Store
        from datasets.tables import Place, read, rows_of
        from schemas.case import Case
        from schemas.exchange import Request
        from schemas.system import System
        from tasks.clients.chat import write_body
        from tasks.test import _filled

        store, system = Store.open(self.root), System.model_validate(self.system("slow-0"))
        bodies = []
        for case in rows_of(Case, read(store, Case, Place(suite="invoices", edition=self.edition))):
            brief = _filled(store, case)
            message = next_message(brief, ())
            assert message is not None
            asked = {"system_id": "slow-0", "suite": brief.suite, "case_id": brief.case_id, "language": brief.language}
            request = Request(**asked, messages=(message,), answer_schema=brief.answer_schema)
            bodies.append(write_body(system, request).decode())
        file = self.folder / "bodies.json"
        file.write_text(json.dumps(bodies), encoding="utf-8")
        return file


def _now() -> tuple[float, float]:
    return time.monotonic(), time.process_time()


def _since(before: tuple[float, float]) -> tuple[float, float]:
    now = _now()
    return now[0] - before[0], now[1] - before[1]


def _span(moments: list[tuple[float, float]]) -> tuple[float, float]:
    return moments[-1][0] - moments[0][0], moments[-1][1] - moments[0][1]


@contextlib.contextmanager
def _watched(stage: Any, moments: list[tuple[float, float]]) -> Iterator[None]:
    """Note when the stage goes to its asking loop and when it comes back."""
    run: Callable[[Coroutine[Any, Any, Any]], Any] = stage.run

    def noted(work: Coroutine[Any, Any, Any]) -> Any:
        moments.append(_now())
        try:
            return run(work)
        finally:
            moments.append(_now())

    stage.run = noted
    try:
        yield
    finally:
        stage.run = run


def main(cases: int = 2000, latency_ms: float = 200.0, at_once: int = 64, rounds: int = 3) -> None:
    """Build the cases, start the stand-ins, run the stage `test`, and print."""
    from tasks.settings import be_quiet

    be_quiet()
    with tempfile.TemporaryDirectory() as folder, stand_in(latency_ms) as slow, stand_in(0) as fast:
        os.environ["PREFECT_HOME"] = f"{folder}/prefect"
        import great_expectations.expectations  # noqa: F401 - 5 s of import that belong to the gate, not to the door

        bench = Bench(folder, cases, at_once, {"slow": slow, "fast": fast}, rounds)
        bench.measure("fast-0")  # warm: the server, imports
        fasts, slows = [], []
        for number in range(1, rounds + 1):
            slows.append(bench.measure(f"slow-{number}"))
            fasts.append(bench.measure(f"fast-{number}"))
    _tell(cases, latency_ms, at_once, slows, fasts)


def _tell(cases: int, latency_ms: float, at_once: int, slows: list[Times], fasts: list[Times]) -> None:
    ideal = cases * latency_ms / 1000 / at_once
    print(f"{cases} calls of {latency_ms:g} ms, {at_once} at once, ideal {ideal:.2f} s; medians of {len(slows)} rounds")
    print(f"{'':12} {'wall s':>8} {'× ideal':>8} {'× bare':>8} {'processor ms a case':>20}")
    for name, of in (
        ("stage", lambda t: t.stage),
        ("  asking", lambda t: t.asking),
        ("  fixed", lambda t: (t.stage[0] - t.asking[0], t.stage[1] - t.asking[1])),
        ("bare httpx", lambda t: t.bare),
    ):
        wall, times = median(of(t)[0] for t in slows), median(of(t)[0] / t.bare[0] for t in slows)
        ms = median(of(t)[1] for t in slows) * 1000 / cases
        print(f"{name:12} {wall:8.2f} {wall / ideal if ideal else 0:8.2f} {times:8.2f} {ms:20.2f}")
    own, bare = (median(t[1] for t in some) * 1e6 / cases for some in ([t.asking for t in fasts], [t.bare for t in fasts]))  # fmt: skip
    print(f"without latency: {own:.0f} µs of processor time a call in the door, bare httpx {bare:.0f} µs")


if __name__ == "__main__":
    typer.run(main)
