"""For the report: the pages of an edition with their pictures and all grades, and the signature under the ranking (A-1, A-9)."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict

from datasets.store import Store
from datasets.tables import Place, judged_places, read, rows_of
from profiles.page_agreement import Point
from profiles.report.material import ShownPage, Signature
from profiles.report.page_pictures import largest
from schemas.answer import Answer
from schemas.evidence import PICTURES, Measurements
from schemas.evidence_row import EvidenceFile
from schemas.grade import Grade
from schemas.status import GRADED
from schemas.system import System
from schemas.tendency import Tendency
from tasks.sign import signature_of

MOST_PAGES = 300
"""Pages in the gallery and the report at most."""


def shown_pages(store: Store, place: Place, systems: Mapping[str, System]) -> list[ShownPage]:
    """The scored pages of all systems, first trials first, so that a bound cuts further trials before systems."""
    found = [page for name, system in systems.items() for page in _of_system(store, place, name, system)]
    found.sort(key=lambda page: (page.trial, page.case_id, page.system))
    return found[:MOST_PAGES]


def _of_system(store: Store, place: Place, name: str, system: System) -> Iterator[ShownPage]:
    home = place.model_copy(update={"system": name})
    grades: dict[tuple[str, int], list[Grade]] = {}
    for at in judged_places(store, Grade, home):
        for grade in rows_of(Grade, read(store, Grade, at)):
            grades.setdefault((grade.case_id, grade.trial), []).append(grade)
    files: dict[tuple[str, int], dict[str, str]] = {}
    measured: dict[tuple[str, int], Measurements] = {}
    for row in read(store, EvidenceFile, home, ["case_id", "trial", "name", "sha256", "measurements"]).to_pylist():
        key = row["case_id"], row["trial"]
        files.setdefault(key, {})[row["name"]] = row["sha256"]
        if row["measurements"] is not None:
            measured[key] = Measurements.model_validate_json(row["measurements"])
    for answer in rows_of(Answer, read(store, Answer, home)):
        if answer.status not in GRADED:
            continue
        key = answer.case_id, answer.trial
        there = files.get(key, {})
        yield ShownPage(
            system=name,
            case_id=answer.case_id,
            trial=answer.trial,
            text=answer.text or "",
            grades=tuple(g for g in grades.get(key, ()) if g.answer_hash in (None, answer.content_hash)),
            pictures={picture: _small(store, picture, there[picture]) for picture in PICTURES if picture in there},
            words=_words(store, there.get("interactions.json")),
            has_evidence=bool(there),
            is_control=system.is_control,
            measured=measured.get(key),
        )


def _small(store: Store, name: str, digest: str) -> bytes:
    """A picture as it is shown at most, kept in the store, so that a report made again codes none again."""
    kept = f"thumbs/{digest[:2]}/{digest}.webp"
    if not store.exists(kept):
        store.put(kept, largest(name, store.get_blob(digest)))
    return store.get(kept)


def _words(store: Store, digest: str | None) -> Sequence[str]:
    """What was done and what happened, as the evidence tells it."""
    if digest is None:
        return ()
    told = json.loads(store.get_blob(digest))
    return [*(step["words"] for step in told["steps"]), *told["notes"]]


def history(store: Store, suite: str, rows: Sequence[Tendency]) -> list[Point]:
    """How far judges were from people, run after run; the rows of the newest run are added to what the store remembers (A-10)."""
    name = f"history/{suite}.jsonl"
    points = [Point(**json.loads(line)) for line in store.get(name).splitlines()] if store.exists(name) else []
    known = {(p.run, p.system, p.judge) for p in points}
    fresh = [
        Point(r.run_id, r.run_date, r.system_id, r.judge_id, r.value, r.low, r.high, r.n_documents)
        for r in rows
        if r.metric == "people_difference" and r.dimension == "overall" and r.value is not None
    ]
    fresh = [point for point in fresh if (point.run, point.system, point.judge) not in known]
    if fresh:
        store.put(name, "\n".join(json.dumps(asdict(point)) for point in [*points, *fresh]).encode())
    return [*points, *fresh]


def signature(store: Store, place: Place) -> Signature | None:
    """The signature of an edition's ranking."""
    found = signature_of(store, place.suite, place.edition)
    if found is None:
        return None
    signed, is_current = found
    return Signature(signed.who, signed.when, signed.grades_hash, signed.n_grades, is_current)
