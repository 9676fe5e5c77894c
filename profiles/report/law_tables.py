"""The tables of the legal chapter: every judge's numbers with its fitness beside each, fitness itself, versions side by side (S-5, G-3)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from profiles.fitness import RIGHT, Fitness, FitnessOf, is_fit, passes_of
from profiles.legal_board import MAIN, OTHER, Found, whole_sets
from profiles.legal_fold import APPROVED, GROUPS
from profiles.report import numbers
from profiles.report.tables import Cell, Line, Table
from profiles.report.texts import Both, count, name, order_of, same, text
from schemas.legal import ControlKind
from schemas.system import System
from schemas.tendency import Metric, Tendency

STANDING: tuple[Metric, ...] = (MAIN, OTHER, "holistic_composite", "unsafe_completeness_rate")
AREAS: tuple[Metric, ...] = (
    "correctness", "avoidance", "grounding", "bonus", "unsafe_completeness", "overclaiming", "underclaiming", "aware",
)  # fmt: skip
OF_JUDGE: tuple[Metric, ...] = ("verdict", "argument", "citations", "completeness", "flip_rate", "order_difference")
BY_GROUP: tuple[Metric, ...] = (MAIN, "key_missed", "violated", "unsafe_completeness_rate")
"""What is told of areas, categories and meta-tasks: systemic errors of reasoning."""

WHY = ("flipped", "ungrounded", "unread", "unasked", "not_judged", "missing")
KINDS: tuple[ControlKind, ...] = ("right", "partly", "foil")
LESS_IS_BETTER = frozenset(
    {"key_missed", "violated", "unsafe_completeness", "unsafe_completeness_rate", "overclaiming", "underclaiming"}
)


@dataclass(frozen=True)
class Judged(Cell):
    """A number of a judge; beside: its fitness in words; is_decisive: whether the number may decide anything."""

    beside: Both | None = None
    is_decisive: bool = True


Index = dict[tuple[str, str, str, str, str], Tendency]


def share_cell(row: Tendency | None, fitness: Fitness | None = None) -> Judged:
    """A share with its interval and what stands beside it."""
    if row is None or row.value is None:
        return Judged(why=text("cell.none") if row is None else name("note", row.note or "no_cases"))
    ends = None if row.low is None or row.high is None else numbers.percents(row.low, row.high)
    bar = None if row.low is None or row.high is None else (100 * row.low, 100 * row.value, 100 * row.high)
    beside = None if fitness is None or fitness.why == "needless" else _beside(fitness)
    is_decisive = fitness is None or fitness.is_decisive
    n = count("counted.law_cases", row.n_documents)
    return Judged(numbers.percent(row.value), ends, n, bar, beside=beside, is_decisive=is_decisive)


def _of_controls(row: Tendency | None) -> Judged:
    """A share of known answers, which are counted as such."""
    plain = share_cell(row)
    return plain if row is None or row.value is None else replace(plain, n=count("counted.law_controls", row.n_items))


def _beside(fitness: Fitness) -> Both:
    if fitness.row is None or fitness.row.value is None:
        return text("law.fitness.no_controls")
    key = "no_controls_for_both" if fitness.why == "no_controls" else fitness.why
    return text(f"law.fitness.beside_{key}", share=numbers.percent(fitness.row.value))


class LawTables:
    """The tables of one edition; systems: those under test, in the order of their columns."""

    def __init__(self, rows: Sequence[Tendency], systems: dict[str, System], suite: str) -> None:
        self.rows, self.systems, self.suite = rows, systems, suite
        self.fitness = FitnessOf(rows)
        self.found: Found = whole_sets(rows)
        self.index: Index = {(r.dimension, r.group_name, r.system_id, r.metric, r.judge_id): r for r in rows}

    def cell(self, row: Tendency | None) -> Judged:
        """A number with the fitness of its judge."""
        return share_cell(row, None if row is None else self.fitness.beside(row))

    def _name(self, system: str, judge: str) -> Both:
        plain = same(self.systems[system].name)
        return text("law.same_vendor", system=plain) if self.fitness.is_own(system, judge) else plain

    def there(self, state: str, judge: str) -> list[str]:
        """Systems that a judge says anything of in a state, by falling composite of the main reading."""
        rows = {s: self.found.get((state, s, judge, MAIN)) for s in self.systems}
        known = [s for s, r in rows.items() if r is not None and r.note != "no_cases"]
        return sorted(known, key=lambda s: -(v if (r := rows[s]) and (v := r.value) is not None else -1.0))

    def whole(self, state: str, judge: str, metrics: Sequence[Metric], slug: str) -> Table:
        """Whole sets of a state by one judge: a line a system, a column a metric."""
        lines = [
            Line(self._name(s, judge), tuple(self.cell(self.found.get((state, s, judge, m))) for m in metrics))
            for s in self.there(state, judge)
        ]
        columns = [text(f"law.metric.{m}") for m in metrics]
        return self._table(f"{state}-{judge}-{slug}", text(f"law.caption.{slug}"), text("board.system"), columns, lines)

    def by_group(self, state: str, judge: str) -> list[Table]:
        """By area, category and meta-task: a table a metric, a line a group, a column a system."""
        systems, tables = self.there(state, judge), []
        for dimension in GROUPS:
            at = dimension if state == APPROVED else f"{dimension}_{state}"
            groups = order_of(dimension, sorted({g for d, g, *_ in self.index if d == at}))
            for metric in BY_GROUP:
                lines = [
                    Line(
                        name(dimension, group),
                        tuple(self.cell(self.index.get((at, group, s, metric, judge))) for s in systems),
                    )
                    for group in groups
                ]
                caption = text(f"law.by.{dimension}", metric=text(f"law.metric.{metric}"))
                columns = [self._name(s, judge) for s in systems]
                tables.append(
                    self._table(
                        f"{state}-{judge}-{dimension}-{metric}", caption, text(f"law.first.{dimension}"), columns, lines
                    )
                )
        return [table for table in tables if table.lines]

    def counts(self, state: str, judge: str, dimension: str, groups: Sequence[str]) -> Table | None:
        """How often each reason (left out, errors of reasoning) occurs: a line a system; None where none does."""
        at = dimension if state == APPROVED else f"{dimension}_{state}"
        lines = []
        for system in self.there(state, judge):
            rows = [self.index.get((at, group, system, "error_count", judge)) for group in groups]
            cells = tuple(Judged(numbers.integer(r.value or 0) if r else numbers.integer(0)) for r in rows)
            if any(r and r.value for r in rows):
                lines.append(Line(self._name(system, judge), cells))
        columns = [text(f"law.{dimension}.{group}") for group in groups]
        caption = text(f"law.caption.{dimension}")
        table = self._table(f"{state}-{judge}-{dimension}", caption, text("board.system"), columns, lines)
        return table if lines else None

    def fit(self) -> Table | None:
        """A line a judge: right controls in each pass, single rules as expected; None where no control was graded."""
        controls = [r for r in self.rows if r.metric in (*RIGHT, "control_rules")]
        judges = sorted({r.judge_id for r in controls}, key=lambda j: (j != "signals", j))
        lines = []
        for judge in judges:
            whole: dict[str, Tendency] = {
                r.metric: r for r in controls if r.judge_id == judge and r.dimension == "overall"
            }
            cells = [self._fit_cell(whole.get(metric)) for metric in RIGHT]
            rules = share_cell(whole.get("control_rules"))
            lines.append(Line(judge_name(judge), (*cells, rules)))
        columns = [text(f"law.fitness.{key}") for key in ("atomic", "holistic", "rules")]
        table = self._table("fitness", text("law.fitness.caption"), text("law.fitness.judge"), columns, lines)
        return table if lines else None

    def _fit_cell(self, row: Tendency | None) -> Judged:
        if row is None or row.value is None:
            return Judged(why=text("law.fitness.no_controls"), is_decisive=False)
        key = "fit" if is_fit(row) else "unfit"
        return replace(_of_controls(row), beside=text(f"law.fitness.{key}"), is_decisive=is_fit(row))

    def fit_by(self) -> Table | None:
        """By kind of control and by category: a line a judge and pass."""
        controls = [r for r in self.rows if r.metric in RIGHT and r.dimension in ("control_kind", "category")]
        kinds: list[str] = list(KINDS)
        categories = order_of("category", sorted({r.group_name for r in controls if r.dimension == "category"}))
        groups = [*(("control_kind", k) for k in kinds), *(("category", c) for c in categories)]
        at = {(r.judge_id, r.metric, r.dimension, r.group_name): r for r in controls}
        lines = [
            Line(
                text(f"law.fitness.in_{RIGHT[metric]}", judge=judge_name(judge)),
                tuple(_of_controls(at.get((judge, metric, *group))) for group in groups),
            )
            for judge, metric in sorted({(j, m) for j, m, *_ in at})
        ]
        columns = [name(dimension, group) for dimension, group in groups]
        table = self._table("fitness-by", text("law.fitness.by_caption"), text("law.fitness.judge"), columns, lines)
        return table if lines else None

    def _table(self, slug: str, caption: Both, first: Both, columns: Iterable[Both], lines: Sequence[Line]) -> Table:
        return Table(f"{self.suite}-{slug}", caption, first, tuple(columns), tuple(lines))


def judge_name(judge: str) -> Both:
    """A judge as the page calls it: the mechanical one and the means in words, others by their ids."""
    return name("judge", judge)


def fitness_line(tables: LawTables, judge: str, metrics: Sequence[Metric], systems: Sequence[str]) -> Both:
    """The sentence above a judge's tables: whether it is fit, by its controls."""
    rows = [
        r for s in systems for m in metrics for r in tables.rows if (r.system_id, r.metric, r.judge_id) == (s, m, judge)
    ]
    found = [tables.fitness.beside(r) for r in rows if passes_of(r.metric)]
    if found and all(f.is_decisive for f in found):
        return text("law.fitness.all_decisive")
    return text("law.fitness.some_decisive" if any(f.is_decisive for f in found) else "law.fitness.none_decisive")
