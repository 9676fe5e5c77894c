"""How systems stand in `roleplay` as a table of words: T and R apart, L as its counts, excluded runs listed and not ranked (R-7, R-8)."""

from collections.abc import Sequence

from profiles.fitness import FitnessOf
from profiles.report.numbers import percent
from profiles.roleplay_found import Found, in_order, index, judges_of, tested
from profiles.roleplay_scores import COUNTER
from profiles.roleplay_together import Spread, Together, together
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

MEDIANS: tuple[Metric, ...] = ("sieve", "presence", "sieve_bonus", *(m for _, m in L_COLUMNS if m not in JUDGE_FREE))
"""Numbers of judges that have a median."""

CAPTION = (
    "T of 24 and R of 12 points as shares over ranked runs, never one number; L as counts a run. A run whose letter was not burnt, or with "
    "more messages annulled than played, is listed and not ranked. Extreme runs are refused, empty or ended by the model; one run is a "
    "snapshot, not a distribution."
)


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
    for language in sorted({r.group_name for r in rows if r.dimension == "language"}):
        lines += [
            _median_line(found, fitness, language, one)
            for one in together(found, fitness, language, shown, judges, MEDIANS)
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


def _median_line(found: Found, fitness: FitnessOf, language: str, one: Together) -> dict[str, str]:
    """The median of all judges of a system, and how far apart they are (G-5)."""

    def counted(metric: str) -> str:
        return _mean(found.get(("language", language, one.system, COUNTER, metric)))

    def middle(metric: str) -> str:
        spread = one.numbers.get(metric)
        return NOT_JUDGED if spread is None else f"{spread.middle:.1f}".removesuffix(".0")

    coverage, extreme = (found["language", language, one.system, "", m] for m in ("coverage", "extreme"))
    ranked = "" if one.is_ranked else f" – {NOT_RANKED}"
    burnt = one.numbers.get("l2_burnt")
    same_house = [judge for judge in one.judges if fitness.is_own(one.system, judge)]
    own = f" (same vendor: {', '.join(same_house)})" if same_house else ""
    return {
        "system": f"{one.system}{ranked}", "judge": f"median of {len(one.judges)}{own}", "language": language,
        "T": _apart(one.numbers.get("sieve"), is_ranked=one.is_ranked), "R": _apart(one.numbers.get("presence"), is_ranked=one.is_ranked),
        "bonuses": middle("sieve_bonus"), "L1": " / ".join(middle(metric) for metric in L1),
        "L": ", ".join(
            f"{name} {counted(metric) if metric in JUDGE_FREE else middle(metric)}" for name, metric in L_COLUMNS
        ),
        "burnt": NOT_JUDGED if burnt is None else f"{sum(v > 0.5 for v in burnt.by_judge.values())} of {len(burnt.by_judge)} judges",
        "repetition": counted("l5_repetition"), "excluded": f"by {len(one.excluding)} of {len(one.judges)} judges",
        "turns": f"{counted('turns')} of 14", "cut off": counted("cut_off"), "extreme": _extreme(extreme),
        "runs": f"{coverage.n_items}", "run": coverage.run_date,
    }  # fmt: skip


def _apart(spread: Spread | None, *, is_ranked: bool) -> str:
    """A median share with the lowest and the highest judge."""
    if spread is None or not is_ranked:
        return NOT_RANKED if not is_ranked else NOT_JUDGED
    low, high = (percent(end).en for end in spread.ends)
    sign = "" if spread.is_decisive else ", not decisive"
    return f"{percent(spread.middle).en} ({low} to {high}){sign}"


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
