"""How many calls may be in flight for one provider and model: grows while all goes well, shrinks when it is told to slow down (M-5)."""

import asyncio
import heapq
import itertools
import logging
import time

from schemas.system import System

LOG = logging.getLogger("zkusebna.throttle")

START_SHARE = 2
"""A new throttle begins with half of the most that is allowed: one round trip later it knows whether the rest is welcome."""


class Throttle:
    """A limit of calls in flight between 1 and `most`; additive growth, halved on every slow-down.

    The log tells of every slow-down, of every doubling since, and of the most.
    Lives on one event loop. `until` is the moment (time.time) before which no call may start.
    """

    def __init__(self, name: str, most: int) -> None:
        self.name, self.most = name, most
        self.limit = max(1, most // START_SHARE)
        self.in_flight = 0
        self.until = 0.0
        self.has_slowed = False
        self._told = self.limit
        self._good = 0
        self._arrivals = itertools.count()
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []

    async def enter(self, order: int = 0) -> None:
        """Wait for a place and take it; who has a smaller order goes first, then who came first. Give it back by `leave`."""
        while True:
            await self._until()
            if self.in_flight < self.limit:
                break
            place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            heapq.heappush(self._waiting, (order, next(self._arrivals), place))
            await place
        self.in_flight += 1

    def leave(self) -> None:
        """Give a place back."""
        self.in_flight -= 1
        self._wake()

    async def __aenter__(self) -> "Throttle":
        await self.enter()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.leave()

    async def _until(self) -> None:
        while (left := self.until - time.time()) > 0:
            await asyncio.sleep(min(left, 1.0))

    def _wake(self) -> None:
        free = self.limit - self.in_flight
        while free > 0 and self._waiting:
            place = heapq.heappop(self._waiting)[2]
            if not place.done():
                place.set_result(None)
                free -= 1

    def went_well(self) -> None:
        """One answer came: before the first slow-down every answer makes room for one more call, after it a full round does."""
        self._good += 1
        if self.limit < self.most and (not self.has_slowed or self._good >= self.limit):
            self.limit, self._good = self.limit + 1, 0
            self._wake()
            if self.limit in (2 * self._told, self.most):
                self._told = self.limit
                LOG.info("%s: up to %d calls in flight", self.name, self.limit)

    def slow_down(self, wait_s: float) -> None:
        """The provider wants less: half as many in flight, none before `wait_s` seconds have passed.

        Replies of one burst count once: those that come while the throttle waits already do not halve again.
        """
        now = time.time()
        if self.until <= now:
            self.limit, self._good, self.has_slowed = max(1, self.limit // 2), 0, True
            self._told = self.limit
            LOG.info("%s: down to %d calls in flight, wait %.1f s", self.name, self.limit, wait_s)
        self.until = max(self.until, now + wait_s)


_THROTTLES: dict[str, Throttle] = {}


def throttle_of(system: System) -> Throttle:
    """The throttle of a system's provider and model, one for all shards of this process."""
    name = throttle_name(system)
    if name not in _THROTTLES:
        _THROTTLES[name] = Throttle(name, int(system.limits.get("at_once", AT_ONCE.get(system.client, 2))))
    return _THROTTLES[name]


AT_ONCE = {"openai": 64, "openrouter": 64, "local": 1, "service": 8}
"""Calls in flight at most where a system's limits do not say; programs of ours: 2, as many as there are cores."""


def throttle_name(system: System) -> str:
    """What shares a limit: kind of client, provider and model; a slug for the record in the store."""
    words = (system.client, system.provider or "", str(system.options.get("model", system.id)))
    return "-".join("".join(c if c.isalnum() else "-" for c in w.lower()).strip("-") for w in words if w)
