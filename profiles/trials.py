"""Trials of a case: how each one ended, which one is compared, and how many were extreme (M-6).

A model that refuses, answers nothing or ends the scene in a single trial is asked again (`tasks.trials.next_trial`); the first complete
trial, in order, enters the comparison, and the share of extreme trials stands beside it.
"""

from collections.abc import Callable, Sequence
from typing import Literal

from schemas.status import GRADED

Outcome = Literal["complete", "extreme", "open"]
"""open: no behaviour of the model at all (an error, a time-out, another provider), so it says nothing about the trial."""

IsExtreme = Callable[[Sequence[str]], bool]
"""Whether replies, in order, show behaviour that a suite calls extreme (an ended scene)."""

EXTREME = frozenset({"filtered", "refused"})


def outcome_of(status: str, replies: Sequence[str], is_extreme: IsExtreme | None = None) -> Outcome:
    """How a trial ended: by the status of its answer, the texts of its replies, and what the suite calls extreme.

    >>> outcome_of("ok", ["Dobrý den."]), outcome_of("ok", [" "]), outcome_of("filtered", []), outcome_of("timeout", [])
    ('complete', 'extreme', 'extreme', 'open')
    """
    if status in EXTREME:
        return "extreme"
    if status not in GRADED:
        return "open"
    is_empty = not replies or not replies[-1].strip()
    return "extreme" if is_empty or (is_extreme is not None and is_extreme(replies)) else "complete"


def compared(outcomes: Sequence[Outcome], trials: int = 1) -> list[int]:
    """Numbers of the trials that enter the comparison: the first `trials` complete ones, in order; fewer where there are fewer.

    outcomes: by trial, from the first.

    >>> compared(["extreme", "complete", "complete"])
    [2]
    """
    return [number for number, outcome in enumerate(outcomes, 1) if outcome == "complete"][:trials]


def extreme_share(outcomes: Sequence[Outcome]) -> tuple[int, int]:
    """How many trials were extreme, of how many that say something; it stands beside the compared trial.

    >>> extreme_share(["extreme", "complete"])
    (1, 2)
    """
    return outcomes.count("extreme"), len(outcomes) - outcomes.count("open")
