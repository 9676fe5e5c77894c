"""Whether a failure is one of language or of play: the Czech run of a scenario against its English control round (R-11)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from schemas import readings
from schemas.tendency import Tendency

Play = Literal["plays", "weak", "broken"]
"""plays: L does not exclude the run and T has its share of points; weak: not excluded, fewer points; broken: excluded, or no complete run."""

Verdict = Literal["plays_both", "not_in_czech", "neither", "broken_everywhere", "only_czech"]

VERDICTS: Mapping[tuple[Play, Play], Verdict] = {
    ("plays", "plays"): "plays_both",
    ("plays", "weak"): "only_czech", ("plays", "broken"): "only_czech",
    ("weak", "plays"): "not_in_czech", ("broken", "plays"): "not_in_czech",
    ("weak", "weak"): "neither", ("broken", "weak"): "neither", ("weak", "broken"): "neither",
    ("broken", "broken"): "broken_everywhere",
}  # fmt: skip
"""By the Czech run, then the English one: it plays well but not in Czech; neither Czech nor the rules; broken in any language."""


@dataclass(frozen=True)
class LanguageVerdict:
    """One scenario by one judge: how both runs went and what that says."""

    system_id: str
    scenario: str
    judge_id: str
    czech: Play
    english: Play
    verdict: Verdict


def play_of(sieve: float | None, is_excluded: bool | None, is_complete: bool) -> Play | None:
    """How a run went; None where nobody judged it.

    >>> play_of(0.8, False, True), play_of(0.4, False, True), play_of(0.8, True, True), play_of(None, None, False), play_of(None, None, True)
    ('plays', 'weak', 'broken', 'broken', None)
    """
    if not is_complete or is_excluded:
        return "broken"
    if sieve is None or is_excluded is None:
        return None
    return "plays" if sieve >= readings.PLAYS_WELL else "weak"


def language_verdicts(rows: Sequence[Tendency]) -> list[LanguageVerdict]:
    """By system, scenario and judge, where both languages were asked and judged; in the order of their names."""
    case: dict[tuple[str, str, str, str], Tendency] = {
        (r.system_id, r.judge_id, r.group_name, r.metric): r for r in rows if r.dimension == "case"
    }
    judges = {(s, j, g.rpartition("-")[0]) for s, j, g, m in case if m == "sieve"}
    found = []
    for system, judge, scenario in sorted(judges):
        czech, english = (_play(case, system, judge, f"{scenario}-{language}") for language in ("cs", "en"))
        if czech is not None and english is not None:
            verdict = VERDICTS[czech, english]
            found.append(LanguageVerdict(system, scenario, judge, czech, english, verdict))
    return found


def _play(case: Mapping[tuple[str, str, str, str], Tendency], system: str, judge: str, case_id: str) -> Play | None:
    coverage = case.get((system, "", case_id, "coverage"))
    extreme = case.get((system, "", case_id, "extreme"))
    if coverage is None or extreme is None or extreme.value is None:
        return None  # the scenario is not there in this language, or no run of it says anything
    sieve, unranked = (case.get((system, judge, case_id, metric)) for metric in ("sieve", "unranked"))
    is_excluded = None if unranked is None or unranked.value is None else unranked.value > 0.5
    return play_of(sieve.value if sieve else None, is_excluded, bool(coverage.value))
