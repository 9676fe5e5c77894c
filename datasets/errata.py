"""The errata log: a file that people write, read with one sentence for whatever is wrong in it (G-13)."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from schemas.errata import Erratum, InBoth
from schemas.errors import UsageError, nearest

FILE = Path(__file__).parent / "errata.yaml"

WORDS = {
    "missing": "it is missing",
    "extra_forbidden": "there is no such key",
    "string_type": "a text was expected (put versions in quotes)",
    "string_too_short": "a text was expected, it is empty",
}
"""Our words for what pydantic finds, where its own leave a question."""


def read_errata(suites: Collection[str], file: Path = FILE) -> list[Erratum]:
    """All errata, the newest first; UsageError that names file, entry and key, what was expected, and the nearest known word.

    suites: the words that an entry may name. An entry must change its version, and no two may be the same.
    """
    try:
        entries = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as problem:
        raise UsageError(f"The errata {file.name} cannot be read: {problem}.") from problem
    except yaml.YAMLError as problem:
        raise UsageError(f"{file.name} is no YAML: {' '.join(str(problem).split())}.") from problem
    if not (isinstance(entries, list) and all(isinstance(e, dict) for e in entries)):
        raise UsageError(
            f"{file.name}: a list of entries was expected, each with date, suite, wrong, changed, from and to."
        )
    errata = [_erratum(entry, f"{file.name}: entry {n}", suites) for n, entry in enumerate(entries, start=1)]
    for n, one in enumerate(errata, start=1):
        if one in errata[: n - 1]:
            raise UsageError(f"{file.name}: entry {n} stands there twice; the first is entry {errata.index(one) + 1}.")
    return sorted(errata, key=lambda e: e.date, reverse=True)


def _erratum(entry: dict[Any, Any], where: str, suites: Collection[str]) -> Erratum:
    try:
        found = Erratum.model_validate({str(key): value for key, value in entry.items()})
    except ValidationError as problem:
        first = min(problem.errors(), key=lambda e: e["type"] != "extra_forbidden")
        raise UsageError(f"{where}, {_told(first)}") from problem
    if found.suite not in suites:
        raise UsageError(f"{where}, suite: {found.suite!r} is no suite{nearest(found.suite, suites)}")
    if found.version_from == found.version_to:
        raise UsageError(
            f"{where}, to: a version other than {found.version_from!r} was expected, since something changed."
        )
    return found


def _told(first: ErrorDetails) -> str:
    """What is wrong with an entry: the key, what was expected, and the nearest known word."""
    place = [str(step) for step in first["loc"]]
    key, above = place[-1], ".".join(place)
    if first["type"] == "extra_forbidden":
        known = InBoth.model_fields if len(place) > 1 else [f.alias or n for n, f in Erratum.model_fields.items()]
        return f"{above}: {WORDS['extra_forbidden']}{nearest(key, known)}"
    if first["type"] == "literal_error":
        known = first["ctx"]["expected"].replace("'", "").replace(" or ", ", ").split(", ")
        return f"{above}: {first['input']!r} is not one of the known words{nearest(str(first['input']), known)}"
    if first["type"].startswith("date"):
        return f"{above}: a date such as 2026-11-30 was expected, not {first['input']!r}."
    return f"{above}: {WORDS.get(first['type']) or first['msg']}."


def add_erratum(entry: dict[str, Any], suites: Collection[str], file: Path) -> Erratum:
    """Put an entry first in a file of errata, whose comments stay; a file that is not there is made.

    UsageError that names the key where the entry is wrong, where it stands there already, or where the file is broken; nothing is written then.
    """
    found = _erratum(entry, "The erratum", suites)
    there = read_errata(suites, file) if file.exists() else []
    if found in there:
        raise UsageError(f"{file.name}: this erratum stands there already; nothing was added.")
    told = found.model_dump(mode="python", by_alias=True)
    block = yaml.safe_dump([told], allow_unicode=True, sort_keys=False, width=100)
    head, body = _parts(file.read_text(encoding="utf-8") if file.exists() else "")
    text = f"{head}{block}{body}"
    temporary = file.with_suffix(".yaml.new")
    temporary.write_text(text, encoding="utf-8")
    try:
        read_errata(suites, temporary)
        temporary.replace(file)
    finally:
        temporary.unlink(missing_ok=True)
    return found


def _parts(text: str) -> tuple[str, str]:
    """The comments at the head of a file, and its entries as they are written; none where the list is empty."""
    lines = text.splitlines(keepends=True)
    at = next((n for n, line in enumerate(lines) if line.strip() and not line.startswith("#")), len(lines))
    body = "".join(lines[at:])
    return "".join(lines[:at]), "" if yaml.safe_load(body or "[]") == [] else body
