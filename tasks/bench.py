"""The jurors of a sitting, each behind a door of its own that opens when it is first asked (M-3, M-4).

A juror that cannot be asked (it is gone from the file of systems, its key is refused, its quota is used up) has no verdict, and the draw
goes on to the next; only a spent budget stops the sitting.
"""

import asyncio
import contextlib
import logging
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from decimal import Decimal

from datasets.calls import file_calls, known_calls, seal_calls
from datasets.journal import Journal, journal_name
from datasets.jury import next_message
from datasets.store import Store
from datasets.tables import Place, shard_key
from schemas.answer import Answer
from schemas.ballot import Ballot, read_ballot
from schemas.case import Case
from schemas.errors import BudgetError, UsageError, ZkusebnaError
from schemas.exchange import Brief, Frozen
from schemas.jury import SUITE
from schemas.status import GRADED
from schemas.system import System
from tasks.ask import Desk, make_client, why_missing
from tasks.budget import open_budget
from tasks.prices import Prices
from tasks.waits import Waits

LOG = logging.getLogger("zkusebna.jury")

MOST_FAILURES = 2
"""Checks of one sitting in which a juror gives no reply, each after the repeats of the door, before the others go without it."""


class Heard(Frozen):
    """What came of asking one juror: its ballot, the reply that it stands on, and the request that brought it."""

    ballot: Ballot
    text: str = ""
    request_hash: str | None = None
    is_final: bool = False
    """Whether asking once more in the same check cannot bring another reply."""
    problem: str | None = None
    """Why there is no reply."""


class Bench:
    """The doors of all jurors of one sitting; use `open` inside the asking loop, and `file` when it is over.

    cases: ids of the cases that the sitting asks about; month: as 202611, the part that their calls are filed under.
    """

    def __init__(
        self,
        store: Store,
        edition: str,
        systems: Mapping[str, System],
        cases: set[str],
        month: int,
        run_id: str,
        budget_usd: Decimal | None,
    ) -> None:
        self.store, self.edition, self.systems, self.cases, self.month = store, edition, systems, cases, month
        self.run_id, self.budget_usd = run_id, budget_usd
        self.desks: dict[str, Desk] = {}
        self._stack = contextlib.AsyncExitStack()
        self._locks: dict[str, asyncio.Lock] = {}
        self._near: dict[str, asyncio.Semaphore] = {}
        self._failures: Counter[str] = Counter()

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncIterator["Bench"]:
        """The bench, with every door that was opened closed at the end."""
        async with self._stack:
            yield self

    async def ask(self, juror: str, case: Case, brief: Brief, number: int) -> Heard:
        """A juror's reply in the check of a number; BudgetError where the budget does not allow the call."""
        try:
            async with self._locks.setdefault(juror, asyncio.Lock()):
                desk = self.desks.get(juror) or await self._open(juror)
            async with self._near[juror]:
                if self._failures[juror] >= MOST_FAILURES:
                    return Heard(ballot=Ballot(), problem="it gave no reply in other checks of the sitting")
                heard = _heard(await desk.converse(case, brief, next_message, number))
        except BudgetError:
            raise
        except ZkusebnaError as problem:
            return Heard(ballot=Ballot(), problem=str(problem))
        self._failures[juror] += not heard.is_final
        return heard

    async def _open(self, juror: str) -> Desk:
        if juror not in self.systems:
            raise UsageError(f"{juror!r} is in no file of systems any more.")
        system = self.systems[juror]
        desk = await asyncio.to_thread(self._desk, system)
        self._stack.push_async_callback(desk.client.close)
        await desk.client.open()
        desk.open(await self._stack.enter_async_context(Journal(self.store, self._journal(juror))))
        self.desks[juror], self._near[juror] = desk, asyncio.Semaphore(desk.throttle.most)
        return desk

    def _desk(self, system: System) -> Desk:
        if reason := why_missing(system):
            raise UsageError(f"{system.id}: {reason}.")
        if self.budget_usd is not None:
            system = Prices(self.store).priced(system)
        return Desk(
            system=system,
            client=make_client(system),
            known=known_calls(self.store, SUITE, system.id, self.cases, self._journal(system.id)),
            budget=open_budget(self.run_id, self.budget_usd),
            run_id=self.run_id,
            waits=Waits(self.store),
            purpose="judge",
        )

    def _key(self) -> str:
        return shard_key("sitting", self.month)

    def _journal(self, juror: str) -> str:
        return journal_name(SUITE, self.edition, juror, self._key())

    def file(self) -> int:
        """File all calls that were made, and return how many; call it outside of the loop, when every door is closed."""
        for juror, desk in self.desks.items():
            place = Place(suite=SUITE, edition=self.edition, system=juror)
            file_calls(self.store, place, self._key(), self.month, self._journal(juror))
            seal_calls(self.store, place)
            LOG.info("a juror was asked %d calls", desk.asked)
        return sum(desk.asked for desk in self.desks.values())


def _heard(answer: Answer) -> Heard:
    """The ballot in an answer; a filtered, refused or failed one is none (J-4)."""
    if answer.status not in GRADED or answer.text is None:
        is_final = answer.status in ("filtered", "pin_violated")
        return Heard(ballot=Ballot(), is_final=is_final, problem=answer.error or answer.status)
    ballot = read_ballot(answer.text)
    return Heard(
        ballot=ballot,
        text=answer.text,
        request_hash=answer.request_hashes[-1],
        is_final=True,
        problem=ballot.problem,
    )
