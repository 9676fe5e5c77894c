"""The public cases on the page: the document, the truth, what each system said, and what would have had to be different (G-1, G-2)."""

import json
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

from profiles.report.material import Reply, Section, ShownCase, reasons
from profiles.report.picture import data_uri
from profiles.report.texts import Both, count, name, order_of, read_texts, same, text
from schemas.case import Case
from schemas.grade import Grade
from schemas.profile import Step
from schemas.system import System

Mark = Literal["right", "wrong", "absent", "none"]


@dataclass(frozen=True)
class Said:
    """What one system said of one field: the value is None where it gave none; why is the category of the error in words."""

    mark: Mark
    value: str | None = None
    why: Both | None = None


@dataclass(frozen=True)
class FieldLine:
    """One field of a document: its right value and what each system said, in the order of the systems."""

    field: Both
    truth: str | None
    said: tuple[Said, ...]


@dataclass(frozen=True)
class Path:
    """The critical path of one system, which has the given column: each step in a sentence."""

    column: int
    system: Both
    steps: tuple[Both, ...]


@dataclass(frozen=True)
class CaseView:
    """A case as the page shows it; wrong: number of wrong fields by system, None where the answer is not scored."""

    id: str
    language: str
    tags: tuple[Both, ...]
    picture: str | None
    width: int
    height: int
    text: str | None
    lines: tuple[FieldLine, ...]
    wrong: tuple[tuple[int | None, Both], ...]
    paths: tuple[Path, ...]


def views(shown: Sequence[ShownCase], section: Section, systems: Sequence[str]) -> list[CaseView]:
    """Public cases in order; their pictures are made side by side, on as many threads as there are cores (at most four)."""
    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        return list(pool.map(lambda one: view(one, section, systems), shown))


def view(shown: ShownCase, section: Section, systems: Sequence[str]) -> CaseView:
    """A public case for the page; ValueError for a private one (G-8)."""
    case = shown.case
    if case.split != "public":
        raise ValueError(f"a case of the split {case.split!r} came to the report; only public ones may")
    replies = {s: shown.replies.get(s, Reply()) for s in systems}
    uri, width, height = data_uri(shown.picture) if shown.picture else (None, 0, 0)
    return CaseView(
        id=case.case_id,
        language=case.language,
        tags=tuple(name(kind, getattr(case, kind)) for kind in ("language", "level", "variant", "layout")),
        picture=uri,
        width=width,
        height=height,
        text=case.text,
        lines=_lines(case.to_truth(), replies),
        wrong=tuple((_n_wrong(r), _told(r, case, section.systems[s])) for s, r in replies.items()),
        paths=tuple(
            Path(column, same(section.systems[s].name), tuple(_step(step) for step in r.profile.critical_path))
            for column, (s, r) in enumerate(replies.items())
            if r.profile and r.profile.critical_path
        ),
    )


def _n_wrong(reply: Reply) -> int | None:
    if reply.profile is None or not reply.profile.is_scored:
        return None
    return sum(g.error is not None for g in reply.grades)


def _told(reply: Reply, case: Case, system: System) -> Both:
    """The answer in a few words, for the case's own line."""
    wrong = _n_wrong(reply)
    if wrong is None:
        kind = "image" if case.image_sha256 else "text"
        statuses = {case.case_id: reply.profile.status} if reply.profile else {}
        return name("told", next(iter(reasons({case.case_id: kind}, statuses, system))))
    return count("counted.errors", wrong) if wrong else text("case.faultless")


def _lines(truth: Mapping[str, object], replies: Mapping[str, Reply]) -> tuple[FieldLine, ...]:
    """Fields that are graded or have a name; what else a truth holds (further dates, what only looks personal) was not asked for."""
    graded = {s: {g.item: g for g in r.grades} for s, r in replies.items()}
    asked = {item for items in graded.values() for item in items}
    names = order_of("field", [*asked, *(word for word in truth if f"field.{word}" in read_texts("cs"))])
    lines = []
    for field in names:
        right = written(truth.get(field))
        said = tuple(_said(items.get(field)) for items in graded.values())
        if right is not None or any(s.mark in ("wrong", "right") for s in said):
            lines.append(FieldLine(name("field", field), right, said))
    return tuple(lines)


def written(value: object) -> str | None:
    """A value of a truth in words: texts as they are, maps as `21 %: 210.00`, lists one after another; None for what is empty.

    >>> written({"21": "210.00", "12": "5.00"}), written(["Jan Horák", "Eva Malá"]), written([])
    ('21\\xa0%: 210.00; 12\\xa0%: 5.00', 'Jan Horák; Eva Malá', None)
    """
    if isinstance(value, list):
        return "; ".join(map(str, value)) or None
    if isinstance(value, dict):
        return "; ".join(f"{rate}\u00a0%: {amount}" for rate, amount in value.items()) or None
    return None if value is None else str(value)


def _value(given: str | None) -> str | None:
    """A value as stored in a grade; maps and lists come as JSON, an empty one is no value."""
    if given and given.startswith(("{", "[")):
        try:
            return written(json.loads(given))
        except ValueError:
            return given
    return given


def _said(grade: Grade | None) -> Said:
    if grade is None:
        return Said("none")
    if grade.error is not None:
        key = "invented" if grade.label == "invented" else grade.error
        return Said("wrong", _value(grade.given), name("error", key))
    if grade.max_points == 0:
        return Said("absent")
    return Said("right", None if grade.given == grade.expected else _value(grade.given))


def _step(step: Step) -> Both:
    """One step of the critical path as a sentence."""
    field, error = name("field", step.item), name("error", step.error)
    if step.item == "answer":
        return text("path.answer")
    expected, given = (_value(v) for v in (step.expected, step.given))
    if expected is None:
        return text("path.leave_out", field=field, given=given or "")
    if given is None:
        return text("path.add", field=field, expected=expected)
    return text("path.change", field=field, given=given, expected=expected, error=error)
