"""Stage `grade`, counted: one pass over the answers of a system, shard by shard; neither pass reads the other's grades (G-4).

What judges say is asked for by `tasks.judge`.
"""

from collections.abc import Sequence
from typing import Any, get_args

from prefect import task

from datasets.store import Store
from datasets.tables import Place, part_of, read_part, rows_of, sealed, shard_key, write_table
from schemas.answer import Answer
from schemas.case import Case
from schemas.errors import StageError
from schemas.evidence_row import Evidence
from schemas.grade import PROGRAM, Exam, Grade, PassName
from schemas.row import to_table
from schemas.status import GRADED
from tasks.choose import known_systems
from tasks.collect import evidence_behind, read_evidence
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
        place = Place(suite=suite, edition=edition, system=system, judge=PROGRAM)
        answers = sealed(store, Answer, answers_at(place))
        if answers is None:
            raise StageError(f"The answers of {system} to {suite} {edition} are not there; run the stage test first.")
        shards = [
            Shard(
                root=root,
                place=place,
                number=part.shard,
                key=shard_key("grades", Grade.version, pass_name, version, part.digest, case.digest, *seen.values()),
                size=part.rows,
                sources={"cases": case.name, "answers": part.name, **seen},
                run_id=run_id,
            )
            for part in answers
            for case, seen in [(part_of(cases, part.shard), evidence_behind(store, place, part.shard))]
        ]
        plans.append(plan(store, Grade, place, shards))
    return plans


def answers_at(place: Place) -> Place:
    """Where the answers stand that the grades of a place are about."""
    return place.model_copy(update={"judge": None})


def names_to_mask(place: Place) -> tuple[str, ...]:
    """The names by which a system could betray itself to a judge; none in suites that nobody judges (G-6)."""
    if not hasattr(suite_of(place.suite).grader, "questions"):
        return ()
    known = known_systems().get(str(place.system))
    return known.names if known else ()


def exam_of(case: Case, answer: Answer, names: Sequence[str], evidence: Evidence | None = None) -> Exam:
    """What a grader gets: the truth, the evidence, and the answer without its author, who is masked also where he names himself (G-6)."""
    blind = answer.blind()
    if names:
        from grading.masking import mask

        masked = [mask(reply, names) for reply in blind.replies]
        blind = blind.model_copy(
            update={"replies": tuple(m.text for m in masked), "n_masked": sum(m.count for m in masked)}
        )
    return Exam(truth=case.to_truth(), language=case.language, answer=blind, evidence=evidence)


@task(name="grade", task_run_name="grade {pass_name} {shard.place.system} {shard.number}")
def grade_answers(shard: Shard, pass_name: PassName) -> Made:
    """Grade one shard of answers in one pass; graders get the truth and the blind answer, never who gave it (G-6)."""
    store = Store.open(shard.root)
    grader = suite_of(shard.place.suite).grader
    names = names_to_mask(shard.place)
    mark = {"atomic": grader.atomic, "holistic": grader.holistic}[pass_name]
    place = Place(suite=shard.place.suite, edition=shard.place.edition)
    cases = {c.case_id: c for c in rows_of(Case, read_part(store, Case, place, shard.sources["cases"]))}
    seen = read_evidence(store, shard.place, shard.sources.get("evidence"))
    grades = []
    for answer in rows_of(Answer, read_part(store, Answer, answers_at(shard.place), shard.sources["answers"])):
        if answer.status not in GRADED:
            continue  # not given by the system: not scored, and never 0 (G-11)
        case = cases[answer.case_id]
        exam = exam_of(case, answer, names, seen.get((answer.case_id, answer.trial)))
        grades += [
            Grade(
                suite=answer.suite,
                edition=answer.edition,
                system_id=answer.system_id,
                case_id=answer.case_id,
                trial=answer.trial,
                answer_hash=answer.content_hash,
                **dict(verdict),
            )
            for verdict in mark(exam)
        ]
    table = to_table(Grade, grades)
    pass_gate(store, Grade, shard.place, shard.key, table, min_rows=0, run_id=shard.run_id)
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
