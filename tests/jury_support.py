"""A pool of jurors at the stub gateway, and a sitting of the jury without Prefect."""

from collections.abc import Sequence
from decimal import Decimal
from itertools import count
from pathlib import Path
from typing import Any

import yaml

from schemas.jury import PANEL, SUITE
from tasks.build import ask_edition, make_cases, plan_cases, seal_cases
from tasks.grade import PASSES, grade_answers, plan_grades, seal_grades
from tasks.jury import hear_checks, plan_sitting, seal_sitting
from tasks.profile import plan_profiles, profile_answers, seal_profiles
from tasks.shards import Outcome, settle
from tasks.tendency import fold_tendencies, plan_tendencies, seal_tendencies

VENDORS = ("Vajgar", "Vajgar", "Bokouš", "Nezamysl", "Rožmitál", "Kvítkov", "Třeboň", "Lnáře", "Záblatí")
"""Nine models of eight vendors; sentinels that stand in no text of the project."""


_NUMBERS = count()


def entry(number: int, url: str, model: str, **changed: Any) -> dict[str, Any]:
    """One juror."""
    return {
        "id": f"sentinel-{number}", "name": f"Sentinel {number}", "vendor": VENDORS[number], "family": f"kmen{number}",
        "client": "openai", "suites": ["jury"], "inputs": ["text"], "juror": True, "default": False,
        "options": {"url": url, "model": f"stub/{model}", "seed": number}, "limits": {"seconds": 5, "at_once": 8, "max_tokens": 500},
        "price": {"usd_per_million_in": 0.5, "usd_per_million_out": 1.5}, **changed,
    }  # fmt: skip


def pool_file(folder: Path, url: str, models: Sequence[str]) -> Path:
    """A file of systems with a juror for each of the stub's models."""
    file = folder / f"pool-{next(_NUMBERS)}.yaml"  # a file is read once a process
    entries = [entry(number, url, model) for number, model in enumerate(models)]
    file.write_text(yaml.safe_dump(entries, allow_unicode=True), encoding="utf-8")
    return file


def build(root: str, size: int = 48) -> str:
    """The claims of an edition; returns its id."""
    edition = ask_edition(root, SUITE, 1, size).id
    cases = plan_cases(root, SUITE, edition, "r")
    seal_cases(cases, settle(make_cases.fn, cases.missing), root)
    return edition


def hear(root: str, claims: int | None, run_id: str, size: int = 48, budget_usd: Decimal | None = None) -> None:
    """One sitting and no more."""
    sitting = plan_sitting(root, build(root, size), claims, run_id)
    if sitting.checks:
        hear_checks.fn(sitting, budget_usd)


def sit(root: str, claims: int | None, run_id: str, size: int = 48, **options: Any) -> list[Outcome]:
    """One sitting with all that follows from it, shard after shard."""
    edition = build(root, size)
    sitting = plan_sitting(root, edition, claims, run_id, **options)
    heard: list[object] = []
    if sitting.checks:
        try:
            heard = [hear_checks.fn(sitting)]
        except Exception as problem:  # noqa: BLE001 - told by `seal_sitting`, as from a task
            heard = [problem]
    done = [seal_sitting(root, edition, heard)]
    systems = [PANEL]
    by_pass = [plan_grades(root, SUITE, edition, systems, name, run_id) for name in PASSES]
    graded = [
        [settle(lambda s, name=name: grade_answers.fn(s, pass_name=name), plan.missing) for plan in of_pass]
        for name, of_pass in zip(PASSES, by_pass, strict=True)
    ]
    done += seal_grades(by_pass, graded, root)
    plans = plan_profiles(root, SUITE, edition, systems, run_id)
    done += seal_profiles(plans, [settle(profile_answers.fn, plan.missing) for plan in plans], root)
    plans = plan_tendencies(root, SUITE, edition, systems, run_id)
    done += seal_tendencies(plans, [settle(fold_tendencies.fn, plan.missing) for plan in plans], root)
    return done
