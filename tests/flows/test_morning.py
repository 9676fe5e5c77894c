"""An operator's morning: what went wrong in the night is seen and mended by clicking in Prefect's UI, and no call is paid twice."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import psutil
import pytest
import yaml
from gateway_scenarios import Asked, Told, refuse
from gateway_stub import Gateway
from pipeline_support import assert_sound, stable_rows
from playwright.sync_api import Page, expect
from playwright.sync_api import TimeoutError as NotInTime
from ui_support import LONGEST_MS, Shown, browser_page, look, sees

pytestmark = pytest.mark.slow

LOST_MS = 360_000
"""In which a run without heartbeats has to be found: two minutes, and what a busy machine adds."""

CASES = 4

SLOW_S = 15.0
"""How long an answer takes while something is to happen in the middle of a run."""


class Provider(Gateway):
    """A gateway that can be down: from the n-th answer on it says 503 until it is mended."""

    def __init__(self) -> None:
        super().__init__()
        self.answers_left: int | None = None
        good = self.server._decide

        def decide(asked: Asked) -> Told:
            if self.answers_left is None:
                return good(asked)
            self.answers_left -= 1
            return good(asked) if self.answers_left >= 0 else refuse(503, "Service Unavailable")

        self.server._decide = decide  # type: ignore[method-assign]

    def begin(self, *, answers_left: int | None = None, latency_s: float = 0.0) -> None:
        """A new scenario with an empty ledger."""
        self.reset()
        self.answers_left, self.server.latency_s = answers_left, latency_s

    def mend(self) -> None:
        """Answer quickly from now on."""
        self.answers_left, self.server.latency_s = None, 0.0

    @property
    def ledger(self) -> dict[str, Any]:
        return self.server.ledger.shown()


def wait(is_so: Callable[[], bool], what: str) -> None:
    """Wait until something is so, five minutes at most; processes start slowly on a busy machine."""
    until = time.monotonic() + 300
    while not is_so():
        assert time.monotonic() < until, what
        time.sleep(0.2)


class House:
    """Server, worker and provider of the morning; each scenario has a seed of its own, so that no request is another's."""

    def __init__(self, folder: Path, provider: Provider, stack: ExitStack) -> None:
        entry = {
            "id": "acme", "name": "Acme", "vendor": "acme", "family": "acme", "client": "openai", "suites": ["invoices"],
            "inputs": ["text"], "options": {"url": provider.url, "model": "stub/ok"}, "limits": {"seconds": 60, "at_once": 1},
            "default": False,
        }  # fmt: skip
        file = folder / "systems.yaml"
        file.write_text(yaml.safe_dump([entry]), encoding="utf-8")
        self.provider, self.store = provider, str(folder / "store")
        settings = {"ZKUSEBNA_SYSTEMS_FILE": str(file), "ZKUSEBNA_PRIVATE_SEED": "of the test"}
        self.server = Shown(folder, {**settings, "PREFECT_WORKER_QUERY_SECONDS": "2"})
        self._up, self._stack = stack.enter_context(ExitStack()), stack
        self._up.enter_context(self.server.up())
        self.server.run("flows.cli", "deploy", "--store", self.store)
        self.deployments = {d["name"]: d["id"] for d in self.server.post("/deployments/filter", {})}
        for name in ("nightly", "jury"):
            self.server.post(f"/deployments/{self.deployments[name]}/pause_deployment", {})

    def restart(self) -> None:
        """Stop the server and start it again on the same database, while the worker and its run go on."""
        self._up.close()
        self._up.enter_context(self.server.up())

    def order(self, seed: int) -> str:
        """A run of `evaluate` over four documents; its id."""
        given = {"suite": "invoices", "systems": ["acme"], "size": 2, "seed": seed, "levels": ["text"]}
        ordered = self.server.post(
            f"/deployments/{self.deployments['evaluate']}/create_flow_run", {"parameters": given}
        )
        return str(ordered["id"])

    def run(self, run: str) -> dict[str, Any]:
        return dict(self.server.get(f"/flow_runs/{run}"))

    def artifacts(self) -> dict[str, Any]:
        return {a["key"]: a for a in self.server.post("/artifacts/latest/filter", {})}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with ExitStack() as stack:
        provider = stack.enter_context(Provider())
        yield House(tmp_path_factory.mktemp("house"), provider, stack)


def retry(page: Page) -> None:
    """Press Retry, and confirm."""
    page.get_by_role("button", name="Retry", exact=True).first.click()
    page.get_by_role("dialog").get_by_role("button", name="Retry", exact=True).click()
    expect(page.get_by_role("dialog")).to_be_hidden(timeout=LONGEST_MS)


def test_a_provider_that_was_down(house: House) -> None:
    """Red, with a sentence that says what to do; Retry asks only what is missing; green; nothing was paid twice."""
    house.provider.begin(answers_left=2)
    with house.server.worker():
        run = house.order(seed=11)
        with browser_page(house.server, f"/runs/flow-run/{run}") as page:
            sees(page, "Failed")
            told = house.run(run)["state"]["message"]
            assert "invoices acme: 2 of 4 (" in told
            assert "press Retry: only what is missing is asked" in told
            sentence = page.get_by_text("press Retry: only what is missing is asked").last
            expect(sentence).to_be_visible(timeout=LONGEST_MS)
            look(page, "failed", 530)
            sentence.scroll_into_view_if_needed()
            look(page, "failed-told")
            assert house.provider.ledger["answered"] == 2
            house.provider.mend()
            retry(page)
            sees(page, "Completed")
            look(page, "retried", 530)
            ledger = house.provider.ledger
            assert (ledger["answered"], ledger["answered_twice"]) == (CASES, 0)
            done = house.run(run)
            assert done["name"] == "evaluate invoices acme"
            assert {"zkusebna", "suite:invoices", "system:acme"} <= set(done["tags"])
            assert any(tag.startswith("edition:") for tag in done["tags"])
            assert house.artifacts()["leaderboard-invoices"]["type"] == "table"
            shown = house.artifacts()["leaderboard-invoices"]["latest_id"]
            page.goto(f"http://127.0.0.1:{house.server.port}/artifacts/artifact/{shown}")
            expect(page.get_by_role("cell", name="acme").first).to_be_visible(timeout=LONGEST_MS)
            look(page, "leaderboard", 400)
            alone(house, page, done["tags"])
    assert house.server.strangers == []
    assert_sound(house.store)


