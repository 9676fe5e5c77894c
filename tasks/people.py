"""People's grades come in from a file: a person is a judge like any other (A-5, L-5).

    case,system,item,points,who,when,reason
    reverz-v-trampolinovem-parku,smollm2,M1,0,jana-novotna,2025-11-30,Výslovně to popírá.

Columns may stand in any order, be separated by commas, semicolons or tabs, and have others beside them; a column `trial` counts as 1
where it is empty. `who` becomes the judge `person-…`. A grade of the same person for the same item replaces the earlier one.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import NamedTuple, Protocol, cast

from datasets.store import Store
from datasets.tables import Part, Place, read, read_part, rows_of, seal, sealed, shard_key, write_part
from schemas.answer import Answer
from schemas.case import Case
from schemas.errors import StageError, UsageError, nearest
from schemas.exchange import Frozen
from schemas.grade import Grade
from schemas.marked import quoted
from schemas.scale import Scale
from tasks.csv_rows import Line, read_lines
from tasks.suites import suite_of

COLUMNS = ("case", "system", "item", "points", "who", "when", "reason")

PERSON = "person-"
"""How the id of a judge who is a person begins."""

INBOX = "inbox"
"""Folder of the store for files that people put there."""

RUBRIC = "person"


class Scales(Protocol):
    """What a grader offers beside its passes where people may grade too."""

    def scale_of(self, truth: Mapping[str, object], item: str) -> Scale | None:
        """The scale of an item of a case; None for an item that there is not."""

    def items_of(self, truth: Mapping[str, object]) -> Sequence[str]:
        """All items of a case that a person may grade."""


class Imported(Frozen):
    """How many grades were taken, and what was wrong with the other lines, a sentence each with its line."""

    taken: int
    problems: tuple[str, ...]


class Key(NamedTuple):
    """What a grade is for."""

    system: str
    case_id: str
    trial: int


def import_grades(root: str, file: Path, suite: str, edition: str | None = None) -> Imported:
    """Bring in the grades of a file; what is wrong in it is told by line, the rest is taken.

    edition: by default the one that was graded last. UsageError where the file cannot be read, lacks a column, or nobody grades the suite.
    """
    grader = suite_of(suite).grader
    if not hasattr(grader, "scale_of"):
        raise UsageError(f"The answers to {suite} are compared by programs; there is nothing for a person to grade.")
    store = Store.open(root, create=False)
    with store.locked():
        place = Place(suite=suite, edition=edition or newest_edition(store, suite))
        desk = _Desk(store, place, cast(Scales, grader))
        taken, problems = [], []
        for line in read_lines(file, COLUMNS):
            told = desk.read(line)
            if isinstance(told, Grade):
                taken.append(told)
            else:
                problems.append(f"{file.name}, line {line.number}: {told}")
        write_grades(store, place, taken)
    return Imported(taken=len(taken), problems=tuple(problems))


def import_file(root: str, name: str, suite: str, edition: str | None = None) -> Imported:
    """The same for a file in the folder `inbox` of the store."""
    return import_grades(root, Store.open(root, create=False).path(f"{INBOX}/{name}"), suite, edition)


def newest_edition(store: Store, suite: str) -> str:
    """The edition of a suite whose answers are the newest; StageError where there are none."""
    names = store.names(f"manifests/{Answer.table}/suite={suite}", ".json")
    if not names:
        raise StageError(f"There are no answers to {suite} in the store; run it first.")
    newest = max(names, key=lambda name: store.changed(name))
    return newest.split("/edition=", 1)[1].split("/", 1)[0]


class Answers:
    """The answers of an edition that grades from elsewhere are for."""

    def __init__(self, store: Store, place: Place) -> None:
        self.cases = {c.case_id: c for c in rows_of(Case, read(store, Case, place))}
        self.answers: dict[Key, Answer] = {}
        for name in store.names(f"manifests/{Answer.table}/{place.folder}", ".json"):
            system = name.removesuffix(".json").rsplit("/system=", 1)[1]
            for answer in rows_of(Answer, read(store, Answer, place.model_copy(update={"system": system}))):
                self.answers[Key(system, answer.case_id, answer.trial)] = answer

    def of(self, cells: Mapping[str, str]) -> Answer | str:
        """The answer that a line is about, by `case`, `system` and `trial`, or a sentence about what was wrong."""
        if cells["case"] not in self.cases:
            return f"there is no case {cells['case']!r}{nearest(cells['case'], self.cases)}"
        systems = {key.system for key in self.answers}
        if cells["system"] not in systems:
            return f"there is no system {cells['system']!r} with answers{nearest(cells['system'], systems)}"
        trial = cells.get("trial") or "1"
        key = Key(cells["system"], cells["case"], int(trial) if trial.isdecimal() else 0)
        return self.answers.get(key) or f"{key.system} has no answer to {key.case_id!r} in trial {quoted(trial)}."


class _Desk(Answers):
    """Lines become grades, or a sentence about what was wrong."""

    def __init__(self, store: Store, place: Place, scales: Scales) -> None:
        super().__init__(store, place)
        self.scales = scales

    def read(self, line: Line) -> Grade | str:
        """The grade of a line."""
        answer = self.of(line.cells)
        if isinstance(answer, str):
            return answer
        cells, truth = line.cells, self.cases[answer.case_id].to_truth()
        scale = self.scales.scale_of(truth, cells["item"])
        if scale is None:
            return f"there is no item {cells['item']!r}{nearest(cells['item'], self.scales.items_of(truth))}"
        points = _number(cells["points"])
        if points is None or not scale.holds(points):
            return f"points of {cells['item']}: {scale.told} was expected, not {quoted(cells['points'])}."
        if scale.needs_reason_below is not None and points < scale.needs_reason_below and not cells["reason"]:
            return f"reason: {cells['points']} for {cells['item']} needs a concrete defect as its reason."
        who = _slug(cells["who"])
        if not who:
            return f"who: a name was expected, not {quoted(cells['who'])}."
        if not _is_day(cells["when"]):
            return f"when: a day as 2025-11-30 was expected, not {quoted(cells['when'])}."
        return _grade(answer, cells, scale, points, PERSON + who)


def _grade(answer: Answer, cells: Mapping[str, str], scale: Scale, points: float, judge_id: str) -> Grade:
    """A line as a row."""
    return Grade(
        suite=answer.suite,
        edition=answer.edition,
        system_id=answer.system_id,
        case_id=answer.case_id,
        trial=answer.trial,
        pass_name=scale.pass_name,
        judge_id=judge_id,
        item=cells["item"],
        points=points,
        max_points=scale.max_points,
        label=scale.labels.get(points, f"{points:g}"),
        error=scale.errors.get(points),
        expected=None,
        given=None,
        reason=cells["reason"] or None,
        quote=None,
        rubric_version=f"{RUBRIC} {cells['when']}",
        answer_hash=answer.content_hash,
    )


def _number(text: str) -> float | None:
    return float(text.replace(",", ".")) if re.fullmatch(r"\d{1,6}(?:[.,]\d{1,6})?", text) else None


def _slug(name: str) -> str:
    import unicodedata

    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().casefold()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def write_grades(store: Store, place: Place, grades: Iterable[Grade]) -> None:
    """Each judge's grades of each system as one partition, joined with what it held; parts follow those of the answers."""
    by_place: dict[tuple[str, str], list[Grade]] = {}
    for grade in grades:
        by_place.setdefault((grade.system_id, grade.judge_id), []).append(grade)
    for (system, judge), fresh in by_place.items():
        at = place.model_copy(update={"system": system, "judge": judge})
        before = rows_of(Grade, read(store, Grade, at)) if sealed(store, Grade, at) is not None else []
        whole = {(g.case_id, g.trial, g.item): g for g in [*before, *fresh]}
        seal(store, Grade, at, list(_parts(store, at, whole.values())))


def _parts(store: Store, at: Place, grades: Iterable[Grade]) -> Iterable[Part]:
    """The grades of each part of the answers as a part with the same number."""
    rows = list(grades)
    home = at.model_copy(update={"judge": None})
    for part in sealed(store, Answer, home) or ():
        cases = set(read_part(store, Answer, home, part.name, ["case_id"])["case_id"].to_pylist())
        some = [g for g in rows if g.case_id in cases]
        key = shard_key("people", Grade.version, part.digest, [g.model_dump(mode="json") for g in some])
        yield write_part(store, Grade, at, key, part.shard, some)
