"""The five stages as flows: build, test, grade, profile, tendency; and after them the publication.

A stage takes only keys and reads and writes the store, so each is also a deployment of its own: an operator retries or runs one alone
with the same parameters. Each plans its shards, makes the missing ones as tasks side by side, and seals.
"""

from decimal import Decimal

from prefect import flow

from flows.dual_pass import dual_pass
from flows.runner import gather, start, task_runner
from flows.sitting import hold_sitting
from flows.synthesize import synthesize
from tasks.build import ask_edition
from tasks.choose import find_system
from tasks.collect import collect_evidence, plan_evidence, seal_evidence
from tasks.ending import end_red
from tasks.profile import plan_profiles, profile_answers, seal_profiles
from tasks.publish import publish_report
from tasks.run_tags import name_run, tag_run
from tasks.shards import Outcome
from tasks.shown_notes import show_link
from tasks.suites import suite_of
from tasks.tendency import fold_tendencies, plan_tendencies, seal_tendencies
from tasks.test import answer_cases, batches, plan_answers, seal_answers
from tasks.turns import in_turn


@flow(name="build", flow_run_name="build {suite} n{size} s{seed}", task_runner=task_runner())
@in_turn
def run_build(root: str, suite: str, seed: int, size: int, levels: tuple[str, ...] = (), run_id: str = "") -> Outcome:
    """Prepare the cases of an edition (G-1).

    Args:
        root: path of the store
        suite: word of the suite
        seed: seed of the public part
        size: documents a language
        levels: only these levels; empty is the set's own shares
        run_id: the run that asks
    """
    edition = ask_edition(root, suite, seed, size, levels).id
    tag_run(suite, edition)
    return synthesize(root, suite, edition, run_id)


@flow(name="test", flow_run_name=name_run("test", "suite", "edition", "systems"), task_runner=task_runner())
@in_turn
def run_test(
    root: str,
    suite: str,
    edition: str,
    systems: list[str],
    recorded: dict[str, str] | None = None,
    budget_usd: Decimal | None = None,
    run_id: str = "",
    retry_status: tuple[str, ...] = (),
    trials: int | None = None,
) -> list[Outcome]:
    """Ask the systems under test what they have not been asked yet; where panels are asked, all cases that none has judged (J-4).

    Args:
        root: path of the store
        suite: word of the suite
        edition: id of the edition
        systems: ids of the systems
        recorded: files of recorded answers by system id
        budget_usd: what the run may spend at most
        run_id: the run that asks
        retry_status: answers with these statuses are asked again too
        trials: how often each case is asked, where the suite lets an order say so; none is as often as the last time
    """
    tag_run(suite, edition, systems)
    if suite_of(suite).by_panel:
        return [hold_sitting(root, edition, None, run_id, budget_usd=budget_usd, only_new=True)]
    chosen = [find_system(name, recorded) for name in systems]
    plans = plan_answers(root, suite, edition, chosen, run_id, retry_status, trials)
    started = [
        start(
            answer_cases, plan, batches(plan.missing), system=system, budget_usd=budget_usd, retry_status=retry_status
        )
        for plan, system in zip(plans, chosen, strict=True)
    ]
    answered = seal_answers(plans, gather(started, suite), root)
    pages = plan_evidence(root, suite, edition, systems, run_id)
    opened = seal_evidence(pages, gather([start(collect_evidence, plan) for plan in pages], suite), root)
    end_red(root, answered)
    return answered + opened


@flow(name="grade", flow_run_name=name_run("grade", "suite", "edition", "systems"), task_runner=task_runner())
@in_turn
def run_grade(
    root: str,
    suite: str,
    edition: str,
    systems: list[str],
    run_id: str = "",
    judges: list[str] | None = None,
    budget_usd: Decimal | None = None,
) -> list[Outcome]:
    """Grade the answers in both passes; no system under test is called (G-12).

    Args:
        root: path of the store
        suite: word of the suite
        edition: id of the edition
        systems: ids of the systems whose answers are graded
        run_id: the run that asks
        judges: ids of the judges; none is all that may judge the suite and can run here
        budget_usd: what the run may spend at most, judges included
    """
    tag_run(suite, edition, systems)
    return dual_pass(root, suite, edition, systems, run_id, judges, budget_usd)


@flow(name="profile", flow_run_name=name_run("profile", "suite", "edition", "systems"), task_runner=task_runner())
@in_turn
def run_profile(root: str, suite: str, edition: str, systems: list[str], run_id: str = "") -> list[Outcome]:
    """Diagnose every answer (G-1).

    Args:
        root: path of the store
        suite: word of the suite
        edition: id of the edition
        systems: ids of the systems whose answers are diagnosed
        run_id: the run that asks
    """
    tag_run(suite, edition, systems)
    plans = plan_profiles(root, suite, edition, systems, run_id)
    return seal_profiles(plans, gather([start(profile_answers, plan) for plan in plans], suite), root)


@flow(name="tendency", flow_run_name=name_run("tendency", "suite", "edition", "systems"), task_runner=task_runner())
@in_turn
def run_tendency(root: str, suite: str, edition: str, systems: list[str], run_id: str = "") -> list[Outcome]:
    """Aggregate every system over the edition (G-1, S-1).

    Args:
        root: path of the store
        suite: word of the suite
        edition: id of the edition
        systems: ids of the systems that are aggregated
        run_id: the run that asks
    """
    tag_run(suite, edition, systems)
    plans = plan_tendencies(root, suite, edition, systems, run_id)
    return seal_tendencies(plans, gather([start(fold_tendencies, plan) for plan in plans], suite), root)


@flow(name="publish", flow_run_name="publish", task_runner=task_runner())
@in_turn
def run_publish(root: str = "store") -> str:
    """Publish the report, the cards and the downloads through the filter (G-8); what was refused leaves the earlier report as it was.

    Args:
        root: path of the store
    """
    page = publish_report(root)
    show_link(page)
    return str(page)
