"""What the grades of one run of role-play come to, judge by judge: T, R, and the counts of axis L, which are never one number (R-7, R-8).

| score                     | of        | value |
|---------------------------|-----------|-------|
| `sieve`                   | a judge   | points of T of those that could be given, a share |
| `sieve_bonus`             | a judge   | bonuses of T that were given; B4 only where message 10 was played |
| `presence`                | a judge   | points of R of those that could be given, a share |
| `l1_played` …             | a judge   | messages played, annulled, not reached; with those whose label is not usable they are 13 |
| `l2_burnt`, `l3` … `l8`   | a judge   | yes or no; events |
| `unranked`                | a judge   | whether L1 or L2 exclude the run |
| `left_out`                | a judge   | grades and labels that are not usable |
| `turns`, `cut_off`, `l5`  | `counter` | answers with words, cut-off turns, the longest chain of repetition |
| `extreme`                 | `counter` | whether the run shows extreme behaviour (M-6) |

A score that has no usable grade behind it is not there: not judged is never 0 (G-11).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from schemas import readings
from schemas.grade import Grade
from schemas.profile import Score
from schemas.roleplay import MESSAGES, PLAYED, R_ITEMS, T_ITEMS

COUNTER = "counter"
PROGRAMS = (COUNTER, "masking")
EVENTS_READ = "events"
NOT_REACHED = "not_reached"

BONUSES = ("B1", "B2", "B3", "B4")
PLEA = 10
"""The message with the out-of-play praise and plea, which B4 is about."""

L1 = ("l1_played", "l1_annulled", "l1_not_reached")
EVENT_SCORES = {
    "L3": "l3_own_events", "L4": "l4_others_act", "L6": "l6_out_of_play", "L7": "l7_kindness", "L8": "l8_plays_user",
}  # fmt: skip
"""Events that are counted, by axis."""


@dataclass
class Marks:
    """All that one judge said of one run: points by item, labels by axis and number."""

    judge_id: str
    points: dict[str, Grade] = field(default_factory=dict)
    labels: dict[str, Grade] = field(default_factory=dict)
    is_same_vendor: bool = False

    def usable(self, items: Iterable[str]) -> list[Grade]:
        """Grades of these items that count."""
        return [g for item in items if (g := self.points.get(item)) is not None and g.max_points > 0]

    @property
    def messages(self) -> dict[int, Grade]:
        """Labels of L1 that count, by message."""
        return {int(i[3:]): g for i, g in self.labels.items() if i.startswith("L1@") and g.error is None}

    @property
    def has_events(self) -> bool:
        """Whether the judge gave a list of events at all."""
        return (read := self.labels.get(EVENTS_READ)) is not None and read.error is None

    def events(self, axis: str) -> list[Grade]:
        """Events of an axis that count, in their order."""
        return [g for i, g in sorted(self.labels.items()) if i.startswith(f"{axis}@") and g.error is None]


def marks_of(grades: Sequence[Grade]) -> list[Marks]:
    """The grades of one run by judge, in the order of their ids; programs are no judges."""
    found: dict[str, Marks] = {}
    for grade in grades:
        if grade.judge_id in PROGRAMS:
            continue
        marks = found.setdefault(grade.judge_id, Marks(grade.judge_id))
        is_label = grade.item == EVENTS_READ or "@" in grade.item
        (marks.labels if is_label else marks.points)[grade.item] = grade
        marks.is_same_vendor |= bool(grade.is_same_vendor)
    return [found[judge] for judge in sorted(found)]


def scores_of(marks: Marks) -> dict[str, float]:
    """The numbers of one judge about one run."""
    found: dict[str, float] = {}
    for name, items in (("sieve", T_ITEMS), ("presence", R_ITEMS)):
        if grades := marks.usable(items):
            found[name] = sum(g.points for g in grades) / sum(g.max_points for g in grades)
    if bonuses := marks.usable(BONUSES):
        found["sieve_bonus"] = sum(g.points for g in bonuses if not _is_unearned(marks, g))
    found |= _axis(marks)
    every = [*marks.points.values(), *(g for i, g in marks.labels.items() if i != EVENTS_READ)]
    found["left_out"] = float(sum(g.error not in (None, NOT_REACHED) and not _counts(g) for g in every))
    return found


def _is_unearned(marks: Marks, bonus: Grade) -> bool:
    """Whether the bonus is for message 10 and the same judge says that it was annulled (`readings.ANNULLED_EARNS_NO_BONUS`)."""
    state = marks.messages.get(PLEA)
    return readings.ANNULLED_EARNS_NO_BONUS and bonus.item == "B4" and state is not None and state.label == "annulled"


def _counts(grade: Grade) -> bool:
    return grade.max_points > 0 or ("@" in grade.item and grade.error is None)


def _axis(marks: Marks) -> dict[str, float]:
    """The counts of axis L, recounted from the labels alone."""
    found: dict[str, float] = {}
    messages = marks.messages
    if messages:
        words = [g.label for g in messages.values()]
        found |= {name: float(words.count(word)) for name, word in zip(L1, PLAYED, strict=True)}
        found["l1_left_out"] = float(MESSAGES - len(messages))
    if marks.has_events:
        found["l2_burnt"] = float(bool(marks.events("L2")))
        found |= {name: float(len(marks.events(axis))) for axis, name in EVENT_SCORES.items()}
    if messages and marks.has_events:
        found["unranked"] = float(not found["l2_burnt"] or found["l1_annulled"] > found["l1_played"])
    return found


def counted_scores(grades: Sequence[Grade], *, is_extreme: bool) -> dict[str, float]:
    """The numbers of the program about one run."""
    by_item = {g.item: g for g in grades if g.judge_id == COUNTER}
    names = {"turns": "turns", "cut_off": "cut_off", "L5": "l5_repetition"}
    found = {name: by_item[item].points for item, name in names.items() if item in by_item}
    return {**found, "extreme": float(is_extreme)}


def as_scores(judge: str, numbers: dict[str, float], *, is_same_vendor: bool = False) -> list[Score]:
    """Numbers as they stand in a profile."""
    return [Score(judge_id=judge, metric=m, value=v, is_same_vendor=is_same_vendor) for m, v in numbers.items()]
