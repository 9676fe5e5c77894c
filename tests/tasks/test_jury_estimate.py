"""What a sitting is said to cost, against what it did cost (M-8)."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from gateway_stub import Gateway
from jury_support import hear, pool_file

from tasks import throttle
from tasks.estimate import Line, estimate, totals

MODELS = ("umi", "umi-fenced", "umi-word", "mozna", "neumi", "mozna-once", "nerozhodnuto", "umi", "neumi")
ORDER: dict[str, Any] = {"systems": None, "size": 6, "seed": 1, "recorded": None, "is_full": False}


def line(root: str) -> Line:
    (found,) = estimate(root, ["jury"], **ORDER)
    return found


def test_what_was_paid_lies_between_low_and_most_and_checked_claims_cost_nothing_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = str(tmp_path / "store")
    throttle._THROTTLES.clear()
    with Gateway() as gateway:
        monkeypatch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(pool_file(tmp_path, gateway.url, MODELS)))
        before = line(root)
        assert not Path(root).exists()
        assert (before.cases, before.answered, before.to_ask, before.role) == (6, 0, 30, "judge")
        hear(root, 4, "r1", size=6)
        after = line(root)
        assert (after.cases, after.answered, after.to_ask) == (6, 4, 10)
        hear(root, 2, "r2", size=6)
        done = line(root)
        assert (done.answered, done.to_ask, done.low_usd, done.expected_usd, done.most_usd) == (6, 0, 0, 0, 0)
        paid = sum(Decimal(str(a)) for a in _paid(gateway))
    assert before.low_usd is not None
    assert before.most_usd is not None
    assert before.low_usd <= paid <= before.most_usd
    assert totals([before])[-1].to_ask == 30


def _paid(gateway: Gateway) -> list[float]:
    """By the stub's own prices, from the bodies that it answered."""
    from gateway_scenarios import SCENARIOS

    told = (SCENARIOS[a.request["model"].removeprefix("stub/")](a) for a in gateway.asked)
    return [t.body["usage"]["cost"] for t in told if isinstance(t.body, dict)]


def test_an_unknown_price_is_told_as_unknown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import yaml

    file = pool_file(tmp_path, "http://127.0.0.1:9/v1", MODELS)
    entries = yaml.safe_load(file.read_text(encoding="utf-8"))
    del entries[3]["price"]
    file.write_text(yaml.safe_dump(entries), encoding="utf-8")
    monkeypatch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(file))
    found = line(str(tmp_path / "store"))
    assert (found.low_usd, found.expected_usd, found.most_usd, found.price_from) == (None, None, None, "unknown")


def test_without_a_pool_there_is_no_line(tmp_path: Path) -> None:
    assert estimate(str(tmp_path / "store"), ["jury"], **ORDER) == []
