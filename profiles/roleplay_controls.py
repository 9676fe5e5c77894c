"""Whether a judge graded a control transcript rightly, in each pass (S-5, `readings.CONTROL_NEAR`).

Pass 1 is right where most items of T are near the expected points and axis L excludes the run just as expected, pass 2 where most items of
R are near. Beside them stands the share of single items that were hit exactly. An item that the judge could not give in a usable form is
not hit; a rubric that it was not asked leaves the control out of that pass.
"""

from collections.abc import Sequence

from profiles.roleplay_scores import BONUSES, Marks, scores_of
from schemas import readings
from schemas.roleplay import CONTROL_KINDS, R_ITEMS, T_ITEMS, ControlKind, Expected

MOST_ITEMS = 0.8
"""The share of items that have to be near."""

UNASKED = ("unasked", "api_error", "timeout")

KIND_OF: dict[float, ControlKind] = dict(enumerate(CONTROL_KINDS))
"""The score `control_kind` tells the kind by its place."""


def control_scores(marks: Marks, expected: Expected, kind: ControlKind) -> dict[str, float]:
    """What the grades of one judge say of one control transcript; 0 and 1 for wrong and right."""
    found = {"control_kind": float(CONTROL_KINDS.index(kind))}
    points = expected.points
    scores = scores_of(marks)
    if _was_had(marks, T_ITEMS) and "unranked" in scores:
        is_excluded = not expected.L.L2 or expected.L.L1.annulled > expected.L.L1.played
        is_near = _near(marks, points, T_ITEMS)
        found["control_right_atomic"] = float(is_near and bool(scores["unranked"]) == is_excluded)
    if _was_had(marks, R_ITEMS):
        found["control_right_holistic"] = float(_near(marks, points, R_ITEMS))
    told = marks.usable([item for item in (*T_ITEMS, *BONUSES, *R_ITEMS) if item in points])
    if told:
        found["control_rules"] = sum(g.points == points[g.item] for g in told) / len(told)
    return found


def _was_had(marks: Marks, items: Sequence[str]) -> bool:
    """Whether the judge answered about these items at all."""
    return any((g := marks.points.get(item)) is not None and g.error not in UNASKED for item in items)


def _near(marks: Marks, points: dict[str, int], items: Sequence[str]) -> bool:
    given = {g.item: g.points for g in marks.usable(items)}
    near = [item in given and abs(given[item] - points[item]) <= readings.CONTROL_NEAR for item in items]
    return sum(near) >= MOST_ITEMS * len(items)
