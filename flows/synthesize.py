"""`synthesize`: makes the documents and cases of an edition; a reusable subflow."""

from prefect import flow

from flows.runner import gather, start, task_runner
from tasks.build import make_cases, plan_cases, seal_cases
from tasks.run_tags import tag_run
from tasks.shards import Outcome
from tasks.turns import in_turn


@flow(name="synthesize", flow_run_name="synthesize {suite} {edition}", task_runner=task_runner())
@in_turn
def synthesize(root: str, suite: str, edition: str, run_id: str = "") -> Outcome:
    """Make the cases of an edition that the store lacks.

    Args:
        root: path of the store
        suite: word of the suite
        edition: id of an edition whose recipe is in the store
        run_id: the run that asks
    """
    tag_run(suite, edition)
    plan = plan_cases(root, suite, edition, run_id)
    return seal_cases(plan, gather([start(make_cases, plan)], suite)[0], root)
