"""Which trial of a case comes next: the planned ones, then further ones while the model behaves in an extreme way (M-6)."""

from collections.abc import Callable, Sequence
from typing import cast

from profiles.trials import IsExtreme, Outcome, outcome_of
from schemas.answer import Answer
from tasks.suites import Suite


def next_trial(outcomes: Sequence[Outcome], trials: int = 1, reruns: int = 0) -> int | None:
    """The number of the next trial of a case, or None; outcomes: of its trials so far, in order.

    All `trials` planned ones are asked. After them, as long as fewer than `trials` are complete, further ones, `reruns` at most. A trial
    without an outcome (an error, a time-out) is repeated by the next run first, so none is scheduled beyond it.

    >>> next_trial([]), next_trial(["extreme"]), next_trial(["extreme"], reruns=3), next_trial(["extreme", "complete"], reruns=3)
    (1, None, 2, None)
    """
    asked = len(outcomes)
    if asked >= trials and ("open" in outcomes or outcomes.count("complete") >= trials or asked >= trials + reruns):
        return None
    return asked + 1


def planned_trials(suite: Suite, client: object, case_id: str) -> int:
    """How many trials of a case are planned: as many as its client says, where it says so (`controls`), else as many as the suite."""
    trials: Callable[[str], int] | None = getattr(client, "trials", None)
    return suite.trials if trials is None else trials(case_id)


def next_trial_of(suite: Suite, answers: Sequence[Answer], planned: int | None = None) -> int | None:
    """The number of the next trial of a case in a suite, from the answers of its trials so far; None where it is done.

    planned: trials of this case, where they are not those of the suite (`planned_trials`).
    """
    outcomes = [outcome_of(a.status, a.replies, extreme_in(suite)) for a in answers]
    return next_trial(outcomes, suite.trials if planned is None else planned, suite.reruns)


def extreme_in(suite: Suite) -> IsExtreme | None:
    """What a suite calls extreme beyond refusals and empty answers: `is_extreme(replies)` of its source, where it has one."""
    return cast("IsExtreme | None", getattr(suite.source, "is_extreme", None))
