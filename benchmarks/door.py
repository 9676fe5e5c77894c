"""The door against a stand-in for a gateway: 2,000 cases of 200 ms, 64 at once, Prefect included; and its own cost per call.

python -m benchmarks.door [--cases 2000] [--latency-ms 200] [--at-once 64]
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import typer
import yaml

STUB = Path(__file__).parents[1] / "tests" / "gateway_stub.py"


def main(cases: int = 2000, latency_ms: float = 200.0, at_once: int = 64) -> None:
    """Build the cases, start the stand-in, run the stage `test`, and print."""
    from tasks.settings import be_quiet

    be_quiet()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PREFECT_HOME"] = f"{folder}/prefect"
        stub = subprocess.Popen(
            [sys.executable, str(STUB), "--latency-ms", str(latency_ms)], stdout=subprocess.PIPE, text=True
        )
        assert stub.stdout is not None
        port = int(stub.stdout.readline())
        entry = {
            "id": "bench", "name": "bench", "vendor": "bench", "family": "bench", "client": "openai", "suites": [],
            "inputs": ["text"], "options": {"model": "stub/ok", "url": f"http://127.0.0.1:{port}/v1"},
            "limits": {"at_once": at_once, "max_tokens": 800}, "default": False,
        }  # fmt: skip
        file = Path(folder) / "systems.yaml"
        file.write_text(yaml.safe_dump([entry]), encoding="utf-8")
        os.environ["ZKUSEBNA_SYSTEMS_FILE"] = str(file)
        try:
            _measure(folder, cases, latency_ms, at_once)
        finally:
            stub.kill()


def _measure(folder: str, cases: int, latency_ms: float, at_once: int) -> None:
    import great_expectations.expectations  # noqa: F401 - 5 s of import that belong to the gate, not to the door

    from flows.stages import run_build, run_test

    edition = run_build(f"{folder}/store", "invoices", 7, cases // 2, ("text",)).place.edition
    run_test(f"{folder}/store", "invoices", edition, ["rules"])  # warm: server, imports, readers
    begun, used = time.monotonic(), time.process_time()
    outcome = run_test(f"{folder}/store", "invoices", edition, ["bench"])[0]
    wall, processor = time.monotonic() - begun, time.process_time() - used
    calls = outcome.counts["calls"]
    ideal = calls * latency_ms / 1000 / at_once
    print(f"{outcome.rows} cases, {calls} calls of {latency_ms:g} ms, {at_once} at once: {wall:.2f} s wall")
    if ideal:
        print(f"ideal {ideal:.2f} s, so {wall / ideal:.2f} times the ideal")
    print(f"processor time {1000 * processor / outcome.rows:.2f} ms a case, {1e6 * processor / calls:.0f} µs a call")


if __name__ == "__main__":
    typer.run(main)
