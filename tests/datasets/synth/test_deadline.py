"""Deadlines against a table counted by hand on a calendar: weekdays, ends of months and years, 29 February (D-9)."""

from datetime import date
from random import Random

import pytest

from datasets.synth.deadline import KINDS, draw_deadline, is_clear, resolve

# day of the message (with its weekday), kind, number, the day that is meant
TABLE = [
    # a weekday: the nearest one strictly after, from every day of the week of Monday 4 March 2024; 4 is Friday
    ("2024-03-04 Mon", "weekday", 4, "2024-03-08"),
    ("2024-03-05 Tue", "weekday", 4, "2024-03-08"),
    ("2024-03-06 Wed", "weekday", 4, "2024-03-08"),
    ("2024-03-07 Thu", "weekday", 4, "2024-03-08"),
    ("2024-03-08 Fri", "weekday", 4, "2024-03-15"),
    ("2024-03-09 Sat", "weekday", 4, "2024-03-15"),
    ("2024-03-10 Sun", "weekday", 4, "2024-03-15"),
    # from one Wednesday, every weekday
    ("2025-04-16 Wed", "weekday", 0, "2025-04-21"),
    ("2025-04-16 Wed", "weekday", 1, "2025-04-22"),
    ("2025-04-16 Wed", "weekday", 2, "2025-04-23"),
    ("2025-04-16 Wed", "weekday", 3, "2025-04-17"),
    ("2025-04-16 Wed", "weekday", 4, "2025-04-18"),
    ("2025-04-16 Wed", "weekday", 5, "2025-04-19"),
    ("2025-04-16 Wed", "weekday", 6, "2025-04-20"),
    # over the ends of months and years and over 29 February
    ("2024-02-27 Tue", "weekday", 3, "2024-02-29"),
    ("2024-02-29 Thu", "weekday", 3, "2024-03-07"),
    ("2023-02-27 Mon", "weekday", 2, "2023-03-01"),
    ("2025-12-31 Wed", "weekday", 2, "2026-01-07"),
    ("2025-12-31 Wed", "weekday", 3, "2026-01-01"),
    ("2023-12-29 Fri", "weekday", 0, "2024-01-01"),
    ("2024-02-29 Thu", "today", 0, "2024-02-29"),
    ("2024-02-28 Wed", "tomorrow", 0, "2024-02-29"),
    ("2023-02-28 Tue", "tomorrow", 0, "2023-03-01"),
    ("2024-12-31 Tue", "tomorrow", 0, "2025-01-01"),
    ("2024-02-15 Thu", "in_days", 14, "2024-02-29"),
    ("2024-02-16 Fri", "in_days", 14, "2024-03-01"),
    ("2023-02-15 Wed", "in_days", 14, "2023-03-01"),
    ("2025-12-20 Sat", "in_days", 14, "2026-01-03"),
    ("2025-01-31 Fri", "in_days", 30, "2025-03-02"),
    ("2024-01-31 Wed", "in_days", 30, "2024-03-01"),
    ("2026-06-27 Sat", "in_days", 3, "2026-06-30"),
    ("2026-06-28 Sun", "in_days", 3, "2026-07-01"),
    ("2025-10-24 Fri", "in_days", 7, "2025-10-31"),
    # the end of the week is its Friday
    ("2025-06-02 Mon", "end_of_week", 0, "2025-06-06"),
    ("2025-06-05 Thu", "end_of_week", 0, "2025-06-06"),
    ("2024-02-28 Wed", "end_of_week", 0, "2024-03-01"),
    ("2024-12-30 Mon", "end_of_week", 0, "2025-01-03"),
    ("2025-06-02 Mon", "end_of_next_week", 0, "2025-06-13"),
    ("2025-06-06 Fri", "end_of_next_week", 0, "2025-06-13"),
    ("2024-12-23 Mon", "end_of_next_week", 0, "2025-01-03"),
    # the end of the month is its last calendar day, whatever the weekday
    ("2024-02-10 Sat", "end_of_month", 0, "2024-02-29"),
    ("2023-02-10 Fri", "end_of_month", 0, "2023-02-28"),
    ("2025-04-01 Tue", "end_of_month", 0, "2025-04-30"),
    ("2025-08-04 Mon", "end_of_month", 0, "2025-08-31"),
    ("2025-12-01 Mon", "end_of_month", 0, "2025-12-31"),
    ("2024-01-15 Mon", "end_of_next_month", 0, "2024-02-29"),
    ("2025-01-15 Wed", "end_of_next_month", 0, "2025-02-28"),
    ("2025-11-20 Thu", "end_of_next_month", 0, "2025-12-31"),
    ("2025-12-05 Fri", "end_of_next_month", 0, "2026-01-31"),
    ("2025-10-01 Wed", "end_of_year", 0, "2025-12-31"),
    ("2024-12-20 Fri", "end_of_year", 0, "2024-12-31"),
]


@pytest.mark.parametrize(("sent", "kind", "number", "meant"), TABLE)
def test_the_table(sent, kind, number, meant):
    day, weekday = sent.split()
    sent = date.fromisoformat(day)
    assert sent.strftime("%a") == weekday, "the table itself names the right weekday"
    assert resolve(kind, sent, number) == date.fromisoformat(meant)


@pytest.mark.parametrize(
    ("sent", "kind", "is_plain"),
    [
        ("2025-06-05", "end_of_week", True),  # Thursday
        ("2025-06-06", "end_of_week", False),  # Friday: this one or the next?
        ("2025-06-08", "end_of_week", False),  # Sunday: which week is it?
        ("2025-06-06", "end_of_next_week", True),
        ("2025-06-07", "end_of_next_week", False),
        ("2024-02-27", "end_of_month", True),
        ("2024-02-28", "end_of_month", False),
        ("2025-12-29", "end_of_year", True),
        ("2025-12-30", "end_of_year", False),
        ("2025-05-01", "end_of_year", False),
        ("2025-06-08", "weekday", True),
    ],
)
def test_what_can_be_read_in_two_ways_is_never_drawn(sent, kind, is_plain):
    day = date.fromisoformat(sent)
    assert is_clear(kind, day) == is_plain
    if not is_plain:
        with pytest.raises(ValueError, match="is not clear"):
            draw_deadline(Random(1), kind, day)


def test_drawn_deadlines_are_never_before_the_message():
    for seed in range(300):
        random = Random(seed)
        day = date.fromordinal(random.randint(date(2023, 1, 2).toordinal(), date(2026, 11, 30).toordinal()))
        for kind in KINDS:
            if is_clear(kind, day):
                deadline = draw_deadline(random, kind, day)
                assert (deadline.day - day).days >= (kind != "today")
                assert kind in ("absolute", "day") or deadline.day == resolve(kind, day, deadline.number)


def test_an_unknown_kind_is_told():
    with pytest.raises(ValueError, match="'someday'"):
        resolve("someday", date(2024, 1, 1))
