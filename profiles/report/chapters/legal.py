"""The chapter of `legal`: fitness of the judges, the standing by each of them, drafts apart, versions, agreement, cases (L-4, S-3, S-5)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from profiles import judges as agreement
from profiles.legal_board import MAIN, STATES, judges_in
from profiles.legal_fold import APPROVED
from profiles.legal_marks import MECHANICAL
from profiles.legal_path import ERRORS
from profiles.report import board, law_cases, numbers
from profiles.report.chapters import Chapter
from profiles.report.law_tables import AREAS, OF_JUDGE, STANDING, WHY, LawTables, fitness_line, judge_name
from profiles.report.law_versions import MARKS, Change, Versions, versions
from profiles.report.material import Section
from profiles.report.stamps import stamp
from profiles.report.tables import Table
from profiles.report.texts import Both, both, count, name, text

LIMITS = ("law_borders", "law_tasks", "law_lay", "law_signals", "law_date", "law_run")


@dataclass(frozen=True)
class ByJudge:
    """One judge's tables of one state."""

    id: str
    title: Both
    lead: Both
    fitness: Both
    standing: Table
    more: Sequence[Table]
    groups: Sequence[Table]


@dataclass(frozen=True)
class State:
    """Cases of one state: the standing, or those that stand apart."""

    word: str
    judges: Sequence[ByJudge]


@dataclass(frozen=True)
class Agreement:
    """How far two judges or more agree on what is shown: alpha over rules and over verdicts, a line a pair."""

    alphas: Sequence[Both]
    pairs: Sequence[tuple[Both, Sequence[Both]]]


@dataclass(frozen=True)
class View:
    """All that the template needs."""

    section: Section
    title: Both
    lead: Both
    measured: Both
    fit: Table | None
    fit_by: Table | None
    states: Sequence[State]
    versions: Sequence[Versions]
    marks: Mapping[Change, str]
    agreement: Agreement | None
    sheets: Sequence[board.Sheet]
    cases: Sequence[law_cases.LawCase]
    shown: Both
    prompts: Mapping[str, str]
    stamp: Both
    has_approved: bool


def chapter(section: Section) -> Chapter:
    """A section of legal answers; control answers are no system of the standing."""
    systems = {s: entry for s, entry in section.systems.items() if _is_tested(section, s)}
    tables = LawTables(section.rows, systems, section.suite)
    states = [made for state in STATES if (made := _state(tables, state)).judges]
    view = View(
        section=section,
        title=name("suite", section.suite),
        lead=name("lead", section.suite),
        measured=text("law.measured", cases=count("counted.law_cases", section.n_public), edition=section.edition),
        fit=tables.fit(),
        fit_by=tables.fit_by(),
        states=states,
        versions=versions(section, tables),
        marks=MARKS,
        agreement=_agreement(section, systems),
        sheets=[board.sheet(section, s) for s in systems],
        cases=[law_cases.view(shown, section, list(systems)) for shown in section.cases],
        shown=text(
            "law.shown", shown=numbers.integer(len(section.cases)), n=count("counted.law_cases", section.n_public)
        ),
        prompts=section.prompts,
        stamp=stamp(section),
        has_approved=any(state.word == APPROVED for state in states),
    )
    return Chapter(section=section, template="legal.html.j2", view=view, parts=_parts(view), limits=LIMITS)


def _is_tested(section: Section, system: str) -> bool:
    """Whether a system has numbers of its own here, not those of control answers."""
    rows = [r for r in section.rows if r.system_id == system]
    return bool(rows) and not any(r.metric.startswith("control_") for r in rows)


def _parts(view: View) -> list[str]:
    there = {
        "law_versions": view.versions, "law_agreement": view.agreement, "law_cases": view.cases, "law_prompts": view.prompts,
    }  # fmt: skip
    states = [f"law_{state.word}" for state in view.states]
    parts = ["law_fitness", *([] if view.has_approved else ["law_approved"]), *states]
    return [*parts, *(key for key, value in there.items() if value), "sheets"]


