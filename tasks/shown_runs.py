"""Runs of conversations for the report: answers turn by turn with the grades of all judges, public ones alone (G-8, R-12)."""

from collections.abc import Iterator, Mapping

from datasets.store import Store
from datasets.tables import Place, judged_places, read, rows_of, sealed
from profiles.report.material import ShownRun
from schemas.answer import Answer
from schemas.grade import Grade
from schemas.profile import Profile
from schemas.system import System


def shown_runs(store: Store, place: Place, systems: Mapping[str, System]) -> Iterator[ShownRun]:
    """Every public run of every system of an edition but of control transcripts, in the order of system, case and trial."""
    for system_id, system in systems.items():
        at = place.model_copy(update={"system": system_id})
        if system.is_control or sealed(store, Answer, at) is None:
            continue
        grades: dict[tuple[str, int], list[Grade]] = {}
        for judged in judged_places(store, Grade, at):
            for grade in rows_of(Grade, read(store, Grade, judged)):
                grades.setdefault((grade.case_id, grade.trial), []).append(grade)
        profiles = {(p.case_id, p.trial): p for p in rows_of(Profile, read(store, Profile, at)) if p.split == "public"}
        for answer in sorted(rows_of(Answer, read(store, Answer, at)), key=lambda a: (a.case_id, a.trial)):
            profile = profiles.get((answer.case_id, answer.trial))
            if profile is not None:
                current = (
                    g
                    for g in grades.get((answer.case_id, answer.trial), ())
                    if g.answer_hash in (None, answer.content_hash)
                )
                yield ShownRun(profile, tuple(answer.replies), tuple(answer.truncated_turns), tuple(current))
