"""What to do after an attempt that brought no answer: wait and ask again, ask in another form, or stop (M-2, M-5)."""

import random
from collections.abc import Callable

from schemas.call import Call
from schemas.errors import StageError
from schemas.exchange import Form

FORMS: tuple[Form, ...] = ("schema", "json", "none")
"""M-2: by schema, then as any object, then in words alone."""

PATIENT = frozenset({"rate_limit"})
"""Never the model's fault: repeated until there is an answer."""

PASSING = frozenset({"server", "network", "timeout"})
"""Repeated a few times in this run, then left to the next one."""

STOPPING = {
    "key": "the key is refused",
    "credits": "the credits do not suffice",
    "gone": "the model is not there",
    "daily_quota": "the quota of the day is used up",
}
"""Asking on cannot help: the rest of the cases waits for the next run."""

MOST_PASSING, MOST_OTHER = 5, 2
LONGEST_WAIT_S = 60.0


class SystemStoppedError(StageError):
    """A system cannot be asked any further now: key, credits, model or quota."""


def stop_reason(call: Call) -> str | None:
    """Why nothing more may be asked after this call, or None."""
    return f"{STOPPING[call.fault]} ({call.error})" if call.fault in STOPPING else None


def is_over(attempts: int, call: Call) -> bool:
    """Whether a request is not repeated in this run, after so many attempts at it in this run."""
    if call.fault in PATIENT:
        return False
    return attempts >= (MOST_PASSING if call.fault in PASSING else MOST_OTHER)


def wait_before(
    attempts: int, fault: str | None, wait_s: float | None, jitter: Callable[[], float] = random.random
) -> float:
    """Seconds before the next attempt: what the server asks for, else doubling from half a second, with jitter.

    >>> wait_before(1, "server", 7.0, lambda: 1.0), wait_before(3, "server", None, lambda: 1.0), wait_before(1, None, None)
    (7.0, 2.0, 0.0)
    """
    if wait_s is not None:
        return wait_s
    if fault is None:
        return 0.0
    return min(LONGEST_WAIT_S, 0.5 * 2.0 ** (attempts - 1)) * (0.5 + 0.5 * jitter())


def next_form(form: Form) -> Form | None:
    """The form after one that was rejected; None after the last."""
    at = FORMS.index(form) + 1
    return FORMS[at] if at < len(FORMS) else None
