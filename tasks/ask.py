"""The door to the systems: asks what has not been answered yet, and writes down every call before it counts (M-3, M-4)."""

import asyncio
import hashlib
import json
import uuid
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from decimal import Decimal

from datasets.journal import Journal
from schemas.answer import Answer
from schemas.call import Call
from schemas.case import Case
from schemas.exchange import Brief, Message, Request, Transcript
from schemas.replies import find_json
from schemas.status import GRADED
from schemas.system import System
from tasks.budget import Budget
from tasks.clients import Client, module_of

FINAL = GRADED | {"filtered", "pin_violated"}
"""A reply with one of these is final for its request and trial; errors of the API and time-outs are asked again (M-4)."""

ATTEMPTS = 2
"""Attempts at a request within one run of a shard."""

NextMessage = Callable[[Brief, Transcript], Message | None]


def make_client(system: System) -> Client:
    """The client of a system."""
    return module_of(system).make(system)


def why_missing(system: System) -> str | None:
    """None where the system can run here, else what is missing."""
    return module_of(system).missing(system)


def system_version(system: System, client: Client) -> str:
    """Hash of all that decides how a system answers: its entry and the version of the program behind it (16 hex digits)."""
    entry = system.model_dump(mode="json", include={"id", "client", "options", "limits", "inputs"})
    return hashlib.sha256(json.dumps([entry, client.version], sort_keys=True).encode()).hexdigest()[:16]


def request_hash(system: System, client: Client, request: Request) -> str:
    """The key of a request: its content, never a position (M-4).

    Messages with the hashes of their documents, schema, trial, the system's kind, options and limits, the program's version.
    """
    content = {
        "client": system.client,
        "options": system.options,
        "limits": system.limits,
        "version": client.version,
        "suite": request.suite,
        "language": request.language,
        "trial": request.trial,
        "messages": [
            [m.role, m.text, [[a.kind, a.media_type, a.sha256] for a in m.attachments]] for m in request.messages
        ],
        "schema": request.answer_schema,
        "recorded_for": request.case_id if system.client in ("recorded", "scripted") else None,
    }
    return hashlib.sha256(json.dumps(content, sort_keys=True, ensure_ascii=False).encode()).hexdigest()


class Desk:
    """One system asked about the cases of one shard: known replies, the journal, the budget, how many at once."""

    def __init__(
        self, system: System, client: Client, known: Mapping[str, list[Call]], budget: Budget, run_id: str
    ) -> None:
        self.system, self.client, self.budget, self.run_id = system, client, budget, run_id
        self.known = {h: list(calls) for h, calls in known.items()}
        self.asked = 0
        self.at_once = int(system.limits.get("at_once", 2))
        self._same: dict[str, asyncio.Lock] = {}

    def open(self, journal: Journal) -> None:
        """Begin inside a running event loop, with the journal that every call goes to."""
        self.journal = journal
        self._places = asyncio.Semaphore(self.at_once)

    async def ask(self, request: Request, case: Case, turn: int) -> Call:
        """The reply to a request: a known final one, or a new call (asked again at once after an error, `ATTEMPTS` in all)."""
        key = request_hash(self.system, self.client, request)
        async with self._same.setdefault(key, asyncio.Lock()):
            before = self.known.setdefault(key, [])
            for attempt in range(len(before) + 1, len(before) + 1 + ATTEMPTS):
                if before and before[-1].status in FINAL:
                    break
                async with self._places:
                    before.append(await self._call(request, case, turn, attempt, key))
            return before[-1]

    async def _call(self, request: Request, case: Case, turn: int, attempt: int, key: str) -> Call:
        most = Decimal(str(self.system.limits.get("max_cost_usd", 0)))
        self.budget.reserve(most)
        asked_at = datetime.now(UTC)
        cost = Decimal(0)
        try:
            reply = await self.client.complete(request)
            cost = reply.cost_usd
            call = Call(
                suite=case.suite,
                edition=case.edition,
                system_id=self.system.id,
                case_id=case.case_id,
                trial=request.trial,
                turn=turn,
                attempt=attempt,
                call_id=uuid.uuid4().hex,
                request_hash=key,
                asked_at=asked_at,
                prompt_version=case.prompt_version,
                set_version=case.set_version,
                run_id=self.run_id,
                **{name: getattr(reply, name) for name in type(reply).model_fields},
            )
            self.asked += 1
            await self.journal.append(call)
        finally:
            self.budget.settle(most, cost)
        return call

    async def converse(self, case: Case, brief: Brief, next_message: NextMessage, trial: int = 1) -> Answer:
        """Ask a case from its first message to its last, and return the answer (never an exception for what a system does)."""
        transcript: Transcript = ()
        calls: list[Call] = []
        while (message := next_message(brief, transcript)) is not None:
            transcript = (*transcript, message)
            request = Request(
                system_id=self.system.id,
                suite=brief.suite,
                case_id=brief.case_id,
                language=brief.language,
                trial=trial,
                messages=transcript,
                answer_schema=brief.answer_schema,
            )
            calls.append(await self.ask(request, case, turn=len(calls) + 1))
            if calls[-1].status not in GRADED:
                break
            transcript = (*transcript, Message(role="assistant", text=calls[-1].text))
        return self._answer(case, brief, calls, trial)

    def _answer(self, case: Case, brief: Brief, calls: list[Call], trial: int) -> Answer:
        last = calls[-1]
        replies = [c.text for c in calls if c.status in GRADED]
        status = last.status
        if status == "ok" and brief.answer_schema is not None and find_json(last.text).value is None:
            status = "invalid"
        return Answer(
            suite=case.suite,
            edition=case.edition,
            system_id=self.system.id,
            case_id=case.case_id,
            trial=trial,
            status=status,
            text=replies[-1] if replies else None,
            replies=replies,
            request_hashes=[c.request_hash for c in calls],
            system_version=system_version(self.system, self.client),
            prompt_version=case.prompt_version,
            error=last.error,
            cost_usd=sum((c.cost_usd for h in {c.request_hash for c in calls} for c in self.known[h]), Decimal(0)),
            latency_ms=sum(c.latency_ms for c in calls if c.status in FINAL),
            run_id=self.run_id,
        )
