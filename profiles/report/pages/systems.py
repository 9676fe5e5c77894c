"""The page of a system: its record, how it stands in every suite, its comparisons, what it cost, what was left out, all its numbers."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from profiles.ranking import Duel, Ranking
from profiles.report import numbers
from profiles.report.board import sheet
from profiles.report.downloads import may_leave
from profiles.report.material import Section
from profiles.report.pages import Site, show, suite_path, system_path
from profiles.report.pages.figures import (
    dimension_name,
    group_name,
    interval_of,
    judge_name,
    metric_name,
    value_of,
)
from profiles.report.pages.standings import Standing, against, standings
from profiles.report.texts import Both, both, count, name, same, text
from schemas.system import System
from schemas.tendency import Tendency

NOTHING = Both("–", "–")


@dataclass(frozen=True)
class Grid:
    """A plain table: its id, caption, headings, and lines of words."""

    id: str
    caption: Both
    columns: Sequence[Both]
    lines: Sequence[Sequence[Both]]


@dataclass(frozen=True)
class InSuite:
    """What one suite says of the system; path: the suite's page; facts: versions and dates by their name."""

    path: str
    title: Both
    standings: Sequence[Standing]
    duels: Sequence[Grid]
    facts: Sequence[tuple[Both, Both]]
    numbers: Grid


def pages(site: Site) -> Iterator[tuple[str, str]]:
    """Path and page of every system."""
    for system in site.systems:
        yield system_path(system), _page(site, system)


def _page(site: Site, system: str) -> str:
    there = [s for s in site.sections if s.overview is None and any(r.system_id == system for r in s.rows)]
    entry = there[0].systems[system]
    return show(
        "site_system.html.j2", site, system_path(system), same(entry.name),
        entry=entry,
        note=both(lambda lang: entry.note.get(lang, "").replace("`", "")) if entry.note else None,
        facts=_record(entry),
        suites=[_in_suite(site, section, system) for section in there],
        spent=_spent(site, there, system),
        left_out=_left_out(there, system),
    )  # fmt: skip


def _record(entry: System) -> list[tuple[Both, Both]]:
    limits = ", ".join(f"{key} {value}" for key, value in entry.limits.items())
    price = text("site.system.no_price")
    if entry.price is not None:
        told = [f"{usd:f}" for usd in (entry.price.usd_per_million_in, entry.price.usd_per_million_out)]
        shown = [Both(usd.replace(".", ","), usd) for usd in told]
        price = text("site.system.price_told", tokens_in=shown[0], tokens_out=shown[1])
    return [
        (text("site.system.id"), same(entry.id)),
        (text("site.system.vendor"), same(entry.vendor)),
        (text("site.system.family"), same(entry.family)),
        (text("site.system.client"), same(entry.client)),
        (text("sheet.takes"), text("sheet.takes_" + "_".join(sorted(entry.inputs)))),
        (text("sheet.limits"), same(limits) if limits else text("sheet.no_limits")),
        (text("site.system.price"), price),
    ]


def _in_suite(site: Site, section: Section, system: str) -> InSuite:
    shown = sheet(section, system)
    facts = [
        (text("sheet.run"), shown.run_date),
        (text("sheet.set"), same(shown.set_version)),
        (text("sheet.prompt"), same(shown.prompt_version)),
        (text("sheet.graders"), same(shown.rubric_version)),
        (text("sheet.seed"), same(str(shown.seed))),
    ]
    told = [one for one in standings(site, section, is_short=False) if any(x.system == system for x in one.lines)]
    ranked = [r for r in site.rankings.get(section.suite, ()) if r.of(system)]
    return InSuite(
        path=suite_path(section.suite),
        title=name("suite", section.suite),
        standings=told,
        duels=[_duels(section, ranking, system, at) for at, ranking in enumerate(ranked)],
        facts=facts,
        numbers=_numbers(section, system),
    )


