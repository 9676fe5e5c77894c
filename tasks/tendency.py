"""Stage `tendency`: aggregates of a system over a whole edition, with intervals (G-1, S-1)."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from prefect import task

from datasets.editions import load_edition
from datasets.store import Store
from datasets.tables import Place, each_part, judged_places, read, sealed, shard_key, write_table
from schemas.case import Case
from schemas.errors import StageError
from schemas.grade import PROGRAM, Grade
from schemas.profile import Profile
from schemas.row import to_table
from schemas.stamp import Stamp
from schemas.tendency import Tendency
from tasks.gate import pass_gate
from tasks.progress import advance
from tasks.shards import Made, Outcome, Plan, Shard, finish, plan
from tasks.suites import suite_of

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

GROUPS = (
    "case_id",
    "pair_id",
    "language",
    "split",
    "level",
    "variant",
    "layout",
    "prompt_version",
    "set_version",
    "area",
    "category",
    "meta_task",
    "state",
)
"""Columns that a profile shares with its case."""

MARKS = ("case_id", "trial", "pass_name", "item", "points", "max_points", "label", "error")
"""Columns of grades that aggregates need."""


def plan_tendencies(root: str, suite: str, edition: str, systems: Sequence[str], run_id: str = "") -> list[Plan]:
    """One plan with one shard a system."""
    store = Store.open(root)
    version = suite_of(suite).reader.VERSION
    seed = load_edition(store, suite, edition).seed
    plans = []
    for system in systems:
        place = Place(suite=suite, edition=edition, system=system)
        profiles = sealed(store, Profile, place)
        grades = [g for at in judged_places(store, Grade, place) for g in sealed(store, Grade, at) or ()]
        if profiles is None:
            raise StageError(
                f"The profiles of {system} in {suite} {edition} are not there; run the stage profile first."
            )
        digests = [sorted(p.digest for p in parts) for parts in (profiles, grades)]
        key = shard_key("tendencies", Tendency.version, version, seed, digests)
        plans.append(
            plan(store, Tendency, place, [Shard(root=root, place=place, number=0, key=key, size=1, run_id=run_id)])
        )
    return plans


def _profiles(store: Store, place: Place) -> "pd.DataFrame":
    """The profiles of a system, and a row not scored for each case that it was not asked (it cannot take the document)."""
    import pandas as pd
    import pyarrow.compute as pc

    found = read(store, Profile, place, [c for c in Profile.model_fields if c != "critical_path"])
    profiles: pd.DataFrame = found.to_pandas()
    cases = read(store, Case, Place(suite=place.suite, edition=place.edition), GROUPS)
    is_asked = pc.is_in(cases["case_id"], value_set=found["case_id"].combine_chunks())
    rest = (
        cases.filter(pc.invert(is_asked))
        .to_pandas()
        .assign(
            suite=place.suite,
            edition=place.edition,
            system_id=place.system,
            trial=1,
            status="not_asked",
            points=0.0,
            max_points=0.0,
            is_scored=False,
            is_faultless=False,
            is_valid=False,
            is_valid_first=False,
            latency_ms=0,
            cost_usd=0,
        )
    )
    return pd.concat([profiles, rest], ignore_index=True) if len(rest) else profiles


def _marks(store: Store, place: Place) -> "pd.DataFrame":
    """The counted grades of the atomic pass, read part by part; words that recur are numbers into a list of words (dictionaries)."""
    import pyarrow as pa

    place = place.model_copy(update={"judge": PROGRAM})
    table = pa.concat_tables(_atomic(part) for part in each_part(store, Grade, place, MARKS))
    marks: pd.DataFrame = table.unify_dictionaries().combine_chunks().to_pandas()
    return marks


def _atomic(part: "pa.Table") -> "pa.Table":
    import pyarrow as pa
    import pyarrow.compute as pc

    kept = part.filter(pc.equal(part["pass_name"], "atomic")).drop_columns(["pass_name"])
    words = [f.with_type(pa.dictionary(pa.int32(), f.type)) if f.type == pa.string() else f for f in kept.schema]
    return kept.cast(pa.schema(words))


@task(name="tendency", task_run_name="tendency {shard.place.system}")
def fold_tendencies(shard: Shard) -> Made:
    """Aggregate one system over one edition; only the columns that aggregates need are read."""
    store = Store.open(shard.root)
    place = shard.place
    suite = suite_of(place.suite)
    profiles = _profiles(store, place)
    grades = _marks(store, place)
    recipe = load_edition(store, place.suite, place.edition)
    stamp = Stamp(
        suite=place.suite,
        edition=place.edition,
        system_id=str(place.system),
        set_version=recipe.set_version,
        prompt_version="+".join(sorted(profiles["prompt_version"].unique())),
        rubric_version=suite.grader.RUBRIC_VERSION,
        seed=recipe.seed,
        run_id=shard.run_id,
        run_date=datetime.now(UTC).date().isoformat(),
    )
    rows = suite.reader.tendencies(profiles, grades, stamp)
    table = to_table(Tendency, rows)
    pass_gate(store, Tendency, place, shard.key, table, run_id=shard.run_id)
    advance("tendency", shard.size)
    part = write_table(store, Tendency, place, shard.key, 0, table)
    return Made(key=shard.key, rows=part.rows, counts={"tendencies": part.rows})


def seal_tendencies(plans: Sequence[Plan], results: Sequence[Sequence[Any]], root: str) -> list[Outcome]:
    """End the stage for every system."""
    store = Store.open(root)
    return [finish(store, Tendency, one, made) for one, made in zip(plans, results, strict=True)]
