"""Thirty kills of worker, run and server at random moments of whole runs: results equal, nothing paid twice but what was in flight.

A run of each suite is done once undisturbed. Then it is done anew in one empty store after another, while something is killed by SIGKILL and
started again, until the suite's kills are spent. A run that has ended red goes on by what the button Retry sends (`test_morning.py` presses
it in a browser and sees that it sends this), and by nothing else.
"""

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import httpx
import psutil
import pytest
from house_support import House, Provider, kill, wait
from pipeline_support import assert_sound, stable_rows
from server_support import Server
from ui_support import ENDED

pytestmark = pytest.mark.slow

KINDS = ("run", "worker", "server", "run", "worker", "server", "run", "worker", "server", "run")
"""What is killed in the runs of one suite, in an order that is drawn."""

SUITES = ("invoices", "emails", "pii")
AT_ONCE, SIZE, LATENCY_S = 4, 12, 1.0

GREEN_S = 900.0
"""How long the last attempt of a run may take on a busy machine, with the wait for a run that was lost."""


class Operator:
    """One order of a suite: looks at it, presses Retry where it has ended red, and counts that."""

    def __init__(self, house: House, suite: str, store: Path) -> None:
        house.provider.begin(latency_s=LATENCY_S)
        self.house, self.store, self.retries = house, store, 0
        self.run = house.order(seed=7, suite=suite, size=SIZE, root=str(store))

    def is_green(self, until: float) -> bool:
        """Look until the run is green or a moment has come; whether it is green."""
        while (state := self.house.run(self.run)["state"])["type"] != "COMPLETED":
            if state["type"] in ENDED:
                print(f"Retry: {state['name']}: {state['message']}")
                self.house.retry(self.run)
                self.retries += 1
            if time.monotonic() >= until:
                return False
            time.sleep(0.3)
        return True

    def ends(self) -> None:
        """Wait until the run is green."""
        assert self.is_green(time.monotonic() + GREEN_S), self.house.run(self.run)["state"]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with ExitStack() as stack:
        provider = stack.enter_context(Provider())
        yield House(tmp_path_factory.mktemp("house"), provider, stack, at_once=AT_ONCE)


def strike(kind: str, operator: Operator, worker: Any) -> Any:
    """Kill one of the three, and start it again; the worker that is there now. None where no run is there any more to be killed."""
    house = operator.house
    if kind == "run":
        while (process := house.process(operator.run)) is None:
            if operator.is_green(time.monotonic()):
                return None
        kill(process)
    elif kind == "worker":
        kill(psutil.Process(worker.pid), with_children=False)
        return house.hire()
    else:
        house.restart(killed=True)
    return worker


@pytest.mark.parametrize("suite", SUITES)
def test_killed_at_random_moments(suite: str, house: House) -> None:
    """The undisturbed run, then ten kills."""
    random, kinds, done, rounds = Random(suite), list(KINDS), Counter[str](), 0
    random.shuffle(kinds)
    worker = house.hire()
    begun = time.monotonic()
    undisturbed = Operator(house, suite, house.folder / f"{suite}-0")
    undisturbed.ends()
    whole, expected, cases = time.monotonic() - begun, stable_rows(undisturbed.store), house.provider.ledger["requests"]
    assert_paid_once(undisturbed, cases)
    while kinds:
        rounds += 1
        operator = Operator(house, suite, house.folder / f"{suite}-{rounds}")
        while kinds and not operator.is_green(time.monotonic() + random.uniform(0, whole)):
            now = strike(kinds[-1], operator, worker)
            if now is None:
                break
            print(f"round {rounds}: killed the {kinds[-1]} after {time.monotonic() - begun:.0f} s")
            worker, _ = now, done.update([kinds.pop()])
        operator.ends()
        assert_paid_once(operator, cases)
        assert_sound(operator.store)
        assert stable_rows(operator.store) == expected
        left = [p for tree in ("work", "journal", "tmp") for p in (operator.store / tree).rglob("*") if p.is_file()]
        assert left == []
    print(f"{suite}: {dict(done)} in {rounds} rounds, {time.monotonic() - begun:.0f} s, undisturbed {whole:.0f} s")


def assert_paid_once(operator: Operator, cases: int) -> None:
    """M-4: all are answered; only calls that were in flight when a process ended were asked again."""
    ledger = operator.house.provider.ledger
    print(
        f"{operator.retries} retries, {ledger['requests'] - cases} asked again, {ledger['answered_twice']} paid twice"
    )
    assert ledger["distinct_answered"] == cases > 0
    assert ledger["answered_twice"] <= ledger["requests"] - cases <= AT_ONCE * operator.retries


def test_no_run_is_left_in_between(house: House) -> None:
    """Neither a run nor a stage of one is said to go on, and no slot of a deployment is taken for ever."""
    wait(lambda: house.alive() == [], "a run is said to go on that nobody does", GREEN_S)
    limits = house.server.post("/v2/concurrency_limits/filter", {})
    assert {limit["name"]: limit["active_slots"] for limit in limits if limit["active_slots"]} == {}


def test_a_killed_server_still_knows_who_holds_a_slot(tmp_path: Path) -> None:
    """A run renews its lease of the deployment's slot every four minutes, and Prefect stops it where the server does not know the lease."""
    server = Server(tmp_path, {})
    with server.up():
        flow = server.post("/flows/", {"name": "any"})["id"]
        deployment = server.post("/deployments/", {"name": "any", "flow_id": flow, "concurrency_limit": 1})["id"]
        run = server.post(f"/deployments/{deployment}/create_flow_run", {})["id"]
        taken = server.post(f"/flow_runs/{run}/set_state", {"state": {"type": "PENDING"}})["state"]
        kill(psutil.Process(server.process.pid))
    with server.up():
        lease = taken["state_details"]["deployment_concurrency_lease_id"]
        path = f"{server.environment['PREFECT_API_URL']}/v2/concurrency_limits/leases/{lease}/renew"
        assert httpx.post(path, json={"lease_duration": 300}, timeout=120).status_code == 204
