"""Pruning a store: runs long past and what nobody refers to goes, old journals are filed (`datasets/pruning.py`)."""

import time
from pathlib import Path

from pydantic import ValidationError

from datasets.calls import seal_calls
from datasets.pruning import Doomed, doomed, freed, remove_all
from datasets.store import Store
from datasets.tables import Place
from schemas.errors import UsageError
from schemas.exchange import Frozen
from tasks.turns import writing


class Pruned(Frozen):
    """What a prune removed, or would: files and bytes by kind; filed: old journals; problems: what was left alone, and why."""

    files: dict[str, int]
    bytes: dict[str, int]
    filed: int
    problems: tuple[str, ...] = ()


def prune(root: str, keep: int, days: float, *, is_dry: bool = False) -> Pruned:
    """Keep the parts of the newest runs only, remove what nobody refers to and old quarantine, and file old journals.

    keep: so many runs, 1 or more; days: age of journals and quarantine. Nothing is done in a dry run. UsageError for a number that cannot
    be, StoreError where another run is writing. A prune that was stopped is ended by the next.
    """
    if keep < 1:
        raise UsageError(f"The number of runs {keep} cannot be kept; give 1 or more to --keep.")
    if days < 0:
        raise UsageError(f"The age {days} is no number of days; give 0 or more to --older-than.")
    if is_dry:
        store = Store.open(root, create=False)
        return _told(store, doomed(store, keep, days), len(_old_journals(store, days)))
    with writing(root, create=False) as store:
        filed, problems = _file_journals(store, days)
        what = doomed(store, keep, days)
        told = _told(store, what, filed, problems)
        remove_all(store, what)
        return told


def _told(store: Store, what: Doomed, filed: int, problems: tuple[str, ...] = ()) -> Pruned:
    kinds = dict(what.kinds())
    return Pruned(
        files={kind: len(names) for kind, names in kinds.items()},
        bytes={kind: freed(store, names) for kind, names in kinds.items()},
        filed=filed,
        problems=problems,
    )


def _old_journals(store: Store, days: float) -> list[str]:
    limit = time.time() - days * 24 * 3600
    return [n for n in store.names("journal", ".jsonl") if store.changed(n) < limit]


def _file_journals(store: Store, days: float) -> tuple[int, tuple[str, ...]]:
    """File the replies of old journals into `calls`: they were paid for, so none is thrown away (M-4)."""
    filed, problems = 0, []
    for place, names in _by_place(_old_journals(store, days)).items():
        try:
            seal_calls(store, place)
            filed += len(names)
        except ValidationError:
            problems.append(f"{names[0]} has a line that is no call of this version; it was left as it is")
    return filed, tuple(problems)


def _by_place(names: list[str]) -> dict[Place, list[str]]:
    found: dict[Place, list[str]] = {}
    for name in names:
        _, suite, edition, system, _ = Path(name).parts
        found.setdefault(Place(suite=suite, edition=edition, system=system), []).append(name)
    return found
