"""The flows against a real Prefect server: order, resume, failure and retry, artifacts."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from pipeline_support import assert_sound, run_stages, stable_rows

from schemas.errors import StageError, UsageError
from tasks.progress import Step, listen

pytestmark = pytest.mark.usefixtures("prefect_server")

ORDER: dict[str, Any] = {"suites": ["invoices"], "systems": ["rules"], "size": 4, "seed": 7, "levels": ("text",)}


@pytest.fixture(autouse=True)
def same_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ZKUSEBNA_PRIVATE_SEED", "the same for all")


def echo(folder: Path, **options: Any) -> Path:
    """A file with one scripted system."""
    limits = {"max_cost_usd": options.pop("most")} if "most" in options else {}
    system = {
        "id": "echo", "name": "echo", "vendor": "t", "family": "t", "client": "scripted", "suites": [],
        "inputs": ["text", "image"], "options": {"replies": ["{}"], **options}, "limits": limits, "default": False,
    }  # fmt: skip
    file = folder / "systems.yaml"
    file.write_text(yaml.safe_dump([system]), encoding="utf-8")
    return file


def test_a_night_equals_the_stages_run_by_hand_and_a_second_one_makes_nothing(store: str, tmp_path: Path) -> None:
    from flows.nightly import nightly

    steps: list[Step] = []
    listen(steps.append)
    first = nightly(root=store, **ORDER)
    assert {o.table for o in first} == {"cases", "answers", "grades", "profiles", "tendencies"}
    assert all(o.made == o.shards for o in first)
    begun = {s.stage: sum(x.items for x in steps if (x.stage, x.kind) == (s.stage, "begin")) for s in steps}
    done = {s.stage: sum(x.items for x in steps if (x.stage, x.kind) == (s.stage, "advance")) for s in steps}
    assert begun == done == {"synthesize": 4, "test": 8, "grade": 16, "profile": 8, "tendency": 1}

    run_stages(str(tmp_path / "by_hand"), "invoices", ["rules"], 4, ("text",), seed=7)
    assert stable_rows(store) == stable_rows(tmp_path / "by_hand")

    second = nightly(root=store, **ORDER)
    assert [(o.table, o.made) for o in second] == [(o.table, 0) for o in first]
    assert len(list((Path(store) / "runs").iterdir())) == 2
    assert (Path(store) / "report" / "index.html").exists()


def test_each_stage_runs_alone_from_its_keys(store: str) -> None:
    from flows import stages

    built = stages.run_build(store, "invoices", 7, 4, ("text",))
    edition = built.place.edition
    with pytest.raises(StageError, match="run the stage test first"):
        stages.run_grade(store, "invoices", edition, ["rules"])
    for stage in (stages.run_test, stages.run_grade, stages.run_profile, stages.run_tendency):
        assert [o.made == o.shards for o in stage(store, "invoices", edition, ["rules"])] == [True]
    assert_sound(store)


def test_a_budget_stops_cleanly_and_the_next_run_does_the_rest(
    store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """M-8: 5 of 8 calls fit; nothing of the suite is sealed beyond its cases; the second run asks the other 3."""
    from flows.nightly import nightly

    log = tmp_path / "asked.log"
    monkeypatch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(echo(tmp_path, cost_usd="0.2", most="0.2", log=str(log))))
    order = {**ORDER, "systems": ["echo"], "root": store}
    with pytest.raises(StageError, match="The budget of 1 USD for the run does not allow the next call"):
        nightly(**order, budget_usd=1)
    assert len(log.read_text().split()) == 5
    assert not stable_rows(store)["answers"]
    assert len(stable_rows(store)["calls"]) == 5
    outcomes = nightly(**order, budget_usd=1)
    assert len(log.read_text().split()) == len(set(log.read_text().split())) == 8
    assert sum(o.counts.get("calls", 0) for o in outcomes) == 3


def test_a_failing_gate_stops_the_stage_and_what_follows(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from flows.nightly import nightly
    from grading import invoices

    atomic = invoices.atomic

    def double(exam: Any) -> Any:
        return atomic(exam) + atomic(exam)[:1]

    with monkeypatch.context() as patch:
        patch.setattr(invoices, "atomic", double)
        with pytest.raises(
            StageError, match=r"grades of suite=invoices.* rows break expect_compound_columns_to_be_unique"
        ):
            nightly(root=store, **ORDER)
    rows = stable_rows(store)
    assert rows["answers"]
    assert not rows["grades"]
    assert not rows["profiles"]
    assert list((Path(store) / "quarantine" / "grades").rglob("*.parquet"))
    nightly(root=store, **ORDER)
    assert stable_rows(store)["tendencies"]
    assert not list((Path(store) / "quarantine").rglob("*.parquet"))


def test_the_leaderboard_is_an_artifact_and_nothing_private_reaches_the_server(store: str) -> None:
    """G-8: neither artifacts nor logs nor parameters of runs hold a private case, its canary or a value of it."""
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.filters import ArtifactFilter, ArtifactFilterFlowRunId

    from flows.evaluate import evaluate

    state = evaluate(store, "invoices", ["rules"], 7, 18, ("text",), return_state=True)
    flow_run = state.state_details.flow_run_id
    with get_client(sync_client=True) as client:
        only = ArtifactFilter(flow_run_id=ArtifactFilterFlowRunId(any_=[flow_run]))
        found = client.read_artifacts(artifact_filter=only)
        told = [*found, *client.read_logs(), *client.read_flow_runs(), *client.read_task_runs()]
    tables = [a for a in found if a.type == "table"]
    assert [a.key for a in tables] == ["leaderboard-invoices"]
    assert "rules" in str(tables[0].data)
    words = "\n".join(entry.model_dump_json() for entry in told)
    assert edition_of(store) in words
    private = [row for row in stable_rows(store)["cases"] if row["split"] == "private"]
    assert len(private) == 12
    for row in private:
        truth = json.loads(row["truth"])
        for secret in (row["case_id"], row["canary"], truth["supplier"], truth["account"]):
            assert secret not in words


def edition_of(store: str) -> str:
    return next((Path(store) / "editions" / "invoices").iterdir()).stem


def test_a_wrong_level_is_told_as_it_is(store: str) -> None:
    from flows.nightly import nightly

    with pytest.raises(UsageError, match=r"level 'txt'.*did you mean 'text'"):
        nightly(root=store, **{**ORDER, "levels": ("txt",)})


def test_regrading_calls_no_system(store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """G-12: a new version of the rubric grades anew and asks nobody."""
    from flows.nightly import nightly
    from grading import invoices

    log = tmp_path / "asked.log"
    monkeypatch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(echo(tmp_path, log=str(log))))
    order = {**ORDER, "systems": ["echo"], "root": store}
    nightly(**order)
    asked = log.read_text()
    monkeypatch.setattr(invoices, "RUBRIC_VERSION", "another")
    made = {o.table: o.made for o in nightly(**order)}
    assert made["grades"] == 2
    assert (made["cases"], made["answers"]) == (0, 0)
    assert log.read_text() == asked
    assert_sound(store)
