"""How systems stand in `artifacts` as a table of words: a row a system and judge, with the judge's fitness (A-7, S-5)."""

from collections.abc import Sequence

from profiles.fitness import Fitness, FitnessOf
from profiles.page_scores import JUDGES, MECHANICAL, PEOPLE, SCORE, is_person
from profiles.report.numbers import percent, percents
from schemas import readings
from schemas.artifacts import SHARED
from schemas.board import Board
from schemas.tendency import Tendency

NOT_DECISIVE = "not decisive"

CAPTION = (
    "Points of the most possible over the criteria that the judge grades, with the 95 % interval over tasks; `judges` is the median of all "
    f"models that judge, `people` of all people. A judge whose share of rightly graded controls has a lower end below {readings.FIT_LOW:.0%} "
    "decides nothing. Judges advise; the ranking is signed by a person."
)  # fmt: skip

Found = dict[tuple[str, str, str], Tendency]


def overall(rows: Sequence[Tendency]) -> Found:
    """Rows of whole sets by system, judge and metric."""
    return {(r.system_id, r.judge_id, r.metric): r for r in rows if r.dimension == "overall"}


def judges_in(found: Found) -> list[str]:
    """Judges in the order of the page: people, the median of judges, the mechanical one, then one by one."""
    names = {judge for _, judge, metric in found if judge and metric == SCORE}
    first = [name for name in (PEOPLE, JUDGES, MECHANICAL) if name in names]
    return [*first, *sorted(names - set(first))]


def board(rows: Sequence[Tendency], systems: Sequence[str]) -> Board:
    """English words; each judge by falling score. Rows of control pages tell fitness and are not listed."""
    fitness, found = FitnessOf(rows), overall(rows)
    lines = []
    for judge in judges_in(found):
        told = [s for s in dict.fromkeys(systems) if (s, judge, SCORE) in found]
        told.sort(key=lambda s: -(found[s, judge, SCORE].value or -1.0))
        lines += [_line(found, fitness, system, judge) for system in told]
    shown = (
        ("system", "judge"),
        ("score",),
        ("works",),
        ("look",),
        ("conformity",),
        ("code",),
        ("controls",),
        ("tasks",),
    )
    run = next((r.run_date for r in rows), None)
    caption = " ".join([CAPTION, *fitness_told(rows), *([f"Run of {run}."] if run else [])])
    return Board(rows=tuple(lines), shown=shown, caption=caption)


def _line(found: Found, fitness: FitnessOf, system: str, judge: str) -> dict[str, str]:
    row = found[system, judge, SCORE]
    beside = None if is_person(judge) or judge == PEOPLE else fitness.beside(row)
    mark = " (same vendor)" if fitness.is_own(system, judge) else ""
    cells = {name: found.get((system, judge, name)) for name in SHARED}
    return {
        "system": system,
        "judge": f"{judge}{mark}",
        "score": _number(row, beside),
        **{name: _number(cell, beside) for name, cell in cells.items()},
        "controls": _controls(beside),
        "tasks": f"{row.n_documents} of {row.n_documents + row.n_left_out}",
        "run": row.run_date,
    }


def _number(row: Tendency | None, fitness: Fitness | None) -> str:
    if row is None or row.value is None:
        return "not judged"
    ends = f" ({percents(row.low, row.high).en})" if row.low is not None and row.high is not None else ""
    sign = "" if fitness is None or fitness.is_decisive else f", {NOT_DECISIVE}"
    return f"{percent(row.value).en}{ends}{sign}"


def _controls(fitness: Fitness | None) -> str:
    if fitness is None:
        return "a person"
    row = fitness.row
    if row is None or row.value is None:
        return "none graded"
    ends = f" ({percents(row.low, row.high).en})" if row.low is not None and row.high is not None else ""
    return f"{percent(row.value).en}{ends}"


def fitness_told(rows: Sequence[Tendency]) -> list[str]:
    """How many control pages each judge graded rightly, a sentence a judge."""
    whole = [
        r for r in rows if r.dimension == "overall" and r.metric == "control_right_holistic" and r.value is not None
    ]
    return [
        f"Controls graded rightly by {r.judge_id}: {_number(r, None)} of {r.n_items}."
        for r in sorted(whole, key=lambda r: r.judge_id)
    ]
