"""The gallery: all evidence of a run side by side on one page without the network, where a person grades by keyboard (A-5, A-7).

Pages have no names and stand in an order that tells nothing; what identifies them is in the file for the download alone. Badges of pages that
people have graded already are hidden until asked for. The CSV has the columns that `zkusebna grades import` takes.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from profiles import page_agreement as agree
from profiles.page_scores import given_by
from profiles.report.material import Section, ShownPage
from profiles.report.page_criteria import criteria
from profiles.report.page_pictures import Small, shrink_all, width_for
from profiles.report.page_tables import decimal, given
from profiles.report.texts import Both, text
from schemas.artifacts import HALVES, OF_PEOPLE

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Card:
    """One page to grade: its key for the file, its number, pictures, and what the evidence says in words."""

    case_id: str
    system: str
    trial: int
    number: int
    pictures: Sequence[Small]
    words: Sequence[str]
    badges: Sequence[Both]


@dataclass(frozen=True)
class Task:
    """The pages of one task under its specification."""

    title: str
    language: str
    specification: str
    cards: Sequence[Card]


def render(section: Section) -> str:
    """The gallery of a section as one file."""
    from profiles.report.page import environment

    cases = {shown.case.case_id: shown.case for shown in section.cases}
    grades: agree.Pages = {(p.system, p.case_id, p.trial): given_by(p.grades) for p in section.pages}
    badges: dict[agree.Key, list[Both]] = {}
    for badge in agree.badges(grades):
        badges.setdefault(badge.key, []).append(_badge(badge))
    width = width_for(sum(len(p.pictures) for p in section.pages))
    cards: dict[str, list[Card]] = {}
    ordered = sorted((p for p in section.pages if p.case_id in cases), key=lambda p: (p.case_id, _shuffled(p)))
    for number, page in enumerate(ordered, 1):
        cards.setdefault(page.case_id, []).append(_card(page, number, width, badges))
    tasks = [_task(cases[case_id].to_truth(), cases[case_id].language, some) for case_id, some in cards.items()]
    made = environment().get_template("gallery.html.j2").render(
        section=section,
        tasks=tasks,
        criteria=OF_PEOPLE,
        told=criteria(OF_PEOPLE),
        values=[(f"{value:g}", decimal(value, 0 if value == int(value) else 1)) for value in HALVES],
        style=Markup("\n".join(_read(name) for name in ("style.css", "gallery.css"))),
        script=Markup("\n".join(_read(name) for name in ("page.js", "gallery.js"))),
    )  # fmt: skip
    return str(made)


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _shuffled(page: ShownPage) -> str:
    """An order that says neither who made a page nor which trial it is, and is the same every time."""
    return hashlib.sha256(f"gallery {page.system} {page.case_id} {page.trial}".encode()).hexdigest()


def _task(truth: Mapping[str, object], language: str, cards: Sequence[Card]) -> Task:
    told = truth["task"]
    title = str(told["title"]) if isinstance(told, dict) else ""
    return Task(title, language, str(truth["question"]), cards)


def _card(page: ShownPage, number: int, width: int, badges: Mapping[agree.Key, Sequence[Both]]) -> Card:
    pictures = shrink_all(page.pictures, width)
    told = badges.get((page.system, page.case_id, page.trial), ())
    return Card(page.case_id, page.system, page.trial, number, pictures, page.words, told)


def _badge(badge: agree.Badge) -> Both:
    criterion = text(f"web.metric.{badge.criterion}")
    return text(
        "gallery.badge", criterion=criterion, person=badge.person, by_person=given(badge.by_person), by_judges=given(badge.by_judges)
    )  # fmt: skip
