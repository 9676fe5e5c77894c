"""Two runs side by side: which cases newly fail is told by who broke them, numbers by a count over the stored grades (G-3, S-2, G-8)."""

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from pipeline_support import run_stages, stable_rows

from datasets.store import Store
from datasets.tables import Place, read
from schemas.case import Case
from schemas.errors import UsageError
from schemas.profile import Profile
from tasks.compare import Compared, compare_sides
from tasks.past_runs import past_runs
from tasks.regressions import regressions, tell_regressions
from tasks.runs import Order, finish_run
from tasks.suites import SUITES

SIZE = 24
Answers = Callable[[str, Mapping[str, Any]], Mapping[str, Any]]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("ZKUSEBNA_PRIVATE_SEED", "the same for all")
    monkeypatch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(tmp_path / "systems.yaml"))
    (tmp_path / "systems.yaml").write_text("[]", encoding="utf-8")
    return str(tmp_path / "store")


def truths(root: str) -> dict[str, dict[str, Any]]:
    """The truth of every case, made by a first run of `rules`."""
    store = Store.open(root)
    place = next(
        Place(suite="invoices", edition=p.name[8:]) for p in (Path(root) / "tables/cases/suite=invoices").iterdir()
    )
    return {r["case_id"]: json.loads(r["truth"]) for r in read(store, Case, place, ["case_id", "truth"]).to_pylist()}


def run(
    root: str,
    run_id: str,
    answers: Mapping[str, Mapping[str, Any]] | None = None,
    systems: tuple[str, ...] = ("echo",),
    size: int = SIZE,
    seed: int = 7,
) -> None:
    """One run with a system that says what is given."""
    if answers is not None:
        texts = {case: [json.dumps(answer)] for case, answer in answers.items()}
        system = {
            "id": "echo", "name": "echo", "vendor": "t", "family": "t", "client": "scripted", "suites": [], "inputs": ["text"],
            "options": {"by_case": texts}, "limits": {}, "default": False,
        }  # fmt: skip
        file = Path(root).parent / f"systems-{run_id}.yaml"  # files are read once
        file.write_text(yaml.safe_dump([system]), encoding="utf-8")
        os.environ["ZKUSEBNA_SYSTEMS_FILE"] = str(file)
    done = run_stages(root, "invoices", systems, size, ("text",), seed)
    finish_run(root, Order(run_id=run_id, seed=7, parts=()), [done])


def broken(truth: Mapping[str, Mapping[str, Any]], cases: set[str]) -> dict[str, dict[str, Any]]:
    """The truth with three fields wrong in the named cases."""
    return {
        c: {k: "0" if c in cases and k in ("supplier", "total", "issue_date") else v for k, v in t.items()}
        for c, t in truth.items()
    }


def only(found: list[Compared]) -> Compared:
    assert len(found) == 1
    return found[0]


def line(one: Compared, metric: str, dimension: str = "overall", group: str = "all") -> Any:
    assert one.found is not None
    return next(x for x in one.found.lines if (x.dimension, x.group, x.metric) == (dimension, group, metric))


def test_what_was_broken_is_told_and_nothing_else(root: str) -> None:
    run(root, "r0", systems=("rules",))
    truth = truths(root)
    names = sorted(truth)
    some = set(names[::2])
    run(root, "r1", broken(truth, set()))
    run(root, "r2", broken(truth, some))
    one = only(compare_sides(root, "r1", "r2"))
    found = one.found
    assert found is not None
    store = Store.open(root)
    place = Place(suite="invoices", edition=one.editions[1], system="echo")
    rows = read(store, Profile, place, ["case_id", "split", "points", "max_points"]).to_pylist()
    public = {r["case_id"] for r in rows if r["split"] == "public"}
    assert set(found.newly_failing) == some & public
    assert found.newly_passing == ()
    assert found.n_private_failing == len(some - public) > 0, "of private cases only the count is told (G-8)"
    assert not {c for c in names if c in repr(one)} - public, "no private case is named"

    accuracy = line(one, "field_accuracy")
    now = [r for r in rows if r["split"] == "public"]
    assert accuracy.found.right == pytest.approx(sum(r["points"] for r in now) / sum(r["max_points"] for r in now))
    assert accuracy.found.left == 1
    assert (accuracy.verdict, line(one, "valid").verdict) == ("worse", "open")
    assert (
        line(one, "field_accuracy", "field", "supplier").found.right
        < 1
        == line(one, "field_accuracy", "field", "account").found.right
    )
    back = only(compare_sides(root, "r2", "r1"))
    assert line(back, "field_accuracy").verdict == "better"
    assert back.found is not None
    assert set(back.found.newly_passing) == some & public

    told = regressions(root)
    assert {(x.metric, x.dimension) for _, x in told} >= {("field_accuracy", "overall"), ("faultless", "overall")}
    assert all(row["suite"] == "invoices" and row["system"] == "echo" for row in tell_regressions(root, "r2"))


def test_sides_are_systems_runs_and_systems_of_runs(root: str) -> None:
    run(root, "r0", systems=("rules",))
    truth = truths(root)
    run(root, "r1", broken(truth, set(list(truth)[:4])), ("rules", "echo"))
    run(root, "r2", broken(truth, set()), ("echo",))
    assert [(c.left, c.right) for c in compare_sides(root, "rules", "echo")] == [("rules", "echo")]
    assert [(c.left, c.right) for c in compare_sides(root, "r0", "r1")] == [("rules", "rules")]
    assert [(c.left, c.right) for c in compare_sides(root, "previous", "latest")] == [("echo", "echo")]
    assert only(compare_sides(root, "echo@r1", "echo@r2")).found is not None
    before = stable_rows(root)
    compare_sides(root, "rules", "echo")
    assert stable_rows(root) == before, "comparing writes nothing"
    for left, right, words in (
        ("ruels", "echo", "Unknown system or run 'ruels'; did you mean 'rules'"),
        ("rules@r9", "echo", "Unknown run 'r9'"),
        ("rules", "r1", "compare the system with itself there: rules@r1"),
    ):
        with pytest.raises(UsageError, match=words):
            compare_sides(root, left, right)


def test_runs_that_share_no_case_say_so_and_pruned_parts_too(root: str) -> None:
    run(root, "r0", systems=("rules",))
    run(root, "r1", systems=("rules",), size=6, seed=8)
    one = only(compare_sides(root, "r0", "r1"))
    assert one.found is None
    assert one.problem is not None
    assert one.problem.startswith("The two share no case: A has the edition ")
    kept = past_runs(Store.open(root))[0].stands[0].of(Profile)
    assert kept is not None
    Store.open(root).remove(kept.parts[0].name)
    pruned = only(compare_sides(root, "rules@r0", "rules@r0"))
    assert pruned.problem is not None
    assert "pruned" in pruned.problem


def test_an_empty_store_says_what_makes_a_run(root: str) -> None:
    Store.open(root)
    with pytest.raises(UsageError, match="no finished run"):
        compare_sides(root, "latest", "previous")
    assert regressions(root) == []


def test_suites_that_only_count_are_not_compared() -> None:
    assert {w for w, s in SUITES.items() if not s.is_compared} == {"language_tax", "jury"}
