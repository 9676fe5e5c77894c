"""What a case, a call, a shard and a task cost, for `docs/scaling.md`: processor time, bytes and files, which do not hang on a machine's load.

python -m benchmarks.scaling [--pairs 250] [--parts 400]

The stages run without Prefect, shard after shard, in this process; every figure is processor time of this process and its children.
"""

import datetime as dt
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeVar

import typer

T = TypeVar("T")


def used() -> float:
    """Processor seconds of this process and its ended children."""
    return sum(
        r.ru_utime + r.ru_stime for r in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def timed(act: Callable[[], T]) -> tuple[float, T]:
    """Processor seconds of an act, and what it returned."""
    before = used()
    found = act()
    return used() - before, found


def acts(root: str, pairs: int, names: Sequence[str] = ("rules",)) -> list[Callable[[], None]]:
    """The five stages over text documents, without Prefect, in order."""
    from functools import partial

    from tasks.build import ask_edition, make_cases, plan_cases, seal_cases
    from tasks.choose import find_system
    from tasks.grade import PASSES, grade_answers, plan_grades, seal_grades
    from tasks.profile import plan_profiles, profile_answers, seal_profiles
    from tasks.shards import settle
    from tasks.tendency import fold_tendencies, plan_tendencies, seal_tendencies
    from tasks.test import answer_cases, batches, plan_answers, seal_answers

    edition = ask_edition(root, "invoices", 7, pairs, ("text",)).id
    asked = ("invoices", edition, list(names))
    chosen = [find_system(name) for name in names]

    def build() -> None:
        plan = plan_cases(root, "invoices", edition, "r1")
        seal_cases(plan, settle(make_cases.fn, plan.missing), root)

    def test() -> None:
        plans = plan_answers(root, "invoices", edition, chosen, "r1")
        made = [
            settle(partial(answer_cases.fn, system=system), batches(plan.missing))
            for plan, system in zip(plans, chosen, strict=True)
        ]
        seal_answers(plans, made, root)

    def grade() -> None:
        plans = [plan_grades(root, *asked, name, "r1") for name in PASSES]
        made = [
            [settle(partial(grade_answers.fn, pass_name=name), p.missing) for p in some]
            for name, some in zip(PASSES, plans, strict=True)
        ]
        seal_grades(plans, made, root)

    def profile() -> None:
        plans = plan_profiles(root, *asked, "r1")
        seal_profiles(plans, [settle(profile_answers.fn, p.missing) for p in plans], root)

    def tendency() -> None:
        plans = plan_tendencies(root, *asked, "r1")
        seal_tendencies(plans, [settle(fold_tendencies.fn, p.missing) for p in plans], root)

    return [build, test, grade, profile, tendency]


def stages(root: str, pairs: int) -> None:
    """Processor time of each stage a case: text documents, asked by rules."""
    import great_expectations.expectations  # noqa: F401 - paid once a process
    import scipy.stats  # noqa: F401

    for act in acts(root, pairs):
        spent, _ = timed(act)
        print(f"stage {act.__name__:9} {1000 * spent / (2 * pairs):7.2f} ms a case ({2 * pairs} cases)")


def sizes(root: str, cases: int) -> None:
    """Bytes and files of each table a case."""
    for table in sorted((Path(root) / "tables").iterdir()):
        files = list(table.rglob("*.parquet"))
        size = sum(p.stat().st_size for p in files)
        print(f"table {table.name:11} {size / cases:8.0f} B a case in {len(files)} files")


def calls(number: int, rows: int) -> Iterator[Any]:
    """Calls of a shard, with replies of 600 characters that compress as text does."""
    from schemas.call import Call

    words = Path(__file__).read_text(encoding="utf-8").split()
    for n in range(number * rows, (number + 1) * rows):
        text = " ".join(words[(n * 7 + i * (n % 11 + 1)) % len(words)] for i in range(100))[:600]
        yield Call(
            suite="invoices", edition="v1", system_id="m", case_id=f"invoices-cs-{n:09}", trial=1, turn=1, attempt=1, call_id=f"{n:032x}",
            request_hash=f"{n * 7919:064x}", status="ok", text=text, error=None, finish_reason="stop", provider="p", generation_id=f"g{n}",
            tokens_in=1500, tokens_out=210, cost_usd=Decimal("0.00012"), latency_ms=900, asked_at=dt.datetime(2026, 11, 30, tzinfo=dt.UTC),
            prompt_version="1", set_version="1", run_id="r",
        )  # fmt: skip


def compaction(root: str, parts: int, rows: int = 100) -> None:
    """Small parts of `calls`: writing and sealing them, looking calls up, an analyst's query, and the same when they are compacted."""
    import duckdb

    from datasets.calls import known_calls
    from datasets.compaction import compact
    from datasets.store import Store
    from datasets.tables import Place, put_manifest, sealed, write_part
    from schemas.call import Call

    store, place = Store.open(root), Place(suite="invoices", edition="v1", system="m")
    spent, made = timed(lambda: [write_part(store, Call, place, f"{n:016x}", n, calls(n, rows)) for n in range(parts)])
    print(f"part of {rows} calls: {1000 * spent / parts:.1f} ms to write")
    home = store.path(f"tables/calls/{place.folder}")
    home.parent.mkdir(parents=True, exist_ok=True)
    store.path(f"work/calls/{place.folder}").rename(home)
    put_manifest(
        store, Call, place, [p.model_copy(update={"name": p.name.replace("work/", "tables/", 1)}) for p in made]
    )
    query = f"SELECT run_id, sum(cost_usd), avg(latency_ms) FROM read_parquet('{root}/tables/calls/**/*.parquet') GROUP BY ALL"
    asked = {f"invoices-cs-{n:09}" for n in range(125)}
    found = {}
    for state in ("small parts", "compacted"):
        look, _ = timed(lambda: known_calls(store, "invoices", "m", asked, "journal/none.jsonl"))
        ask, _ = timed(lambda: duckdb.sql(query).fetchall())
        size = sum(p.stat().st_size for p in home.glob("*.parquet"))
        found[state] = look, ask, size
        print(f"{state}: {len(sealed(store, Call, place) or [])} parts, {size / parts / rows:.0f} B a call,", end=" ")
        print(f"look-up of a shard {1000 * look:.0f} ms, query {1000 * ask:.0f} ms")
        if state == "small parts":
            spent, told = timed(lambda: compact(store, Call, place))
            print(
                f"compaction: {1e6 * spent / told.rows:.1f} µs a row ({told.before} parts to {told.after}, {told.rows} rows)"
            )
    ratios = [found["small parts"][n] / found["compacted"][n] for n in range(3)]
    print("small parts over compacted: look-up {:.1f}, query {:.1f}, bytes {:.2f} times".format(*ratios))


def keeping(root: str, folder: str) -> None:
    """Export, import, and what a prune looks at, a megabyte."""
    from datasets.archive import bring_in, export
    from datasets.pruning import doomed
    from datasets.store import Store

    store, file = Store.open(root), Path(folder) / "a.tar"
    spent, told = timed(lambda: export(store, file))
    print(
        f"export: {1000 * spent / (told.size_bytes / 1e6):.1f} ms a MB, {1000 * spent / told.files:.2f} ms a file ({told.files} files)"
    )
    spent, _ = timed(lambda: bring_in(file, Path(folder) / "back"))
    print(f"import: {1000 * spent / (told.size_bytes / 1e6):.1f} ms a MB, {1000 * spent / told.files:.2f} ms a file")
    spent, _ = timed(lambda: doomed(store, 1, 90))
    print(f"prune, looking: {1000 * spent / told.files:.2f} ms a file")


def main(pairs: int = 250, parts: int = 400) -> None:
    """Measure and print."""
    os.environ.setdefault("ZKUSEBNA_PRIVATE_SEED", "bench-7d1f")
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    begun = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        stages(f"{folder}/s", pairs)
        sizes(f"{folder}/s", 2 * pairs)
        print(f"memory at most: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
        compaction(f"{folder}/c", parts)
        print(f"memory at most: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")
        keeping(f"{folder}/s", folder)
    print(f"{time.monotonic() - begun:.0f} s")


if __name__ == "__main__":
    typer.run(main)
