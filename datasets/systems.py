"""Reads `systems.yaml`: the systems under test and the judges, one entry each."""

import functools
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from schemas.errors import UsageError, nearest
from schemas.system import Price, System

SYSTEMS_FILE = Path(__file__).with_name("systems.yaml")


LIMITS = frozenset({"max_tokens", "seconds", "at_once", "max_cost_usd", "run_usd"})
AMOUNTS = frozenset({"max_cost_usd", "run_usd"})
"""Limits that a system can have; all are numbers above 0, but a cost may be 0."""

WORDS = {
    "missing": "it is missing",
    "extra_forbidden": "there is no such key",
    "literal_error": "not one of the known words",
}
"""Our words for what pydantic finds, where its own leave a question."""


def _system(entry: dict[str, Any], file: Path) -> System:
    entry = {("is_default" if k == "default" else str(k)): v for k, v in entry.items()}
    where = f"{file.name}: system {entry.get('id')!r}"
    try:
        system = System.model_validate(entry)
    except ValidationError as problem:
        raise UsageError(
            f"{where}, {_told(min(problem.errors(), key=lambda e: e['type'] != 'extra_forbidden'))}"
        ) from problem
    for name, value in system.limits.items():
        if name not in LIMITS:
            raise UsageError(f"{where}, limits.{name}: there is no such limit{nearest(name, LIMITS)}")
        may_be_text = str if name in AMOUNTS else int
        is_number = isinstance(value, int | float | may_be_text) and not isinstance(value, bool)
        if not is_number or not _is_amount(str(value)) or (name not in AMOUNTS and value <= 0):
            raise UsageError(f"{where}, limits.{name}: a number above 0 was expected, not {value!r}.")
    return system


def _is_amount(text: str) -> bool:
    try:
        amount = Decimal(text)
    except ArithmeticError:
        return False
    return amount.is_finite() and amount >= 0


def _told(first: ErrorDetails) -> str:
    """What is wrong with an entry: the key, what was expected with the value found, and the nearest known name."""
    *above, key = [str(p) for p in first["loc"]] or [""]
    where = ".".join([*above, "default" if key == "is_default" else key]).removesuffix(".")
    kind = first["type"]
    told = WORDS.get(kind, "") or f"{first['msg'][0].lower()}{first['msg'][1:]}, not {first['input']!r}"
    if kind == "literal_error":
        told = f"{first['input']!r} is {told}"
    if kind == "value_error":  # a sentence of our own
        told = str(first["ctx"]["error"])
    known: Iterable[str] = ()
    if kind == "extra_forbidden":
        known = Price.model_fields if above == ["price"] else {*System.model_fields, "default"} - {"is_default"}
    elif kind == "literal_error":
        key, known = str(first["input"]), first["ctx"]["expected"].replace("'", "").replace(" or ", ", ").split(", ")
    return f"{where}: {told}{nearest(key, known)}".lstrip(": ")


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
