"""Reads `systems.yaml`: the systems under test and the judges, one entry each."""

import functools
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from schemas.errors import UsageError
from schemas.system import System

SYSTEMS_FILE = Path(__file__).with_name("systems.yaml")


def _system(entry: dict[str, Any], file: Path) -> System:
    entry = {("is_default" if k == "default" else k): v for k, v in entry.items()}
    try:
        return System.model_validate(entry)
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join("default" if p == "is_default" else str(p) for p in first["loc"])
        raise UsageError(f"{file.name}: system {entry.get('id')!r}, {where}: {first['msg']}.") from problem


@functools.cache
def load_systems(file: Path = SYSTEMS_FILE) -> dict[str, System]:
    """All systems by id, in the order of the file; UsageError that names the entry and the key for a wrong one."""
    try:
        entries = yaml.safe_load(file.read_text(encoding="utf-8"))
    except OSError as problem:
        raise UsageError(f"The file of systems {str(file)!r} cannot be read: {problem.strerror}.") from problem
    except yaml.YAMLError as problem:
        raise UsageError(f"{file.name} is no YAML: {' '.join(str(problem).split())}.") from problem
    if not (isinstance(entries, list) and all(isinstance(e, dict) for e in entries)):
        raise UsageError(f"{file.name}: a list of entries was expected, each with an `id`.")
    systems = [_system(entry, file) for entry in entries]
    twice = {s.id for s in systems if sum(o.id == s.id for o in systems) > 1}
    if twice:
        raise UsageError(f"{file.name}: the id {min(twice)!r} stands there twice.")
    return {s.id: s for s in systems}
