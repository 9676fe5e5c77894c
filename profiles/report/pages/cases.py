"""The page of a public case: what was asked, what every system answered, its grades and critical path, and a form for mistakes (G-2, G-13).

Documents are shown field by field, questions of law rule by rule, web pages by their evidence, conversations turn by turn, and everything
else answer by answer. Which it is follows from what the suite's chapter shows and what the section holds.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from profiles.report import numbers
from profiles.report.cases import CaseView
from profiles.report.law_cases import LawCase
from profiles.report.material import Reply, Section, ShownCase
from profiles.report.pages import Site, brief_of, case_path, show, suite_path
from profiles.report.pages.case_play import play_case
from profiles.report.pages.case_web import web_case
from profiles.report.pages.figures import judge_name
from profiles.report.texts import Both, name, same, text
from schemas.grade import Grade


@dataclass(frozen=True)
class GradeLine:
    """One grade in words; numbers as each language writes them."""

    item: str
    judge: Both
    label: Both
    points: Both
    why: str | None


@dataclass(frozen=True)
class Given:
    """What one system gave: its status where it is not scored, its words, its grades, how many input tokens it took."""

    id: str
    system: Both
    status: Both | None
    texts: Sequence[tuple[Both | None, str]]
    grades: Sequence[GradeLine]
    tokens: Both | None


def pages(site: Site) -> Iterator[tuple[str, str]]:
    """Path and page of every public case that is shown; ValueError for a private one (G-8)."""
    for section in site.sections:
        if section.overview is not None:
            continue
        shown = {view.id: view for view in getattr(site.chapters[section.suite].view, "cases", ())}
        ids = [one.case.case_id for one in section.cases]
        for at, one in enumerate(section.cases):
            path = case_path(section.suite, one.case.case_id)
            around = [ids[at - 1] if at else None, ids[at + 1] if at + 1 < len(ids) else None]
            yield path, _page(site, section, one, shown.get(one.case.case_id), around)


def _page(site: Site, section: Section, shown: ShownCase, view: Any, around: Sequence[str | None]) -> str:
    case = shown.case
    if case.split != "public":
        raise ValueError(f"a case of the split {case.split!r} came to the report; only public ones may")
    brief = brief_of(case)
    systems = [s for s in section.systems if s in shown.replies]
    web, play = web_case(section, shown), play_case(section, shown)
    is_own = isinstance(view, LawCase) or web is not None or play is not None
    return show(
        "site_case.html.j2", site, case_path(section.suite, case.case_id), text("site.case.title", id=case.case_id),
        section=section,
        case=case,
        brief=brief,
        fields=view if isinstance(view, CaseView) else None,
        law=view if isinstance(view, LawCase) else None,
        suite_title=name("suite", section.suite),
        suite_page=suite_path(section.suite),
        columns=[(s, same(section.systems[s].name)) for s in _columns(section)],
        web=web,
        play=play,
        given=[] if is_own else list(_given(section, shown, systems, isinstance(view, CaseView))),
        gallery=f"gallery-{section.suite}.html" if section.pages else None,
        links=[(key, case_path(section.suite, other)) for key, other in zip(("before", "after"), around, strict=True) if other],
        stamp=text("site.case.stamp", edition=section.edition, set=case.set_version, prompt=case.prompt_version),
        about={
            "suite": section.suite, "edition": section.edition, "case_id": case.case_id, "set_version": case.set_version,
            "prompt_version": case.prompt_version,
            "rubric_version": ", ".join(sorted({r.rubric_version for r in section.rows})),
        },
        subject=text("site.report.subject", id=case.case_id),
    )  # fmt: skip


def _columns(section: Section) -> Sequence[str]:
    """The systems in the order in which the chapter of documents has them."""
    from profiles.report.board import order

    return order(section)


def _given(section: Section, shown: ShownCase, systems: Sequence[str], is_by_field: bool) -> Iterator[Given]:
    case_id = shown.case.case_id
    for system in systems:
        told = same(section.systems[system].name)
        runs = [r for r in section.runs if (r.profile.system_id, r.profile.case_id) == (system, case_id)]
        if section.systems[system].is_control:
            continue
        for run in runs:
            texts = [(text("site.case.turn", n=str(n)), words) for n, words in enumerate(run.replies, 1)]
            grades = [_line(g) for g in run.grades]
            title = text("site.case.trial", system=told, n=str(run.profile.trial))
            yield Given(f"{system}-{run.profile.trial}", title, None, texts, grades, None)
        if not runs:
            yield _single(section, told, system, shown.replies[system], is_by_field)


def _single(section: Section, told: Both, system: str, reply: Reply, is_by_field: bool) -> Given:
    profile = reply.profile
    status = None
    if profile is None or not profile.is_scored:
        status = name("told", profile.status if profile else "not_asked")
    has_text = reply.text and not section.pages
    texts = [(None, reply.text)] if has_text and reply.text else []
    grades = [] if is_by_field else [_line(g) for g in reply.grades]
    tokens = None
    if profile is not None and profile.tokens_in is not None and not texts:
        tokens = text("site.case.tokens", n=numbers.integer(profile.tokens_in))
    return Given(system, told, status, texts, grades, tokens)


def _line(grade: Grade) -> GradeLine:
    def plain(value: float) -> str:
        return f"{value:g}"

    points = f"{plain(grade.points)} / {plain(grade.max_points)}" if grade.max_points else "–"
    why = grade.quote or grade.reason
    return GradeLine(
        grade.item, judge_name(grade.judge_id), name("label", grade.label), Both(points.replace(".", ","), points), why
    )
