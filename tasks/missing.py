"""What a store lacks: editions without results, stages that did not finish, sets without a private part, pairs without a shared case."""

from collections.abc import Iterator, Mapping, Sequence

from datasets.store import Store
from datasets.tables import Place, sealed
from profiles.ranking import Ranking
from profiles.report.material import Section
from profiles.report.pages import Missing
from schemas.answer import Answer
from schemas.case import Case
from schemas.grade import PROGRAM, Grade
from schemas.profile import Profile
from schemas.row import Row
from schemas.tendency import Tendency
from tasks.suites import SUITES

STAGES: tuple[tuple[type[Row], str], ...] = (
    (Answer, "no_answers"), (Grade, "no_grades"), (Profile, "no_profiles"), (Tendency, "no_tendencies"),
)  # fmt: skip
"""Tables in the order of the stages, each with what is missing where it is the first that has not been sealed."""


def missing_of(store: Store, sections: Sequence[Section], rankings: Mapping[str, Sequence[Ranking]]) -> list[Missing]:
    """Everything that the report cannot show, in the order of the suites; of older editions nothing."""
    shown = {section.suite: section for section in sections}
    found: list[Missing] = []
    for suite in SUITES:
        if SUITES[suite].by_panel:
            continue
        section = shown.get(suite)
        editions = [section.edition] if section else _editions(store, suite)
        for edition in editions:
            unfinished = list(_unfinished(store, suite, edition))
            found += unfinished
            if section is None and not unfinished:
                found.append(Missing(suite, edition, "not_measured"))
        if section is not None:
            found += _lacking(section, rankings.get(suite, ()))
    return found


def _editions(store: Store, suite: str) -> list[str]:
    names = store.names(f"manifests/{Case.table}/suite={suite}", ".json")
    return [name.rsplit("=", 1)[1].removesuffix(".json") for name in names]


def _unfinished(store: Store, suite: str, edition: str) -> Iterator[Missing]:
    """Systems that a stage began with and that have no aggregates: what has a folder among finished or waiting parts."""
    for system in _begun(store, suite, edition):
        for model, what in STAGES:
            judge = PROGRAM if model is Grade else None
            if sealed(store, model, Place(suite=suite, edition=edition, system=system, judge=judge)) is None:
                yield Missing(suite, edition, what, system)
                break


def _begun(store: Store, suite: str, edition: str) -> list[str]:
    inside = f"/suite={suite}/edition={edition}/"
    names = [n for folder in ("manifests", "work") for n in store.names(folder) if inside in f"/{n}"]
    systems = {
        step.split("=", 1)[1].removesuffix(".json")
        for n in names
        for step in n.split("/")
        if step.startswith("system=")
    }
    return sorted(systems)


def _lacking(section: Section, rankings: Sequence[Ranking]) -> Iterator[Missing]:
    suite, edition = section.suite, section.edition
    if SUITES[suite].is_generated and not any(r.split == "private" and r.value is not None for r in section.rows):
        yield Missing(suite, edition, "no_private")
    if section.n_public == 1:
        yield Missing(suite, edition, "one_case")
    apart = sorted({(d.left, d.right) for ranking in rankings for d in ranking.duels if d.found is None})
    for left, right in apart:
        names = [section.systems[s].name for s in (left, right)]
        yield Missing(suite, edition, "no_shared", ", ".join(names))
