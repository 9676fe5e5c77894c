"""The errata of the project and of a store together, and how people add one: `zkusebna errata add` (G-13).

Errata of the sets that come with the project stand in `datasets/errata.yaml`, under version control. Whoever runs Zkušebna from an
installation, or mends cases of their own, keeps theirs in `errata.yaml` of the store. The report shows both as one list.
"""

import json
from pathlib import Path
from typing import Any

from datasets.errata import FILE, add_erratum, read_errata
from datasets.store import Store
from schemas.errata import Erratum
from schemas.errors import UsageError
from tasks.suites import SUITES

NAME = "errata.yaml"


def read_all_errata(store: Store) -> list[Erratum]:
    """All errata, the newest first; one that stands in both files counts once. UsageError for a broken file."""
    found = read_errata(SUITES)
    if store.exists(NAME):
        found += [one for one in read_errata(SUITES, store.path(NAME)) if one not in found]
    return sorted(found, key=lambda one: one.date, reverse=True)


def all_errata(root: str) -> list[Erratum]:
    """The same by the path of a store; StoreError where there is none."""
    return read_all_errata(Store.open(root, create=False))


def add(root: str | None, entry: dict[str, Any]) -> tuple[Erratum, Path]:
    """Add an erratum to the file of a store, or of the project where root is None; what was added, and the file.

    UsageError that says what is wrong with the entry or the file; nothing is written then.
    """
    if root is None:
        return add_erratum(entry, SUITES, FILE), FILE
    store = Store.open(root, create=False)
    return add_erratum(entry, SUITES, store.path(NAME)), store.path(NAME)


def read_mistake(file: Path) -> dict[str, Any]:
    """What a mistake's file from the report says of an erratum: suite, part, the version it is about, the words; UsageError where it is none."""
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise UsageError(f"The report of a mistake {str(file)!r} cannot be read: {problem}.") from problem
    if not isinstance(told, dict) or told.get("kind") != "zkusebna-mistake":
        raise UsageError(
            f'{file.name}: a file that the report\'s form made was expected, with "kind": "zkusebna-mistake".'
        )
    versions = {"set": "set_version", "prompt": "prompt_version", "grading": "rubric_version"}
    part = str(told.get("part", "set"))
    return {
        "suite": told.get("suite"),
        "part": part,
        "from": told.get(versions.get(part, "")),
        "case_id": told.get("case_id"),
    }
