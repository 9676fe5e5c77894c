"""A desk for one shard: the client, what is known already, the budget of the run, the waits of the provider."""

from collections.abc import Callable, Collection, Mapping
from decimal import Decimal

from datasets.calls import known_calls
from datasets.store import Store
from schemas.call import Call, Purpose
from schemas.system import System
from tasks.ask import Client, Desk, make_client
from tasks.budget import open_budget
from tasks.prices import Prices
from tasks.waits import Waits

Known = Mapping[str, list[Call]]


def reach(store: Store, system: System, budget_usd: Decimal | None) -> tuple[System, Client]:
    """A system with its price, where a budget needs that of every call before it is sent, and its client."""
    if budget_usd is not None or "run_usd" in system.limits:
        system = Prices(store).priced(system)
    return system, make_client(system)


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
    client: Client | None = None,
    reopen: Callable[[Known], Known] | None = None,
) -> Desk:
    """A desk at which a system is asked about some cases of a suite, with all that it was ever asked about them.

    client: that of `reach`, for a system that came from there too. reopen: takes known calls and opens again those that are to be asked anew.
    """
    if client is None:
        system, client = reach(store, system, budget_usd)
    known: Known = known_calls(store, suite, system.id, cases, journal)
    return Desk(
        system=system,
        client=client,
        known=known if reopen is None else reopen(known),
        budget=open_budget(run_id, budget_usd, system),
        run_id=run_id,
        waits=Waits(store),
        purpose=purpose,
    )
