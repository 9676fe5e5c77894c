"""Whether the numbers of a run can be had again from what it ended with, to the last digit (G-9, S-4).

What was answered and what judges and people said is laid out in a store of its own, and the project's own code runs on it: both counted
passes, profiles, aggregates. No system and no judge is called. Rows are compared in all columns that are not volatile.
"""

import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from datasets.editions import load_edition, save_edition
from datasets.snapshots import Kept, lay_out, read_kept
from datasets.store import Store
from datasets.tables import Place, read
from schemas.answer import Answer
from schemas.case import Case
from schemas.errors import StoreError
from schemas.evidence_row import EvidenceFile
from schemas.grade import PROGRAM, Grade
from schemas.profile import Profile
from schemas.row import Row, volatile
from schemas.tendency import Tendency
from tasks.grade import PASSES, grade_answers, plan_grades, seal_grades
from tasks.manifest import changed, made_with
from tasks.past_runs import PastRun, Stand, past_runs, run_named
from tasks.profile import plan_profiles, profile_answers, seal_profiles
from tasks.shards import settle
from tasks.tendency import fold_tendencies, plan_tendencies, seal_tendencies

if TYPE_CHECKING:
    import pyarrow as pa

MADE: tuple[type[Row], ...] = (Grade, Profile, Tendency)
"""Tables that are made anew."""

TAKEN: tuple[type[Row], ...] = (Case, Answer, EvidenceFile)
"""Tables that are taken as they were, beside the grades of judges and people."""


@dataclass(frozen=True)
class Reproduced:
    """One table of one system: how many rows it had and now has, and of how many the two differ, with the names of their columns."""

    suite: str
    system: str
    table: str
    n_before: int
    n_now: int
    n_different: int
    columns: tuple[str, ...] = ()

    @property
    def is_equal(self) -> bool:
        """Whether every row is equal to the last digit."""
        return self.n_before == self.n_now and not self.n_different


@dataclass(frozen=True)
class Reproduction:
    """A whole run made again; changed: what it was made with that is otherwise now; problems: what could not be made, in sentences."""

    run_id: str
    tables: tuple[Reproduced, ...]
    changed: tuple[str, ...]
    problems: tuple[str, ...] = field(default=())

    @property
    def is_equal(self) -> bool:
        """Whether all of it was made again, equal to the last digit."""
        return not self.problems and bool(self.tables) and all(t.is_equal for t in self.tables)


def reproduce(root: str, name: str = "latest") -> Reproduction:
    """Make the numbers of a run again; UsageError for an unknown run."""
    store = Store.open(root, create=False)
    run = run_named(past_runs(store), name)
    tables: list[Reproduced] = []
    problems: list[str] = []
    for suite, edition in dict.fromkeys((s.suite, s.edition) for s in run.stands):
        stands = [s for s in run.stands if (s.suite, s.edition) == (suite, edition)]
        with tempfile.TemporaryDirectory(prefix="zkusebna-") as folder:
            try:
                tables += _again(store, stands, folder)
            except FileNotFoundError:
                problems.append(f"{suite} {edition}: what the run ended with was pruned from the store.")
            except StoreError as problem:
                problems.append(f"{suite} {edition}: {problem}")
    return Reproduction(run.run_id, tuple(tables), tuple(_changed(store, run)), tuple(problems))


def _changed(store: Store, run: PastRun) -> list[str]:
    before: dict[str, Any] = json.loads(store.get(f"runs/{run.run_id}.json")).get("made_with", {})
    return changed(before, json.loads(json.dumps(made_with())))


def _again(store: Store, stands: Sequence[Stand], folder: str) -> list[Reproduced]:
    """Make grades, profiles and tendencies of one edition again in a store of its own, and compare them."""
    suite, edition = stands[0].suite, stands[0].edition
    scratch = Store.open(folder)
    save_edition(scratch, load_edition(store, suite, edition))
    for stand in stands:
        for model in TAKEN:
            if kept := stand.of(model):
                lay_out(store, model, kept, scratch)
        for kept in stand.kept:
            if kept.table == Grade.table and kept.place.judge != PROGRAM:
                lay_out(store, Grade, kept, scratch)
    systems = [s.system for s in stands]
    _run_stages(folder, suite, edition, systems)
    found = []
    for stand in stands:
        for model in MADE:
            judge = PROGRAM if model is Grade else None
            if kept := stand.of(model, judge):
                place = Place(suite=suite, edition=edition, system=stand.system, judge=judge)
                found.append(_compared(store, scratch, model, kept, place))
    return found


def _run_stages(root: str, suite: str, edition: str, systems: Sequence[str]) -> None:
    by_pass = [plan_grades(root, suite, edition, systems, name) for name in PASSES]
    graded = [
        [settle(partial(grade_answers.fn, pass_name=name), plan.missing) for plan in of_pass]
        for name, of_pass in zip(PASSES, by_pass, strict=True)
    ]
    seal_grades(by_pass, graded, root)
    profiles = plan_profiles(root, suite, edition, systems)
    seal_profiles(profiles, [settle(profile_answers.fn, plan.missing) for plan in profiles], root)
    folded = plan_tendencies(root, suite, edition, systems)
    seal_tendencies(folded, [settle(fold_tendencies.fn, plan.missing) for plan in folded], root)


def _compared(store: Store, scratch: Store, model: type[Row], kept: Kept, place: Place) -> Reproduced:
    """Rows by their key, in all columns that are not volatile; of rows that differ only the columns are told (G-8)."""
    wanted = [n for n in model.model_fields if n not in volatile(model)]
    before, now = (
        _by_key(model, t) for t in (read_kept(store, model, kept, wanted), read(scratch, model, place, wanted))
    )
    columns: set[str] = set()
    n_different = len(before.keys() ^ now.keys())
    for key in before.keys() & now.keys():
        others = [name for name in wanted if before[key][name] != now[key][name]]
        columns |= set(others)
        n_different += bool(others)
    return Reproduced(
        place.suite, str(place.system), model.table, len(before), len(now), n_different, tuple(sorted(columns))
    )


def _by_key(model: type[Row], table: "pa.Table") -> dict[tuple[Any, ...], dict[str, Any]]:
    return {tuple(row[k] for k in model.key): row for row in table.to_pylist()}
