"""`nightly`: every suite with every system that can run here, then the report."""

from decimal import Decimal
from typing import Any

from prefect import flow

from flows.evaluate import evaluate
from flows.runner import task_runner
from flows.stages import run_publish
from tasks.ending import end_red
from tasks.regressions import tell_regressions
from tasks.run_tags import name_run, tag_run
from tasks.runs import Order, finish_run, open_order, told_together
from tasks.shards import Outcome
from tasks.turns import in_turn
from tasks.views import build_views


@flow(name="nightly", flow_run_name=name_run("nightly", "suites", "systems", "run_id"), task_runner=task_runner())
@in_turn
def nightly(
    root: str = "store",
    suites: list[str] | None = None,
    systems: list[str] | None = None,
    size: int | None = None,
    seed: int = 1,
    levels: tuple[str, ...] = (),
    recorded: dict[str, str] | None = None,
    budget_usd: Decimal | None = None,
    is_full: bool = False,
    run_id: str = "",
    retry_status: tuple[str, ...] = (),
    judges: list[str] | None = None,
    trials: int | None = None,
) -> list[Outcome]:
    """Evaluate systems in all suites, one suite after another; a suite that fails does not stop the next.

    Args:
        root: path of the store
        suites: words of the suites; none is all
        systems: ids of the systems; none is all that can run here
        size: documents a language; none is each suite's default
        seed: seed of the public parts
        levels: only these levels; empty is the sets' own shares
        recorded: files of recorded answers by system id
        budget_usd: what the run may spend at most
        is_full: the published sizes where no size is given
        run_id: the run; empty makes a new id
        retry_status: answers with these statuses are asked again too
        judges: ids of the judges; none is all that may judge a suite and can run here
        trials: how often each case is asked, in suites that let an order say so; none is as often as the last time
    """
    order = open_order(root, suites, systems, size, seed, recorded, is_full, run_id, trials)
    _tag(order)
    results: list[Any] = [
        _attempt(root, part, levels, recorded, budget_usd, order, retry_status, judges)
        for part in order.parts
        if part.systems
    ]
    finish_run(root, order, results)
    run_publish(root)
    build_views(root)
    tell_regressions(root, order.run_id)
    outcomes = told_together(results)
    end_red(root, outcomes)
    return outcomes


def _tag(order: Order) -> None:
    """Tags of a run over several suites: each suite, each system."""
    asked = [part for part in order.parts if part.systems]
    tag_run([part.suite for part in asked], systems=sorted({name for part in asked for name in part.systems}))


def _attempt(
    root: str,
    part: Any,
    levels: tuple[str, ...],
    recorded: dict[str, str] | None,
    budget_usd: Decimal | None,
    order: Order,
    retry_status: tuple[str, ...],
    judges: list[str] | None,
) -> Any:
    return evaluate(
        root,
        part.suite,
        list(part.systems),
        order.seed,
        part.size,
        levels,
        recorded,
        budget_usd,
        order.run_id,
        retry_status,
        judges,
        part.trials,
        return_state=True,
    ).result(raise_on_failure=False)
