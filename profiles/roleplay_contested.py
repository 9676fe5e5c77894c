"""Grades on which judges are far apart, for a person to read (R-9)."""

from collections.abc import Sequence
from dataclasses import dataclass

from profiles.roleplay_scores import Marks
from schemas.grade import Grade
from schemas.roleplay import MESSAGES

FAR = {2.0: 2.0, 1.0: 1.0}
"""By the points possible, how far apart two judges have to be: 0 against 2, a bonus given or not."""


@dataclass(frozen=True)
class Contested:
    """One item of one run: the grades of all judges that gave a usable one, in the order of their ids."""

    item: str
    grades: tuple[Grade, ...]


def contested(judges: Sequence[Marks]) -> list[Contested]:
    """Contested items of a run: of T, R and bonuses by points, of L1 by state, of L2 by yes or no."""
    found = []
    for item in sorted({item for marks in judges for item in marks.points}, key=_order):
        grades = [g for marks in judges for g in marks.usable([item])]
        spread = max((g.points for g in grades), default=0.0) - min((g.points for g in grades), default=0.0)
        if grades and spread >= FAR.get(grades[0].max_points, 2.0):
            found.append(Contested(item, tuple(grades)))
    for message in range(1, MESSAGES + 1):
        states = [marks.messages[message] for marks in judges if message in marks.messages]
        if len({g.label for g in states}) > 1:
            found.append(Contested(f"L1@{message:02}", tuple(states)))
    burnt = [marks for marks in judges if marks.has_events]
    if len({bool(marks.events("L2")) for marks in burnt}) > 1:
        found.append(Contested("L2", tuple(g for marks in burnt for g in marks.events("L2")[:1])))
    return found


def _order(item: str) -> tuple[int, int]:
    return "TBR".find(item[0]), int(item[1:]) if item[1:].isdigit() else 0
