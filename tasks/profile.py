"""Stage `profile`: the diagnosis of every answer, from its grades alone (G-1)."""

from collections.abc import Sequence
from typing import Any

from prefect import task

from datasets.store import Store
from datasets.tables import Place, judged_places, part_of, read_part, rows_of, sealed, shard_key, write_table
from schemas.answer import Answer
from schemas.case import Case
from schemas.errors import StageError
from schemas.grade import Grade
from schemas.profile import Profile
from schemas.row import to_table
from tasks.choose import known_systems
from tasks.gate import pass_gate
from tasks.progress import advance
from tasks.shards import Made, Outcome, Plan, Shard, finish, plan
from tasks.suites import suite_of
from tasks.test import cases_of


def plan_profiles(root: str, suite: str, edition: str, systems: Sequence[str], run_id: str = "") -> list[Plan]:
    """One plan a system; shards are those of the answers."""
    store = Store.open(root)
    cases = cases_of(store, suite, edition)
    version = suite_of(suite).reader.VERSION
    plans = []
    for system in systems:
        place = Place(suite=suite, edition=edition, system=system)
        answers = sealed(store, Answer, place)
        grades = [g for at in judged_places(store, Grade, place) for g in sealed(store, Grade, at) or ()]
        if answers is None or not (grades or not answers):
            raise StageError(f"The grades of {system} in {suite} {edition} are not there; run the stage grade first.")
        shards = []
        for part in answers:
            graded = sorted((g for g in grades if g.shard == part.shard), key=lambda g: g.key)
            sources = {f"grades{i}": g.name for i, g in enumerate(graded)}
            case = part_of(cases, part.shard)
            key = shard_key("profiles", Profile.version, version, case.digest, part.digest, [g.digest for g in graded])
            sources |= {"cases": case.name, "answers": part.name}
            shards.append(
                Shard(
                    root=root, place=place, number=part.shard, key=key, size=part.rows, sources=sources, run_id=run_id
                )
            )
        plans.append(plan(store, Profile, place, shards))
    return plans


@task(name="profile", task_run_name="profile {shard.place.system} {shard.number}")
def profile_answers(shard: Shard) -> Made:
    """Diagnose one shard of answers."""
    store = Store.open(shard.root)
    reader = suite_of(shard.place.suite).reader
    known = known_systems().get(str(shard.place.system))
    make = getattr(reader, "profile_control", reader.profile) if known and known.is_control else reader.profile
    place = Place(suite=shard.place.suite, edition=shard.place.edition)
    cases = {c.case_id: c for c in rows_of(Case, read_part(store, Case, place, shard.sources["cases"]))}
    grades: dict[tuple[str, int], list[Grade]] = {}
    for source, name in shard.sources.items():
        if source.startswith("grades"):
            for grade in rows_of(Grade, read_part(store, Grade, shard.place, name)):
                grades.setdefault((grade.case_id, grade.trial), []).append(grade)
    profiles = []
    for answer in rows_of(Answer, read_part(store, Answer, shard.place, shard.sources["answers"])):
        graded = grades.get((answer.case_id, answer.trial), [])
        current = [g for g in graded if g.answer_hash in (None, answer.content_hash)]
        profiles.append(make(cases[answer.case_id], answer, current))
    table = to_table(Profile, profiles)
    pass_gate(store, Profile, shard.place, shard.key, table, min_rows=0, run_id=shard.run_id)
    advance("profile", shard.size)
    part = write_table(store, Profile, shard.place, shard.key, shard.number, table)
    return Made(key=shard.key, rows=part.rows, counts={"profiles": part.rows})


def seal_profiles(plans: Sequence[Plan], results: Sequence[Sequence[Any]], root: str) -> list[Outcome]:
    """End the stage for every system."""
    store = Store.open(root)
    return [finish(store, Profile, one, made) for one, made in zip(plans, results, strict=True)]
