"""Where a provider's filter stopped: by system, provider and message, how often (M-6); behaviour, not a guess at its cause."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from schemas.status import GRADED

Passage = Literal["filtered", "passed", "not_measured"]

UNKNOWN = "unknown"
"""The provider of a call whose reply does not name one."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The last attempt at one message of one trial: turn from 1; provider and status as in `calls`."""

    system_id: str
    case_id: str
    trial: int
    turn: int
    provider: str | None
    status: str


@dataclass(frozen=True, slots=True)
class FilterLine:
    """One system at one provider at one message: trials in which it was filtered, in which it passed, in which neither is known."""

    system_id: str
    provider: str
    turn: int
    filtered: int
    passed: int
    not_measured: int


def filter_lines(turns: Iterable[Turn]) -> list[FilterLine]:
    """The table, in the order of system, provider and message; the order of the turns has no meaning.

    A message is not measured where its call brought no answer for another reason (an error, a time-out, another provider), and where
    the trial was stopped before it: every trial that did not end with an answer counts so for the messages after its last one, up to the
    longest conversation that any system had about that case.
    """
    trials: dict[tuple[str, str, int], list[Turn]] = {}
    longest: dict[str, int] = {}
    for turn in turns:
        trials.setdefault((turn.system_id, turn.case_id, turn.trial), []).append(turn)
        longest[turn.case_id] = max(turn.turn, longest.get(turn.case_id, 0))
    found: Counter[tuple[str, str, int, Passage]] = Counter()
    for of_trial in trials.values():
        for turn in of_trial:
            found[turn.system_id, turn.provider or UNKNOWN, turn.turn, _passage(turn.status)] += 1
        last = max(of_trial, key=lambda t: t.turn)
        if last.status not in GRADED:
            for number in range(last.turn + 1, longest[last.case_id] + 1):
                found[last.system_id, last.provider or UNKNOWN, number, "not_measured"] += 1
    keys = sorted({key[:3] for key in found})
    return [
        FilterLine(*key, found[*key, "filtered"], found[*key, "passed"], found[*key, "not_measured"]) for key in keys
    ]


def _passage(status: str) -> Passage:
    if status == "filtered":
        return "filtered"
    return "passed" if status in GRADED else "not_measured"
