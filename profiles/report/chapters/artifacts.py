"""The chapter of `artifacts`: signature, drift, fitness of the judges, standing, repeatability, agreement with people, pages (A-5 to A-10)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from profiles import page_agreement as agree
from profiles.page_board import judges_in
from profiles.page_repeat import Repeatability, repeatability
from profiles.page_scores import JUDGES, MECHANICAL, PEOPLE, given_by, is_model, is_person, score, with_medians
from profiles.report import board, numbers
from profiles.report.chapters import Chapter
from profiles.report.material import Section, ShownPage
from profiles.report.page_criteria import Told, criteria
from profiles.report.page_pictures import Small, shrink
from profiles.report.page_tables import PageTables, by_model, by_trial, given, judge_name, within
from profiles.report.stamps import stamp
from profiles.report.tables import Table
from profiles.report.texts import Both, count, name, same, text
from schemas.artifacts import OF_JUDGES, PEOPLE_ONLY, SHARED

LIMITS = ("web_tasks", "web_evidence", "web_mechanical", "web_taste", "web_run")
MOST_CARDS = 48
CARD_PX = 320
SHOWN = ("shot-3.png", "interact-1.png")


@dataclass(frozen=True)
class Card:
    """One page with two of its pictures, what everybody gave it, and what the mechanical judge found."""

    title: Both
    pictures: Sequence[Small]
    given: Sequence[tuple[Both, Both]]
    found: Sequence[str]


@dataclass(frozen=True)
class View:
    """All that the template needs."""

    section: Section
    title: Both
    lead: Both
    measured: Both
    signature: Both
    is_signed: bool
    drifts: Sequence[Both]
    fit: Table | None
    standing: Sequence[tuple[Both, Table, Table]]
    repeated: Table | None
    agreement: Sequence[Table]
    pairs: Sequence[Table]
    badges: Sequence[Both]
    cards: Sequence[Card]
    gallery: str | None
    sheets: Sequence[board.Sheet]
    criteria: Sequence[Told]
    prompts: Mapping[str, str]
    stamp: Both


def chapter(section: Section) -> Chapter:
    """A section of web pages; control pages are no system of the standing."""
    systems = {s: entry for s, entry in section.systems.items() if not entry.is_control}
    there = {r.system_id for r in section.rows}
    tables = PageTables(section.rows, {s: e for s, e in systems.items() if s in there}, section.suite)
    titles, words = _tasks(section)
    tested = [page for page in section.pages if not page.is_control]
    grades: agree.Pages = {(p.system, p.case_id, p.trial): given_by(p.grades) for p in tested}
    badges = agree.badges(grades)
    view = View(
        section=section,
        title=name("suite", section.suite),
        lead=name("lead", section.suite),
        measured=text("web.measured", tasks=count("counted.web_tasks", section.n_public), edition=section.edition),
        signature=_signature(section),
        is_signed=section.signature is not None and section.signature.is_current,
        drifts=[_drift(drift, systems) for drift in agree.drifts(section.history)],
        fit=tables.fit(),
        standing=[(judge_name(j), tables.standing(j), tables.by_task(j, titles)) for j in judges_in(tables.found)],
        repeated=tables.repeated(_repeated(tested), titles),
        agreement=_beside_people(grades, badges, section.suite, titles, words),
        pairs=_pairs(grades, section.suite),
        badges=[_badge(b, systems, titles) for b in badges],
        cards=[_card(page, section, titles) for page in _chosen(section.pages)],
        gallery=f"gallery-{section.suite}.html" if section.pages else None,
        sheets=[board.sheet(section, s) for s in tables.systems],
        criteria=criteria((*OF_JUDGES, *PEOPLE_ONLY)),
        prompts=section.prompts,
        stamp=stamp(section),
    )
    return Chapter(section=section, template="artifacts.html.j2", view=view, parts=_parts(view), limits=LIMITS)


def _parts(view: View) -> list[str]:
    there: dict[str, Any] = {
        "web_signature": True, "web_drift": view.drifts, "web_fitness": True, "web_standing": view.standing, "web_repeat": view.repeated,
        "web_agreement": view.agreement, "web_badges": view.badges, "web_pages": view.cards, "web_prompts": view.prompts, "sheets": view.sheets,
    }  # fmt: skip
    return [key for key, value in there.items() if value]


def _tasks(section: Section) -> tuple[dict[str, str], dict[str, int]]:
    """Titles of the tasks and the lengths of their specifications in words."""
    truths = {shown.case.case_id: shown.case.to_truth() for shown in section.cases}
    return {t: truth["task"]["title"] for t, truth in truths.items()}, {
        t: truth["n_words"] for t, truth in truths.items()
    }


def _signature(section: Section) -> Both:
    signed = section.signature
    if signed is None:
        return text("web.signature.none")
    key = "current" if signed.is_current else "outdated"
    n = count("counted.web_grades", signed.n_grades)
    return text(
        f"web.signature.{key}", who=signed.who, when=numbers.day(signed.when), n=n, hash=signed.grades_hash[:16]
    )


def _drift(drift: agree.Drift, systems: Mapping[str, Any]) -> Both:
    now, before = drift.now, drift.before
    system = systems[now.system].name if now.system in systems else now.system
    return text(
        "web.drift.told", judge=judge_name(now.judge), system=system, before=numbers.percent(before.value), now=numbers.percent(now.value),
        first=numbers.day(before.run_date), last=numbers.day(now.run_date),
    )  # fmt: skip


def _repeated(pages: Sequence[ShownPage]) -> dict[tuple[str, str], Repeatability]:
    """By system and task, from the medians of models where any judged, else of the mechanical judge."""
    together: dict[tuple[str, str], list[ShownPage]] = {}
    for page in pages:
        together.setdefault((page.system, page.case_id), []).append(page)
    found = {}
    for key, trials in together.items():
        given = [with_medians(given_by(page.grades)) for page in trials]
        judge = next((j for j in (JUDGES, PEOPLE) if any(j in one for one in given)), MECHANICAL)
        scores = [s for one in given if (s := score(one.get(judge, {}))) is not None]
        if (repeated := repeatability([page.text for page in trials], scores)) is not None:
            found[key] = repeated
    return found


def _beside_people(
    grades: agree.Pages, badges: Sequence[agree.Badge], suite: str, titles: Mapping[str, str], words: Mapping[str, int]
) -> list[Table]:
    judges = sorted({j for one in grades.values() for j in one if not is_person(j)})
    names = [*([JUDGES] if any(map(is_model, judges)) else []), *judges]
    found = [a for judge in names if (a := agree.agreement(grades, judge)) is not None]
    if not found:
        return []
    tables = [by_model(found, suite, "people"), by_trial(found, suite, "people")]
    return tables + [table for a in found for table in within(a, badges, suite, titles, words)]


def _pairs(grades: agree.Pages, suite: str) -> list[Table]:
    found = agree.pairs(grades)
    return [by_model(found, suite, "pairs"), by_trial(found, suite, "pairs")] if found else []


def _badge(badge: agree.Badge, systems: Mapping[str, Any], titles: Mapping[str, str]) -> Both:
    system, task, trial = badge.key
    return text(
        "web.badge", system=systems[system].name, task=titles.get(task, task), trial=trial, criterion=text(f"web.metric.{badge.criterion}"),
        person=badge.person, by_person=given(badge.by_person), by_judges=given(badge.by_judges),
    )  # fmt: skip


def _chosen(pages: Sequence[ShownPage]) -> list[ShownPage]:
    """Systems under test before controls, first trials before later ones."""
    return sorted(pages, key=lambda p: (p.is_control, p.trial, p.case_id, p.system))[:MOST_CARDS]


def _card(page: ShownPage, section: Section, titles: Mapping[str, str]) -> Card:
    system = same(section.systems[page.system].name if page.system in section.systems else page.system)
    grades = with_medians(given_by(page.grades))
    told = [
        (judge_name(judge), text("web.given", score=numbers.percent(s), n=sum(c in one for c in SHARED)))
        for judge, one in grades.items()
        if (s := score(one)) is not None
    ]
    reasons = [
        g.reason for g in page.grades if g.judge_id == MECHANICAL and g.pass_name == "atomic" and g.error and g.reason
    ]
    pictures = [shrink(picture, page.pictures[picture], CARD_PX) for picture in SHOWN if picture in page.pictures]
    title = text(
        "web.card",
        task=titles.get(page.case_id, page.case_id),
        system=text("web.control") if page.is_control else system,
        trial=page.trial,
    )
    return Card(title, pictures, told, reasons)
