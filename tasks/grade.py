"""Stage `grade`: one pass over the answers of a system, shard by shard; neither pass reads the other's grades (G-4)."""

from collections.abc import Sequence
from typing import Any, get_args

from prefect import task

from datasets.store import Store
from datasets.tables import Place, part_of, read_part, rows_of, sealed, shard_key, write_table
from schemas.answer import Answer
from schemas.case import Case
from schemas.errors import StageError
from schemas.grade import Exam, Grade, PassName
from schemas.row import to_table
from schemas.status import GRADED
from tasks.gate import pass_gate
from tasks.progress import advance
from tasks.shards import Made, Outcome, Plan, Shard, finish, plan
from tasks.suites import suite_of
from tasks.test import cases_of

PASSES: tuple[PassName, ...] = get_args(PassName)


def plan_grades(
    root: str, suite: str, edition: str, systems: Sequence[str], pass_name: PassName, run_id: str = ""
) -> list[Plan]:
    """One plan a system for one pass; shards are those of the answers, keyed by their digest and the rubric's version."""
    store = Store.open(root)
    version = suite_of(suite).grader.RUBRIC_VERSION
    cases = cases_of(store, suite, edition)
    plans = []
    for system in systems:
        place = Place(suite=suite, edition=edition, system=system)
        answers = sealed(store, Answer, place)
        if answers is None:
            raise StageError(f"The answers of {system} to {suite} {edition} are not there; run the stage test first.")
        shards = [
            Shard(
                root=root,
                place=place,
                number=part.shard,
                key=shard_key("grades", Grade.version, pass_name, version, part.digest, case.digest),
                size=part.rows,
                sources={"cases": case.name, "answers": part.name},
                run_id=run_id,
            )
            for part in answers
            for case in [part_of(cases, part.shard)]
        ]
        plans.append(plan(store, Grade, place, shards))
    return plans


@task(name="grade", task_run_name="grade {pass_name} {shard.place.system} {shard.number}")
def grade_answers(shard: Shard, pass_name: PassName) -> Made:
    """Grade one shard of answers in one pass; graders get the truth and the blind answer, never who gave it (G-6)."""
    store = Store.open(shard.root)
    grader = suite_of(shard.place.suite).grader
    mark = {"atomic": grader.atomic, "holistic": grader.holistic}[pass_name]
    place = Place(suite=shard.place.suite, edition=shard.place.edition)
    cases = {c.case_id: c for c in rows_of(Case, read_part(store, Case, place, shard.sources["cases"]))}
    grades = []
    for answer in rows_of(Answer, read_part(store, Answer, shard.place, shard.sources["answers"])):
        if answer.status not in GRADED:
            continue  # not given by the system: not scored, and never 0 (G-11)
        case = cases[answer.case_id]
        exam = Exam(truth=case.to_truth(), language=case.language, answer=answer.blind())
        grades += [
            Grade(
                suite=answer.suite,
                edition=answer.edition,
                system_id=answer.system_id,
                case_id=answer.case_id,
                trial=answer.trial,
                **dict(verdict),
            )
            for verdict in mark(exam)
        ]
    table = to_table(Grade, grades)
    pass_gate(store, Grade, shard.place, shard.key, table, min_rows=0)
    advance("grade", shard.size)
    part = write_table(store, Grade, shard.place, shard.key, shard.number, table)
    return Made(key=shard.key, rows=part.rows, counts={"grades": part.rows})


def seal_grades(
    plans: Sequence[Sequence[Plan]], results: Sequence[Sequence[Sequence[Any]]], root: str
) -> list[Outcome]:
    """End the stage for every system: both passes of a system are one partition.

    plans and results: by pass, then by system.
    """
    store = Store.open(root)
    outcomes = []
    for of_system, made in zip(zip(*plans, strict=True), zip(*results, strict=True), strict=True):
        whole = Plan(
            table=Grade.table,
            place=of_system[0].place,
            shards=tuple(s for p in of_system for s in p.shards),
            missing=tuple(s for p in of_system for s in p.missing),
        )
        outcomes.append(finish(store, Grade, whole, [r for one in made for r in one]))
    return outcomes
