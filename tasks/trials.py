"""Which trial of a case comes next: the planned ones, then further ones while the model behaves in an extreme way (M-6)."""

from collections.abc import Callable, Sequence
from typing import Protocol, cast, runtime_checkable

from profiles.trials import IsExtreme, Outcome, outcome_of
from schemas.answer import Answer
from schemas.case import Case
from schemas.exchange import Brief
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


@runtime_checkable
class HasTrials(Protocol):
    """A client that has as many answers to a case as it says, whatever the suite asks of others (`controls`)."""

    def trials(self, case_id: str) -> int:
        """How many trials of a case there are."""


@runtime_checkable
class HasTurns(Protocol):
    """A client that wants to know how many turns a conversation has before it says whether it answers it (`recorded`)."""

    def expect(self, case_id: str, planned: int, most: int) -> None:
        """planned: turns of the case; most: with the repeat that a suite may ask for (M-2)."""


class Answering(Protocol):
    """As much of a client as says which cases it answers."""

    def answers(self, case_id: str) -> bool:
        """Whether it can be asked about a case at all."""


def is_answered(client: Answering, brief: Brief) -> bool:
    """Whether a client can be asked about a case at all, whole conversation and all."""
    if isinstance(client, HasTurns):
        planned = 1 + len(brief.messages)
        client.expect(brief.case_id, planned, planned + (brief.answer_schema is not None))
    return client.answers(brief.case_id)


def answers_case(client: Answering, case: Case) -> bool:
    """The same of a case, whose brief is read only where it matters."""
    return is_answered(client, case.to_brief()) if hasattr(client, "expect") else client.answers(case.case_id)


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
