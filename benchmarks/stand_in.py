"""The stand-in for a gateway that benchmarks ask, in a process of its own, and its ledger of what was paid for."""

import contextlib
import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

STUB = Path(__file__).parents[1] / "tests" / "gateway_stub.py"


@contextlib.contextmanager
def stand_in(latency_ms: float) -> Iterator[str]:
    """Run the stand-in on loopback; its URL up to and with `/v1`."""
    stub = subprocess.Popen(
        [sys.executable, str(STUB), "--latency-ms", str(latency_ms)], stdout=subprocess.PIPE, text=True
    )
    try:
        assert stub.stdout is not None
        yield f"http://127.0.0.1:{int(stub.stdout.readline())}/v1"
    finally:
        stub.terminate()
        stub.wait()


_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def ledger(url: str) -> dict[str, Any]:
    """What the stand-in was asked since the last reset, and how often each body was answered for money."""
    with _OPENER.open(f"{url.removesuffix('/v1')}/ledger") as reply:
        told: dict[str, Any] = json.load(reply)
    return told


def forget(url: str) -> None:
    """Empty the ledger."""
    _OPENER.open(f"{url.removesuffix('/v1')}/ledger/reset", data=b"").close()
