"""The notebook for analysts: all cells run on a small store, and what they say is what the rows written by hand say."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from pipeline_support import run_stages
from report_support import fill

from datasets.store import Store
from datasets.tables import Place, read
from schemas.case import Case
from tasks.build import ask_edition
from tasks.runs import Order, finish_run
from tasks.views import build_views

pytest.importorskip("marimo", reason="marimo is not installed; it is in the group dev and the extra notebook")

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "questions.py"


def cells(root: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """All names that the cells define, run on a store."""
    monkeypatch.setenv("ZKUSEBNA_STORE", str(root))
    spec = importlib.util.spec_from_file_location("questions", NOTEBOOK)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    _, names = module.app.run()
    return dict(names)


def test_ten_questions_on_a_store_written_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three public documents and a private one (`report_support.fill`): `rules` errs nowhere, `ocr-rules` in three fields of two documents."""
    fill(tmp_path / "store")
    build_views(str(tmp_path / "store"))
    told = cells(tmp_path / "store", monkeypatch)
    readings = [name for name in told if name.endswith("_reading")]
    assert len(readings) == 10
    assert all(told[name].endswith((".", "first.")) for name in readings)

    assert list(told["which"].system_id) == ["rules", "ocr-rules"]
    assert "**rules** reads 93.1 % of the fields of 2 invoices" in told["which_reading"]
    assert "No other system's interval reaches into it" in told["which_reading"]
    assert "2 to 3" in told["which_reading"]

    losses = {(r.system_id, r.field, r.error): r.n_wrong for r in told["losses"].itertuples()}
    assert losses == {
        ("ocr-rules", "supplier", "lost_diacritics"): 1,
        ("ocr-rules", "total", "missing"): 1,
        ("ocr-rules", "tax_id", "wrong_value"): 1,
    }
    gap = told["gaps"].iloc[0]
    assert (gap.system_id, round(gap.gap_points, 6), round(gap.low, 6)) == ("ocr-rules", -20, -25)
    right = {r.system_id: (r.n_faultless, r.n_answers) for r in told["prices"].itertuples()}
    assert right == {"rules": (2, 2), "ocr-rules": (1, 3)}
    assert list(told["nobody"].case_id) == ["invoices-cs-0002"], "the private case, read rightly or not, is not told"
    assert "1 of 3 public documents" in told["nobody_reading"]
    assert "fewer than two finished runs" in told["worse_reading"]
    assert (len(told["judges"]), len(told["stopped"]), len(told["budget"])) == (0, 0, 0)
    assert set(told["times"].median_s) == {0.012}


def test_two_runs_are_compared_by_what_each_ended_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What each run said is counted by hand from the documents that were broken before it; a run of other documents is told as such."""
    monkeypatch.setenv("ZKUSEBNA_PRIVATE_SEED", "the same for all")
    monkeypatch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(tmp_path / "systems.yaml"))
    (tmp_path / "systems.yaml").write_text("[]", encoding="utf-8")
    root = str(tmp_path / "store")
    run_broken(root, "r0", None)
    few, many = (run_broken(root, name, step) for name, step in (("r1", 8), ("r2", 2)))
    build_views(root)
    told = cells(tmp_path / "store", monkeypatch)
    rows = {(r.system_id, r.metric): r for r in told["worse"].itertuples()}
    mine = rows["echo", "faultless"]
    assert (mine.before, mine.now, mine.reading) == (pytest.approx(few), pytest.approx(many), "worse")
    assert {r.reading for (system, _), r in rows.items() if system == "rules"} == {"not decisive"}
    assert told["worse"].same_documents.all()
    assert told["worse_reading"].startswith("invoices: run r2 against r1. Of 4 numbers")
    assert "editions" not in told["worse_reading"]

    run_broken(root, "r3", 2, size=16)
    build_views(root)
    told = cells(tmp_path / "store", monkeypatch)
    assert "4 of them compare two editions, whose documents are not the same." in told["worse_reading"]


def run_broken(root: str, run_id: str, step: int | None, size: int = 24) -> float:
    """A run of `rules` and of a system that says the truth but for every step-th document; the share of public ones left whole."""
    store = Store.open(root)
    if step is None:
        done = run_stages(root, "invoices", ["rules"], size, ("text",))
        finish_run(root, Order(run_id=run_id, seed=7, parts=()), [done])
        return 1.0
    edition = ask_edition(root, "invoices", 7, size, ("text",)).id
    run_stages(root, "invoices", ["rules"], size, ("text",))
    rows = read(store, Case, Place(suite="invoices", edition=edition), ["case_id", "split", "truth"]).to_pylist()
    rows.sort(key=lambda r: r["case_id"])
    wrong = {r["case_id"] for r in rows[::step]}
    texts = {
        r["case_id"]: [
            json.dumps(json.loads(r["truth"]) | ({"total": "0", "supplier": "0"} if r["case_id"] in wrong else {}))
        ]
        for r in rows
    }
    system = {
        "id": "echo", "name": "echo", "vendor": "t", "family": "t", "client": "scripted", "suites": [], "inputs": ["text"],
        "options": {"by_case": texts}, "limits": {}, "default": False,
    }  # fmt: skip
    file = Path(root).parent / f"systems-{run_id}.yaml"
    file.write_text(yaml.safe_dump([system]), encoding="utf-8")
    os.environ["ZKUSEBNA_SYSTEMS_FILE"] = str(file)
    done = run_stages(root, "invoices", ["echo", "rules"], size, ("text",))
    finish_run(root, Order(run_id=run_id, seed=7, parts=()), [done])
    public = [r["case_id"] for r in rows if r["split"] == "public"]
    return sum(c not in wrong for c in public) / len(public)


def test_as_a_script_and_without_views(tmp_path: Path) -> None:
    """`python notebooks/questions.py` runs to its end; a store without the file of views is told in a sentence."""
    fill(tmp_path / "store")
    environment = {**os.environ, "PYTHONPATH": str(NOTEBOOK.parents[1]), "ZKUSEBNA_STORE": str(tmp_path / "store")}
    command = [sys.executable, str(NOTEBOOK)]
    failed = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert failed.returncode != 0
    assert "make the file by `zkusebna views`" in failed.stderr
    build_views(str(tmp_path / "store"))
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
