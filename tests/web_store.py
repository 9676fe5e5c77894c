"""A store in which one task was answered, opened, graded by programs and by judges of every kind."""

import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from gateway_stub import Gateway
from pipeline_support import run_stages
from web_support import GOOD, folder_of

from datasets import artifacts
from tasks import throttle

SENTINEL = "Zirkonia"
"""A name that stands nowhere else: no judge may ever read it."""

AGENT = """\
import json, os, sys
names = sorted(os.listdir("."))
fields = json.load(open("schema.json", encoding="utf-8"))["properties"]
said = {name: "" if name.endswith("_reason") else 1 for name in fields}
said["code"], said["code_reason"] = 0.5, "Files: " + ",".join(names)
print(json.dumps(said))
"""
"""A command-line judge: it says which files it sees."""

JUDGES = ("seer", "half", "silent", "agent")


def entries(folder: Path, url: str) -> list[dict[str, Any]]:
    """A system that answers with pages, and judges: vision models behind a gateway, a program on a folder."""
    script = folder / "agent.py"
    script.write_text(AGENT, encoding="utf-8")
    own = {"name": "n", "family": "f", "suites": ["artifacts"], "inputs": ["text", "image"], "default": False}
    models = {"seer": "judge-sees", "half": "judge-sees-half", "silent": "judge-sees-silent"}
    made: list[dict[str, Any]] = [
        {
            **own, "id": name, "vendor": f"house of {name}", "client": "openai", "judges": ["artifacts"],
            "options": {"url": url, "model": f"stub/{model}"}, "limits": {"at_once": 8, "seconds": 30},
        }
        for name, model in models.items()
    ]  # fmt: skip
    command = [sys.executable, str(script)]
    made.append(
        {
            **own,
            "id": "agent",
            "vendor": "v",
            "client": "command",
            "judges": ["artifacts"],
            "options": {"command": command},
        }
    )
    page = f"Tady je:\n{GOOD}"
    made.append(
        {
            **own,
            "id": "zirkonia-9",
            "name": SENTINEL,
            "vendor": f"{SENTINEL} Labs",
            "client": "scripted",
            "options": {"replies": [page]},
        }
    )
    made.append(
        {**own, "id": "mute", "vendor": "v", "client": "scripted", "options": {"replies": ["Stránku vytvořit nemohu."]}}
    )
    made.append(
        {
            **own,
            "id": "blind",
            "vendor": "v",
            "inputs": ["text"],
            "client": "openai",
            "judges": ["artifacts"],
            "options": {"url": url, "model": "stub/judge"},
        }
    )
    return made  # fmt: skip


def prepare(folder: Path, url: str, patch: pytest.MonkeyPatch) -> str:
    """The folder of tasks and the file of systems in place; the path of a store that is not there yet."""
    throttle._THROTTLES.clear()
    patch.setattr(artifacts, "FOLDER", folder_of(folder))
    file = folder / "systems.yaml"
    file.write_text(yaml.safe_dump(entries(folder, url), allow_unicode=True), encoding="utf-8")
    patch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(file))
    return str(folder / "store")


def graded(folder: Path, gateway: Gateway, patch: pytest.MonkeyPatch) -> str:
    """The store after all stages."""
    root = prepare(folder, gateway.url, patch)
    run_stages(root, "artifacts", ["controls", "zirkonia-9", "mute"], 1, judges=JUDGES)
    return root