def alone(house: House, page: Page, tags: list[str]) -> None:
    """One stage from the form of its deployment: nothing is missing, so it makes nothing and asks nobody."""
    (edition,) = [tag.removeprefix("edition:") for tag in tags if tag.startswith("edition:")]
    before = stable_rows(house.store)
    page.goto(f"http://127.0.0.1:{house.server.port}/deployments/deployment/{house.deployments['grade']}/run")
    for name, value in (("suite", "invoices"), ("edition", edition)):
        part = page.locator(".schema-form-property").filter(has=page.get_by_text(name, exact=True)).last
        part.locator("textarea, input").first.fill(value)
    systems = page.locator(".schema-form-property").filter(has=page.get_by_text("systems", exact=True)).last
    systems.get_by_role("button", name="Add item").click()
    systems.locator("textarea, input").last.fill("acme")
    look(page, "alone", 345, top=375)
    submit(page)
    run = graded(house)[0]
    page.goto(f"http://127.0.0.1:{house.server.port}/runs/flow-run/{run}")
    sees(page, "Completed")
    look(page, "alone-done", 530)
    assert house.run(run)["name"] == f"grade invoices {edition} acme"
    assert house.provider.ledger["answered"] == CASES
    assert stable_rows(house.store) == before


def submit(page: Page) -> None:
    """Submit, and once more where the form stays, as a person does: a server that is busy may have refused."""
    for _ in range(4):
        page.get_by_role("button", name="Submit", exact=True).click()
        try:
            return page.wait_for_url("**/deployment/*?tab=Runs", timeout=40_000)
        except NotInTime:
            continue
    raise AssertionError("the form could not be sent")


def graded(house: House) -> list[str]:
    """The runs of the deployment `grade`."""
    only = {"deployments": {"id": {"any_": [house.deployments["grade"]]}}}
    return [r["id"] for r in house.server.post("/flow_runs/filter", only)]


def test_a_run_that_is_cancelled(house: House) -> None:
    """Cancel in the UI stops it; Retry goes on behind what was answered."""
    house.provider.begin(latency_s=3 * SLOW_S)  # Prefect gives a run half a minute to stop
    with house.server.worker():
        run = house.order(seed=12)
        with browser_page(house.server, f"/runs/flow-run/{run}") as page:
            wait(lambda: house.provider.ledger["answered"] >= 1, "nothing was answered")
            page.get_by_role("button", name="Cancel", exact=True).first.click()
            page.get_by_role("dialog").get_by_role("button", name="Confirm", exact=True).click()
            sees(page, "Cancelled")
            look(page, "cancelled", 530)
            asked = house.provider.ledger["requests"]
            assert asked < CASES
            house.provider.mend()
            retry(page)
            sees(page, "Completed")
    assert_paid_once_but_in_flight(house)


def test_a_server_that_is_restarted(house: House) -> None:
    """A run goes on while the server is away, and ends green in the UI of the new one."""
    house.provider.begin(latency_s=SLOW_S)
    with house.server.worker():
        run = house.order(seed=13)
        wait(lambda: house.provider.ledger["answered"] >= 1, "nothing was answered")
        house.restart()
        house.provider.mend()
        with browser_page(house.server, f"/runs/flow-run/{run}") as page:
            sees(page, "Completed")
            look(page, "restarted", 530)
    ledger = house.provider.ledger
    assert (ledger["answered"], ledger["answered_twice"]) == (CASES, 0)


def test_a_worker_that_was_killed(house: House) -> None:
    """Worker and run killed at once: the server finds the run by its missing heartbeats; a new worker and Retry finish it."""
    house.provider.begin(latency_s=SLOW_S)
    with house.server.worker() as worker:
        run = house.order(seed=14)
        wait(lambda: house.provider.ledger["answered"] >= 1, "nothing was answered")
        doomed = psutil.Process(worker.pid)
        for process in [*doomed.children(recursive=True), doomed]:
            process.kill()
    assert house.run(run)["state"]["name"] == "Running"
    with browser_page(house.server, f"/runs/flow-run/{run}") as page:
        sees(page, "Crashed", LOST_MS)
        assert "Press Retry; only what is missing is done" in house.run(run)["state"]["message"]
        look(page, "lost", 530)
        house.provider.mend()
        with house.server.worker():
            retry(page)
            sees(page, "Completed")
            look(page, "found", 530)
    assert_paid_once_but_in_flight(house)
    assert_sound(house.store)


def assert_paid_once_but_in_flight(house: House) -> None:
    """M-4: all are answered; at most the one call that was in flight when the process died was answered twice."""
    ledger = house.provider.ledger
    assert ledger["distinct_answered"] == CASES
    assert ledger["answered_twice"] <= 1
