"""Runs as the store remembers them: what each ended with, and which is meant by a name (G-3).

`runs/<run_id>.json` lists the parts that a run stood on (`datasets/snapshots.py`). Runs come in the order of their ends.
"""

import json
from collections.abc import Iterable
from typing import Any

from datasets.snapshots import Kept, keep, keep_cases
from datasets.store import Store
from datasets.tables import Place, judged_places
from schemas.answer import Answer
from schemas.case import Case
from schemas.errors import UsageError, unknown
from schemas.evidence_row import EvidenceFile
from schemas.exchange import Frozen
from schemas.grade import Grade
from schemas.profile import Profile
from schemas.row import Row
from schemas.tendency import Tendency

LATEST, PREVIOUS = "latest", "previous"

OF_SYSTEM: tuple[type[Row], ...] = (Answer, EvidenceFile, Profile, Tendency)
"""Tables of what one system did; grades stand by judge."""


class Stand(Frozen):
    """What one system's evaluation in one suite stood on at the end of a run; cases: which case is which; kept: all its partitions."""

    suite: str
    edition: str
    system: str
    seed: int
    cases: str
    kept: tuple[Kept, ...]

    def of(self, model: type[Row], judge: str | None = None) -> Kept | None:
        """The kept partition of a table, for grades of one judge."""
        return next((k for k in self.kept if k.table == model.table and k.place.judge == judge), None)


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
        edition = Place(suite=place.suite, edition=place.edition)
        marks = keep_cases(store, edition)
        tables: list[tuple[type[Row], Place]] = [(Case, edition), *((model, place) for model in OF_SYSTEM)]
        tables += [(Grade, at) for at in judged_places(store, Grade, place)]
        kept = tuple(k for model, at in tables if (k := keep(store, model, at)) is not None)
        if marks is None or place.system is None or not {Profile.table, Tendency.table} <= {k.table for k in kept}:
            continue
        seed = seeds[place.suite, place.edition]
        found.append(
            Stand(suite=place.suite, edition=place.edition, system=place.system, seed=seed, cases=marks, kept=kept)
        )
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
