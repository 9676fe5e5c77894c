"""What the page of a case shows where answers are web pages: the task, then every trial with its evidence, measurements, grades and badges."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from profiles import page_agreement as agree
from profiles.page_scores import MECHANICAL, Given, given_by, has_no_page, with_medians
from profiles.report import numbers
from profiles.report.material import Section, ShownCase, ShownPage
from profiles.report.page_pictures import TALLEST, Small, shrink_all, width_for
from profiles.report.page_tables import given, judge_name
from profiles.report.texts import Both, both, same, text
from schemas.artifacts import OF_JUDGES, PEOPLE_ONLY
from schemas.evidence import FULL, PICTURES, SHOTS, Measurements

WIDEST = 320
"""Width of a picture in pixels at most; the gallery has them larger."""

MOST_SAID = 2000
"""Characters of an answer that is no page, at most."""


@dataclass(frozen=True)
class Mark:
    """What one judge gave for one criterion, None where it was not judged, and its reason."""

    value: Both | None
    reason: str | None


@dataclass(frozen=True)
class Trial:
    """One answer: pictures with captions, badges, what was measured, what was tried, a line of marks a criterion; said: where it is no page."""

    id: str
    n: int
    title: Both
    why: Both | None
    pictures: Sequence[tuple[Small, Both, Both]]
    missing: Both | None
    badges: Sequence[Both]
    facts: Sequence[tuple[Both, Both]]
    done: Sequence[str]
    found: Sequence[str]
    errors: Sequence[str]
    judges: Sequence[Both]
    marks: Sequence[tuple[Both, Sequence[Mark]]]
    caption: Both
    said: str = ""


@dataclass(frozen=True)
class WebCase:
    """A task with its specification as people read it, and the trials of every system."""

    title: str
    specification: str
    systems: Sequence[tuple[str, Sequence[Trial]]]


def web_case(section: Section, shown: ShownCase) -> WebCase | None:
    """The case as web pages; None where the suite's answers are none. Control pages, whose grade is known beforehand, are left out."""
    truth = shown.case.to_truth()
    if not section.pages or "task" not in truth:
        return None
    width = min(WIDEST, width_for(sum(len(p.pictures) for p in section.pages)))
    title = str(truth["task"]["title"])
    pages = [p for p in section.pages if p.case_id == shown.case.case_id and not p.is_control]
    badges = agree.badges({(p.system, p.case_id, p.trial): given_by(p.grades) for p in pages})
    systems: dict[str, list[Trial]] = {}
    for page in sorted(pages, key=lambda p: (p.system, p.trial)):
        system = section.systems[page.system].name if page.system in section.systems else page.system
        mine = [b for b in badges if b.key == (page.system, page.case_id, page.trial)]
        systems.setdefault(system, []).append(_trial(page, system, title, mine, width))
    return WebCase(title, str(truth["question"]), list(systems.items()))


def _trial(page: ShownPage, system: str, task: str, badges: Sequence[agree.Badge], width: int) -> Trial:
    is_page = not has_no_page(page.grades)
    why = text("case_web.no_page") if not is_page else None if page.has_evidence else text("case_web.not_opened")
    gone = [p for p in PICTURES if p not in page.pictures] if page.has_evidence else []
    measured = page.measured
    judges, marks = _marks(page) if is_page else ([], [])
    mechanical = [g for g in page.grades if g.judge_id == MECHANICAL and g.pass_name == "atomic"]
    return Trial(
        id=f"trial-{page.system}-{page.trial}".replace(".", "_"),
        n=page.trial,
        title=text("case_web.trial", n=page.trial),
        why=why,
        pictures=list(_pictures(page, system, task, width)),
        missing=text("case_web.missing", pictures=_listed(gone)) if gone else None,
        badges=[_badge(badge) for badge in badges],
        facts=list(_facts(measured)) if measured else [],
        done=page.words,
        found=[g.reason for g in mechanical if g.error and g.reason] if is_page else [],
        errors=[e.text for e in measured.errors if not e.of_isolation] if measured else [],
        judges=judges,
        marks=marks,
        caption=text("case_web.grades", system=system, n=page.trial),
        said=page.text[:MOST_SAID] if not is_page else "",
    )


def _picture_name(name: str) -> Both:
    return text(f"case_web.picture.{name.replace('.', '_')}")


def _listed(pictures: Sequence[str]) -> Both:
    return both(lambda lang: ", ".join(_picture_name(p).of(lang) for p in pictures))


def _pictures(page: ShownPage, system: str, task: str, width: int) -> Iterator[tuple[Small, Both, Both]]:
    """Pictures in the order of A-1, each with its caption and with what stands for it where it is not seen."""
    for small in shrink_all(page.pictures, width):
        told = _picture_name(small.name)
        if small.name == FULL and small.height >= TALLEST * small.width:
            told = text("case_web.cut", picture=told)
        yield small, told, text("case_web.alt", task=task, system=system, n=page.trial, picture=told)


def _badge(badge: agree.Badge) -> Both:
    return text(
        "case_web.badge", criterion=text(f"web.metric.{badge.criterion}"), person=badge.person, by_person=given(badge.by_person),
        by_judges=given(badge.by_judges),
    )  # fmt: skip


def _facts(measured: Measurements) -> Iterator[tuple[Both, Both]]:
    """What was measured, as far as it was (A-11)."""
    load = measured.load_s
    yield (
        text("case_web.fact.load"),
        text("case_web.fact.no_load") if load is None else numbers.duration(1000 * load),
    )
    if measured.page_height:
        yield text("case_web.fact.height"), text("case_web.fact.pixels", n=numbers.integer(measured.page_height))
    for motion in measured.motion:
        if motion.share is not None:
            ends = {key: f"{SHOTS[at]:g}" for key, at in (("first", motion.first), ("second", motion.second))}
            yield text("case_web.fact.motion", **ends), numbers.fine_percent(motion.share)
    for use in measured.uses:
        if use.changed is not None:
            yield text("case_web.fact.use", n=use.number), numbers.fine_percent(use.changed)
    if measured.reach is not None:
        n, covered = measured.reach.controls, measured.reach.covered
        told = text("case_web.fact.covered", n=n, covered=covered) if covered else same(str(n))
        yield text("case_web.fact.controls"), told
    yield text("case_web.fact.errors"), same(str(sum(not e.of_isolation for e in measured.errors)))
    refused = sum(e.count for e in measured.events if e.kind == "request")
    yield text("case_web.fact.refused"), same(str(refused))
    if measured.below_fold_blank:
        yield text("case_web.fact.below"), text("case_web.fact.blank")


def _marks(page: ShownPage) -> tuple[list[Both], list[tuple[Both, list[Mark]]]]:
    """Judges in the order of their ids, medians last, and a line a criterion that anybody grades."""
    by_judge: Mapping[str, Given] = with_medians(given_by(page.grades))
    reasons = {(g.judge_id, g.item): g.reason for g in page.grades if g.pass_name == "holistic"}
    lines = []
    for criterion in (*OF_JUDGES, *PEOPLE_ONLY):
        if any(criterion in one for one in by_judge.values()):
            cells = [
                Mark(given(one[criterion]) if criterion in one else None, reasons.get((judge, criterion)))
                for judge, one in by_judge.items()
            ]
            lines.append((text(f"web.metric.{criterion}"), cells))
    return [judge_name(judge) for judge in by_judge], lines
