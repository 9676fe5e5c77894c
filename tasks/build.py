"""Stage `build`: prepares the cases of an edition; documents are made by the same task, shard by shard."""

from collections.abc import Sequence
from typing import Any

from prefect import task

from datasets.editions import edition_for, load_edition, save_edition
from datasets.store import Store
from datasets.tables import Place, shard_key, write_table
from schemas.case import Case
from schemas.edition import Edition
from schemas.row import to_table
from tasks.gate import pass_gate
from tasks.progress import advance
from tasks.settings import Settings
from tasks.shards import Made, Outcome, Plan, Shard, finish, plan, units_per_shard
from tasks.suites import suite_of


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
    for made in suite_of(shard.place.suite).source.make_cases(recipe, secret, shard.start, shard.stop):
        for blob in made.blobs:
            store.put_blob(blob.data)
        cases.append(made.case)
        if made.case.pair_id not in pairs:
            pairs.add(made.case.pair_id)
            advance("synthesize")
    table = to_table(Case, cases)
    pass_gate(store, Case, shard.place, shard.key, table, run_id=shard.run_id)
    part = write_table(store, Case, shard.place, shard.key, shard.number, table)
    return Made(key=shard.key, rows=part.rows, counts={"documents": part.rows})


def seal_cases(plan: Plan, results: Sequence[Any], root: str) -> Outcome:
    """End the stage for an edition."""
    return finish(Store.open(root), Case, plan, results)
