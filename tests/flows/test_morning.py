"""An operator's morning: what went wrong in the night is seen and mended by clicking in Prefect's UI, and no call is paid twice."""

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import psutil
import pytest
from house_support import House, Provider, kill, wait
from pipeline_support import assert_sound, stable_rows
from playwright.sync_api import Page, expect
from ui_support import LONGEST_MS, SIDE, browser_page, confirmed, look, press, retry, sees

pytestmark = pytest.mark.slow

LOST_MS = 360_000
"""In which a run without heartbeats has to be found: two minutes, and what a busy machine adds."""

CASES = 4

SLOW_S = 15.0
"""How long an answer takes while something is to happen in the middle of a run."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with ExitStack() as stack:
        provider = stack.enter_context(Provider())
        yield House(tmp_path_factory.mktemp("house"), provider, stack)


def test_a_provider_that_was_down(house: House) -> None:
    """Red, with a sentence that says what to do; Retry asks only what is missing; green; nothing was paid twice."""
    house.provider.begin(answers_left=2)
    with house.server.worker():
        run = house.order(seed=11)
        with browser_page(house.server, f"/runs/flow-run/{run}") as page:
            sees(house.server, page, run, "Failed")
            told = house.run(run)["state"]["message"]
            assert "invoices acme: 2 of 4 (" in told
            assert "press Retry: only what is missing is asked" in told
            sentence = page.get_by_text("press Retry: only what is missing is asked").last
            expect(sentence).to_be_visible(timeout=LONGEST_MS)
            look(page, "failed", 530, left=SIDE)
            sentence.scroll_into_view_if_needed()
            look(page, "failed-told", 64, top=650, left=352, width=768)
            assert house.provider.ledger["answered"] == 2
            house.provider.mend()
            retry(page)
            sees(house.server, page, run, "Completed")
            look(page, "retried", 530, left=SIDE)
            ledger = house.provider.ledger
            assert (ledger["answered"], ledger["answered_twice"]) == (CASES, 0)
            told_of_itself(house, page, run)
    assert house.server.strangers == []
    assert_sound(house.store)


def told_of_itself(house: House, page: Page, run: str) -> None:
    """Name, tags and leaderboard of a finished run."""
    done = house.run(run)
    assert done["name"] == "evaluate invoices acme"
    assert {"zkusebna", "suite:invoices", "system:acme"} <= set(done["tags"])
    edition_of(done)
    assert house.artifacts()["leaderboard-invoices"]["type"] == "table"
    shown = house.artifacts()["leaderboard-invoices"]["latest_id"]
    page.goto(f"http://127.0.0.1:{house.server.port}/artifacts/artifact/{shown}")
    for cell in ("acme", "4 of 4"):
        expect(page.get_by_role("cell").filter(has_text=cell)).to_be_visible(timeout=LONGEST_MS)


def edition_of(run: dict[str, Any]) -> str:
    """The edition in the tags of a run."""
    (edition,) = [tag.removeprefix("edition:") for tag in run["tags"] if tag.startswith("edition:")]
    return str(edition)


def test_one_stage_alone(house: House) -> None:
    """One stage from the form of its deployment: nothing is missing, so it makes nothing and asks nobody."""
    house.provider.begin()
    with house.server.worker():
        whole = house.order(seed=15)
        with browser_page(house.server, f"/runs/flow-run/{whole}") as page:
            sees(house.server, page, whole, "Completed")
            before, edition = stable_rows(house.store), edition_of(house.run(whole))
            page.goto(f"http://127.0.0.1:{house.server.port}/deployments/deployment/{house.deployments['grade']}/run")
            fill(page, edition)
            look(page, "alone", 345, top=375, left=SIDE + 32)
            submit = page.get_by_role("button", name="Submit", exact=True)
            run = press(page, submit.click, "/create_flow_run").json()["id"]
            page.goto(f"http://127.0.0.1:{house.server.port}/runs/flow-run/{run}")
            sees(house.server, page, run, "Completed")
    assert house.run(run)["name"] == f"grade invoices {edition} acme"
    assert house.provider.ledger["answered"] == CASES
    assert stable_rows(house.store) == before


def fill(page: Page, edition: str) -> None:
    """Fill the form of a stage as a person does."""
    for name, value in (("suite", "invoices"), ("edition", edition)):
        part = page.locator(".schema-form-property").filter(has=page.get_by_text(name, exact=True)).last
        part.locator("textarea, input").first.fill(value)
    systems = page.locator(".schema-form-property").filter(has=page.get_by_text("systems", exact=True)).last
    systems.get_by_role("button", name="Add item").click()
    systems.locator("textarea, input").last.fill("acme")


def test_a_run_that_is_cancelled(house: House) -> None:
    """Cancel in the UI stops it; Retry goes on behind what was answered."""
    house.provider.begin(latency_s=3 * SLOW_S)  # Prefect gives a run half a minute to stop
    with house.server.worker():
        run = house.order(seed=12)
        with browser_page(house.server, f"/runs/flow-run/{run}") as page:
            wait(lambda: house.provider.ledger["answered"] >= 1, "nothing was answered")
            confirmed(page, "Cancel", "Confirm", "/set_state")
            sees(house.server, page, run, "Cancelled")
            wait(lambda: house.alive() == [], "a stage of a cancelled run is said to go on")
            page.reload()
            sees(house.server, page, run, "Cancelled")
            look(page, "cancelled", 530, left=SIDE)
            assert house.provider.ledger["requests"] < CASES
            house.provider.mend()
            retry(page)
            sees(house.server, page, run, "Completed")
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
            sees(house.server, page, run, "Completed")
            look(page, "restarted", 530, left=SIDE)
    ledger = house.provider.ledger
    assert (ledger["answered"], ledger["answered_twice"]) == (CASES, 0)


def test_a_worker_that_was_killed(house: House) -> None:
    """Worker and run killed at once: the server finds the run by its missing heartbeats; a new worker and Retry finish it."""
    house.provider.begin(latency_s=SLOW_S)
    with house.server.worker() as worker:
        run = house.order(seed=14)
        wait(lambda: house.provider.ledger["answered"] >= 1, "nothing was answered")
        kill(psutil.Process(worker.pid))
    assert house.run(run)["state"]["name"] == "Running"
    with browser_page(house.server, f"/runs/flow-run/{run}") as page:
        sees(house.server, page, run, "Crashed", LOST_MS)
        assert "Press Retry; only what is missing is done" in house.run(run)["state"]["message"]
        wait(lambda: house.alive() == [], "a stage of a lost run is said to go on")
        look(page, "lost", 530, left=SIDE)
        house.provider.mend()
        with house.server.worker():
            retry(page)
            sees(house.server, page, run, "Completed")
    assert_paid_once_but_in_flight(house)
    assert_sound(house.store)


def assert_paid_once_but_in_flight(house: House) -> None:
    """M-4: all are answered; at most the one call that was in flight when the process died was answered twice."""
    ledger = house.provider.ledger
    assert ledger["distinct_answered"] == CASES
    assert ledger["answered_twice"] <= 1
