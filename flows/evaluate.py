"""`evaluate`: one suite, some systems, all five stages in order."""

from decimal import Decimal

from prefect import flow

from flows.runner import task_runner
from flows.stages import run_build, run_grade, run_profile, run_tendency, run_test
from tasks.ending import end_red
from tasks.publish import show_leaderboard
from tasks.run_tags import name_run, tag_run
from tasks.shards import Outcome
from tasks.turns import in_turn


@flow(name="evaluate", flow_run_name=name_run("evaluate", "suite", "systems"), task_runner=task_runner())
@in_turn
def evaluate(
    root: str,
    suite: str,
    systems: list[str],
    seed: int = 1,
    size: int = 60,
    levels: tuple[str, ...] = (),
    recorded: dict[str, str] | None = None,
    budget_usd: Decimal | None = None,
    run_id: str = "",
    retry_status: tuple[str, ...] = (),
    judges: list[str] | None = None,
    trials: int | None = None,
) -> list[Outcome]:
    """Evaluate systems in one suite; what is in the store already is not done again.

    Args:
        root: path of the store
        suite: word of the suite
        systems: ids of the systems
        seed: seed of the public part
        size: documents a language
        levels: only these levels; empty is the set's own shares
        recorded: files of recorded answers by system id
        budget_usd: what the run may spend at most
        run_id: the run that asks
        retry_status: answers with these statuses are asked again too
        judges: ids of the judges; none is all that may judge the suite and can run here
        trials: how often each case is asked, where the suite lets an order say so; none is as often as the last time
    """
    built = run_build(root, suite, seed, size, levels, run_id)
    edition = built.place.edition
    tag_run(suite, edition, systems)
    answered = run_test(root, suite, edition, systems, recorded, budget_usd, run_id, retry_status, trials)
    graded = run_grade(root, suite, edition, systems, run_id, judges, budget_usd)
    profiled = run_profile(root, suite, edition, systems, run_id)
    folded = run_tendency(root, suite, edition, systems, run_id)
    show_leaderboard(root, suite, edition, systems)
    end_red(root, answered)
    return [built, *answered, *graded, *profiled, *folded]
