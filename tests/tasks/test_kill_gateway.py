"""No call whose reply has arrived is paid twice: the stages are killed while they ask a gateway, whose ledger is the witness (M-4)."""

import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
import yaml
from gateway_stub import gateway_process
from pipeline_support import assert_sound, children, in_child, stable_rows

AT_ONCE = 6
SAMPLE = (4, 9, 15)
"""Moments of the quick check; the long one tries all twenty."""

MOMENTS = [m if m in SAMPLE else pytest.param(m, marks=pytest.mark.slow) for m in range(20)]
ARGUMENTS = {"suite": "invoices", "systems": ["gateway"], "size": 22, "levels": ("text",)}


@pytest.fixture(scope="module")
def gateway() -> Iterator[str]:
    with gateway_process(latency_ms=40) as url:
        yield url


@pytest.fixture
def environment(gateway: str, tmp_path: Path) -> dict[str, str]:
    httpx.post(f"{gateway}/ledger/reset".replace("/v1", "")).raise_for_status()
    system: dict[str, Any] = {
        "id": "gateway", "name": "gateway", "vendor": "t", "family": "t", "client": "openai", "suites": [], "inputs": ["text"],
        "options": {"url": gateway, "model": "stub/ok"}, "limits": {"at_once": AT_ONCE}, "default": False,
    }  # fmt: skip
    file = tmp_path / "systems.yaml"
    file.write_text(yaml.safe_dump([system]), encoding="utf-8")
    return {"ZKUSEBNA_PRIVATE_SEED": "the same for all", "ZKUSEBNA_SYSTEMS_FILE": str(file)}


def ledger(gateway: str) -> dict[str, Any]:
    told: dict[str, Any] = httpx.get(f"{gateway}/ledger".replace("/v1", "")).json()
    return told


@pytest.mark.parametrize("moment", MOMENTS)
def test_no_answer_is_paid_twice_beyond_those_in_flight(
    moment: int, gateway: str, environment: dict[str, str], tmp_path: Path
) -> None:
    """Killed when a random number of the 44 calls has been answered; then run to the end."""
    random = Random(moment)
    wanted = random.randint(2 * moment, 2 * moment + 4)

    def start() -> Any:
        arguments = (str(tmp_path / "store"), environment, ARGUMENTS, str(tmp_path / "steps"))
        child = children.Process(target=in_child, args=arguments)
        child.start()
        return child

    child = start()
    while child.is_alive() and ledger(gateway)["answered"] < wanted:
        time.sleep(0.003)
    child.kill()
    child.join()
    assert_sound(tmp_path / "store")
    again = start()
    again.join()
    assert again.exitcode == 0
    told = ledger(gateway)
    assert told["distinct_answered"] == 44
    assert told["answered_twice"] <= AT_ONCE
    rows = stable_rows(tmp_path / "store")
    assert {row["status"] for row in rows["answers"]} == {"ok"}
    assert 44 <= len(rows["calls"]) <= 44 + AT_ONCE
    assert sum(row["cost_usd"] for row in rows["answers"]) == sum(row["cost_usd"] for row in rows["calls"])
