"""Versions of one system side by side: what got better and what got worse (G-3).

Two are compared: systems of one family in one edition, and a system in an older edition with the same one now. A change counts only where
the two intervals do not meet; that is stricter than a paired test, and asks nothing of the cases being the same.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from profiles.legal_board import STATES
from profiles.legal_fold import APPROVED, GROUPS
from profiles.report import numbers
from profiles.report.law_tables import BY_GROUP, LESS_IS_BETTER, STANDING, LawTables, judge_name, share_cell
from profiles.report.material import Section
from profiles.report.tables import Cell
from profiles.report.texts import Both, name, same, text
from schemas.tendency import Metric, Tendency

Change = Literal["better", "worse", "open"]
MARKS: dict[Change, str] = {"better": "▲", "worse": "▼", "open": "≈"}


@dataclass(frozen=True)
class Compared:
    """One number in two versions; difference in percentage points, later minus earlier."""

    what: Both
    judge: Both
    before: Cell
    after: Cell
    difference: Both
    change: Change
    told: Both


@dataclass(frozen=True)
class Versions:
    """Two versions side by side; columns: what each is called; lines: what changed for certain first."""

    id: str
    title: Both
    columns: tuple[Both, Both]
    lines: tuple[Compared, ...]


def change_of(before: Tendency, after: Tendency) -> Change:
    """Better or worse where the intervals do not meet."""
    if before.low is None or before.high is None or after.low is None or after.high is None:
        return "open"
    is_less_better = after.metric in LESS_IS_BETTER
    if after.low > before.high:
        return "worse" if is_less_better else "better"
    if after.high < before.low:
        return "better" if is_less_better else "worse"
    return "open"


def versions(section: Section, tables: LawTables) -> list[Versions]:
    """All comparisons of a section: within a family first, then with older editions, newest first."""
    found = []
    for first, second in _families(tables):
        columns = (same(tables.systems[first].name), same(tables.systems[second].name))
        title = text("law.versions.family", first=columns[0], second=columns[1])
        lines = _compared(tables, (tables.rows, first), (tables.rows, second))
        found.append(Versions(f"{section.suite}-{first}-{second}", title, columns, lines))
    for older in section.older:
        for system in tables.systems:
            columns = (same(older.edition), same(section.edition))
            title = text("law.versions.edition", system=same(tables.systems[system].name), edition=older.edition)
            lines = _compared(tables, (older.rows, system), (tables.rows, system))
            found.append(Versions(f"{section.suite}-{system}-{older.edition}", title, columns, lines))
    return [one for one in found if one.lines]


def _families(tables: LawTables) -> Iterator[tuple[str, str]]:
    """Neighbours in a family, in the order of their ids."""
    families: dict[tuple[str, str], list[str]] = {}
    for system in sorted(tables.systems):
        entry = tables.systems[system]
        families.setdefault((entry.vendor, entry.family), []).append(system)
    for members in families.values():
        yield from pairwise(members)


def _compared(
    tables: LawTables, before: tuple[Sequence[Tendency], str], after: tuple[Sequence[Tendency], str]
) -> tuple[Compared, ...]:
    """Each number that both have; what an unfit judge says has not changed for certain."""
    left, right = _numbers(*before), _numbers(*after)
    lines = []
    for key in right.keys() & left.keys():
        old, new = left[key], right[key]
        change: Change = "open"
        told = text("law.fitness.not_decisive")
        if tables.fitness.beside(new).is_decisive:
            change = change_of(old, new)
            told = text(f"law.versions.{change}")
        difference = numbers.points((new.value or 0.0) - (old.value or 0.0))
        judge = judge_name(new.judge_id)
        lines.append((key, Compared(_what(new), judge, share_cell(old), share_cell(new), difference, change, told)))
    place = {key: number for number, key in enumerate(right)}
    lines.sort(key=lambda line: (line[1].change == "open", place[line[0]]))
    return tuple(line for _, line in lines)


def _numbers(rows: Sequence[Tendency], system: str) -> dict[tuple[str, str, Metric, str], Tendency]:
    """The numbers that versions are compared by: whole sets and groups, with a value."""
    wanted = {"overall": STANDING, "state": STANDING}
    for state in STATES:
        wanted |= {d if state == APPROVED else f"{d}_{state}": BY_GROUP for d in GROUPS}
    return {
        (r.dimension, r.group_name, r.metric, r.judge_id): r
        for r in rows
        if r.system_id == system and r.metric in wanted.get(r.dimension, ()) and r.value is not None
    }


def _what(row: Tendency) -> Both:
    """A number in words: its metric, the group, and that it is of drafts."""
    base, _, state = row.dimension.partition("_") if row.dimension not in GROUPS else (row.dimension, "", "")
    if row.dimension.startswith("meta_task"):
        base, state = "meta_task", row.dimension.removeprefix("meta_task").lstrip("_")
    metric = text(f"law.metric.{row.metric}")
    if row.dimension == "overall":
        return metric
    if row.dimension == "state":
        return text("law.versions.of", metric=metric, group=name("state", row.group_name))
    group = name(base, row.group_name)
    told = text("law.versions.of", metric=metric, group=group)
    return text("law.versions.of", metric=told, group=name("state", state)) if state else told
