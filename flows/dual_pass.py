"""`dual_pass`: grades answers in two passes, mechanical and holistic; a reusable subflow (G-4)."""

from prefect import flow

from flows.runner import gather, start, task_runner
from tasks.grade import PASSES, grade_answers, plan_grades, seal_grades
from tasks.shards import Outcome


@flow(name="dual_pass", flow_run_name="dual_pass {suite} {edition}", task_runner=task_runner())
def dual_pass(root: str, suite: str, edition: str, systems: list[str], run_id: str = "") -> list[Outcome]:
    """Grade the answers of systems that the store has no grades for: first the atomic pass, then the holistic one.

    Args:
        root: path of the store
        suite: word of the suite
        edition: id of the edition
        systems: ids of the systems whose answers are graded
        run_id: the run that asks
    """
    plans = [plan_grades(root, suite, edition, systems, name, run_id) for name in PASSES]
    results = [
        gather([start(grade_answers, plan, pass_name=name) for plan in of_pass])
        for name, of_pass in zip(PASSES, plans, strict=True)
    ]
    return seal_grades(plans, results, root)
