"""A case of law made by clicking: Prefect's own UI in a real browser, the form of a suspended run filled and sent (L-4)."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml
from draft_support import CASE, WISHED
from gateway_stub import gateway_process
from playwright.sync_api import Locator, Page, expect
from server_support import deploy, systems_file
from ui_support import LONGEST_MS, Shown, browser_page, look

AGAIN_MS = 25_000
"""After how long a person presses Submit once more."""


def opened(page: Page, heading: str) -> Locator:
    """The form behind the button Resume, once the run waits for the step that is meant."""
    button = page.get_by_role("button", name="Resume")
    expect(button).to_be_visible(timeout=LONGEST_MS)
    button.click()
    form = page.get_by_role("dialog")
    expect(form.get_by_role("heading", name=heading)).to_be_visible(timeout=LONGEST_MS)
    return form


def field(form: Locator, title: str) -> Locator:
    """The part of the form under a title."""
    return form.locator(".schema-form-property").filter(has=form.page.get_by_text(title, exact=True)).last


def fill(page: Page, form: Locator, choice: str, who: str, reason: str = "") -> None:
    """Choose, sign, and give a reason, as a person does."""
    field(form, "Rozhodnutí").locator(
        ".p-select-button__icon"
    ).click()  # a click beside the arrows opens and closes the list (Prefect 3.9.1)
    page.get_by_role("option", name=choice, exact=True).click()
    field(form, "Kdo rozhoduje").locator("textarea").fill(who)
    if reason:
        field(form, "Důvod (Optional)").locator("textarea").fill(reason)


def send(page: Page, form: Locator) -> None:
    """Submit, and once more where the form stays, as a person does: a server that is busy may have refused."""
    for _ in range(LONGEST_MS // AGAIN_MS):
        form.get_by_role("button", name="Submit").click()
        try:
            return expect(form).to_be_hidden(timeout=AGAIN_MS)
        except AssertionError:
            continue
    raise AssertionError("the form could not be sent")


@pytest.mark.slow
def test_a_person_makes_a_case_by_clicking(store: str, tmp_path: Path) -> None:
    """Approve, change with a reason, approve, approve: after each the worker goes on, and who and when stand in the store."""
    began = datetime.now(UTC)
    with gateway_process() as url:
        server = Shown(tmp_path, {"ZKUSEBNA_SYSTEMS_FILE": str(systems_file(tmp_path, url))})
        with server.up():
            server.prefect("work-pool", "create", "zkusebna", "--type", "process")
            run = deploy(server, store, pool="zkusebna")
            with server.worker(), browser_page(server, f"/runs/flow-run/{run}") as page:
                form = opened(page, "Krok 1 ze 3")
                look(page, "1-opened")
                box = form.locator("pre code").first.bounding_box()
                assert box is not None  # the draft itself is to be seen, on a small screen too
                assert box["height"] > 200
                assert "general_rule: Zkušební dobu" in form.locator("pre code").first.inner_text()
                form.get_by_role(
                    "button", name="Submit"
                ).click()  # nothing filled: the form keeps the person, the run waits
                expect(form.get_by_text("'choice' is a required property")).to_be_visible(timeout=LONGEST_MS)
                fill(page, form, "approve", "Jana Nová")
                look(page, "2-filled")
                send(page, form)

                form = opened(page, "Krok 2 ze 3")
                fill(page, form, "change", "Jana Nová", "Ať je to z knihovny.")
                look(page, "3-change")
                send(page, form)

                form = opened(page, "Krok 2 ze 3")
                added = form.locator("pre code").first.inner_text()
                assert "nastoupila do knihovny" in added
                look(page, "4-changed")
                fill(page, form, "approve", "Jana Nová")
                send(page, form)

                form = opened(page, "Krok 3 ze 3")
                fill(page, form, "approve", "Petr Malý")
                send(page, form)
                expect(page.locator(".state-badge", has_text="Completed").first).to_be_visible(timeout=LONGEST_MS)
                look(page, "5-completed")
    decisions = read_decisions(store)
    assert [(d["step"], d["choice"], d["who"], d["reason"], d["problem"]) for d in decisions] == [
        ("facts", "approve", "Jana Nová", "", ""),
        ("case", "change", "Jana Nová", "Ať je to z knihovny.", ""),
        ("case", "approve", "Jana Nová", "", ""),
        ("check", "approve", "Petr Malý", "", ""),
    ]
    days = [datetime.fromisoformat(d["decided_at"]) for d in decisions]
    moments = [began, *days, datetime.now(UTC)]
    assert moments == sorted(moments)
    assert {d["run_id"] for d in decisions} == {run}
    case = yaml.safe_load(Path(store, f"cases/legal/cz/{CASE['id']}.yaml").read_text())
    assert (case["question"], case["state"], case["reviewed_by"]) == (WISHED, "approved", "Petr Malý")
    assert str(case["reviewed_on"]) == days[-1].date().isoformat()
    assert server.strangers == []


def read_decisions(store: str) -> list[dict[str, Any]]:
    """What people decided, in order, as it stands in the store."""
    return [json.loads(p.read_text()) for p in sorted(Path(store, "drafts").glob("*/*-decision.json"))]
