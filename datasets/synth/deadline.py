"""Deadlines of messages and the day that each of them means, by the rules of counting that the prompt states (D-9).

| kind                | counted from the day of the message in which it stands                    |
|---------------------|-----------------------------------------------------------------------------|
| `absolute`, `day`   | the date itself; without a year the nearest such day strictly after           |
| `today`, `tomorrow` | the day itself, the next one                                                |
| `weekday`           | the nearest such weekday strictly after                                     |
| `in_days`           | so many calendar days after; a week is 7, two weeks are 14                  |
| `end_of_week`       | Friday of the same week, weeks running from Monday to Sunday                 |
| `end_of_next_week`  | Friday of the week after                                                    |
| `end_of_month`      | the last calendar day of the month                                          |
| `end_of_next_month` | the last calendar day of the month after                                    |
| `end_of_year`       | 31 December                                                                 |

What could be read in two ways is never drawn: the end of the week from Friday on, the end of the next week at a weekend, the end of a
month or year on its last two days, "today" as anything but the day of the message.
"""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta
from random import Random

KINDS = (
    "absolute", "day", "today", "tomorrow", "weekday", "in_days", "end_of_week", "end_of_next_week", "end_of_month",
    "end_of_next_month", "end_of_year",
)  # fmt: skip
DAYS = (3, 5, 7, 10, 14, 21, 30)
"""Numbers of days that `in_days` says."""

_OFFSETS = (1, 2, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 15, 17, 20, 24, 28, 35, 45)


@dataclass(frozen=True)
class Deadline:
    """A deadline as it is said: its kind, the day that it means, and the number that it names (days, or the weekday from Monday 0)."""

    kind: str
    day: date
    number: int = 0


def resolve(kind: str, sent: date, number: int = 0) -> date:
    """The day that a relative deadline means in a message of the day `sent`.

    >>> resolve("weekday", date(2024, 3, 1), 4), resolve("end_of_month", date(2024, 2, 10))
    (datetime.date(2024, 3, 8), datetime.date(2024, 2, 29))
    """
    match kind:
        case "today":
            return sent
        case "tomorrow":
            return sent + timedelta(days=1)
        case "weekday":
            return sent + timedelta(days=(number - sent.weekday() - 1) % 7 + 1)
        case "in_days":
            return sent + timedelta(days=number)
        case "end_of_week":
            return sent + timedelta(days=4 - sent.weekday())
        case "end_of_next_week":
            return sent + timedelta(days=11 - sent.weekday())
        case "end_of_month":
            return _last_day(sent.year, sent.month)
        case "end_of_next_month":
            return _last_day(sent.year + sent.month // 12, sent.month % 12 + 1)
        case "end_of_year":
            return date(sent.year, 12, 31)
    raise ValueError(f"no deadline is of the kind {kind!r}: expected one of {', '.join(KINDS[2:])}")


def is_clear(kind: str, sent: date) -> bool:
    """Whether a deadline of this kind can be read in one way only in a message of that day."""
    match kind:
        case "end_of_week":
            return sent.weekday() <= 3
        case "end_of_next_week":
            return sent.weekday() <= 4
        case "end_of_month" | "end_of_next_month":
            return sent.day <= _last_day(sent.year, sent.month).day - 2
        case "end_of_year":
            return sent.month >= 10 and (sent.month, sent.day) < (12, 30)
    return True


def draw_deadline(random: Random, kind: str, sent: date) -> Deadline:
    """A deadline of the kind in a message of the day; ValueError where it could be read in two ways."""
    if not is_clear(kind, sent):
        raise ValueError(f"a deadline of the kind {kind!r} is not clear on {sent.isoformat()!r}")
    if kind in ("absolute", "day"):
        return Deadline(kind, sent + timedelta(days=random.choice(_OFFSETS)))
    number = random.choice(DAYS) if kind == "in_days" else random.randrange(7) if kind == "weekday" else 0
    return Deadline(kind, resolve(kind, sent, number), number)


def _last_day(year: int, month: int) -> date:
    return date(year, month, monthrange(year, month)[1])
