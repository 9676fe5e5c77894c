"""A budget in USD that a run cannot pass: every call reserves before it is sent (M-8)."""

import threading
from decimal import Decimal

from schemas.errors import BudgetError
from schemas.exchange import Request
from schemas.system import System

FREE = frozenset({"rules", "ocr_rules", "recorded", "local", "scripted"})
"""Kinds of client whose calls cost nothing unless their limits say so."""

CHARACTERS_A_TOKEN = 2
"""Fewer than any tokenizer needs for European text, so that the estimate of input tokens is an upper bound."""

IMAGE_TOKENS = 4000
"""More than gateways count for one page image."""


class Budget:
    """What a run may spend, shared by all its shards in this process."""

    def __init__(self, limit: Decimal | None) -> None:
        self.limit = limit
        self.spent = Decimal(0)
        self._reserved = Decimal(0)
        self._lock = threading.Lock()

    def reserve(self, most: Decimal) -> None:
        """Set aside what a call can cost at most; BudgetError where that could pass the limit."""
        with self._lock:
            if self.limit is not None and self.spent + self._reserved + most > self.limit:
                raise BudgetError(
                    f"The budget of {self.limit} USD does not allow the next call (spent {self.spent}, in flight"
                    f" {self._reserved}, this one at most {most}); what was answered is kept: run again with a higher --budget."
                )
            self._reserved += most

    def settle(self, most: Decimal, cost: Decimal) -> None:
        """Give back what was set aside and count what was paid."""
        with self._lock:
            self._reserved -= most
            self.spent += cost


def most_usd(system: System, request: Request, budget: Budget) -> Decimal:
    """What a call can cost at most: the limit of the system, else its price for the whole prompt and the most output tokens.

    BudgetError where there is a budget and the price is unknown: the budget could not be kept.
    """
    if "max_cost_usd" in system.limits:
        return Decimal(str(system.limits["max_cost_usd"]))
    if system.client in FREE:
        return Decimal(0)
    if system.price is None:
        if budget.limit is None:
            return Decimal(0)
        raise BudgetError(
            f"The price of {system.id!r} is unknown, so no budget can be kept; give its entry a price or max_cost_usd."
        )
    words = sum(len(m.text) + sum(len(a.data) for a in m.attachments if a.kind == "text") for m in request.messages)
    images = sum(a.kind == "image" for m in request.messages for a in m.attachments)
    tokens_in = words // CHARACTERS_A_TOKEN + images * IMAGE_TOKENS
    tokens_out = int(system.limits.get("max_tokens", 4096))
    price = system.price
    return (tokens_in * price.usd_per_million_in + tokens_out * price.usd_per_million_out) / 1_000_000


_BUDGETS: dict[str, Budget] = {}


def open_budget(run_id: str, limit: Decimal | None) -> Budget:
    """The budget of a run in this process; the first call for a run decides the limit."""
    return _BUDGETS.setdefault(run_id, Budget(limit))
