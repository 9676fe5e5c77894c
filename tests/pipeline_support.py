"""The five stages' own code without Prefect, for tests that kill it or look at what it leaves in the store."""

import hashlib
import multiprocessing
import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from datasets.store import Store
from datasets.tables import Place, read, rows_of
from schemas.row import Row, volatile
from schemas.system import System
from schemas.tables import TABLES
from schemas.tendency import VOLATILE_METRICS
from tasks import shards, test
from tasks.build import ask_edition, make_cases, plan_cases, seal_cases
from tasks.choose import choose_judges, find_system
from tasks.collect import collect_evidence, plan_evidence, seal_evidence
from tasks.grade import PASSES, grade_answers, plan_grades, seal_grades
from tasks.judge import judge_answers, plan_judged, seal_judged
from tasks.profile import plan_profiles, profile_answers, seal_profiles
from tasks.progress import listen
from tasks.shards import Outcome, settle
from tasks.tendency import fold_tendencies, plan_tendencies, seal_tendencies
from tasks.test import answer_cases, batches, plan_answers, seal_answers
from tasks.turns import writing

children = multiprocessing.get_context("forkserver")
LOADED = [
    "great_expectations.expectations", "scipy.stats", "pandas", "pyarrow.parquet", "typst", "pypdfium2", "jsonschema",
    "datasets.invoices", "grading.invoices", "profiles.invoices",
    *(f"tasks.{name}" for name in ("build", "test", "grade", "profile", "tendency", "runs", "clients.scripted")),
]  # fmt: skip
"""What every child needs, loaded once by the process that forks them (modules of tests/ are not on its path)."""

children.set_forkserver_preload(LOADED)


def run_stages(
    root: str,
    suite: str,
    systems: Sequence[str],
    size: int,
    levels: tuple[str, ...] = (),
    seed: int = 7,
    retry_status: tuple[str, ...] = (),
    judges: Sequence[str] = (),
    trials: int | None = None,
) -> list[Outcome]:
    """All five stages, shard after shard; judges: who grades beside the project's own programs; trials: of every case, as ordered."""
    with writing(root):
        edition = ask_edition(root, suite, seed, size, levels).id
        done = _build_and_test(root, suite, edition, systems, retry_status, trials)
        by_pass = [plan_grades(root, suite, edition, systems, name, "r1") for name in PASSES]
        graded = [
            [settle(partial(grade_answers.fn, pass_name=name), plan.missing) for plan in of_pass]
            for name, of_pass in zip(PASSES, by_pass, strict=True)
        ]
        done += seal_grades(by_pass, graded, root)
        for judge in choose_judges(suite, judges):
            done += _judge(root, suite, edition, systems, judge)
        plans = plan_profiles(root, suite, edition, systems, "r1")
        done += seal_profiles(plans, [settle(profile_answers.fn, plan.missing) for plan in plans], root)
        plans = plan_tendencies(root, suite, edition, systems, "r1")
        done += seal_tendencies(plans, [settle(fold_tendencies.fn, plan.missing) for plan in plans], root)
    return done


def _judge(root: str, suite: str, edition: str, systems: Sequence[str], judge: System) -> list[Outcome]:
    judged = [plan_judged(root, suite, edition, systems, name, judge, "r1") for name in PASSES]
    said = [
        [settle(partial(judge_answers.fn, pass_name=name, judge=judge), plan.missing) for plan in of_pass]
        for name, of_pass in zip(PASSES, judged, strict=True)
    ]
    seal_judged(root, suite, edition, judge)
    return seal_grades(judged, said, root)


def run_test(
    root: str,
    suite: str,
    systems: Sequence[str],
    size: int,
    levels: tuple[str, ...] = (),
    seed: int = 7,
    retry_status: tuple[str, ...] = (),
) -> list[Outcome]:
    """The first two stages, shard after shard: for tests of what goes out and what is written down."""
    with writing(root):
        edition = ask_edition(root, suite, seed, size, levels).id
        return _build_and_test(root, suite, edition, systems, retry_status)


def _build_and_test(
    root: str,
    suite: str,
    edition: str,
    systems: Sequence[str],
    retry_status: tuple[str, ...],
    trials: int | None = None,
) -> list[Outcome]:
    cases = plan_cases(root, suite, edition, "r1")
    built = seal_cases(cases, settle(make_cases.fn, cases.missing), root)
    chosen = [find_system(name) for name in systems]
    plans = plan_answers(root, suite, edition, chosen, "r1", retry_status, trials)
    asked = [
        settle(partial(answer_cases.fn, system=system, retry_status=retry_status), batches(plan.missing))
        for plan, system in zip(plans, chosen, strict=True)
    ]
    answered = seal_answers(plans, asked, root)
    pages = plan_evidence(root, suite, edition, systems, "r1")
    opened = seal_evidence(pages, [settle(collect_evidence.fn, plan.missing) for plan in pages], root)
    return [built, *answered, *opened]


def in_child(root: str, environment: dict[str, str], arguments: dict[str, Any], steps: str) -> None:
    """Entry point of a child process that may be killed at any moment; every step of its stages is a line of the file `steps`."""
    os.environ.update(environment)
    shards.LEAST_UNITS = 12  # several shards of a small set
    test.MOST_CASES = 30  # and several batches of them
    with Path(steps).open("a", encoding="utf-8") as file:
        listen(lambda step: print(step.stage, file=file, flush=True))
        run_stages(root, **arguments)


def stable_rows(root: str | Path) -> dict[str, list[dict[str, Any]]]:
    """All sealed rows of all tables without what differs from run to run by nature, in the order of their keys."""
    store = Store.open(root, create=False)
    found: dict[str, list[dict[str, Any]]] = {}
    for name, model in TABLES.items():
        rows = [row for place in places_of(store, model) for row in read(store, model, place).to_pylist()]
        if name == "tendencies":
            rows = [row for row in rows if row["metric"] not in VOLATILE_METRICS]
        rows.sort(key=partial(_in_order, model.key))
        found[name] = [{k: v for k, v in row.items() if k not in volatile(model)} for row in rows]
    return found


def _in_order(key: Sequence[str], row: dict[str, Any]) -> list[str]:
    return [str(row[name]) for name in key]


def places_of(store: Store, model: type[Row]) -> list[Place]:
    """The sealed partitions of a table."""
    places = []
    for name in store.names(f"manifests/{model.table}", ".json"):
        pieces = name.removesuffix(".json").removeprefix(f"manifests/{model.table}/").split("/")
        places.append(Place.model_validate(dict(p.split("=", 1) for p in pieces)))
    return places


def assert_sound(root: str | Path) -> None:
    """Nothing that a reader sees is broken or double: every visible part is whole, every blob has its hash, keys are unique."""
    import pyarrow.parquet as pq

    root = Path(root)
    for part in (root / "tables").rglob("*"):
        if part.is_file():
            assert part.suffix == ".parquet"
            pq.read_table(part, partitioning=None)
    for blob in (root / "blobs").rglob("*"):
        if blob.is_file():
            assert hashlib.sha256(blob.read_bytes()).hexdigest() == blob.name
    if not (root / "zkusebna.json").exists():
        return
    store = Store.open(root, create=False)
    for model in TABLES.values():
        for place in places_of(store, model):
            table = read(store, model, place)
            rows_of(model, table)
            keys = pa.StructArray.from_arrays([table[k].combine_chunks() for k in model.key], names=list(model.key))
            assert len({str(k) for k in keys}) == table.num_rows
            assert pc.count(table[model.key[0]]).as_py() == table.num_rows
