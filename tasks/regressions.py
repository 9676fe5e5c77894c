"""What got decisively worse since the run before: a table artifact and an event for Prefect's automations (G-3)."""

import sys
from typing import Any

from datasets.store import Store
from profiles.paired import Line
from tasks.compare import Compared, compare_sides
from tasks.past_runs import past_runs

EVENT = "zkusebna.regression"
"""The event that an automation can listen for; its payload says suite, system, what, by how much."""


def regressions(root: str) -> list[tuple[Compared, Line]]:
    """What the newest run does decisively worse than the one before; nothing where there is none or they share no suite."""
    runs = past_runs(Store.open(root))
    if len(runs) < 2:
        return []
    before = {(s.suite, s.system) for s in runs[-2].stands}
    if not before & {(s.suite, s.system) for s in runs[-1].stands}:
        return []
    return [(one, line) for one in compare_sides(root, "previous", "latest") for line in one.regressions]


def tell_regressions(root: str, run_id: str) -> list[dict[str, Any]]:
    """Raise an event and write an artifact where something got decisively worse; the rows that they tell."""
    rows = [_row(one, line) for one, line in regressions(root)]
    if not rows or "prefect" not in sys.modules:
        return rows
    from prefect.artifacts import create_table_artifact
    from prefect.context import FlowRunContext
    from prefect.events import emit_event

    if FlowRunContext.get() is None:
        return rows
    create_table_artifact(
        key="regressions",
        table=rows,
        description=f"What run {run_id} does decisively worse than the run before (paired by case, Holm).",
    )
    emit_event(event=EVENT, resource={"prefect.resource.id": f"zkusebna.run.{run_id}"}, payload={"regressions": rows})
    return rows


def _row(one: Compared, line: Line) -> dict[str, Any]:
    d = line.found
    return {
        "suite": one.suite,
        "system": one.right,
        "what": f"{line.dimension} {line.group}",
        "metric": line.metric,
        "judge": line.judge_id,
        "before": round(d.left, 4),
        "now": round(d.right, 4),
        "p_holm": round(d.p_holm, 4),
        "cases": d.n_clusters,
    }
