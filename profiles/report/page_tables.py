"""The tables of the chapter on web pages: fitness, standing, tasks, repeatability, agreement with people (A-7 to A-10, S-5)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from profiles.fitness import Fitness, FitnessOf, is_fit
from profiles.page_agreement import Agreement, Badge, Trials
from profiles.page_board import Found, overall
from profiles.page_repeat import Repeatability
from profiles.page_scores import PEOPLE, SCORE, is_person
from profiles.report import numbers
from profiles.report.tables import Cell, Line, Table
from profiles.report.texts import Both, both, count, name, order_of, same, text
from schemas.artifacts import OF_JUDGES, PEOPLE_ONLY, SHARED
from schemas.system import System
from schemas.tendency import Metric, Tendency

SHOWN: tuple[str, ...] = (SCORE, *OF_JUDGES, *PEOPLE_ONLY)


@dataclass(frozen=True)
class Judged(Cell):
    """A number of a judge; beside: its fitness in words; is_decisive: whether the number may decide anything."""

    beside: Both | None = None
    is_decisive: bool = True


def judge_name(judge: str) -> Both:
    """A judge as the page calls it: programs and medians in words, others by their ids."""
    return name("web.judge", judge)


def cell_of(row: Tendency | None, fitness: Fitness | None = None, counted: str = "web_tasks") -> Judged:
    """A share with its interval and the fitness of its judge; counted: the word for what it was counted over."""
    if row is None or row.value is None:
        return Judged(why=text("web.not_judged"))
    ends = None if row.low is None or row.high is None else numbers.percents(row.low, row.high)
    bar = None if row.low is None or row.high is None else (100 * row.low, 100 * row.value, 100 * row.high)
    n = count(f"counted.{counted}", row.n_documents)
    told = fitness.row.value if fitness is not None and fitness.row is not None else None
    beside = None
    if fitness is not None and fitness.why != "needless":
        beside = text("web.fitness.none") if told is None else text("web.fitness.beside", share=numbers.percent(told))
    return Judged(
        numbers.percent(row.value), ends, n, bar, beside=beside, is_decisive=fitness is None or fitness.is_decisive
    )


class PageTables:
    """The tables of one edition; systems: those under test."""

    def __init__(self, rows: Sequence[Tendency], systems: Mapping[str, System], suite: str) -> None:
        self.rows, self.systems, self.suite = rows, systems, suite
        self.fitness = FitnessOf(rows)
        self.found: Found = overall(rows)

    def cell(self, row: Tendency | None) -> Judged:
        """A number with the fitness of its judge; people need none."""
        is_human = row is not None and (row.judge_id == PEOPLE or is_person(row.judge_id))
        return cell_of(row, None if row is None or is_human else self.fitness.beside(row))

    def standing(self, judge: str) -> Table:
        """Whole sets by one judge: a line a system by falling score, a column a criterion that the judge grades."""
        there = [s for s in self.systems if (s, judge, SCORE) in self.found]
        there.sort(key=lambda s: -(self.found[s, judge, SCORE].value or -1.0))
        metrics = [m for m in SHOWN if any((s, judge, m) in self.found for s in there)]
        lines = [
            Line(self._name(s, judge), tuple(self.cell(self.found.get((s, judge, m))) for m in metrics)) for s in there
        ]
        columns = [text(f"web.metric.{m}") for m in metrics]
        return self._table(f"standing-{judge}", text("web.caption.standing"), text("board.system"), columns, lines)

    def by_task(self, judge: str, titles: Mapping[str, str]) -> Table:
        """The score by task: a line a task, a column a system."""
        rows = {
            (r.group_name, r.system_id): r
            for r in self.rows
            if r.dimension == "task" and r.judge_id == judge and r.metric == SCORE
        }
        systems = [s for s in self.systems if any(system == s for _, system in rows)]
        tasks = sorted({task for task, _ in rows})
        lines = [Line(same(titles.get(t, t)), tuple(self.cell(rows.get((t, s))) for s in systems)) for t in tasks]
        columns = [self._name(s, judge) for s in systems]
        return self._table(f"tasks-{judge}", text("web.caption.tasks"), text("web.task"), columns, lines)

    def fit(self) -> Table | None:
        """A column a judge, since kinds of control pages are many: how many it graded rightly, all and by kind; None where none was graded."""
        rows = {
            (r.judge_id, r.dimension, r.group_name, r.metric): r for r in self.rows if r.metric.startswith("control_")
        }
        judges = list(dict.fromkeys(judge for judge, *_ in rows))
        kinds = order_of("web.kind", sorted({group for _, dimension, group, _ in rows if dimension == "control_kind"}))
        whole = [self._fit_cell(rows.get((judge, "overall", "all", "control_right_holistic"))) for judge in judges]
        told: list[tuple[Both, tuple[str, str, Metric]]] = [
            (text("web.fitness.criteria"), ("overall", "all", "control_rules"))
        ]
        told += [(name("web.kind", kind), ("control_kind", kind, "control_right_holistic")) for kind in kinds]
        lines = [Line(text("web.fitness.right"), tuple(whole))]
        for heading, key in told:
            lines.append(Line(heading, tuple(cell_of(rows.get((j, *key)), counted="web_controls") for j in judges)))
        columns = [judge_name(judge) for judge in judges]
        table = self._table("fitness", text("web.fitness.caption"), text("web.fitness.first"), columns, lines)
        return table if judges else None

    def _fit_cell(self, row: Tendency | None) -> Judged:
        if row is None or row.value is None:
            return Judged(why=text("web.fitness.none"), is_decisive=False)
        plain, key = cell_of(row), "fit" if is_fit(row) else "unfit"
        n = count("counted.web_controls", row.n_items)
        return Judged(
            plain.value, plain.interval, n, plain.bar, beside=text(f"web.fitness.{key}"), is_decisive=is_fit(row)
        )

    def repeated(self, found: Mapping[tuple[str, str], Repeatability], titles: Mapping[str, str]) -> Table | None:
        """A line a system and task: trials, variance of the median grades, similarity of code, verdict (A-8)."""
        lines = [
            Line(
                same(f"{self.systems[system].name} · {titles.get(task, task)}"),
                (
                    Cell(numbers.integer(r.n)),
                    Cell(text("cell.none") if r.variance is None else decimal(r.variance, 3)),
                    Cell(numbers.percent(r.similarity)),
                    Cell(text(f"web.repeat.{r.verdict}")),
                ),
            )
            for (system, task), r in sorted(found.items())
        ]
        columns = [text(f"web.repeat.{key}") for key in ("n", "variance", "similarity", "verdict")]
        table = self._table("repeat", text("web.repeat.caption"), text("web.repeat.first"), columns, lines)
        return table if lines else None

    def _name(self, system: str, judge: str) -> Both:
        plain = same(self.systems[system].name)
        return text("web.same_vendor", system=plain) if self.fitness.is_own(system, judge) else plain

    def _table(self, slug: str, caption: Both, first: Both, columns: Iterable[Both], lines: Sequence[Line]) -> Table:
        return Table(f"{self.suite}-{slug}", caption, first, tuple(columns), tuple(lines))


def decimal(value: float, digits: int = 2) -> Both:
    """A plain number.

    >>> decimal(-0.404), decimal(-0.001).cs
    (Both(cs='−0,40', en='−0.40'), '0,00')
    """
    written = f"{value:.{digits}f}"
    written = written.lstrip("-") if float(written) == 0 else written.replace("-", numbers.MINUS)
    return both(lambda lang: written.replace(".", ",") if lang == "cs" else written)


def given(value: float) -> Both:
    """A grade or a median of grades: with as many digits as it has, one at least.

    >>> given(0.25).cs, given(1.0).en
    ('0,25', '1.0')
    """
    return decimal(value, 1 if round(value, 1) == value else 2)


def by_model(found: Sequence[Agreement], suite: str, slug: str) -> Table:
    """Agreement of means by model (A-9)."""
    lines = [
        Line(
            _who(a),
            (
                Cell(numbers.integer(a.models.n)),
                Cell(numbers.percent(a.models.mean)),
                Cell(numbers.percent(a.models.largest)),
                Cell(text("cell.none") if a.models.spearman is None else decimal(a.models.spearman)),
            ),
        )
        for a in found
    ]
    columns = [text(f"web.agreement.{key}") for key in ("models", "mean", "largest", "spearman")]
    return Table(
        f"{suite}-{slug}-models",
        text("web.agreement.by_model"),
        text("web.judge_heading"),
        tuple(columns),
        tuple(lines),
    )


TRIALS = ("n", "mean", "median", "close", "far", "largest", "bias", "lower")


def _trial_cells(t: Trials) -> tuple[Cell, ...]:
    shares = (t.mean, t.median, t.close, t.far, t.largest)
    shown = [numbers.integer(t.n), *map(numbers.percent, shares), numbers.points(t.bias), numbers.percent(t.lower)]
    return tuple(Cell(value) for value in shown)


def by_trial(found: Sequence[Agreement], suite: str, slug: str) -> Table:
    """Agreement of single trials, who is stricter and by how much (A-9)."""
    lines = [Line(_who(a), _trial_cells(a.trials)) for a in found]
    columns = [text(f"web.agreement.{key}") for key in TRIALS]
    return Table(
        f"{suite}-{slug}-trials",
        text("web.agreement.by_trial"),
        text("web.judge_heading"),
        tuple(columns),
        tuple(lines),
    )


def within(
    one: Agreement, badges: Sequence[Badge], suite: str, titles: Mapping[str, str], words: Mapping[str, int]
) -> list[Table]:
    """One judge beside people by task (with the length of its specification) and by criterion, each with its badges (A-9)."""
    tasks = [
        Line(
            same(titles.get(task, task)),
            (Cell(numbers.integer(words.get(task, 0))), *_trial_cells(t), _badges(badges, task=task)),
        )
        for task, t in sorted(one.by_task.items(), key=lambda item: words.get(item[0], 0))
    ]
    criteria = [
        Line(text(f"web.metric.{c}"), (*_trial_cells(one.by_criterion[c]), _badges(badges, criterion=c)))
        for c in SHARED
        if c in one.by_criterion
    ]
    heads = [text(f"web.agreement.{key}") for key in (*TRIALS, "badges")]
    slug, who = f"{suite}-{one.judge}", judge_name(one.judge)
    length = text("web.agreement.words")
    return [
        Table(f"{slug}-by-task", text("web.agreement.by_task", judge=who), text("web.task"), (length, *heads), tuple(tasks)),
        Table(f"{slug}-by-criterion", text("web.agreement.by_criterion", judge=who), text("web.criterion"), tuple(heads), tuple(criteria)),
    ]  # fmt: skip


def _badges(badges: Sequence[Badge], task: str | None = None, criterion: str | None = None) -> Cell:
    n = sum((task is None or b.key[1] == task) and (criterion is None or b.criterion == criterion) for b in badges)
    return Cell(numbers.integer(n))


def _who(a: Agreement) -> Both:
    if a.other == PEOPLE:
        return judge_name(a.judge)
    return text("web.agreement.pair", first=judge_name(a.judge), second=judge_name(a.other))
