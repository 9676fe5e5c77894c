"""A budget in USD that a run cannot pass: every call reserves before it is sent (M-8)."""

import json
import threading
from decimal import Decimal

from schemas.errors import BudgetError
from schemas.exchange import Request
from schemas.system import System

FREE = frozenset({"rules", "ocr_rules", "recorded", "local", "scripted", "controls"})
"""Kinds of client whose calls cost nothing unless their limits say so."""

BYTES_A_TOKEN = 2
"""Of UTF-8; fewer than tokenizers need for European text, so that the estimate of input tokens is an upper bound."""

FRAME_TOKENS = 100
"""More than the words and marks that clients and chat templates put around a message."""

IMAGE_TOKENS = 4000
"""More than gateways count for one page image."""


class Budget:
    """What a run may spend, or one system in it; shared by all its shards in this process.

    whole: the budget of the run, for that of a system: both are kept. what: whose it is, as its error says it. spent: what was paid
    already, in USD.
    """

    def __init__(
        self, limit: Decimal | None, whole: "Budget | None" = None, what: str = "the run", spent: Decimal = Decimal(0)
    ) -> None:
        self.limit, self.whole, self.what = limit, whole, what
        self.spent = spent
        self._reserved = Decimal(0)
        self._lock = threading.Lock()

    @property
    def is_kept(self) -> bool:
        """Whether there is a limit at all, of its own or of the whole."""
        return self.limit is not None or (self.whole is not None and self.whole.is_kept)

    def reserve(self, most: Decimal) -> None:
        """Set aside what a call can cost at most; BudgetError where that could pass the limit."""
        with self._lock:
            if self.limit is not None and self.spent + self._reserved + most > self.limit:
                raise BudgetError(
                    f"The budget of {self.limit} USD for {self.what} does not allow the next call (spent {self.spent}, in flight"
                    f" {self._reserved}, this one at most {most}); what was answered is kept: run again with a higher budget."
                )
            if self.whole is not None:
                self.whole.reserve(most)
            self._reserved += most

    def settle(self, most: Decimal, cost: Decimal) -> None:
        """Give back what was set aside and count what was paid."""
        if self.whole is not None:
            self.whole.settle(most, cost)
        with self._lock:
            self._reserved -= most
            self.spent += cost


def most_usd(system: System, request: Request, budget: Budget) -> Decimal:
    """What a call has to reserve: its upper bound; 0 without a budget.

    BudgetError where there is a budget and no upper bound: the budget could not be kept.
    """
    if not budget.is_kept:
        return Decimal(0)
    most = bound_usd(system, request)
    if most is None:
        lacks = "limits.max_tokens" if system.price else "a price or limits.max_cost_usd"
        raise BudgetError(
            f"What a call of {system.id!r} can cost at most is unknown, so no budget can be kept; give its entry {lacks}."
        )
    return most


def bound_usd(system: System, request: Request) -> Decimal | None:
    """What a call can cost at most, in USD; None where the price is unknown or nothing limits the length of an answer.

    The limit `max_cost_usd` of the system; 0 for a program of our own; else its price for `most_tokens_in`, the most output tokens, the
    request and its pictures. The bound is honest as long as the price is that of the provider who serves the call.
    """
    if "max_cost_usd" in system.limits:
        return Decimal(str(system.limits["max_cost_usd"]))
    price = system.price
    if price is None:
        return Decimal(0) if system.client in FREE else None
    limits = [int(n) for n in (system.limits.get("max_tokens"), request.max_tokens) if n is not None]
    if not limits:
        return None
    tokens = most_tokens_in(request) * price.usd_per_million_in + min(limits) * price.usd_per_million_out
    return tokens / 1_000_000 + price.usd_per_request + pictures(request) * price.usd_per_image


def most_tokens_in(request: Request) -> int:
    """Input tokens of a request at most: its words, texts and JSON schema, its pictures, and what is put around messages."""
    written = sum(len(m.text.encode()) for m in request.messages)
    written += sum(len(a.data) for m in request.messages for a in m.attachments if a.kind == "text")
    if request.answer_schema is not None:
        written += len(json.dumps(request.answer_schema, ensure_ascii=False).encode())
    return -(-written // BYTES_A_TOKEN) + pictures(request) * IMAGE_TOKENS + len(request.messages) * FRAME_TOKENS


def pictures(request: Request) -> int:
    """How many pictures a request holds."""
    return sum(a.kind == "image" for m in request.messages for a in m.attachments)


_BUDGETS: dict[str, Budget] = {}
_LOCK = threading.Lock()


def open_budget(run_id: str, limit: Decimal | None, system: System | None = None) -> Budget:
    """The budget of a run in this process; the first call for a run decides the limit.

    system: its own share of the run, where its entry has `limits.run_usd`; both limits are kept.
    """
    with _LOCK:
        whole = _BUDGETS.setdefault(run_id, Budget(limit))
        if system is None or "run_usd" not in system.limits:
            return whole
        own = Budget(Decimal(str(system.limits["run_usd"])), whole, repr(system.id))
        return _BUDGETS.setdefault(f"{run_id}/{system.id}", own)
