"""The number of trials as an order says it: more ask what is missing, fewer compare the first ones, none goes on with the last (R-10, M-6).

Oracle: the requests that a gateway got.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from gateway_stub import Gateway
from pipeline_support import run_stages, stable_rows
from roleplay_support import player, systems

from schemas.errors import UsageError
from tasks import throttle
from tasks.estimate import estimate
from tasks.runs import open_order
from tasks.suites import SUITES, suite_of
from tasks.trials_ordered import check_trials

TURNS = 14


@pytest.fixture(scope="module")
def gateway() -> Iterator[Gateway]:
    with Gateway() as running:
        yield running


def test_more_trials_ask_what_is_missing_and_fewer_lose_nothing(
    gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two, three, one, as before, three again: only trials that nobody has asked yet go out, and the same number gives the same rows."""
    gateway.reset()
    throttle._THROTTLES.clear()
    systems(gateway, tmp_path, monkeypatch, {"play": player()})
    root = str(tmp_path / "s")

    def after(trials: int | None) -> tuple[int, list[int], int]:
        run_stages(root, "roleplay", ["play", "controls"], 1, trials=trials)
        rows = stable_rows(root)
        told = [a["trial"] for a in rows["answers"] if a["system_id"] == "play"]
        [runs] = [
            r["n_items"] for r in rows["tendencies"]
            if (r["system_id"], r["dimension"], r["metric"]) == ("play", "overall", "coverage")
        ]  # fmt: skip
        return len(gateway.asked) // TURNS, told, runs

    def forecast(trials: int | None) -> tuple[int, int, int]:
        lines = estimate(root, ["roleplay"], ["play"], 1, 7, None, False, trials=trials)
        [line] = [line for line in lines if line.system == "play"]
        return line.trials, line.cached, line.to_ask

    assert forecast(2) == (2, 0, 2 * TURNS)
    assert after(2) == (2, [1, 2], 2)
    whole = stable_rows(root)
    assert forecast(None) == (2, 2 * TURNS, 0)
    assert after(None) == (2, [1, 2], 2)
    assert forecast(3) == (3, 2 * TURNS, TURNS)
    assert after(3) == (3, [1, 2, 3], 3)
    assert forecast(1) == (1, TURNS, 0)
    assert after(1) == (3, [1], 1)
    assert after(None) == (3, [1], 1)
    assert after(2) == (3, [1, 2], 2)
    again = stable_rows(root)
    assert {table: rows for table, rows in again.items() if table != "calls"} == {
        table: rows for table, rows in whole.items() if table != "calls"
    }
    assert len(again["calls"]) - len(whole["calls"]) == TURNS
    controls = {(a["case_id"], a["trial"]) for a in again["answers"] if a["system_id"] == "controls"}
    assert controls == {("keeper-cs", n) for n in range(1, 5)}


@pytest.mark.parametrize(
    ("trials", "suites", "told"),
    [
        (0, ["roleplay"], "The number of trials 0 cannot be asked for; give 1 to 20 to --trials."),
        (-3, None, "The number of trials -3 cannot be asked for; give 1 to 20 to --trials."),
        (21, ["artifacts", "roleplay"], "The number of trials 21 cannot be asked for; give 1 to 20 to --trials."),
        (2, ["roleplay", "legal"], "The suite 'legal' asks each case a fixed number of times; --trials is for artifacts and roleplay."),
        (2, ["rolepley"], "did you mean 'roleplay'"),
    ],
)  # fmt: skip
def test_a_number_that_cannot_be_is_told(trials: int, suites: list[str] | None, told: str, tmp_path: Path) -> None:
    """Before anything is done, by a run and by a dry one."""
    root = tmp_path / "s"
    with pytest.raises(UsageError, match=told):
        open_order(str(root), suites, ["controls"], 1, 1, None, False, trials=trials)
    with pytest.raises(UsageError, match=told):
        estimate(str(root), suites, ["controls"], 1, 1, None, False, trials=trials)


def test_an_order_for_all_suites_sets_those_that_take_one(tmp_path: Path) -> None:
    check_trials(3, None)
    order = open_order(str(tmp_path / "s"), None, None, None, 1, None, False, trials=3)
    assert {p.suite: p.trials for p in order.parts} == {w: 3 if s.most_trials else None for w, s in SUITES.items()}
    assert (suite_of("roleplay").asked(3).trials, suite_of("roleplay").trials) == (3, 1)
