"""What goes out again and what does not: a week later, and with `--retry-status`; the gateway's ledger is the witness (M-4)."""

import datetime as dt
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from gateway_stub import Gateway
from pipeline_support import run_test, stable_rows

from datasets.store import Store
from datasets.systems import load_systems
from schemas.errors import UsageError
from tasks import throttle
from tasks.estimate import estimate
from tasks.retries import statuses

CASES = 4


@pytest.fixture(scope="module")
def running() -> Iterator[Gateway]:
    with Gateway() as gateway:
        yield gateway


@pytest.fixture
def gateway(running: Gateway, monkeypatch: pytest.MonkeyPatch) -> Gateway:
    running.reset()
    throttle._THROTTLES.clear()
    monkeypatch.setenv("ZKUSEBNA_PRIVATE_SEED", "the same for all")
    return running


@pytest.fixture
def ask(gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """Builds four cases and asks models (id, scenario) about them; returns the root of the store."""

    def run(models: Sequence[tuple[str, str]], *retry_status: str) -> str:
        entries = [
            {
                "id": name, "name": name, "vendor": "v", "family": "f", "client": "openai", "suites": [], "inputs": ["text"],
                "options": {"url": gateway.url, "model": f"stub/{scenario}", "extra_body": {"user": name}},
            }
            for name, scenario in models
        ]  # fmt: skip
        (tmp_path / "mine.yaml").write_text(yaml.safe_dump(entries), encoding="utf-8")
        load_systems.cache_clear()
        monkeypatch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(tmp_path / "mine.yaml"))
        names = [name for name, _ in models]
        run_test(str(tmp_path / "s"), "invoices", names, CASES // 2, ("text",), retry_status=retry_status)
        return str(tmp_path / "s")

    return run


def a_week_later(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every module of ours reads the clock a week later."""

    class Later(dt.datetime):
        @classmethod
        def now(cls, tz: dt.tzinfo | None = None) -> "Later":
            return super().now(tz) + dt.timedelta(days=7)

    ours = [m for name, m in sys.modules.items() if name.split(".")[0] in ("tasks", "datasets", "profiles")]
    changed = [m for m in ours if getattr(m, "datetime", None) is dt.datetime]
    assert changed
    for module in changed:
        monkeypatch.setattr(module, "datetime", Later)


def calls_of(root: str) -> list[dict[str, Any]]:
    """All sealed calls, with their dates."""
    from pipeline_support import places_of

    from datasets.tables import read
    from schemas.call import Call

    store = Store.open(root, create=False)
    return [row for place in places_of(store, Call) for row in read(store, Call, place).to_pylist()]


def test_a_week_later_one_new_model_costs_its_own_calls(
    gateway: Gateway, ask: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nine models were asked; a week later a tenth stands beside them: its calls go out, no other body again."""
    old = [(f"m{n}", "ok") for n in range(9)]
    ask(old)
    first = gateway.server.ledger.shown()
    assert (first["requests"], first["distinct_answered"]) == (9 * CASES, 9 * CASES)
    gateway.reset()
    a_week_later(monkeypatch)
    root = ask([*old, ("newcomer", "ok")])
    second = gateway.server.ledger.shown()
    assert second["requests"] == second["distinct_answered"] == CASES
    assert not set(second["by_body"]) & set(first["by_body"])
    assert {asked.request["user"] for asked in gateway.asked} == {"newcomer"}
    days: dict[str, set[dt.date]] = {}
    for call in calls_of(root):
        days.setdefault(call["system_id"], set()).add(call["asked_at"].date())
    new_day = days.pop("newcomer")
    assert len(days) == 9
    assert all(max(new_day) - max(day) >= dt.timedelta(days=6) for day in days.values()), (
        "a known answer keeps its date"
    )


def test_the_record_of_calls_alone_is_enough(gateway: Gateway, ask: Callable[..., str]) -> None:
    """Without any answers in the store all of them are made again from `calls`, and nothing goes out."""
    root = ask([("m", "badjson-once")])
    before = stable_rows(root)["answers"]
    for tree in ("tables/answers", "manifests/answers"):
        shutil.rmtree(Path(root) / tree)
    gateway.reset()
    ask([("m", "badjson-once")])
    assert not gateway.asked
    assert stable_rows(root)["answers"] == before
    assert len(before) == CASES


def test_what_was_filtered_goes_out_again_on_request_alone(gateway: Gateway, ask: Callable[..., str]) -> None:
    """`blocked` is filtered and `fine` answers: a second run asks nothing, with the status four calls of `blocked`; both attempts stay."""
    models = [("blocked", "filter"), ("fine", "ok")]
    ask(models)
    gateway.reset()
    ask(models)
    assert not gateway.asked
    ask(models, "truncated")
    assert not gateway.asked
    root = ask(models, "filtered")
    assert Counter(asked.request["user"] for asked in gateway.asked) == {"blocked": CASES}
    rows = stable_rows(root)
    told = Counter((c["system_id"], c["attempt"], c["status"]) for c in rows["calls"])
    assert told == {("blocked", 1, "filtered"): CASES, ("blocked", 2, "filtered"): CASES, ("fine", 1, "ok"): CASES}
    assert {a["status"] for a in rows["answers"] if a["system_id"] == "blocked"} == {"filtered"}


def test_what_was_answered_the_second_time_is_not_asked_a_third_time(
    gateway: Gateway, ask: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The filter lets the second attempt pass: answers follow, and the same request for a status asks nothing more."""
    from gateway_scenarios import SCENARIOS

    once = {"filter": lambda asked: SCENARIOS["ok" if asked.nth > 1 else "filter"](asked)}
    monkeypatch.setitem(SCENARIOS, "sometimes", once["filter"])
    models = [("m", "sometimes")]
    ask(models)
    assert len(gateway.asked) == CASES
    for _ in range(2):
        root = ask(models, "filtered")
        assert len(gateway.asked) == 2 * CASES
    rows = stable_rows(root)
    assert {a["status"] for a in rows["answers"]} == {"ok"}
    assert {(c["attempt"], c["status"]) for c in rows["calls"]} == {(1, "filtered"), (2, "ok")}
    assert gateway.server.ledger.shown()["answered_twice"] == 0


def test_an_invalid_answer_is_asked_for_its_repeat_again(gateway: Gateway, ask: Callable[..., str]) -> None:
    """M-2: both calls of an invalid answer are known; only the second one, which ended it, goes out again. The forecast knows it too."""
    models = [("m", "badjson")]
    root = ask(models)
    assert len(gateway.asked) == 2 * CASES
    forecast = [
        estimate(root, ["invoices"], ["m"], CASES // 2, 7, None, False, ("text",), retry)[0].to_ask
        for retry in ((), ("filtered",), ("invalid",))
    ]
    assert forecast == [0, 0, CASES]
    gateway.reset()
    ask(models, "invalid")
    assert [len(asked.request["messages"]) for asked in gateway.asked] == [3] * CASES
    attempts = Counter((c["turn"], c["attempt"]) for c in stable_rows(root)["calls"])
    assert attempts == {(1, 1): CASES, (2, 1): CASES, (2, 2): CASES}


def test_only_final_statuses_can_be_asked_for() -> None:
    assert statuses(["filtered", "refused"]) == {"api_error", "timeout", "filtered", "refused"}
    for word in ("ok", "filter", ""):
        with pytest.raises(UsageError, match=f"Unknown status to be asked again '{word}'"):
            statuses([word])
