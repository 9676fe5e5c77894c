"""What the two twins of a pair of e-mails share: form, category, sentiment, days, and which fields the message says (D-1, D-9)."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from fractions import Fraction
from random import Random
from typing import Any

from datasets.synth.deadline import KINDS, Deadline, draw_deadline, is_clear
from datasets.synth.vocabulary import read
from schemas.emails import CATEGORIES

FIRST_DAY, LAST_DAY = date(2023, 1, 2), date(2026, 11, 30)
DISTRACTORS = ("order", "invoice", "amount", "date")
N_PROGRAMS = 3


@dataclass(frozen=True)
class Words:
    """What was dealt to a pair: words of the lists of shares (`datasets/documents/emails.yaml`)."""

    deadline: str
    order_number: str
    invoice_number: str
    amount: str
    customer: str


@dataclass(frozen=True)
class MessagePlan:
    """One message of a customer.

    amount: its size against the limit of the priority's rules, None without one; euro: whether it is in the currency that is not
    the language's own; distractors: kinds of values that look like fields and are none.
    """

    category: str
    sentiment: str
    sent: datetime
    deadline: Deadline | None
    has_order: bool
    has_invoice: bool
    amount: Fraction | None
    is_euro: bool
    distractors: frozenset[str]
    n_details: int
    goods: int


@dataclass(frozen=True)
class ThreadPlan:
    """What the newest message of a thread follows: the customer's first message, and when and what the supplier answered."""

    first: MessagePlan
    answered: datetime
    promise: Deadline


@dataclass(frozen=True)
class ForwardPlan:
    """When a colleague forwarded the message, and the deadline in their own words, in some."""

    sent: datetime
    promise: Deadline | None


@dataclass(frozen=True)
class EmailPlan:
    """The skeleton of a pair; message: the one that the fields are read from; program: number of the mail program, from 0."""

    form: str
    trade: str
    is_company: bool
    program: int
    message: MessagePlan
    thread: ThreadPlan | None
    forward: ForwardPlan | None


def draw_plan(random: Random, form: str, category: str, words: Words, shares: Mapping[str, Any]) -> EmailPlan:
    """Draw the skeleton of one pair; shares: what is drawn pair by pair."""
    kind = words.deadline
    day = _draw_day(random, _weighted(random, shares["day"]), kind)
    sent = _at(random, day)
    message = MessagePlan(
        category=category,
        sentiment=_weighted(random, shares["sentiment"][category]),
        sent=sent,
        deadline=None if kind == "none" else draw_deadline(random, kind, day),
        has_order=words.order_number == "present",
        has_invoice=words.invoice_number == "present",
        amount=None if words.amount == "absent" else _draw_amount(random),
        is_euro=words.amount == "euro",
        distractors=frozenset(_weighted(random, shares["distractor"]).split("+")) & frozenset(DISTRACTORS),
        n_details=random.choice([1, 1, 2, 2, 3]),
        goods=random.randrange(1000),
    )
    thread = forward = None
    if form == "thread":
        answered = _at(random, day - timedelta(days=random.randint(1, 4)))
        first = _draw_older(random, answered.date() - timedelta(days=random.randint(1, 9)), shares)
        thread = ThreadPlan(first, answered, _draw_promise(random, answered.date()))
    elif form == "forward":
        passed_on = _at(random, day + timedelta(days=random.randint(1, 3)))
        has_promise = random.random() < 0.5
        forward = ForwardPlan(passed_on, _draw_promise(random, passed_on.date()) if has_promise else None)
    trade = random.choice(sorted(read("email_goods")))
    is_company = words.customer == "company"
    return EmailPlan(form, trade, is_company, random.randrange(N_PROGRAMS), message, thread, forward)


def _draw_older(random: Random, day: date, shares: Mapping[str, Any]) -> MessagePlan:
    """An older message, rich in values that belong to no field."""
    category = random.choice(CATEGORIES)
    kind = random.choice([kind for kind in KINDS if is_clear(kind, day)])
    return MessagePlan(
        category=category,
        sentiment=_weighted(random, shares["sentiment"][category]),
        sent=_at(random, day),
        deadline=draw_deadline(random, kind, day) if random.random() < 0.8 else None,
        has_order=random.random() < 0.85,
        has_invoice=random.random() < 0.7,
        amount=_draw_amount(random) if random.random() < 0.6 else None,
        is_euro=random.random() < 0.1,
        distractors=frozenset(),
        n_details=random.choice([0, 1]),
        goods=random.randrange(1000),
    )


def _draw_promise(random: Random, day: date) -> Deadline:
    kind = random.choice(["absolute", "day", "weekday", "weekday", "tomorrow", "in_days"])
    return draw_deadline(random, kind, day)


def _draw_day(random: Random, share: str, kind: str) -> date:
    """A day of the share on which a deadline of the kind is clear; of any share where the kind has none in this one."""
    for attempt in range(400):
        day = FIRST_DAY + timedelta(days=random.randrange((LAST_DAY - FIRST_DAY).days + 1))
        if attempt < 200:
            if share == "month_end":
                day = day.replace(day=1) - timedelta(days=random.randint(1, 4))
            elif share == "year_end":
                day = date(random.randint(2023, 2025), 12, random.randint(18, 31))
            elif share == "leap":
                day = date(2024, 2, random.randint(15, 29))
        if day >= FIRST_DAY and (kind == "none" or is_clear(kind, day)):
            return day
    raise ValueError(f"no day was found on which a deadline of the kind {kind!r} is clear")


def _at(random: Random, day: date) -> datetime:
    """A time of the day, mostly in working hours."""
    hour = random.choice([6, 7, 8, 8, 9, 9, 10, 10, 11, 12, 13, 14, 14, 15, 16, 17, 19, 21])
    return datetime.combine(day, time(hour, random.randrange(60), random.randrange(60)))


def _draw_amount(random: Random) -> Fraction:
    """The size against the limit: often far below, sometimes exactly it."""
    if random.random() < 0.04:
        return Fraction(1)
    return Fraction(random.choice([20, 35, 60, 90, 150, 220, 340, 480, 700, 900, 970, 1030, 1200, 1600, 2400]), 1000)


def _weighted(random: Random, shares: Mapping[str, int]) -> str:
    return random.choices(list(shares), weights=list(shares.values()))[0]
