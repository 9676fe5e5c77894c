"""A desk for one shard: the client, what is known already, the budget of the run, the waits of the provider."""

from collections.abc import Collection
from decimal import Decimal

from datasets.calls import known_calls
from datasets.store import Store
from schemas.call import Purpose
from schemas.system import System
from tasks.ask import Desk, make_client
from tasks.budget import open_budget
from tasks.prices import Prices
from tasks.waits import Waits


def open_desk(
    store: Store,
    system: System,
    suite: str,
    cases: Collection[str],
    journal: str,
    *,
    run_id: str,
    budget_usd: Decimal | None,
    purpose: Purpose,
) -> Desk:
    """A desk at which a system is asked about some cases of a suite, with all that it was ever asked about them."""
    if budget_usd is not None or "run_usd" in system.limits:  # a budget needs the price of every call before it is sent
        system = Prices(store).priced(system)
    return Desk(
        system=system,
        client=make_client(system),
        known=known_calls(store, suite, system.id, cases, journal),
        budget=open_budget(run_id, budget_usd, system),
        run_id=run_id,
        waits=Waits(store),
        purpose=purpose,
    )
