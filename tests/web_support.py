"""Evidence of pages by hand, and folders of small web tasks with their control pages."""

from pathlib import Path
from typing import Any

import yaml

from schemas.answer import BlindAnswer
from schemas.evidence import FILES, FULL, INTERACTIONS, PICTURES, SHOTS, Control, Measurements, Shot, Use
from schemas.evidence_row import MEDIA, Evidence, Item
from schemas.grade import Exam

GOOD = """<!doctype html><html lang="cs"><meta charset="utf-8"><title>Počitadlo</title>
<style>body{font:20px sans-serif;margin:40px}</style><h1>Počitadlo</h1><p id="n">0</p>
<button>Přidat</button><button>Ubrat</button><button>Vynulovat</button>
<script>let n=0;const b=[...document.querySelectorAll('button')];const show=()=>document.getElementById('n').textContent=n;
b[0].onclick=()=>{n++;show()};b[1].onclick=()=>{n--;show()};b[2].onclick=()=>{n=0;document.body.style.background='#eef';show()}</script></html>
"""
DEAD = (
    GOOD.replace("b[0].onclick", "b[0].dataset.x")
    .replace("b[1].onclick", "b[1].dataset.x")
    .replace("b[2].onclick", "b[2].dataset.x")
)
DEAD = DEAD.replace("<style>", "<style>button{outline:0!important}button,button:hover,button:active{all:unset}")

TASK: dict[str, Any] = {
    "id": "pocitadlo",
    "version": "1.0",
    "language": "cs",
    "title": "Počitadlo",
    "prompt": "Napište stránku s počitadlem jako jediný soubor HTML.",
    "is_static": False,
    "requirements": [{"id": "Q1", "text": "Tlačítko Přidat zvýší číslo o jedna."}],
    "scenario": None,
}

CONTROLS: list[dict[str, Any]] = [
    {"file": "good.html", "kind": "good", "expected": {"conformity": 1, "works": 1, "look": 1, "code": None}},
    {"file": "dead.html", "kind": "dead_buttons", "expected": {"works": 0}},
]


def folder_of(tmp_path: Path, task: dict[str, Any] | None = None, controls: Any = None) -> Path:
    """A folder `web_tasks` with one task and its control pages."""
    told = {**TASK, **(task or {})}
    folder = tmp_path / "web_tasks"
    home = folder / "controls" / told["id"]
    (folder / "tasks").mkdir(parents=True, exist_ok=True)
    home.mkdir(parents=True, exist_ok=True)
    (folder / "tasks" / f"{told['id']}.yaml").write_text(yaml.safe_dump(told, allow_unicode=True), encoding="utf-8")
    (home / "controls.yaml").write_text(yaml.safe_dump(CONTROLS if controls is None else controls), encoding="utf-8")
    (home / "good.html").write_text(GOOD, encoding="utf-8")
    (home / "dead.html").write_text(DEAD, encoding="utf-8")
    return folder


def truth(**changes: Any) -> dict[str, Any]:
    """The truth of a task as graders get it."""
    return {
        "task": {"title": "Počitadlo", "version": "1.0"}, "question": TASK["prompt"], "is_static": False, "moves_by_itself": False,
        "requirements": TASK["requirements"], "scenario": None, "n_words": 8, "controls": {}, **changes,
    }  # fmt: skip


def measured(**changes: Any) -> Measurements:
    """What is measured of a page on which all is well: it loads, stands still, and three clicks change it."""
    shots = [Shot(name=name, due_s=due, taken_s=due, sha256="0" * 64) for name, due in SHOTS.items()]
    shots += [Shot(name=name) for name in (FULL, *INTERACTIONS)]
    control = Control(tag="button", label="Přidat", place=0)
    told: dict[str, Any] = {
        "load_s": 0.1, "page_height": 800, "shots": shots, "moves": False, "below_fold": 0.0, "below_fold_blank": None,
        "uses": [Use(number=n, control=control, changed=0.02) for n in (1, 2, 3)], "controls": [control] * 3,
    }  # fmt: skip
    return Measurements.model_validate({**told, **changes})


def seen(is_one_colour: bool = False, without: tuple[str, ...] = (), **changes: Any) -> Evidence:
    """The evidence of such a page, all files of A-1 but those of `without`."""
    files = [
        Item(
            name=name, media_type=MEDIA[Path(name).suffix], sha256=f"{number:064x}", size_bytes=9,
            is_one_colour=is_one_colour if name in PICTURES else None,
        )
        for number, name in enumerate(FILES)
        if name not in without
    ]  # fmt: skip
    return Evidence(files=tuple(files), measurements=measured(**changes))


def exam(html: str = GOOD, evidence: Evidence | None = None, language: str = "cs", **changes: Any) -> Exam:
    """An exam over a page; by default all is well with it."""
    answer = BlindAnswer(
        case_id="pocitadlo", trial=1, status="ok", replies=(html,), n_masked=changes.pop("n_masked", 0)
    )
    return Exam.model_validate(
        {"truth": truth(**changes), "language": language, "answer": answer, "evidence": evidence or seen()}
    )