def _state(tables: LawTables, state: str) -> State:
    return State(
        state, [_by_judge(tables, state, judge) for judge in judges_in(tables.found) if tables.there(state, judge)]
    )


def _by_judge(tables: LawTables, state: str, judge: str) -> ByJudge:
    counts = [tables.counts(state, judge, "left_out", WHY)]
    if judge == MECHANICAL:
        counts.insert(0, tables.counts(state, judge, "error", ERRORS))
    more = [tables.whole(state, judge, AREAS, "areas"), tables.whole(state, judge, OF_JUDGE, "parts")]
    known = f"{judge}" if judge in (MECHANICAL, "judges", "other_vendors") else "other"
    return ByJudge(
        id=f"{tables.suite}-{state}-{judge}",
        title=judge_name(judge),
        lead=text(f"law.judge_lead.{known}"),
        fitness=fitness_line(tables, judge, STANDING, tables.there(state, judge)),
        standing=tables.whole(state, judge, STANDING, "standing"),
        more=[*more, *(table for table in counts if table is not None)],
        groups=tables.by_group(state, judge),
    )


def _agreement(section: Section, systems: Mapping[str, object]) -> Agreement | None:
    """From the grades of the shown cases, and the order of systems from the numbers of the standing (S-3)."""
    replies = [shown.replies[s] for shown in section.cases for s in systems if s in shown.replies]
    grades = [g for reply in replies for g in reply.grades]
    rules = agreement.values_of(
        [g for g in grades if g.pass_name == "atomic" and g.judge_id != "citations"], ("M", "N", "B")
    )
    verdicts = agreement.values_of([g for g in grades if g.pass_name == "holistic"], ("verdict",))
    pairs = agreement.pairs(rules)
    if not pairs:
        return None
    by_verdict = {(p.first, p.second): p for p in agreement.pairs(verdicts)}
    alphas = [
        text(f"law.agreement.alpha_{key}", alpha=_two(agreement.alpha(values)))
        for key, values in (("rules", rules), ("verdicts", verdicts))
    ]
    lines = []
    for pair in pairs:
        whole = by_verdict.get((pair.first, pair.second))
        heading = text("law.agreement.pair", first=judge_name(pair.first), second=judge_name(pair.second))
        order = _order(section, pair.first, pair.second)
        told = (
            numbers.integer(pair.n),
            _two(pair.kappa),
            _two(whole.spearman if whole else None),
            _points(pair.bias),
            _two(order),
        )
        lines.append((heading, told))
    return Agreement(alphas, lines)


def _order(section: Section, first: str, second: str) -> float | None:
    """Spearman of the order of systems by the composite of two judges, over all cases of the state with the most of them."""
    values: dict[str, dict[tuple[str, ...], float]] = {first: {}, second: {}}
    for row in section.rows:
        if (
            row.metric == MAIN
            and row.dimension in ("overall", "state")
            and row.judge_id in values
            and row.value is not None
        ):
            values[row.judge_id][row.dimension, row.group_name, row.system_id] = row.value
    shared = sorted(values[first].keys() & values[second].keys())
    states = [key[:2] for key in shared]
    most = max(states, key=states.count, default=None)
    keys = [key for key in shared if key[:2] == most]
    return agreement.spearman([values[first][k] for k in keys], [values[second][k] for k in keys])


def coefficient(value: float) -> Both:
    """A number from −1 to 1 with two decimals.

    >>> coefficient(-0.404)
    Both(cs='−0,40', en='−0.40')
    """
    written = f"{value:.2f}".replace("-0.00", "0.00").replace("-", numbers.MINUS)
    return both(lambda lang: written.replace(".", ",") if lang == "cs" else written)


def _two(value: float | None) -> Both:
    return text("cell.none") if value is None else coefficient(value)


def _points(value: float | None) -> Both:
    return text("cell.none") if value is None else numbers.points(value)
