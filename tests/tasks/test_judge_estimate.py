"""What judges would be asked is told before: as many calls as then go out, known ones as known, judges and systems apart (M-8)."""

from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from gateway_stub import Gateway
from pipeline_support import run_stages

from tasks import throttle
from tasks.costs import spent, told
from tasks.estimate import Line, estimate, totals


@pytest.fixture
def gateway(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    throttle._THROTTLES.clear()
    with Gateway() as running:
        own = {
            "name": "n",
            "family": "f",
            "suites": ["legal"],
            "inputs": ["text"],
            "default": False,
            "client": "openai",
        }
        price = {"usd_per_million_in": 1, "usd_per_million_out": 2}
        entries = [
            {
                **own, "id": name, "vendor": name, "judges": ["legal"], "price": price,
                "options": {"url": running.url, "model": f"stub/{name}"}, "limits": {"at_once": 16, "seconds": 20, "max_tokens": 300},
            }
            for name in ("judge", "prose")
        ]  # fmt: skip
        file = tmp_path / "systems.yaml"
        file.write_text(yaml.safe_dump(entries), encoding="utf-8")
        monkeypatch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(file))
        yield running


def judge_line(root: Path) -> tuple[Line, list[Line]]:
    lines = estimate(str(root), ["legal"], ["prose"], 2, 7, None, is_full=False, judges=["judge"])
    (found,) = [line for line in lines if line.role == "judge"]
    return found, lines


def test_the_calls_told_are_the_calls_that_go_out(gateway: Gateway, tmp_path: Path) -> None:
    """Oracle: the gateway's ledger after the run; and a second look finds every reply known."""
    root = tmp_path / "store"
    before, lines = judge_line(root)
    assert (before.cached, before.cases) == (0, 12)  # two answers, and ten controls of the two cases
    assert before.low_usd is not None
    assert before.expected_usd is not None
    assert before.most_usd is not None
    assert 0 < before.low_usd <= before.expected_usd <= before.most_usd
    apart = {total.role: total for total in totals(lines)}
    assert apart["all"].to_ask == apart["system"].to_ask + apart["judge"].to_ask
    assert apart["all"].most_usd == apart["system"].most_usd + apart["judge"].most_usd
    run_stages(str(root), "legal", ["prose", "controls"], 2, judges=["judge"])
    asked = sum(a.request["model"] == "stub/judge" for a in gateway.asked)
    assert asked == before.to_ask
    after, _ = judge_line(root)
    assert (after.cached, after.to_ask, after.most_usd) == (asked, 0, 0)


def test_what_a_run_spent_is_told_by_purpose_and_adds_up(gateway: Gateway, tmp_path: Path) -> None:
    """Oracle: DuckDB over the table of calls."""
    root = tmp_path / "store"
    run_stages(str(root), "legal", ["prose"], 1, judges=["judge"])
    found = duckdb.sql(
        f"select purpose, sum(cost_usd) from read_parquet('{root}/tables/calls/**/*.parquet', hive_partitioning=true) group by 1"
    ).fetchall()
    assert spent(str(root), "r1") == dict(found)
    assert {purpose for purpose, _ in found} == {"test", "judge"}
    assert spent(str(root), "another run") == {}
    total = sum(amount for _, amount in found)
    assert told(spent(str(root), "r1")).startswith(f"Spent {total.normalize():f} USD: systems ")
