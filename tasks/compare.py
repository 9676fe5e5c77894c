"""Runs, versions of a system and systems side by side, from what each run ended with (G-3, S-2): which cases newly fail, what is decisive.

A side is `SYSTEM` (as it stood in the newest run that has it), `RUN` (all its systems), or `SYSTEM@RUN`; `latest` and `previous` are runs.
No system and no judge is called. Cases are the same where their id and their truth are (`datasets/snapshots.py`), whatever the edition.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from datasets.snapshots import read_cases, read_kept
from datasets.store import Store
from datasets.tables import rows_of
from profiles.fitness import FitnessOf
from profiles.measures import COUNTS, MARKS, WANTED, measures
from profiles.paired import Line, Paired, pair
from schemas.errors import StoreError, UsageError, unknown
from schemas.exchange import Frozen
from schemas.grade import PROGRAM, Grade
from schemas.profile import Profile
from schemas.tendency import Tendency
from tasks.past_runs import PastRun, Stand, past_runs, run_named
from tasks.suites import SUITES, suite_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["COUNTS", "Compared", "Line", "Paired", "Side", "compare_sides", "side_of"]

CONTROLS = "controls"
"""The system whose answers are controls; it is no system under test (S-5)."""


class Side(Frozen):
    """One side of a comparison: its run, and the one system that is meant, or all."""

    name: str
    run: PastRun
    system: str | None = None


@dataclass(frozen=True)
class Compared:
    """One system of A beside one of B in a suite; problem: why nothing could be compared, in a sentence."""

    suite: str
    left: str
    right: str
    editions: tuple[str, str]
    found: Paired | None = None
    problem: str | None = None

    @property
    def regressions(self) -> list[Line]:
        """What B does decisively worse."""
        return [line for line in self.found.lines if line.verdict == "worse"] if self.found else []


def side_of(runs: list[PastRun], name: str) -> Side:
    """The side that a word means; UsageError with the nearest known word."""
    systems = sorted({s.system for run in runs for s in run.stands})
    system, at, run = name.partition("@")
    if at:
        if system not in systems:
            raise unknown("system", system, systems)
        return Side(name=name, run=run_named(runs, run), system=system)
    if name in systems:
        newest = next(run for run in reversed(runs) if any(s.system == name for s in run.stands))
        return Side(name=name, run=newest, system=name)
    if name in ("latest", "previous") or any(r.run_id == name for r in runs):
        return Side(name=name, run=run_named(runs, name))
    raise unknown("system or run", name, ["latest", "previous", *systems, *(r.run_id for r in runs)])


def compare_sides(root: str, left: str, right: str, suites: Sequence[str] | None = None) -> list[Compared]:
    """A beside B in every suite that both have: two systems, or each system of a run beside itself in the other run.

    UsageError where a word means nothing, where a run is compared with one system, or where no suite has both.
    """
    store = Store.open(root, create=False)
    runs = past_runs(store)
    for word in suites or ():
        suite_of(word)
    if not runs:
        run_named(runs, left)
    a, b = side_of(runs, left), side_of(runs, right)
    if (a.system is None) != (b.system is None):
        one, all_of = (a, b) if a.system else (b, a)
        raise UsageError(
            f"{one.name!r} is a system and {all_of.name!r} a run; compare the system with itself there: {one.system}@{all_of.name}."
        )
    found = [one for suite in suites or list(SUITES) for one in _suite(store, suite, a, b)]
    if not found:
        raise UsageError(f"{left!r} and {right!r} have no suite in common{_in(suites)}.")
    return found


def _in(suites: Sequence[str] | None) -> str:
    return f" among {', '.join(suites)}" if suites else ""


def _suite(store: Store, suite: str, a: Side, b: Side) -> list[Compared]:
    mine, theirs = a.run.systems(suite), b.run.systems(suite)
    if a.system and b.system:
        pairs = [(a.system, b.system)] if a.system in mine and b.system in theirs else []
    else:
        pairs = [(s, s) for s in mine if s in theirs]
    fit = FitnessOf(_tendencies(store, list(theirs.values())))
    return [_compared(store, suite, (mine[x], theirs[y]), fit) for x, y in pairs if CONTROLS not in (x, y)]


def _tendencies(store: Store, stands: Sequence[Stand]) -> list[Tendency]:
    rows = []
    for stand in stands:
        if kept := stand.of(Tendency):
            rows += rows_of(Tendency, read_kept(store, Tendency, kept, list(Tendency.model_fields)))
    return rows


def _compared(store: Store, suite: str, stands: tuple[Stand, Stand], fit: FitnessOf) -> Compared:
    left, right = stands
    told = Compared(suite, left.system, right.system, (left.edition, right.edition))
    if suite_of(suite).by_panel or not suite_of(suite).is_compared:
        return replace(
            told,
            problem=f"{suite} has no grades that could be better or worse; its table in the report says what it measures.",
        )
    same = _same_cases(store, left, right)
    if not same:
        return replace(
            told, problem=f"The two share no case: A has the edition {left.edition}, B the edition {right.edition}."
        )
    try:
        frames = [_measured(store, stand) for stand in stands]
    except FileNotFoundError:
        return replace(
            told,
            problem="What one of the two runs ended with was pruned from the store, so its cases cannot be compared.",
        )
    a, b = (frame[frame["case_id"].isin(same)] for frame in frames)
    found = pair(a, b, right.seed, (suite, left.system, right.system))
    if not found.n_shared:
        return replace(told, problem=f"No case was scored on both sides: {found.n_left} in A, {found.n_right} in B.")
    lines = tuple(replace(line, is_fit=_is_fit(line, right, fit)) for line in found.lines)
    whole = replace(found, lines=lines, n_left=frames[0]["case_id"].nunique(), n_right=frames[1]["case_id"].nunique())
    return replace(told, found=whole)


def _same_cases(store: Store, left: Stand, right: Stand) -> set[str]:
    if left.cases == right.cases:
        return set(read_cases(store, left.cases))
    mine, theirs = read_cases(store, left.cases), read_cases(store, right.cases)
    return {case for case, digest in mine.items() if theirs.get(case) == digest}


def _measured(store: Store, stand: Stand) -> "pd.DataFrame":
    profiles, grades = stand.of(Profile), stand.of(Grade, PROGRAM)
    if profiles is None:
        raise StoreError(f"The run kept no profiles of {stand.system} in {stand.suite}.")
    marks = read_kept(store, Grade, grades, MARKS).to_pandas() if grades else None
    return measures(read_kept(store, Profile, profiles, WANTED).to_pandas(), marks)


def _is_fit(line: Line, stand: Stand, fit: FitnessOf) -> bool:
    """Whether the judge behind a line may decide anything (S-5); a program that only counts needs no fitness."""
    if not line.judge_id:
        return True
    return fit.of(stand.system, line.judge_id, line.metric).is_decisive
