"""What a call cost where the endpoint does not say it: by the price in the system's entry, or by the price list under a budget (M-2, M-8).

The tokens that the reply reports are priced; a reply that brings an answer and reports none is counted at the call's upper bound, so that
a budget holds. `Reply.cost_from` says where a cost comes from. Calls without an answer are not charged.
"""

from collections.abc import Collection
from decimal import ROUND_CEILING, Decimal
from typing import TYPE_CHECKING

from schemas.exchange import Reply, Request
from schemas.status import GRADED
from schemas.system import Price, System
from tasks.budget import bound_usd, pictures

if TYPE_CHECKING:
    from tasks.clients import Client

PLACES = Decimal("1e-9")
"""Those of `cost_usd` in the store."""


class Charged:
    """A client of a system with a price."""

    def __init__(self, client: "Client", system: System) -> None:
        self.client, self.system = client, system
        self.version = client.version

    async def open(self) -> None:
        """As the client."""
        await self.client.open()

    async def close(self) -> None:
        """As the client."""
        await self.client.close()

    def answers(self, case_id: str) -> bool:
        """As the client."""
        return self.client.answers(case_id)

    def problems(self, cases: Collection[str]) -> list[str]:
        """As the client."""
        return self.client.problems(cases)

    async def complete(self, request: Request) -> Reply:
        """The client's reply, with its cost where the endpoint states none."""
        return charged(await self.client.complete(request), self.system, request)


def charged(reply: Reply, system: System, request: Request) -> Reply:
    """A reply with a cost; unchanged where it states one, brings no answer, or the system has no price."""
    price = system.price
    has_answer = reply.status in GRADED or reply.status == "pin_violated"
    if price is None or reply.cost_from is not None or reply.cost_usd or not has_answer:
        return reply
    if reply.tokens_in is not None and reply.tokens_out is not None:
        cost = _priced(price, reply.tokens_in, reply.tokens_out, pictures(request))
        return reply.model_copy(update={"cost_usd": cost, "cost_from": "price"})
    most = bound_usd(system, request)
    if most is None:
        return reply
    return reply.model_copy(update={"cost_usd": most.quantize(PLACES, ROUND_CEILING), "cost_from": "most"})


def _priced(price: Price, tokens_in: int, tokens_out: int, images: int) -> Decimal:
    tokens = tokens_in * price.usd_per_million_in + tokens_out * price.usd_per_million_out
    return (tokens / 1_000_000 + price.usd_per_request + images * price.usd_per_image).quantize(PLACES, ROUND_CEILING)
