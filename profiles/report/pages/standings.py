"""The standing of a suite in a few lines, and the table of who is decisively better than whom (G-9, S-2)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from profiles.fitness import FitnessOf
from profiles.measures import sign_of
from profiles.ranking import Duel, Ranking
from profiles.report import numbers
from profiles.report.material import Section
from profiles.report.pages import Site, system_path
from profiles.report.pages.figures import cell_of, group_name, is_decisive, judge_name, metric_name
from profiles.report.tables import Cell
from profiles.report.texts import Both, count, same, text
from profiles.standing_groups import standing_rows
from schemas.tendency import Tendency

FIRST_JUDGES = ("people", "judges", "")
"""Whose grades the overview shows where several judged: people, else all models together, else whoever counted."""


@dataclass(frozen=True)
class Line:
    """One system: where its page is, its rank and with how many it is shared, its number, n, date, versions."""

    system: str
    name: Both
    page: str | None
    rank: int | None
    shared: Both | None
    unranked: Both
    cell: Cell
    n: Both
    left_out: Both | None
    date: Both
    versions: Both
    undecided: Both | None


@dataclass(frozen=True)
class Against:
    """A row against a column: `better`, `worse` or `open`, and the numbers behind it."""

    mark: str | None
    words: Both
    difference: Both | None
    interval: Both | None
    n: Both


@dataclass(frozen=True)
class Matrix:
    """Who is decisively better than whom; of a system against itself None."""

    id: str
    caption: Both
    summary: Both
    columns: Sequence[Both]
    rows: Sequence[tuple[Both, Sequence[Against | None]]]


@dataclass(frozen=True)
class Standing:
    """One number of one judge in one group of cases, by system."""

    id: str
    metric: str
    judge_id: str
    group: str
    caption: Both
    what: Both
    is_ranked: bool
    lines: Sequence[Line]
    matrix: Matrix | None


def standings(site: Site, section: Section, *, is_short: bool) -> list[Standing]:
    """The standings of a section; is_short: one judge a number, and of the language tax Czech alone."""
    tested = set(site.systems)
    rows = [r for r in standing_rows(section.rows) if r.system_id in tested]
    keys: list[Key] = sorted({_key(r) for r in rows}, key=lambda k: (k[0] == "presence", k))
    if is_short:
        keys = _short(keys)
    found = [_standing(site, section, [r for r in rows if _key(r) == key], key) for key in keys]
    return [one for one in found if one.lines]


Key = tuple[str, str, str, str]


def _key(row: Tendency) -> Key:
    return (row.metric, row.dimension, row.group_name, row.judge_id)


def _short(keys: Sequence[Key]) -> list[Key]:
    chosen: dict[tuple[str, str, str], Key] = {}
    for key in keys:
        metric, dimension, group, judge = key
        if metric == "language_tax" and group != "cs" and any(k[2] == "cs" for k in keys):
            continue
        before = chosen.get((metric, dimension, group))
        if before is None or _place(judge) < _place(before[3]):
            chosen[metric, dimension, group] = key
    return list(chosen.values())


def _place(judge: str) -> tuple[int, str]:
    return (FIRST_JUDGES.index(judge) if judge in FIRST_JUDGES else len(FIRST_JUDGES), judge)


def _standing(site: Site, section: Section, rows: Sequence[Tendency], key: Key) -> Standing:
    metric, dimension, group, judge = key
    ranking = ranking_of(site.rankings.get(section.suite, ()), key)
    fitness = FitnessOf(section.rows)
    lines = [_line(section, row, ranking, fitness) for row in rows]
    lines.sort(key=lambda one: _order(one, {r.system_id: r.value for r in rows}, metric))
    slug = f"{section.suite}-{metric}-{group}-{judge or 'counted'}".replace(".", "_")
    what = metric_name(metric)
    of = what if dimension == "overall" else text("site.overview.of", what=what, group=group_name(dimension, group))
    caption = of if not judge else _joined(of, text("site.by_judge", judge=judge_name(judge)))
    matrix = _matrix(section, slug, caption, ranking, [one.system for one in lines]) if ranking else None
    return Standing(f"{slug}-standing", metric, judge, group, caption, what, ranking is not None, lines, matrix)


def ranking_of(rankings: Sequence[Ranking], key: Key) -> Ranking | None:
    """The ranking of a number, group and judge; None where nothing is compared."""
    return next((r for r in rankings if (r.metric, r.dimension, r.group, r.judge_id) == key), None)


def _joined(first: Both, second: Both) -> Both:
    return Both(f"{first.cs}; {second.cs}", f"{first.en}; {second.en}")


def _order(line: Line, values: Mapping[str, float | None], metric: str) -> tuple[bool, int, float, str]:
    value = values[line.system]
    sign = sign_of(metric) or -1  # of the language tax less stands first
    return (line.rank is None, line.rank or 0, -sign * (value if value is not None else -1.0), line.system)


def _line(section: Section, row: Tendency, ranking: Ranking | None, fitness: FitnessOf) -> Line:
    ranks = ranking.ranks if ranking else {}
    rank = ranks.get(row.system_id)
    others = sum(r == rank for r in ranks.values()) - 1 if rank is not None else 0
    return Line(
        system=row.system_id,
        name=same(section.systems[row.system_id].name),
        page=system_path(row.system_id),
        rank=rank,
        shared=shared(others),
        unranked=text("site.unranked"),
        cell=cell_of(row),
        n=count("counted.site_cases", row.n_documents),
        left_out=text("site.left_out", n=numbers.integer(row.n_left_out)) if row.n_left_out else None,
        date=numbers.day(row.run_date),
        versions=text("site.set_prompt", set=row.set_version, prompt=row.prompt_version),
        undecided=None if row.value is None or is_decisive(fitness, row) else text("site.not_decisive"),
    )


def shared(others: int) -> Both | None:
    """With how many others a rank is shared; None where with nobody."""
    if others < 1:
        return None
    if others == 1:
        return text("site.shared_one")
    return text("site.shared_few" if others <= 4 else "site.shared_many", n=numbers.integer(others))


def _matrix(section: Section, slug: str, what: Both, ranking: Ranking, systems: Sequence[str]) -> Matrix | None:
    if len(systems) < 2:
        return None
    names = {s: same(section.systems[s].name) for s in systems}
    rows = [
        (names[one], [None if one == other else against(ranking.between(one, other), one) for other in systems])
        for one in systems
    ]
    decisive = sum(d.winner is not None for d in ranking.duels)
    told = text("site.n_decisive", n=numbers.integer(decisive), total=numbers.integer(len(ranking.duels)))
    return Matrix(f"{slug}-matrix", text("site.matrix_caption", what=what), told, list(names.values()), rows)


def against(duel: Duel | None, system: str) -> Against:
    """A pair as one of its systems sees it; shares differ by 100 points at most, so an interval of few clusters ends there."""
    if duel is None or duel.found is None:
        return Against(None, text("site.open"), None, None, text("site.no_shared"))
    turn = duel.seen_from(system)[1]
    mark = "open" if duel.winner is None else "better" if duel.winner == system else "worse"
    found = duel.found
    ends = (
        None
        if found.low is None or found.high is None
        else sorted(max(-1.0, min(1.0, turn * end)) for end in (found.low, found.high))
    )
    return Against(
        mark,
        text(f"site.{mark}"),
        numbers.points(turn * found.value),
        numbers.points_between(*ends) if ends else None,
        count("counted.site_clusters", found.n_clusters),
    )
