"""The maintenance of the store's growth: small files of the tables that only grow become few large ones (`datasets/compaction.py`)."""

import sys
from collections.abc import Sequence

from prefect import task

from datasets.checks import alone
from datasets.compaction import GROWING, Compacted, compact, places_of
from datasets.store import Store
from schemas.call import Call
from schemas.errors import StoreError


@task(name="compact", task_run_name="compact {root}")
def compact_tables(root: str) -> list[Compacted]:
    """Compact every partition of every table that only grows; one with work under way is left alone, with the reason."""
    store = Store.open(root, create=False)
    done: list[Compacted] = []
    for model in GROWING:
        for place in places_of(store, model):
            try:
                if model is Call:
                    done.append(compact(store, model, place))
                else:
                    with alone(store):
                        done.append(compact(store, model, place))
            except StoreError as problem:
                done.append(Compacted(table=model.table, place=place, before=0, after=0, rows=0, left=str(problem)))
    return done


def told_compacted(done: Sequence[Compacted]) -> str:
    """What came of it in one sentence, and one a partition that was left alone."""
    changed = [one for one in done if one.after < one.before]
    before, after = sum(one.before for one in changed), sum(one.after for one in changed)
    words = (
        f"{before} parts of {len(changed)} partitions became {after}."
        if changed
        else f"Nothing to compact in {len(done)} partitions."
    )
    return " ".join(
        [words, *(f"{one.table} {one.place.folder} was left alone: {one.left}." for one in done if one.left)]
    )


def show_compacted(done: Sequence[Compacted]) -> None:
    """Put what came of it into the running flow as a Markdown artifact; nothing happens outside a flow run."""
    if "prefect" not in sys.modules:
        return
    from prefect.artifacts import create_markdown_artifact
    from prefect.context import FlowRunContext

    if FlowRunContext.get() is not None:
        create_markdown_artifact(key="compaction", markdown=told_compacted(done), description="Parts of growing tables")
