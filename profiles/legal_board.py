"""How systems stand in `legal` as a table of words: approved cases first, drafts apart, a row a system and judge (L-4, L-7, S-5)."""

from collections.abc import Sequence

from profiles.fitness import Fitness, FitnessOf
from profiles.legal_fold import APPROVED
from profiles.legal_marks import MECHANICAL
from profiles.legal_scores import JUDGES, OTHER_VENDORS
from profiles.report.numbers import percent, percents
from schemas import readings
from schemas.board import Board
from schemas.tendency import Metric, Tendency

MAIN: Metric = "atomic_composite" if readings.ATOMIC_PENALTY == "factor" else "atomic_composite_flat"
"""The reading of L-7 that orders the standing."""

OTHER: Metric = "atomic_composite_flat" if readings.ATOMIC_PENALTY == "factor" else "atomic_composite"

COLUMNS: dict[str, Metric] = {
    "by rules": MAIN, "other reading": OTHER, "as a whole": "holistic_composite", "looks complete, is not": "unsafe_completeness_rate",
}  # fmt: skip

DRAFT = "not reviewed by a lawyer"
STATES = {APPROVED: "standing", "reviewed": "reviewed, not approved", "draft": DRAFT}

NOT_DECISIVE = "not decisive"

CAPTION = (
    "Composite by rules in both readings of the 50 % rule, composite of the whole, and share of answers that look complete while the key "
    "exception is missed; each with its 95 % interval over cases. A judge's controls say how many known grades it hit; below "
    f"{readings.FIT_LOW:.0%} at the lower end nothing that it says is decisive. Only approved cases are a standing."
)  # fmt: skip

PASSES: dict[str, Metric] = {"by rules": "control_right_atomic", "as a whole": "control_right_holistic"}

Found = dict[tuple[str, str, str, str], Tendency]


def state_of(row: Tendency) -> str | None:
    """The state that a row of a whole set is about."""
    return APPROVED if row.dimension == "overall" else row.group_name if row.dimension == "state" else None


def whole_sets(rows: Sequence[Tendency]) -> Found:
    """Rows of whole sets by state, system, judge and metric."""
    return {(state, r.system_id, r.judge_id, r.metric): r for r in rows if (state := state_of(r)) is not None}


def judges_in(found: Found) -> list[str]:
    """Judges in the order of the page: the mechanical one, means of models, then one by one."""
    names = {judge for _, _, judge, metric in found if judge and not metric.startswith("control")}
    first = [name for name in (MECHANICAL, JUDGES, OTHER_VENDORS) if name in names]
    return [*first, *sorted(names - set(first))]


def board(rows: Sequence[Tendency], systems: Sequence[str]) -> Board:
    """English words; each part and judge by falling composite. Rows of control answers tell fitness and are not listed."""
    fitness, found = FitnessOf(rows), whole_sets(rows)
    lines = []
    for state in STATES:
        for judge in judges_in(found):
            told = [s for s in dict.fromkeys(systems) if _is_there(found, state, s, judge)]
            told.sort(key=lambda s: -_value(found.get((state, s, judge, MAIN))))
            lines += [_line(found, fitness, state, s, judge) for s in told]
    shown = (
        ("system", "judge"),
        ("part",),
        ("by rules", "other reading"),
        ("as a whole",),
        ("looks complete, is not",),
        ("controls",),
        ("cases",),
    )
    caption = " ".join([CAPTION, *_fitness_told(rows), *([f"Run of {lines[0]['run']}."] if lines else [])])
    return Board(rows=tuple(lines), shown=shown, caption=caption)


def _fitness_told(rows: Sequence[Tendency]) -> list[str]:
    """How many controls each judge graded rightly, a sentence a judge."""
    told = []
    whole = {
        (r.judge_id, r.metric): r for r in rows if r.dimension == "overall" and r.metric.startswith("control_right")
    }
    for judge in sorted({judge for judge, _ in whole}):
        passes = [(name, whole.get((judge, metric))) for name, metric in PASSES.items()]
        parts = [
            f"{_number(row, None)} of {row.n_items} {name}"
            for name, row in passes
            if row is not None and row.value is not None
        ]
        if parts:
            told.append(f"Controls graded rightly by {judge}: {', '.join(parts)}.")
    return told


def _is_there(found: Found, state: str, system: str, judge: str) -> bool:
    """Whether there is any case of the state; a system without approved cases has no row in the standing."""
    rows = [found.get((state, system, judge, metric)) for metric in COLUMNS.values()]
    return any(r is not None and r.note != "no_cases" for r in rows)


def _value(row: Tendency | None) -> float:
    return -1.0 if row is None or row.value is None else row.value


def _line(found: Found, fitness: FitnessOf, state: str, system: str, judge: str) -> dict[str, str]:
    rows = {name: found.get((state, system, judge, metric)) for name, metric in COLUMNS.items()}
    row = next(r for r in rows.values() if r is not None)
    mark = " (same vendor)" if fitness.is_own(system, judge) else ""
    told = {name: fitness.beside(r) for name, r in rows.items() if r is not None}
    return {
        "system": system,
        "judge": f"{judge}{mark}",
        "part": STATES[state],
        **{name: _number(r, told.get(name)) for name, r in rows.items()},
        "controls": _controls(told),
        "cases": f"{row.n_documents} of {row.n_documents + row.n_left_out}",
        "run": row.run_date,
    }


def _number(row: Tendency | None, fitness: Fitness | None) -> str:
    if row is None or row.value is None:
        return (row.note if row else None) or "–"
    ends = f" ({percents(row.low, row.high).en})" if row.low is not None and row.high is not None else ""
    sign = "" if fitness is None or fitness.is_decisive else f", {NOT_DECISIVE}"
    return f"{percent(row.value).en}{ends}{sign}"


def _controls(told: dict[str, Fitness]) -> str:
    """The weakest share of rightly graded controls behind the numbers of a line."""
    weakest = min(
        (f for f in told.values() if f.row is not None), key=lambda f: (f.row and f.row.low) or 0, default=None
    )
    row = weakest.row if weakest else None
    if row is None or row.value is None:
        return f"none graded, {NOT_DECISIVE}"
    ends = f" ({percents(row.low, row.high).en})" if row.low is not None and row.high is not None else ""
    return f"{percent(row.value).en}{ends}"
