"""How systems stand in `roleplay` as a table of words: T and R apart, L as its counts, excluded runs listed and not ranked (R-7, R-8)."""

from collections.abc import Sequence

from profiles.fitness import FitnessOf
from profiles.report.numbers import percent
from profiles.roleplay_scores import COUNTER
from schemas.board import Board
from schemas.tendency import Metric, Tendency

L1: tuple[Metric, ...] = ("l1_played", "l1_annulled", "l1_not_reached")
JUDGE_FREE: tuple[Metric, ...] = ("turns", "cut_off", "l5_repetition")
NOT_JUDGED, NOT_RANKED = "not judged", "listed, not ranked"

L_COLUMNS: tuple[tuple[str, Metric], ...] = (
    ("played", "l1_played"), ("annulled", "l1_annulled"), ("not reached", "l1_not_reached"), ("burnt", "l2_burnt"),
    ("own events", "l3_own_events"), ("others", "l4_others_act"), ("repetition", "l5_repetition"), ("out of play", "l6_out_of_play"),
    ("kindness", "l7_kindness"), ("rule 7", "l8_plays_user"),
)  # fmt: skip

CAPTION = (
    "T of 24 and R of 12 points as shares over ranked runs, never one number; L as counts a run. A run whose letter was not burnt, or with "
    "more messages annulled than played, is listed and not ranked. Extreme runs are refused, empty or ended by the model; one run is a "
    "snapshot, not a distribution."
)

Found = dict[tuple[str, str, str, str, str], Tendency]


def index(rows: Sequence[Tendency]) -> Found:
    """Rows by dimension, group, system, judge and metric."""
    return {(r.dimension, r.group_name, r.system_id, r.judge_id, r.metric): r for r in rows}


def tested(rows: Sequence[Tendency], systems: Sequence[str]) -> list[str]:
    """Systems with runs of their own; control transcripts are none."""
    controls = {r.system_id for r in rows if r.metric.startswith("control_")}
    there = {r.system_id for r in rows}
    return [s for s in dict.fromkeys(systems) if s in there and s not in controls]


def judges_of(rows: Sequence[Tendency], systems: Sequence[str]) -> list[str]:
    """Judges that said anything about any of these systems, in the order of their ids."""
    return sorted({r.judge_id for r in rows if r.system_id in systems and r.judge_id not in ("", COUNTER)})


def is_ranked(found: Found, dimension: str, group: str, system: str, judge: str) -> bool:
    """Whether a system has a number of T over ranked runs."""
    row = found.get((dimension, group, system, judge, "sieve"))
    return row is not None and row.value is not None


def in_order(found: Found, dimension: str, group: str, systems: Sequence[str], judge: str) -> list[str]:
    """Ranked systems by falling T; then those that are not ranked, by name. R orders nothing (R-8)."""

    def key(system: str) -> tuple[bool, float, str]:
        row = found.get((dimension, group, system, judge, "sieve"))
        value = row.value if row is not None else None
        return value is None, -(value or 0.0), system

    return sorted(systems, key=key)


def board(rows: Sequence[Tendency], systems: Sequence[str]) -> Board:
    """English words, a line a system, language and judge; without a judge the judged columns say so."""
    found, fitness, shown = index(rows), FitnessOf(rows), tested(rows, systems)
    judges = judges_of(rows, shown) or [""]
    lines = [
        _line(found, fitness, language, system, judge)
        for language in sorted({r.group_name for r in rows if r.dimension == "language"})
        for judge in judges
        for system in in_order(found, "language", language, shown, judge)
    ]
    lines += _control_lines(rows)
    columns = (
        ("system", "judge", "language"),
        ("T", "R", "bonuses"),
        ("L1", "burnt"),
        ("turns", "cut off", "repetition"),
        ("extreme", "runs"),
    )
    caption = " ".join([CAPTION, *_fitness_told(rows), *([f"Run of {lines[0]['run']}."] if lines else [])])
    return Board(rows=tuple(lines), shown=columns, caption=caption)


