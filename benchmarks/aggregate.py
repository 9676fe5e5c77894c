"""Grades aggregated for the report: time, memory and growth from 0.1 to 10 million, and the leaderboard as a query of DuckDB.

    python -m benchmarks.aggregate [--millions 0.1 --millions 1 --millions 10] [--systems 10]

A store is written by the project's own table writers: invoices in two languages, a third of them private, profiles and grades of several
systems in shards. Each measurement is a process of its own; processor time says the same on a machine that others use.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import typer

from benchmarks.__main__ import machine
from datasets.editions import edition_for, save_edition
from datasets.store import Store
from datasets.tables import Part, Place, seal, shard_key, write_table
from schemas.case import Case
from schemas.edition import private_numbers
from schemas.field_errors import FIELD_ERRORS
from schemas.fields import of_language
from schemas.grade import PROGRAM, Grade
from schemas.invoices import FIELDS, VARIANTS
from schemas.profile import Profile
from schemas.row import Row, arrow_schema
from tasks.shards import units_per_shard

SUITE = "invoices"
LEVELS = ("text", "image", "scan", "photo")
LAYOUTS = tuple(f"layout_{letter}" for letter in "abcdef")
WHOLE = ("json", "json_first", "structure")
GRADES_A_PAIR = sum(len(of_language(FIELDS, language)) + len(WHOLE) for language in ("cs", "en"))

FOLD = """
import json, resource, sys, time
from concurrent.futures import ThreadPoolExecutor
from tasks.tendency import fold_tendencies, plan_tendencies, seal_tendencies
root, edition, *systems = sys.argv[1:]
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
begun, busy = time.monotonic(), time.process_time()
plans = plan_tendencies(root, "invoices", edition, systems)
with ThreadPoolExecutor(2) as pool:
    made = list(pool.map(fold_tendencies.fn, [shard for plan in plans for shard in plan.missing]))
rows = sum(done.rows for done in seal_tendencies(plans, [[one] for one in made], root))
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"rows": rows, "wall": time.monotonic() - begun, "busy": time.process_time() - busy, "peak_mb": peak, "before_mb": before}))
"""

QUERY = """
import json, resource, sys, time
import duckdb
from tasks.views import build_views
file, found = build_views(sys.argv[1]), {}
with duckdb.connect(str(file), read_only=True, config={"threads": 2}) as database:
    database.execute("SET enable_progress_bar = false")  # it would stand in what is printed
    for view in ("leaderboard", *sys.argv[2:]):
        begun = time.monotonic()
        rows = len(database.execute(f"SELECT * FROM {view}").fetchall())
        found[view] = [rows, time.monotonic() - begun]
