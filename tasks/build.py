"""Stage `build`: prepares the cases of an edition; documents are made by the same task, shard by shard."""

import json
import logging
from collections.abc import Iterator, Sequence
from typing import Any

from prefect import task

from datasets.editions import edition_for, load_edition, save_edition
from datasets.store import Store
from datasets.tables import Place, shard_key, write_table
from schemas.case import Case, MadeCase
from schemas.edition import Edition
from schemas.errors import DocumentError
from schemas.row import to_table
from tasks.gate import pass_gate
from tasks.progress import advance
from tasks.settings import Settings
from tasks.shards import Made, Outcome, Plan, Shard, finish, plan, units_per_shard
from tasks.suites import Source, suite_of

LOG = logging.getLogger("zkusebna.build")


def ask_edition(root: str, suite: str, seed: int, size: int, levels: Sequence[str] = ()) -> Edition:
    """The edition that a run asks for, its recipe kept in the store (D-2, G-8)."""
    store = Store.open(root)
    source = suite_of(suite).source
    secret = store.private_seed(Settings.read().private_seed)
    edition = edition_for(suite, source.SET_VERSION, seed, size, secret, tuple(levels))
    source.units(edition)  # refuses what the set does not have before anything is kept
    save_edition(store, edition)
    return edition


def plan_cases(root: str, suite: str, edition: str, run_id: str = "") -> Plan:
    """The shards of an edition's cases, by units."""
    store = Store.open(root)
    recipe = load_edition(store, suite, edition)
    source = suite_of(suite).source
    units = source.units(recipe)
    step = units_per_shard(units)
    place = Place(suite=suite, edition=edition)
    shards = [
        Shard(
            root=root,
            place=place,
            number=number,
            key=shard_key(
                "cases", Case.version, recipe.model_dump(), source.versions(), start, min(start + step, units)
            ),
            start=start,
            stop=min(start + step, units),
            size=min(start + step, units) - start,
            run_id=run_id,
        )
        for number, start in enumerate(range(0, units, step))
    ]
    return plan(store, Case, place, shards)


@task(name="synthesize", task_run_name="synthesize {shard.place.suite} {shard.number}")
def make_cases(shard: Shard) -> Made:
    """Make one shard of cases: draw, typeset, rasterise; images become blobs of the store as they come."""
    store = Store.open(shard.root)
    recipe = load_edition(store, shard.place.suite, shard.place.edition)
    secret = store.private_seed(Settings.read().private_seed)
    cases: list[Case] = []
    pairs: set[str] = set()
    aside: list[DocumentError] = []
    for made in _makeable(suite_of(shard.place.suite).source, recipe, secret, shard, aside):
        for blob in made.blobs:
            store.put_blob(blob.data)
        cases.append(made.case)
        if made.case.pair_id not in pairs:
            pairs.add(made.case.pair_id)
            advance("synthesize")
    if aside and not cases:
        raise aside[0]
    table = to_table(Case, cases)
    pass_gate(store, Case, shard.place, shard.key, table, run_id=shard.run_id)
    part = write_table(store, Case, shard.place, shard.key, shard.number, table)
    _set_aside(store, shard, aside)
    counts = {"documents": part.rows} | ({"pairs set aside": len(aside)} if aside else {})
    return Made(key=shard.key, rows=part.rows, counts=counts)


def _makeable(
    source: Source, recipe: Edition, secret: str, shard: Shard, aside: list[DocumentError]
) -> Iterator[MadeCase]:
    """The cases of a shard that can be made; what is in the way of the others joins `aside`."""
    at = shard.start
    while at < shard.stop:
        try:
            yield from source.make_cases(recipe, secret, at, shard.stop)
            return
        except DocumentError as error:
            aside.append(error)
            at = error.unit + 1


def _set_aside(store: Store, shard: Shard, aside: Sequence[DocumentError]) -> None:
    """Name what was set aside, in `quarantine/` with the reasons and in the log; a private pair is named in the store alone (G-8)."""
    name = f"quarantine/{Case.table}/{shard.place.folder}/aside-{shard.key}.jsonl"
    if not aside:
        store.remove(name)
        return
    lines = (json.dumps({"pair_id": one.pair_id, "reason": str(one)}, ensure_ascii=False) + "\n" for one in aside)
    store.put(name, "".join(lines).encode())
    for one in aside:
        who = "A private pair" if one.is_private else f"The pair {one.pair_id}"
        LOG.warning("%s is set aside, the others go on: %s", who, one)


def seal_cases(plan: Plan, results: Sequence[Any], root: str) -> Outcome:
    """End the stage for an edition."""
    return finish(Store.open(root), Case, plan, results)
