"""Whether a judge graded a control answer right, in each pass (S-5).

Pass 1 makes three outcomes of an answer, from its rules of must and must not alone:

- foil: something is violated; or all of several must_contain are missed, so nothing of the right answer is there.
- right: every must_contain is fulfilled and nothing violated.
- partly: the rest: something is missed, something is there, nothing violated. So the key exception alone may be missed; and the only
  must_contain of a case may.

Pass 2 makes them of the verdict, before pass 1 can lower it: 1, 0.5 or 0, as the mean of both orders. A grade that a judge could not give
in a usable form (`ungrounded`, `unread`), and a preference that flips with the order, is not right; a question that was not answered and
a rule that a judge does not judge leave the control out of its fitness.
"""

from profiles.legal_marks import FAULTS, Marks, Wanted, is_full, usable
from profiles.legal_scores import Scores, flipped, mean_of
from schemas import readings
from schemas.grade import Grade
from schemas.legal import ControlKind, Mark

EXPECTED: dict[ControlKind, float] = {"right": 1.0, "partly": 0.5, "foil": 0.0}
"""The verdict that a control answer has to get; the score `control_kind` tells it."""

KIND_OF = {value: kind for kind, value in EXPECTED.items()}


def outcome_of(wanted: Wanted, marks: Marks) -> ControlKind:
    """The outcome of pass 1; every rule of must and must not has a usable grade."""
    n_fulfilled = sum(is_full(marks.rules[i]) for i in wanted.must)
    if any(not is_full(marks.rules[i]) for i in wanted.must_not):
        return "foil"
    if n_fulfilled == len(wanted.must):
        return "right"
    return "partly" if n_fulfilled or len(wanted.must) == 1 else "foil"


def control_scores(wanted: Wanted, marks: Marks, expected: Mark) -> Scores:
    """What the grades of one judge say of one control answer; 0 and 1 for wrong and right, and the share of single rules as expected."""
    found: Scores = {"control_kind": EXPECTED[expected.kind]}
    grades = [marks.rules.get(i) for i in (*wanted.must, *wanted.must_not)]
    if not any(_was_not_had(g) for g in grades):
        is_right = all(map(usable, grades)) and outcome_of(wanted, marks) == expected.kind
        found["control_right_atomic"] = float(is_right)
    told = [(g, g.item in (*expected.misses, *expected.violates)) for g in grades if g is not None and usable(g)]
    if told:
        found["control_rules"] = sum(is_full(g) != is_lost for g, is_lost in told) / len(told)
    if (is_right_whole := _whole(marks, expected)) is not None:
        found["control_right_holistic"] = float(is_right_whole)
    return found


def _was_not_had(grade: Grade | None) -> bool:
    return grade is None or (not usable(grade) and grade.error not in FAULTS)


def _whole(marks: Marks, expected: Mark) -> bool | None:
    verdicts = marks.whole.get("verdict", {})
    n_needed = 2 if marks.is_asked_twice else 1
    if len(verdicts) < n_needed or any(_was_not_had(g) for g in verdicts.values()):
        return None
    if marks.is_asked_twice and flipped(marks) is not False and readings.FLIP_DECIDES_NOTHING:
        return False
    return mean_of(marks, "verdict") == EXPECTED[expected.kind]
