"""SIGKILL at any moment, then again: the same result as an undisturbed run, nothing double, nothing half-written."""

import json
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from pipeline_support import assert_sound, children, in_child, stable_rows

MOMENTS = 20
ARGUMENTS = {"suite": "invoices", "systems": ["echo"], "size": 22, "levels": ("text",)}
AT_ONCE = 3


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The same secret for every store, and a scripted system that writes down whom it was asked about."""
    folder = tmp_path_factory.mktemp("systems")
    system: dict[str, Any] = {
        "id": "echo", "name": "echo", "vendor": "t", "family": "t", "client": "scripted", "suites": [], "inputs": ["text", "image"],
        "options": {"replies": ['{"supplier": "x"}'], "delay_ms": 5, "log": str(folder / "asked.log")}, "limits": {"at_once": AT_ONCE},
        "default": False,
    }  # fmt: skip
    file = folder / "systems.yaml"
    file.write_text(yaml.safe_dump([system]), encoding="utf-8")
    return {
        "ZKUSEBNA_PRIVATE_SEED": "the same for all",
        "ZKUSEBNA_SYSTEMS_FILE": str(file),
        "LOG": str(folder / "asked.log"),
    }


def start(folder: Path, environment: dict[str, str]) -> Any:
    arguments = (str(folder / "store"), environment, ARGUMENTS, str(folder / "steps"))
    child = children.Process(target=in_child, args=arguments)
    child.start()
    return child


def steps_of(folder: Path) -> int:
    file = folder / "steps"
    return file.read_bytes().count(b"\n") if file.exists() else 0


@pytest.fixture(scope="module")
def undisturbed(
    tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]
) -> tuple[dict[str, list[dict[str, Any]]], int]:
    """Rows of an undisturbed run, and how many steps it has."""
    folder = tmp_path_factory.mktemp("undisturbed")
    child = start(folder, environment)
    child.join()
    assert child.exitcode == 0
    assert_sound(folder / "store")
    return stable_rows(folder / "store"), steps_of(folder)


@pytest.mark.parametrize("moment", range(MOMENTS))
def test_killed_stages_go_on_where_they_were(
    moment: int, undisturbed: tuple[dict[str, Any], int], environment: dict[str, str], tmp_path: Path
) -> None:
    """The moment is a random step of the run and a random part of a second after it, so a slow machine is killed as early."""
    expected, steps = undisturbed
    log = Path(environment["LOG"])
    log.unlink(missing_ok=True)
    random = Random(moment)
    wanted = random.uniform(moment, moment + 1) / MOMENTS * steps
    child = start(tmp_path, environment)
    while child.is_alive() and steps_of(tmp_path) < wanted:
        time.sleep(0.002)
    time.sleep(random.uniform(0, 0.2))
    was_alive = child.is_alive()
    child.kill()
    child.join()
    assert_sound(tmp_path / "store")

    again = start(tmp_path, environment)
    again.join()
    assert again.exitcode == 0
    assert_sound(tmp_path / "store")
    assert stable_rows(tmp_path / "store") == expected
    asked = Counter(log.read_text().split())
    assert sum(n - 1 for n in asked.values()) <= AT_ONCE * was_alive, "paid twice beyond the calls in flight"
    leftovers = [
        p for tree in ("work", "journal", "tmp") for p in (tmp_path / "store" / tree).rglob("*") if p.is_file()
    ]
    assert not leftovers


def test_a_second_run_makes_nothing_anew(
    tmp_path: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from pipeline_support import run_stages

    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    first = run_stages(str(tmp_path / "store"), **ARGUMENTS)  # type: ignore[arg-type]
    before = {p: p.stat().st_mtime_ns for p in (tmp_path / "store").rglob("*") if p.is_file()}
    second = run_stages(str(tmp_path / "store"), **ARGUMENTS)  # type: ignore[arg-type]
    after = {p: p.stat().st_mtime_ns for p in (tmp_path / "store").rglob("*") if p.is_file()}
    assert sum(o.made for o in first) == sum(o.shards for o in first)
    assert [o.made for o in second] == [0] * len(second)
    assert after == before
    assert json.dumps(stable_rows(tmp_path / "store"), default=str)
