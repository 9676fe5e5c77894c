"""A budget in USD that a run cannot pass: every call reserves before it is sent (M-8)."""

import threading
from decimal import Decimal

from schemas.errors import BudgetError


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


_BUDGETS: dict[str, Budget] = {}


def open_budget(run_id: str, limit: Decimal | None) -> Budget:
    """The budget of a run in this process; the first call for a run decides the limit."""
    return _BUDGETS.setdefault(run_id, Budget(limit))
