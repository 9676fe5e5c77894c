"""Shards of a stage: which there are, which are missing, what came of them; the same for all five stages.

A stage is: plan its shards, make those that the store lacks (one Prefect task each), seal. Truth about progress is in the store: a
retry from the UI, a second run and a run after a kill all do exactly what is missing.
"""

import traceback
from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeVar

from pydantic import Field

from datasets.store import Store
from datasets.tables import Place, find_part, loose_keys, seal, sealed, waiting_keys
from schemas.errors import StageError, ZkusebnaError
from schemas.exchange import Frozen
from schemas.row import Row

LEAST_UNITS, MOST_UNITS = 64, 250

T = TypeVar("T")


class Shard(Frozen):
    """A task's whole argument: where the store is, which partition, which slice, from which parts of earlier stages.

    start, stop: units (pairs, cases) of the edition; size: items to do, for the bars that a person sees; sources: names of the
    parts it is made from, by table.
    """

    root: str
    place: Place
    number: int
    key: str
    start: int = 0
    stop: int = 0
    size: int = 0
    sources: dict[str, str] = Field(default_factory=dict)
    run_id: str = ""


class Outcome(Frozen):
    """What a stage did for one partition; `made` of `shards` were made anew, the rest was there."""

    table: str
    place: Place
    shards: int
    made: int
    rows: int
    counts: dict[str, int] = Field(default_factory=dict)


class Made(Frozen):
    """What a shard's task hands back: the part it wrote, and counts of what it did (calls asked, documents rendered …)."""

    key: str
    rows: int
    counts: dict[str, int] = Field(default_factory=dict)


class Plan(Frozen):
    """All shards of a stage for one partition, and those that the store lacks."""

    table: str
    place: Place
    shards: tuple[Shard, ...]
    missing: tuple[Shard, ...]


def units_per_shard(units: int) -> int:
    """How many units a shard holds: an eightieth of the set, at least 64 and at most 250, so that memory does not grow with the set.

    Below 64 the fixed cost of a shard (a task run, a gate a stage) would outweigh what running shards side by side gains.

    >>> [units_per_shard(n) for n in (5, 60, 5000, 10_000, 10_000_000)]
    [64, 64, 64, 125, 250]
    """
    return min(MOST_UNITS, max(LEAST_UNITS, -(-units // 80)))


def plan(
    store: Store, model: type[Row], place: Place, shards: Sequence[Shard], again: Collection[str] = frozenset()
) -> Plan:
    """Which of the shards are missing: neither sealed nor waiting in `work/`, or to be made again by their keys."""
    there = {p.key for p in sealed(store, model, place) or []} | waiting_keys(store, model, place)
    missing = [s for s in shards if s.key not in there or s.key in again]
    return Plan(table=model.table, place=place, shards=tuple(shards), missing=tuple(missing))


def finish(store: Store, model: type[Row], plan: Plan, results: Sequence[Any], *, keep: bool = False) -> Outcome:
    """Seal a partition whose shards are all there; StageError that says what is missing and why where they are not.

    results: what the tasks of the missing shards returned, exceptions included.
    """
    before = {p.key: p for p in sealed(store, model, plan.place) or []}
    waiting = waiting_keys(store, model, plan.place)
    made = [r for r in results if isinstance(r, Made)]
    failed = len(plan.missing) - len(made)
    parts = [
        found
        for s in plan.shards
        if (found := find_part(store, model, plan.place, s.key) if s.key in waiting else before.get(s.key))
    ]
    if failed or len(parts) < len(plan.shards):
        raise StageError(_why(plan, results, len(plan.shards) - len(parts) or failed))
    if waiting or loose_keys(store, model, plan.place) or set(before) != {s.key for s in plan.shards}:
        seal(store, model, plan.place, parts, keep=keep)
    names = sorted({name for r in made for name in r.counts})
    return Outcome(
        table=model.table,
        place=plan.place,
        shards=len(plan.shards),
        made=len(made),
        rows=sum(p.rows for p in parts),
        counts={n: sum(r.counts.get(n, 0) for r in made) for n in names},
    )


def _why(plan: Plan, results: Sequence[Any], lacking: int) -> str:
    told = [str(r) for r in results if isinstance(r, ZkusebnaError)]
    crashed = [r for r in results if isinstance(r, BaseException) and not isinstance(r, ZkusebnaError)]
    told += [" ".join("".join(traceback.format_exception_only(c)).split()).rstrip(".") + "." for c in crashed]
    reason = told[0] if told else "No task of theirs ended."
    return (
        f"{plan.table} of {plan.place.folder}: {lacking} of {len(plan.shards)} shards are missing. {reason}"
        f" What is done is kept; run again to do the rest."
    )


def settle(act: Callable[[T], Any], shards: Sequence[T]) -> list[Any]:
    """Make shards, or batches of them, one after another without Prefect; an exception becomes a result, as with mapped tasks."""
    results: list[Any] = []
    for shard in shards:
        try:
            results.append(act(shard))
        except Exception as problem:  # noqa: BLE001 - told by `finish`, which raises
            results.append(problem)
    return results