def _line(found: Found, fitness: FitnessOf, language: str, system: str, judge: str) -> dict[str, str]:
    def row(metric: str, of: str = judge) -> Tendency | None:
        return found.get(("language", language, system, of, metric))

    coverage, sieve = row("coverage", ""), row("sieve")
    assert coverage is not None
    own = " (same vendor)" if fitness.is_own(system, judge) else ""
    told = sieve is not None and (sieve.value is not None or sieve.note == "all_excluded")
    ranked = "" if sieve is None or sieve.note != "all_excluded" else f" – {NOT_RANKED}"
    excluded = row("unranked")
    return {
        "system": f"{system}{ranked}",
        "judge": f"{judge}{own}" if judge else NOT_JUDGED,
        "language": language,
        "T": _share(row("sieve"), fitness),
        "R": _share(row("presence"), fitness),
        "bonuses": _mean(row("sieve_bonus")) if told else NOT_JUDGED,
        "L": ", ".join(
            f"{name} {_mean(row(metric, COUNTER if metric in JUDGE_FREE else judge))}" for name, metric in L_COLUMNS
        ),
        "L1": " / ".join(_mean(row(metric)) for metric in L1) if row("l1_played") else NOT_JUDGED,
        "burnt": _mean(row("l2_burnt")),
        "repetition": _mean(row("l5_repetition", COUNTER)),
        "excluded": _mean(excluded),
        "turns": f"{_mean(row('turns', COUNTER))} of 14",
        "cut off": _mean(row("cut_off", COUNTER)),
        "extreme": _extreme(row("extreme", "")),
        "runs": f"{coverage.n_items}",
        "run": coverage.run_date,
    }  # fmt: skip


def _control_lines(rows: Sequence[Tendency]) -> list[dict[str, str]]:
    """What a program counted in control transcripts, a line a kind; they are no systems under test (S-5)."""
    at = {(r.group_name, r.metric): r for r in rows if r.dimension == "control_kind" and r.judge_id == COUNTER}
    return [
        {
            "system": f"controls: {kind}", "judge": "–", "language": "all", "T": "–", "R": "–", "bonuses": "–",
            "L1": "–", "burnt": "–", "repetition": _mean(at[kind, "l5_repetition"]),
            "L": f"repetition {_mean(at[kind, 'l5_repetition'])}", "excluded": "–", "turns": f"{_mean(row)} of 14",
            "cut off": _mean(at[kind, "cut_off"]), "extreme": "–", "runs": f"{row.n_items}", "run": row.run_date,
        }
        for (kind, metric), row in at.items()
        if metric == "turns" and row.n_items
    ]  # fmt: skip


def _share(row: Tendency | None, fitness: FitnessOf) -> str:
    if row is None or row.value is None:
        return NOT_RANKED if row is not None and row.note == "all_excluded" else NOT_JUDGED
    sign = "" if fitness.beside(row).is_decisive else ", not decisive"
    return f"{percent(row.value).en}{sign}"


def _mean(row: Tendency | None) -> str:
    return NOT_JUDGED if row is None or row.value is None else f"{row.value:.1f}".removesuffix(".0")


def _extreme(row: Tendency | None) -> str:
    if row is None or row.value is None:
        return "–"
    return f"{round(row.value * row.n_items)} of {row.n_items}"


def _fitness_told(rows: Sequence[Tendency]) -> list[str]:
    """How many control transcripts each judge graded rightly, a sentence a judge."""
    names = {"control_right_atomic": "T and L", "control_right_holistic": "R"}
    told: dict[str, list[str]] = {}
    for row in rows:
        if row.metric in names and row.dimension == "overall" and row.value is not None:
            told.setdefault(row.judge_id, []).append(f"{percent(row.value).en} of {row.n_items} in {names[row.metric]}")
    return [f"Controls graded rightly by {judge}: {', '.join(parts)}." for judge, parts in sorted(told.items())]
