"""Judge programs of web pages that misbehave: each is told, none harms the evidence or keeps the others from grading (A-6, G-11)."""

import hashlib
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from pipeline_support import places_of, run_stages
from web_store import AGENT, prepare

from datasets.store import Store
from datasets.tables import read, rows_of
from schemas.call import Call
from schemas.evidence_row import EvidenceFile
from schemas.grade import Grade
from tasks import attempts, throttle

PROGRAMS = {
    "wordless": "pass",
    "hanging": "import time; time.sleep(600)",
    "failing": "import sys; sys.stderr.write('out of quota\\n'); sys.exit(1)",
    "writing": "import os\nos.chmod('.', 0o700)\nfor name in os.listdir('.'):\n    os.chmod(name, 0o600); open(name, 'w').write('x')\n"
    "open('shot-9.png', 'w').write('x')\nprint('{\"works\": 1}')",
    "careful": AGENT,
}
"""Every program in the place of a judge, the careful one last."""


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The two control pages, graded by all of the programs."""
    folder = tmp_path_factory.mktemp("judges")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(attempts, "LONGEST_WAIT_S", 0.02)
        made = prepare(folder, "http://127.0.0.1:9", patch)
        entries: list[dict[str, Any]] = []
        for name, code in PROGRAMS.items():
            script = folder / f"{name}.py"
            script.write_text(code, encoding="utf-8")
            entries.append(
                {
                    "id": name, "name": name, "vendor": f"house of {name}", "family": "f", "client": "command", "suites": [],
                    "judges": ["artifacts"], "inputs": ["text", "image"], "default": False, "options": {"command": [sys.executable, str(script)]},
                    "limits": {"seconds": 1 if name == "hanging" else 60},
                }
            )  # fmt: skip
        (folder / "systems.yaml").write_text(yaml.safe_dump(entries), encoding="utf-8")
        throttle._THROTTLES.clear()
        run_stages(made, "artifacts", ["controls"], 1, judges=list(PROGRAMS))
        yield made


def grades(root: str, judge: str) -> list[Grade]:
    store = Store.open(root)
    return [g for p in places_of(store, Grade) for g in rows_of(Grade, read(store, Grade, p)) if g.judge_id == judge]


def calls(root: str, judge: str) -> list[Call]:
    store = Store.open(root)
    rows = [c for p in places_of(store, Call) for c in rows_of(Call, read(store, Call, p))]
    return [c for c in rows if c.system_id == judge]


@pytest.mark.parametrize(
    ("judge", "status", "error"),
    [
        ("hanging", "timeout", "gave no answer in 1 s"),
        ("failing", "api_error", "exit code 1: out of quota"),
    ],
)
def test_a_program_that_gives_no_answer_gives_no_grade(root: str, judge: str, status: str, error: str) -> None:
    """It is on record with what it died of, is asked again by the next run, and counts as not judged, never as 0."""
    made = calls(root, judge)
    assert made
    assert {c.status for c in made} == {status}
    assert all(error in str(c.error) for c in made)
    assert [g for g in grades(root, judge) if g.max_points] == []


@pytest.mark.parametrize("judge", ["wordless", "writing"])
def test_what_cannot_be_read_is_asked_for_once_more_and_then_no_grade(root: str, judge: str) -> None:
    """Nothing printed, or one criterion of six: what was not given is unread, and what was given counts."""
    made = grades(root, judge)
    unread = {g.item for g in made if g.error == "unread"}
    assert unread == {"conformity", "works", "look", "code", "structure", "logic"} - (
        {"works"} if judge == "writing" else set()
    )
    assert {g.max_points for g in made if g.item in unread} == {0.0}
    assert {c.status for c in calls(root, judge)} == {"ok"}


def test_a_program_that_writes_into_its_folder_changes_nobodys_evidence(root: str) -> None:
    """Every blob still has the hash that it is kept under, and whoever comes after sees the files of A-1 alone."""
    store = Store.open(root)
    rows = [r for p in places_of(store, EvidenceFile) for r in rows_of(EvidenceFile, read(store, EvidenceFile, p))]
    assert len(rows) > 10
    assert all(hashlib.sha256(store.get_blob(r.sha256)).hexdigest() == r.sha256 for r in rows)
    told = {g.reason for g in grades(root, "careful") if g.item == "code"}
    assert len(told) == 1
    assert "shot-1.png" in str(told)
    assert "shot-9.png" not in str(told)
    assert {g.points for g in grades(root, "careful") if g.item == "works"} == {1.0}


def test_nothing_of_the_folders_is_left(root: str) -> None:
    assert [
        p
        for p in Path(tempfile.gettempdir()).glob("zkusebna-*")
        if (p / "prompt.md").exists() and (p / "shot-9.png").exists()
    ] == []
