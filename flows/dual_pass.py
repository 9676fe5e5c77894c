"""`dual_pass`: grades answers in two passes, mechanical and holistic; a reusable subflow (G-4)."""

from decimal import Decimal

from prefect import flow

from flows.runner import gather, start, task_runner
from tasks.choose import choose_judges
from tasks.grade import PASSES, grade_answers, plan_grades, seal_grades
from tasks.judge import judge_answers, plan_judged, seal_judged
from tasks.run_tags import name_run
from tasks.shards import Outcome
from tasks.turns import in_turn


@flow(name="dual_pass", flow_run_name=name_run("dual_pass", "suite", "edition", "systems"), task_runner=task_runner())
@in_turn
def dual_pass(
    root: str,
    suite: str,
    edition: str,
    systems: list[str],
    run_id: str = "",
    judges: list[str] | None = None,
    budget_usd: Decimal | None = None,
) -> list[Outcome]:
    """Grade the answers of systems that the store has no grades for: first the atomic pass, then the holistic one.

    What the project's own graders count comes first, then what each judge says; no system under test is called (G-12).

    Args:
        root: path of the store
        suite: word of the suite
        edition: id of the edition
        systems: ids of the systems whose answers are graded
        run_id: the run that asks
        judges: ids of the judges; none is all that may judge the suite and can run here
        budget_usd: what the run may spend at most, judges included
    """
    plans = [plan_grades(root, suite, edition, systems, name, run_id) for name in PASSES]
    results = [
        gather([start(grade_answers, plan, pass_name=name) for plan in of_pass], suite)
        for name, of_pass in zip(PASSES, plans, strict=True)
    ]
    outcomes = seal_grades(plans, results, root)
    for judge in choose_judges(suite, judges):
        judged = [plan_judged(root, suite, edition, systems, name, judge, run_id) for name in PASSES]
        said = [
            gather(
                [start(judge_answers, p, pass_name=name, judge=judge, budget_usd=budget_usd) for p in of_pass], suite
            )
            for name, of_pass in zip(PASSES, judged, strict=True)
        ]
        seal_judged(root, suite, edition, judge)
        outcomes += seal_grades(judged, said, root)
    return outcomes
