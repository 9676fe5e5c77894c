"""What a sitting over claims that were never checked would cost, before anybody is asked (M-8).

low: the panel of each claim drawn from the cheapest jurors, few words each; expected: the mean of the pool, by what its calls have cost so
far; at most: every juror of the pool asked twice about every claim, because each replacement's answer was no verdict either.
"""

import json
from collections.abc import Iterable, Sequence
from decimal import Decimal

from datasets import checks as records
from datasets.jury import ANSWER_SCHEMA, claim_of, next_message
from datasets.store import Store
from schemas.case import Case
from schemas.exchange import Brief, Frozen, Message, Request
from schemas.jury import SUITE
from schemas.system import System
from tasks.budget import BYTES_A_TOKEN, bound_usd
from tasks.choose import known_systems
from tasks.forecast import LEAST_CHARACTERS, LEAST_TOKENS_OUT, MOST_TOKENS_OUT, TYPICAL_CHARACTERS, read_asked
from tasks.panel import panel_size, pool_of
from tasks.prices import Prices, Quote

TYPICAL_TOKENS_OUT = 120
"""A verdict, a sentence and a month."""


class PanelCost(Frozen):
    """Claims of the set, those that were checked already, calls that would go out at least, prices in USD (None: unknown)."""

    cases: int
    answered: int
    to_ask: int
    low_usd: Decimal | None
    expected_usd: Decimal | None
    most_usd: Decimal | None
    price_from: str


def panel_cost(store: Store | None, cases: Iterable[Case], prices: Prices) -> PanelCost:
    """What the first check of every claim that has none would ask and cost; cases: of the set, of which the Czech ones are asked."""
    checked = {check.claim_id for check in records.read_checks(store)} if store else set()
    briefs = [case.to_brief() for case in cases if case.language == "cs"]
    open_ones = [brief for brief in briefs if claim_of(brief.case_id) not in checked]
    pool, size = pool_of(known_systems()), panel_size()
    quotes = [prices.of(system) for system in pool]
    means = [read_asked(store, SUITE, system.id).mean_usd for system in pool]
    low: list[Decimal | None] = []
    expected: list[Decimal | None] = []
    most: list[Decimal | None] = []
    for brief in open_ones:
        lows = [_cost(quote, brief, LEAST_CHARACTERS, LEAST_TOKENS_OUT) for quote in quotes]
        typical = [
            mean if mean is not None else _cost(quote, brief, TYPICAL_CHARACTERS, TYPICAL_TOKENS_OUT, schema=True)
            for mean, quote in zip(means, quotes, strict=True)
        ]
        low.append(_sum(sorted(v for v in lows if v is not None)[:size] if None not in lows else lows))
        total = _sum(typical)
        expected.append(None if total is None else total * size / len(pool))
        most.append(_sum(_most(prices.priced(system), brief) for system in pool))
    return PanelCost(
        cases=len(briefs),
        answered=len(briefs) - len(open_ones),
        to_ask=size * len(open_ones),
        low_usd=_sum(low),
        expected_usd=_sum(expected),
        most_usd=_sum(most),
        price_from="the pool's" if None not in quotes else "unknown",
    )


def _cost(
    quote: Quote | None, brief: Brief, characters: int, tokens_out: int, *, schema: bool = False
) -> Decimal | None:
    if quote is None:
        return None
    written = len(brief.prompt) + (len(json.dumps(ANSWER_SCHEMA)) if schema else 0)
    return quote.cost(written // characters, tokens_out)


def _most(system: System, brief: Brief) -> Decimal | None:
    """Both calls to one juror whose first reply is as long as the limits allow and no verdict."""
    longest = "x" * (BYTES_A_TOKEN * int(system.limits.get("max_tokens", MOST_TOKENS_OUT)))
    messages: tuple[Message, ...] = ()
    costs: list[Decimal | None] = []
    while (message := next_message(brief, messages)) is not None:
        messages = (*messages, message)
        request = Request(
            system_id=system.id, suite=SUITE, case_id=brief.case_id, language=brief.language, messages=messages,
            answer_schema=brief.answer_schema, max_tokens=brief.max_tokens,
        )  # fmt: skip
        costs.append(bound_usd(system, request))
        messages = (*messages, Message(role="assistant", text=longest))
    return _sum(costs)


def _sum(values: Iterable[Decimal | None] | Sequence[Decimal]) -> Decimal | None:
    """The sum; None where a part is unknown."""
    total = Decimal(0)
    for value in values:
        if value is None:
            return None
        total += value
    return total
