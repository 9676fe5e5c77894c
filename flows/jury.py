"""`sit`: the jury takes the next claims; as a deployment it sits continuously (J-4)."""

from decimal import Decimal

from prefect import flow, get_run_logger
from prefect.runtime import flow_run

from flows.runner import task_runner
from flows.sitting import hold_sitting
from flows.stages import run_build, run_grade, run_profile, run_publish, run_tendency
from schemas.exchange import DocumentLanguage
from schemas.jury import PANEL, SUITE
from tasks.panel import why_no_jury
from tasks.publish import show_leaderboard
from tasks.shards import Outcome
from tasks.suites import suite_of
from tasks.turns import turn


@flow(name="sitting", flow_run_name="sitting over {claims} claims", task_runner=task_runner())
def sit(
    root: str = "store",
    claims: int = 5,
    language: DocumentLanguage = "cs",
    budget_usd: Decimal | None = None,
    run_id: str = "",
) -> list[Outcome]:
    """Check the claims that have gone unchecked longest, and tell the states that follow from all verdicts ever recorded.

    Where the pool is too small for a panel, nothing is done but to say so. A retry of the run finishes the same checks.

    Args:
        root: path of the store
        claims: how many claims
        language: of the prompt
        budget_usd: what the sitting may spend at most
        run_id: the run; empty is that of the flow
    """
    if reason := why_no_jury():
        get_run_logger().warning("left out: %s", reason)
        return []
    with turn(root):
        return _sit(root, claims, language, budget_usd, run_id or f"s{flow_run.get_id() or ''}")


def _sit(root: str, claims: int, language: DocumentLanguage, budget_usd: Decimal | None, run_id: str) -> list[Outcome]:
    built = run_build(root, SUITE, 1, suite_of(SUITE).full_size, (), run_id)
    edition, systems = built.place.edition, [PANEL]
    heard = hold_sitting(root, edition, claims, run_id, language, budget_usd)
    graded = run_grade(root, SUITE, edition, systems, run_id)
    profiled = run_profile(root, SUITE, edition, systems, run_id)
    folded = run_tendency(root, SUITE, edition, systems, run_id)
    show_leaderboard(root, SUITE, edition, systems)
    run_publish(root)
    return [built, heard, *graded, *profiled, *folded]
