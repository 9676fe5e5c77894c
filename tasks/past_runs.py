"""Runs as the store remembers them: what each ended with, and which is meant by a name (G-3).

`runs/<run_id>.json` lists the parts that a run stood on (`datasets/snapshots.py`). Runs come in the order of their ends.
"""

import json
from collections.abc import Iterable
from typing import Any

from datasets.snapshots import Kept, keep, keep_cases
from datasets.store import Store
from datasets.tables import Place
from schemas.errors import UsageError, unknown
from schemas.exchange import Frozen
from schemas.grade import PROGRAM, Grade
from schemas.profile import Profile
from schemas.tendency import Tendency

LATEST, PREVIOUS = "latest", "previous"


class Stand(Frozen):
    """What one system's evaluation in one suite stood on at the end of a run."""

    suite: str
    edition: str
    system: str
    seed: int
    cases: str
    profiles: Kept
    grades: Kept | None = None
    tendencies: Kept


class PastRun(Frozen):
    """A finished run: its id, when it ended (ISO 8601, UTC), and what it ended with."""

    run_id: str
    finished_at: str
    stands: tuple[Stand, ...]

    def systems(self, suite: str) -> dict[str, Stand]:
        """What it ended with in a suite, by system."""
        return {s.system: s for s in self.stands if s.suite == suite}


def keep_stands(store: Store, places: Iterable[Place], seeds: dict[tuple[str, str], int]) -> list[Stand]:
    """Keep the parts of each evaluated system; places: of `tendencies`. What has not been sealed is left out."""
    found = []
    for place in dict.fromkeys(places):
        cases = keep_cases(store, Place(suite=place.suite, edition=place.edition))
        profiles, told = keep(store, Profile, place), keep(store, Tendency, place)
        if cases is None or profiles is None or told is None or place.system is None:
            continue
        grades = keep(store, Grade, place.model_copy(update={"judge": PROGRAM}))
        found.append(
            Stand(
                suite=place.suite, edition=place.edition, system=place.system, seed=seeds[place.suite, place.edition],
                cases=cases, profiles=profiles, grades=grades, tendencies=told,
            )
        )  # fmt: skip
    return found


def past_runs(store: Store) -> list[PastRun]:
    """All runs that kept what they stood on, oldest first; runs of earlier versions kept nothing and are left out."""
    found = []
    for name in store.names("runs", ".json"):
        manifest: dict[str, Any] = json.loads(store.get(name))
        if "stands" in manifest:
            found.append(
                PastRun(
                    run_id=manifest["order"]["run_id"],
                    finished_at=manifest["finished_at"],
                    stands=tuple(Stand.model_validate(s) for s in manifest["stands"]),
                )
            )
    return sorted(found, key=lambda r: (r.finished_at, r.run_id))


def run_named(runs: list[PastRun], name: str) -> PastRun:
    """The run of an id, or `latest`, or `previous`; UsageError with the known ones."""
    if not runs:
        raise UsageError("The store has no finished run to compare; `zkusebna run` makes one.")
    if name == LATEST:
        return runs[-1]
    if name == PREVIOUS:
        if len(runs) < 2:
            raise UsageError(f"There is no run before the only one, {runs[-1].run_id}.")
        return runs[-2]
    for run in runs:
        if run.run_id == name:
            return run
    raise unknown("run", name, [LATEST, PREVIOUS, *(r.run_id for r in runs)])