print(json.dumps({"views": found, "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
"""


def _table(model: type[Row], columns: dict[str, Any], n: int) -> pa.Table:
    """Columns as a table of the model; one that is not given is null, or empty where it may not be."""
    schema = arrow_schema(model)
    arrays = []
    for field in schema:
        value = columns.get(field.name)
        if isinstance(value, np.ndarray):
            arrays.append(pa.array(value, from_pandas=True).cast(field.type))
        elif value is None and pa.types.is_list(field.type):
            arrays.append(pa.array([[]] * n, field.type))
        else:
            arrays.append(pa.array([value] * n, field.type))
    return pa.Table.from_arrays(arrays, schema=schema)


def _documents(start: int, stop: int, private: frozenset[int]) -> dict[str, Any]:
    """What cases and profiles of the pairs start … stop - 1 share; two rows a pair, Czech and English."""
    number = np.repeat(np.arange(start, stop), 2)
    language = np.tile(np.array(["cs", "en"], object), stop - start)
    return {
        "case_id": np.array([f"invoices-{x}-{n:07d}" for x, n in zip(language, number, strict=True)], object),
        "pair_id": np.array([f"invoices-{n:07d}" for n in number], object),
        "language": language,
        "split": np.array(["private" if int(n) in private else "public" for n in number], object),
        "level": np.array(LEVELS, object)[number % len(LEVELS)],
        "variant": np.array(VARIANTS, object)[number // 4 % len(VARIANTS)],
        "layout": np.array(LAYOUTS, object)[number // 20 % len(LAYOUTS)],
        "prompt_version": "invoices-1",
        "set_version": "1.0",
        "state": None,
    }


def _grades(documents: dict[str, Any], rng: np.random.Generator, right: float) -> dict[str, Any]:
    """The grades of one answer to each document: its fields, then the record as a whole."""
    items = {x: [*(f.name for f in of_language(FIELDS, x)), *WHOLE] for x in ("cs", "en")}
    item = np.array([i for x in documents["language"] for i in items[x]], object)
    at = np.repeat(np.arange(len(documents["case_id"])), [len(items[x]) for x in documents["language"]])
    is_whole = np.isin(item, WHOLE)
    skill = np.clip(right + rng.normal(0, 0.08, len(documents["case_id"])), 0, 1)
    is_absent = ~is_whole & (rng.random(len(item)) < 0.05)
    is_right = is_whole | (rng.random(len(item)) < skill[at])
    wrong = np.array(FIELD_ERRORS, object)[rng.integers(0, len(FIELD_ERRORS), len(item))]
    label = np.where(is_absent, np.where(is_right, "absent", "invented"), np.where(is_right, "right", "wrong"))
    value = np.array([f"{n:x}" for n in rng.integers(0, 1 << 40, len(item))], object)
    return {
        "at": at,
        "case_id": documents["case_id"][at],
        "pass_name": np.where(is_whole, "holistic", "atomic").astype(object),
        "item": item,
        "points": (is_right & ~is_absent).astype(float),
        "max_points": (~is_absent).astype(float),
        "label": np.where(is_whole, "right", label).astype(object),
        "error": np.where(is_right, None, wrong),
        "expected": np.where(is_absent, None, value),
        "given": np.where(is_right, value, None),
    }


def _profiles(documents: dict[str, Any], grades: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """What the stage `profile` makes of those grades."""
    n = len(documents["case_id"])
    is_atomic = grades["pass_name"] == "atomic"
    sums = {c: np.bincount(grades["at"][is_atomic], grades[c][is_atomic], n) for c in ("points", "max_points")}
    faults = np.bincount(grades["at"], grades["error"] != None, n)  # noqa: E711 - element by element
    cost = rng.integers(400_000, 900_000, n)
    return {
        **documents, **sums, "trial": 1, "status": "ok", "is_scored": True, "is_faultless": faults == 0, "is_valid": True,
        "is_valid_first": True, "question": "answerable", "structure": "json", "rubric_version": "fields-1",
        "cost_usd": np.array([f"0.{int(c):09d}" for c in cost], object), "latency_ms": rng.integers(200, 9000, n),
    }  # fmt: skip


def write_store(root: str, grades: int, systems: int) -> tuple[str, list[str], int]:
    """A store with cases, profiles and about as many grades in all; its edition, the systems, and how many grades there are."""
    store, pairs = Store.open(root), max(1, round(grades / systems / GRADES_A_PAIR))
    edition = edition_for(SUITE, "1.0", 7, pairs, "bench")
    save_edition(store, edition)
    names, private, step = [f"system-{i:03d}" for i in range(systems)], private_numbers(pairs), units_per_shard(pairs)
    parts: dict[tuple[type[Row], Place], list[Part]] = {}

    def put(model: type[Row], place: Place, shard: int, columns: dict[str, Any]) -> int:
        n = len(columns["case_id"])
        table = _table(model, {"suite": SUITE, "edition": edition.id, "system_id": place.system, **columns}, n)
        key = shard_key(model.table, place.folder, shard)
        parts.setdefault((model, place), []).append(write_table(store, model, place, key, shard, table))
        return n

    total = 0
    for shard, start in enumerate(range(0, pairs, step)):
        documents = _documents(start, min(pairs, start + step), private)
        at = Place(suite=SUITE, edition=edition.id)
        put(Case, at, shard, {**documents, "brief": "{}", "truth": "{}"})
        for number, name in enumerate(names):
            total += _answers(put, at.model_copy(update={"system": name}), shard, documents, number)
    for (model, place), made in parts.items():
        seal(store, model, place, made)
    return edition.id, names, total


def _answers(put: Any, place: Place, shard: int, documents: dict[str, Any], number: int) -> int:
    """Profiles and grades of one system over one shard; how many grades."""
    rng = np.random.default_rng([7, number, shard])
    grades = _grades(documents, rng, 0.7 + 0.02 * (number % 14))
    put(Profile, place, shard, _profiles(documents, grades, rng))
    fixed = {"trial": 1, "judge_id": "fields", "rubric_version": "fields-1"}
    return int(put(Grade, place.model_copy(update={"judge": PROGRAM}), shard, grades | fixed))


def in_child(code: str, *words: str) -> dict[str, Any]:
    """What a process of its own measured and printed as JSON."""
    run = subprocess.run([sys.executable, "-c", code, *words], check=True, stdout=subprocess.PIPE, text=True)
    told: dict[str, Any] = json.loads(run.stdout.strip().splitlines()[-1])
    return told


def lines(millions: float, systems: int, folder: str) -> Iterator[str]:
    """Measure one size, sentence by sentence."""
    edition, names, total = write_store(folder, round(millions * 1e6), systems)
    stored = sum(file.stat().st_size for file in Path(folder).rglob("*.parquet")) / 2**20
    yield f"{total:,} grades of {systems} systems in {stored:.0f} MB of Parquet"
    told = in_child(FOLD, folder, edition, *names)
    yield (
        f"  stage tendency: {told['rows']:,} numbers; {told['busy']:.1f} s of processor time, {told['wall']:.1f} s of wall time;"
        f" peak {told['peak_mb']:.0f} MB, of which {told['before_mb']:.0f} MB before the first row"
    )
    asked = in_child(QUERY, folder, "document_numbers", "field_numbers", "error_numbers", "language_gaps")
    told_views = ", ".join(f"{name} {wall:.2f} s" for name, (_, wall) in asked["views"].items())
    yield f"  DuckDB: {told_views} of wall time; peak {asked['peak_mb']:.0f} MB"


def main(millions: list[float] = [0.1, 1.0, 10.0], systems: int = 10) -> None:  # noqa: B006 - typer reads it
    """Measure and print."""
    print(f"machine: {machine()}")
    for size in millions:
        with tempfile.TemporaryDirectory() as folder:
            for line in lines(size, systems, folder):
                print(line, flush=True)


if __name__ == "__main__":
    typer.run(main)
