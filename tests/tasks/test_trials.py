"""Further trials after extreme behaviour: which comes next, what goes out, which one is compared, where a filter stopped (M-6)."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from gateway_scenarios import SCENARIOS, Asked, Told
from gateway_stub import Gateway
from hypothesis import given
from hypothesis import strategies as st
from pipeline_support import run_test, stable_rows

from datasets import invoices
from datasets.systems import load_systems
from profiles.filters import FilterLine
from profiles.trials import Outcome, compared, extreme_share, outcome_of
from tasks import suites, throttle
from tasks.estimate import estimate
from tasks.filters import filter_table
from tasks.trials import next_trial

outcomes = st.sampled_from(["complete", "extreme", "open"])


def led(script: list[Outcome], trials: int, reruns: int) -> list[Outcome]:
    """The trials that take place where the n-th one ends as the script says."""
    so_far: list[Outcome] = []
    while (trial := next_trial(so_far, trials, reruns)) is not None:
        assert trial == len(so_far) + 1
        so_far.append(script[trial - 1])
    return so_far


@given(st.lists(outcomes, min_size=12, max_size=12), st.integers(1, 4), st.integers(0, 3))
def test_trials_stop_at_the_first_complete_one(script: list[Outcome], trials: int, reruns: int) -> None:
    """Oracle: the rule said in another way, over all prefixes of the script."""
    took = led(script, trials, reruns)
    assert trials <= len(took) <= trials + reruns
    for n in range(trials, len(took)):  # every further trial had its reason: none open, too few complete
        assert "open" not in took[:n]
        assert took[:n].count("complete") < trials
    if len(took) < trials + reruns:  # and none is left out without one
        assert "open" in took or took.count("complete") == trials
    assert took == script[: len(took)]
    chosen = compared(took, trials)
    assert chosen == [n + 1 for n in range(len(took)) if took[n] == "complete"][:trials]
    if trials == 1 and chosen:
        assert set(took[: chosen[0] - 1]) <= {"extreme"}


def test_one_of_four_by_hand() -> None:
    assert led(["extreme", "extreme", "extreme", "complete", "complete"], 1, 3) == ["extreme"] * 3 + ["complete"]
    assert led(["extreme"] * 5, 1, 3) == ["extreme"] * 4
    assert led(["extreme"] * 5, 1, 0) == ["extreme"]
    assert led(["extreme", "open", "complete"], 1, 3) == ["extreme", "open"]
    assert compared(["extreme", "extreme", "complete"]) == [3]
    assert compared(["extreme"] * 4) == []
    assert extreme_share(["extreme", "open", "complete", "extreme"]) == (2, 3)


@pytest.mark.parametrize(
    ("status", "replies", "outcome"),
    [
        ("ok", ["a"], "complete"), ("ok", ["a", ""], "extreme"), ("ok", [], "extreme"), ("truncated", ["a"], "complete"),
        ("truncated", [""], "extreme"), ("invalid", ["a"], "complete"), ("refused", ["Ne."], "extreme"), ("filtered", ["a"], "extreme"),
        ("timeout", [], "open"), ("api_error", ["a"], "open"), ("pin_violated", ["a"], "open"), ("ok", ["KONEC"], "extreme"),
    ],
)  # fmt: skip
def test_what_is_extreme(status: str, replies: list[str], outcome: str) -> None:
    assert outcome_of(status, replies, lambda said: "KONEC" in said) == outcome


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[Asked]]:
    """Asks one model about six cases in a suite with three reruns, with `says` as what the gateway says; returns what it was asked."""
    monkeypatch.setenv("ZKUSEBNA_PRIVATE_SEED", "the same for all")
    monkeypatch.setitem(suites.SUITES, "invoices", replace(suites.SUITES["invoices"], reruns=3))

    def run(gateway: Gateway, says: Callable[[Asked], Told]) -> list[Asked]:
        monkeypatch.setitem(SCENARIOS, "moody", says)
        throttle._THROTTLES.clear()
        entry: dict[str, Any] = {
            "id": "m", "name": "m", "vendor": "v", "family": "f", "client": "openai", "suites": [], "inputs": ["text"],
            "options": {"url": gateway.url, "model": "stub/moody"}, "price": {"usd_per_million_in": 1, "usd_per_million_out": 1},
            "limits": {"max_tokens": 100},
        }  # fmt: skip
        (tmp_path / "mine.yaml").write_text(yaml.safe_dump([entry]), encoding="utf-8")
        load_systems.cache_clear()
        monkeypatch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(tmp_path / "mine.yaml"))
        run_test(str(tmp_path / "s"), "invoices", ["m"], 3, ("text",))
        return gateway.asked

    return run


def forecast(root: Path) -> Any:
    [line] = estimate(str(root), ["invoices"], ["m"], 3, 7, None, False, ("text",))
    return line


def test_further_trials_go_out_until_one_is_complete(ask: Callable[..., list[Asked]], tmp_path: Path) -> None:
    """The filter stops the first two trials of every case: three calls a case, the third is compared; again asks nothing."""

    def says(asked: Asked) -> Told:
        return SCENARIOS["filter" if asked.nth < 3 else "ok"](asked)

    with Gateway() as gateway:
        assert len(ask(gateway, says)) == 6 * 3
        gateway.reset()
        assert ask(gateway, says) == []
        assert forecast(tmp_path / "s").to_ask == 0
    rows = stable_rows(tmp_path / "s")
    by_case: dict[str, list[Outcome]] = {}
    for answer in rows["answers"]:
        by_case.setdefault(answer["case_id"], []).append(outcome_of(answer["status"], answer["replies"]))
    assert list(by_case.values()) == [["extreme", "extreme", "complete"]] * 6
    assert Counter(c["trial"] for c in rows["calls"]) == {1: 6, 2: 6, 3: 6}
    assert len({c["request_hash"] for c in rows["calls"]}) == 18, "the number of the trial is part of the key (M-4)"
    public = sum(case["split"] == "public" for case in rows["cases"])
    edition = rows["cases"][0]["edition"]
    assert filter_table(str(tmp_path / "s"), "invoices", edition, ["m"]) == [
        FilterLine("m", "StubHost", 1, 2 * public, public, 0)
    ]


def test_at_most_three_further_trials_and_none_after_a_complete_one(
    ask: Callable[..., list[Asked]], tmp_path: Path
) -> None:
    """American cases are always filtered, Czech ones answered: four calls and one."""

    def says(asked: Asked) -> Told:
        return SCENARIOS["ok" if "faktur" in str(asked.request["messages"]).lower() else "filter"](asked)

    with Gateway() as gateway:
        assert len(ask(gateway, says)) == 3 * 4 + 3
        assert forecast(tmp_path / "s").to_ask == 0
    told = Counter((a["case_id"].split("-")[1], a["status"]) for a in stable_rows(tmp_path / "s")["answers"])
    assert told == {("en", "filtered"): 12, ("cs", "ok"): 3}


def test_a_suite_says_what_else_is_extreme(
    ask: Callable[..., list[Asked]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`is_extreme` of the source; before the run the forecast counts four trials at most, one at least."""
    monkeypatch.setattr(invoices, "is_extreme", lambda replies: True, raising=False)
    with Gateway() as gateway:
        assert len(ask(gateway, SCENARIOS["ok"])) == 6 * 4
        assert forecast(tmp_path / "s").to_ask == 0


def test_where_nothing_was_filtered_there_is_no_table(ask: Callable[..., list[Asked]], tmp_path: Path) -> None:
    with Gateway() as gateway:
        ask(gateway, SCENARIOS["ok"])
    edition = stable_rows(tmp_path / "s")["cases"][0]["edition"]
    assert filter_table(str(tmp_path / "s"), "invoices", edition, ["m"]) == []
