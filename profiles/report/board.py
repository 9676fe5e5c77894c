"""The leaderboard of a suite: systems with all their numbers, those that took only a part of the documents apart."""

from collections.abc import Sequence
from dataclasses import dataclass

from profiles.report import numbers
from profiles.report.material import Section
from profiles.report.standing import Standing, standings
from profiles.report.tables import Against, Cell, Tables, against_bar, cell_of
from profiles.report.texts import Both, both, count, name, same, text
from schemas.case import Split
from schemas.tendency import Metric

PARTIAL = frozenset({"takes_no_image", "takes_no_text", "not_asked"})
"""Reasons for which a system is listed apart: it was measured on other documents than the rest (G-11)."""


@dataclass(frozen=True)
class Entry:
    """One system on the leaderboard."""

    standing: Standing
    name: Both
    accuracy: Cell
    faultless: Cell
    valid: Cell
    valid_first: Cell
    p50: Cell
    p90: Cell
    cost: Cell
    n_fields: Both
    against: Against | None
    scored: Both
    left_out: tuple[Both, ...]
    is_partial: bool


@dataclass(frozen=True)
class Sheet:
    """What stands beside the results of a system: who it is, its limits (M-7), and what was run when (G-9)."""

    name: Both
    vendor: str
    takes: Both
    limits: Both
    note: Both | None
    run_date: Both
    set_version: str
    prompt_version: str
    rubric_version: str
    seed: int


def entries(section: Section, split: Split) -> list[Entry]:
    """The leaderboard of one part of the set, whole sets before partial ones."""
    systems = list(section.systems)
    tables = Tables(section, split, systems)
    found = [_entry(section, tables, s) for s in standings(section.rows, systems) if s.split == split]
    return sorted(found, key=lambda entry: entry.is_partial)


def _entry(section: Section, tables: Tables, standing: Standing) -> Entry:
    def cell(metric: Metric) -> Cell:
        return cell_of(tables.row(standing.system, "overall", "all", metric))

    accuracy = tables.row(standing.system, "overall", "all", "field_accuracy")
    reasons = section.left_out.get(standing.system, {})
    told = reasons if standing.split == "public" else {}
    total = standing.n_scored + standing.n_left_out
    return Entry(
        standing=standing,
        name=same(section.systems[standing.system].name),
        accuracy=cell("field_accuracy"),
        faultless=cell("faultless"),
        valid=cell("valid"),
        valid_first=cell("valid_first"),
        p50=cell("latency_p50_ms"),
        p90=cell("latency_p90_ms"),
        cost=cell("cost_per_1000_usd"),
        n_fields=count("counted.fields", accuracy.n_items if accuracy else 0),
        against=against_bar(accuracy),
        scored=text("board.scored", n=numbers.integer(standing.n_scored), total=numbers.integer(total)),
        left_out=tuple(
            text("board.left_out", n=numbers.integer(n), reason=name("reason", reason)) for reason, n in told.items()
        ),
        is_partial=bool(PARTIAL & reasons.keys()),
    )


def sheets(section: Section) -> list[Sheet]:
    """The record of every system, in the order of the leaderboard."""
    return [sheet(section, entry.standing.system) for entry in entries(section, "public")]


def sheet(section: Section, system_id: str) -> Sheet:
    """The record of one system in a section that has rows of it."""
    system = section.systems[system_id]
    row = next(r for r in section.rows if r.system_id == system_id)
    limits = ", ".join(f"{key} {value}" for key, value in system.limits.items())
    return Sheet(
        name=same(system.name),
        vendor=system.vendor,
        takes=text("sheet.takes_" + "_".join(sorted(system.inputs))),
        limits=same(limits) if limits else text("sheet.no_limits"),
        note=both(lambda lang: system.note.get(lang, "").replace("`", "")) if system.note else None,
        run_date=numbers.day(row.run_date),
        set_version=row.set_version,
        prompt_version=row.prompt_version,
        rubric_version=row.rubric_version,
        seed=row.seed,
    )


def order(section: Section) -> Sequence[str]:
    """System ids in the order of the public leaderboard."""
    return [entry.standing.system for entry in entries(section, "public")]
