"""A store with a task of web pages and scenarios of role-play, played and judged through the gateway, for tests of their pages of cases."""

from pathlib import Path

import pytest
import yaml
from gateway_scenarios import SCENARIOS
from gateway_stub import Gateway
from pipeline_support import run_stages
from roleplay_support import CONTROL_TURNS, entry, judge, player
from web_store import entries
from web_support import folder_of

from datasets import artifacts
from tasks import throttle
from tasks.people import import_grades

GRADES = """\
case,system,trial,item,points,who,when,reason
pocitadlo,zirkonia-9,1,works,0,jana,2026-11-29,Tlačítko Ubrat nic nedělá.
pocitadlo,zirkonia-9,1,look,1,jana,2026-11-29,
"""
"""A person who differs from the judges on one criterion, so that a badge lights up (A-7)."""


def case_store(folder: Path, gateway: Gateway, patch: pytest.MonkeyPatch) -> str:
    """The store after all stages of both suites."""
    throttle._THROTTLES.clear()
    patch.setattr(artifacts, "FOLDER", folder_of(folder))
    plays = {"hrac": player(), "kratky": player([*CONTROL_TURNS[:3], *["Nevím."] * 11])}
    judges = {"kata": judge(), "lata": judge({"T3": 0, "R2": 1}, {4: "annulled"})}
    found = [e for e in entries(folder, gateway.url) if e["id"] in ("zirkonia-9", "mute", "seer", "half")]
    found += [{**entry(name, gateway.url), "name": f"Model {name}"} for name in plays]
    found += [entry(name, gateway.url, judges=["roleplay"]) for name in judges]
    for name, says in {**plays, **judges}.items():
        patch.setitem(SCENARIOS, name, says)
    file = folder / "systems.yaml"
    file.write_text(yaml.safe_dump(found, allow_unicode=True), encoding="utf-8")
    patch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(file))
    root = str(folder / "store")
    run_stages(root, "artifacts", ["controls", "zirkonia-9", "mute"], 1, judges=["seer", "half"], trials=2)
    (folder / "grades.csv").write_text(GRADES, encoding="utf-8")
    import_grades(root, folder / "grades.csv", "artifacts")
    run_stages(root, "roleplay", list(plays), 2, judges=list(judges))
    return root
