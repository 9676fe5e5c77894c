"""Whether a judge is fit to judge, from the control answers that it graded, and so whether what it produced decides anything (S-5).

A judge is fit for a pass when the lower end of the interval of its share of rightly graded controls reaches `readings.FIT_LOW`. A mean of
several judges is decisive only where each of them is fit. Numbers about the judge itself (how often it flips) need no fitness.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from profiles.legal_scores import JUDGES, OTHER_VENDORS
from schemas import readings
from schemas.grade import PassName
from schemas.tendency import Tendency

RIGHT: dict[str, PassName] = {"control_right_atomic": "atomic", "control_right_holistic": "holistic"}

ATOMIC = frozenset(
    {"atomic_composite", "atomic_composite_flat", "correctness", "avoidance", "grounding", "bonus", "key_missed", "violated", "error_count"}
    | {"sieve", "sieve_bonus", "l1_played", "l1_annulled", "l1_not_reached", "l2_burnt", "l3_own_events", "l4_others_act"}
    | {"l6_out_of_play", "l7_kindness", "l8_plays_user", "unranked"}
)  # fmt: skip
BOTH = frozenset({"holistic_composite", "verdict", "unsafe_completeness_rate"})
"""Numbers that need both passes: the verdict is lowered by what pass 1 says (L-8, L-10)."""

HOLISTIC = frozenset(
    {"trial_score", "conformity", "works", "look", "code", "structure", "logic", "grade_variance",
     "unsafe_completeness", "argument", "citations", "completeness", "looks_complete", "overclaiming", "underclaiming", "aware", "presence"}
)  # fmt: skip

Why = Literal["fit", "unfit", "no_controls", "needless"]


@dataclass(frozen=True)
class Fitness:
    """What stands beside a number: whether it is decisive, why, and the share of the weakest judge and pass behind it (None: not known)."""

    why: Why
    row: Tendency | None = None

    @property
    def is_decisive(self) -> bool:
        """Whether the number may decide anything."""
        return self.why in ("fit", "needless")


def passes_of(metric: str) -> tuple[PassName, ...]:
    """The passes that a number comes from; none for numbers about the judge itself.

    >>> passes_of("correctness"), passes_of("verdict"), passes_of("flip_rate")
    (('atomic',), ('atomic', 'holistic'), ())
    """
    if metric in BOTH:
        return ("atomic", "holistic")
    return ("atomic",) if metric in ATOMIC else ("holistic",) if metric in HOLISTIC else ()


class FitnessOf:
    """The fitness of every judge by the rows of an edition, control answers among them."""

    def __init__(self, rows: Sequence[Tendency]) -> None:
        whole = [r for r in rows if r.metric in RIGHT and r.dimension == "overall"]
        self.rows: Mapping[tuple[str, PassName], Tendency] = {(r.judge_id, RIGHT[r.metric]): r for r in whole}
        models = {(r.system_id, r.judge_id) for r in rows if r.metric == "same_vendor"} - {
            (r.system_id, name) for r in rows for name in (JUDGES, OTHER_VENDORS)
        }
        self._models = models
        self._own = {(r.system_id, r.judge_id) for r in rows if r.metric == "same_vendor" and r.value}

    def members(self, system: str, judge: str) -> list[str]:
        """The judges behind a judge's name: itself, or the models of a mean."""
        if judge not in (JUDGES, OTHER_VENDORS):
            return [judge]
        models = sorted(j for s, j in self._models if s == system)
        return [j for j in models if judge == JUDGES or not self.is_own(system, j)]

    def is_own(self, system: str, judge: str) -> bool:
        """Whether the judge comes from the same vendor as the system; for a mean, whether any of its judges does."""
        return any((system, j) in self._own for j in ([judge] if judge != JUDGES else self.members(system, JUDGES)))

    def beside(self, row: Tendency) -> Fitness:
        """What stands beside a number."""
        return self.of(row.system_id, row.judge_id, row.metric)

    def of(self, system: str, judge_id: str, metric: str) -> Fitness:
        """What stands beside a number of a system by a judge."""
        needed = passes_of(metric)
        if not needed:
            return Fitness("needless")
        found = [self.rows.get((judge, p)) for judge in self.members(system, judge_id) for p in needed]
        known = [r for r in found if r is not None and r.low is not None]
        weakest = min(known, key=lambda r: (r.low or 0.0, r.value or 0.0), default=None)
        if not known or len(known) < len(found):
            return Fitness("no_controls", weakest)
        return Fitness("fit" if weakest is not None and is_fit(weakest) else "unfit", weakest)


def is_fit(row: Tendency | None) -> bool:
    """Whether a share of rightly graded controls makes a judge fit."""
    return row is not None and row.low is not None and row.low >= readings.FIT_LOW
