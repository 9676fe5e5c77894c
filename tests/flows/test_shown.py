"""What an operator sees of a run: progress, rows set aside, the link to the report, tags, names; read back from a real server."""

import time
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from tasks import progress, shown_progress
from tasks.ending import end_red
from tasks.run_tags import run_name, tag_run
from tasks.shown_notes import show_link, show_quarantine

pytestmark = pytest.mark.usefixtures("prefect_server")


def run_of(body: Any) -> tuple[UUID, Any]:
    """The id and the state of a flow run with a body."""
    from prefect import flow

    state = flow(name="shown")(body)(return_state=True)
    return state.state_details.flow_run_id, state


def artifacts(run: UUID) -> dict[str, Any]:
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterFlowRunId

    with get_client(sync_client=True) as client:
        only = ArtifactFilter(flow_run_id=ArtifactFilterFlowRunId(any_=[run]))
        return {str(a.key): a for a in client.read_artifacts(artifact_filter=only)}


def test_progress_is_one_artifact_that_ends_at_its_total(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shown_progress, "EVERY_S", 0.02)
    shown_progress._counts.clear()
    seen: list[Any] = []

    def body() -> None:
        from prefect.context import FlowRunContext

        context = FlowRunContext.get()
        assert context is not None
        assert context.flow_run is not None
        progress.begin("test", 4)
        with shown_progress.shown("language_tax"):
            progress.advance("test", 1)
            until = time.monotonic() + 60
            while not seen and time.monotonic() < until:
                seen.extend(artifacts(context.flow_run.id).values())
            progress.advance("test", 3)

    run, _ = run_of(body)
    assert seen[0].data == 25
    found = artifacts(run)
    assert set(found) == {"progress-test-language-tax"}
    (bar,) = found.values()
    assert (bar.type, bar.data, bar.description) == ("progress", 100, "test language_tax: 4 of 4")


def test_a_stage_that_is_over_at_once_has_no_bar() -> None:
    def body() -> None:
        progress.begin("test", 1)
        with shown_progress.shown("invoices"):
            progress.advance("test", 1)

    run, _ = run_of(body)
    assert artifacts(run) == {}


def test_a_server_that_is_away_stops_no_stage(monkeypatch: pytest.MonkeyPatch) -> None:
    import prefect.artifacts

    tried: list[int] = []

    def away(*_: Any, **__: Any) -> None:
        tried.append(1)
        raise ConnectionError

    monkeypatch.setattr(prefect.artifacts, "create_progress_artifact", away)
    monkeypatch.setattr(shown_progress, "EVERY_S", 0.01)
    progress.begin("test", 1)
    with shown_progress.shown("invoices"):
        until = time.monotonic() + 60
        while not tried and time.monotonic() < until:
            time.sleep(0.01)
    assert tried


def test_rows_set_aside_are_listed_by_what_they_broke(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "report" / "index.html"

    def body() -> None:
        show_quarantine("grades", "suite=s/edition=e", "quarantine/x.parquet", [["a", "b"], ["a"]])
        show_link(page)

    found = artifacts(run_of(body)[0])
    import json

    assert json.loads(found["quarantine-grades"].data) == [
        {"expectation": "a", "rows": 2, "file": "quarantine/x.parquet"},
        {"expectation": "b", "rows": 1, "file": "quarantine/x.parquet"},
    ]
    assert "2 rows were set aside" in found["quarantine-grades"].description
    assert page.as_uri() in found["report"].data
    monkeypatch.setenv("ZKUSEBNA_REPORT_URL", "https://results.test/")
    assert "https://results.test/" in artifacts(run_of(body)[0])["report"].data


def test_tags_say_what_a_run_is_about() -> None:
    from prefect.client.orchestration import get_client

    def body() -> None:
        tag_run(["a", "b"], systems=["x"])
        tag_run(["a", "b"], systems=["x"])

    run, _ = run_of(body)
    with get_client(sync_client=True) as client:
        assert sorted(client.read_flow_run(run).tags) == ["suite:a", "suite:b", "system:x"]


def test_names_are_short() -> None:
    assert run_name("test", ["invoices", "v1", ["a", "b"]]) == "test invoices v1 a, b"
    assert run_name("nightly", [None, ["a", "b", "c", "d"], ""]) == "nightly 4 of them: a, b, c …"


def test_only_the_run_of_a_deployment_ends_red(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the command line, and in a subflow, what lacks is told elsewhere; `test_morning` shows the run of a deployment."""
    monkeypatch.setattr("tasks.ending.unanswered", lambda root, outcomes: (["x"], []))
    end_red("nowhere", [])
    assert run_of(lambda: end_red("nowhere", []))[1].is_completed()