def _duels(section: Section, ranking: Ranking, system: str, at: int) -> Grid:
    keys = ("other", "verdict", "difference", "interval", "shared", "p", "smallest")
    what = text(
        "site.overview.of", what=metric_name(ranking.metric), group=group_name(ranking.dimension, ranking.group)
    )
    if ranking.judge_id:
        by = text("site.by_judge", judge=judge_name(ranking.judge_id))
        what = Both(f"{what.cs}; {by.cs}", f"{what.en}; {by.en}")
    lines = [_duel(section, duel, system) for duel in ranking.of(system)]
    columns = [text(f"site.system.{key}") for key in keys]
    return Grid(f"{section.suite}-duels-{at}", text("site.system.duels", what=what), columns, lines)


def _duel(section: Section, duel: Duel, system: str) -> list[Both]:
    other = same(section.systems[duel.seen_from(system)[0]].name)
    seen = against(duel, system)
    if duel.found is None or seen.mark is None:
        return [other, seen.n, *[NOTHING] * 5]
    sign = {"better": "✓", "worse": "✗", "open": "≈"}[seen.mark]
    smallest = duel.found.smallest
    return [
        other,
        both(lambda lang: f"{sign}\u00a0{seen.words.of(lang)}"),
        seen.difference or NOTHING,
        seen.interval or NOTHING,
        seen.n,
        _p_value(duel.found.p_holm),
        NOTHING if smallest is None else numbers.points(smallest),
    ]


def _p_value(p: float) -> Both:
    shown = f"{p:.4f}" if p >= 0.0001 else "< 0.0001"
    return Both(shown.replace(".", ","), shown)


def _numbers(section: Section, system: str) -> Grid:
    rows = [r for r in section.rows if r.system_id == system and may_leave(r)]
    keys = ("part", "dimension", "group", "metric", "judge", "value", "interval", "shared_n", "out")
    columns = [_column(key) for key in keys]
    lines = [_number(row) for row in rows]
    caption = text(
        "site.system.numbers_caption", suite=name("suite", section.suite), rows=count("counted.site_numbers", len(rows))
    )
    return Grid(f"{section.suite}-numbers", caption, columns, lines)


def _column(key: str) -> Both:
    return text({"shared_n": "site.n", "out": "site.system.left_out"}.get(key, f"site.system.{key}"))


def _number(row: Tendency) -> list[Both]:
    return [
        text(f"site.split.{row.split}"),
        dimension_name(row.dimension),
        group_name(row.dimension, row.group_name),
        metric_name(row.metric),
        judge_name(row.judge_id) if row.judge_id else NOTHING,
        value_of(row),
        interval_of(row) or NOTHING,
        numbers.integer(row.n_documents),
        numbers.integer(row.n_left_out),
    ]


def _spent(site: Site, sections: Sequence[Section], system: str) -> Grid | None:
    lines = []
    for section in sections:
        if (found := site.spent.get((section.suite, system))) is not None and found[0]:
            n, usd = found
            each = numbers.usd(float(usd) / n)
            times = [_overall(section, system, metric) for metric in ("latency_p50_ms", "latency_p90_ms")]
            lines.append([name("suite", section.suite), numbers.integer(n), numbers.usd(float(usd)), each, *times])
    keys = ("suite", "answers", "usd", "each")
    columns = [text(f"site.system.{key}") for key in keys]
    columns += [metric_name("latency_p50_ms"), metric_name("latency_p90_ms")]
    return Grid("spent", text("site.system.spent_caption"), columns, lines) if lines else None


def _overall(section: Section, system: str, metric: str) -> Both:
    for row in section.rows:
        if (row.system_id, row.split, row.dimension, row.metric) == (system, "public", "overall", metric):
            return value_of(row)
    return NOTHING


def _left_out(sections: Sequence[Section], system: str) -> Grid | None:
    lines = [
        [name("suite", section.suite), name("reason", reason), numbers.integer(n)]
        for section in sections
        for reason, n in section.left_out.get(system, {}).items()
    ]
    columns = [text(f"site.system.{key}") for key in ("suite", "reason", "count")]
    return Grid("left-out", text("site.system.left_out_caption"), columns, lines) if lines else None
