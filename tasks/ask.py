"""The door to the systems: asks what has not been answered yet, and writes down every call before it counts (M-3, M-4)."""

import asyncio
import hashlib
import itertools
import json
import uuid
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from decimal import Decimal

from tenacity import AsyncRetrying, retry_if_result

from datasets.journal import Journal
from schemas.answer import Answer
from schemas.call import Call, Purpose
from schemas.case import Case
from schemas.errors import ZkusebnaError
from schemas.exchange import Brief, Fault, Form, Message, Reply, Request, Transcript
from schemas.replies import has_object
from schemas.status import GRADED
from schemas.system import System
from tasks.attempts import FORMS, PATIENT, SystemStoppedError, is_over, next_form, stop_reason, wait_before
from tasks.budget import Budget, most_usd
from tasks.clients import Client as Client
from tasks.clients import module_of
from tasks.throttle import throttle_of
from tasks.waits import Waits

FINAL = GRADED | {"filtered", "pin_violated"}
"""A reply with one of these is final for its request and trial; errors of the API and time-outs are asked again (M-4)."""

TOLD = tuple(name for name in Reply.model_fields if name in Call.model_fields)
"""What a call takes over from its reply."""

NextMessage = Callable[[Brief, Transcript], Message | None]


def make_client(system: System) -> Client:
    """The client of a system."""
    return module_of(system).make(system)


def why_missing(system: System) -> str | None:
    """None where the system can run here, else what is missing."""
    return module_of(system).missing(system)


OF_VERSION = {"id", "client", "provider", "options", "inputs", "cases_at_most"}
"""What of a system's entry decides how it answers."""

OF_ANSWERS = frozenset({"max_tokens"})
"""Limits that can change an answer; how many calls go out at once, or how long one may take, cannot (M-4)."""


def system_version(system: System, client: Client) -> str:
    """Hash of all that decides how a system answers: its entry and the version of the program behind it (16 hex digits)."""
    entry = system.model_dump(mode="json", include=OF_VERSION)
    limits = {name: value for name, value in system.limits.items() if name in OF_ANSWERS}
    return hashlib.sha256(json.dumps([entry, limits, client.version], sort_keys=True).encode()).hexdigest()[:16]


def request_hash(system: System, client: Client, request: Request) -> str:
    """The key of a request: its content, never a position (M-4).

    Messages with the hashes of their documents, schema, trial, the system's kind, options and limits, the program's version.
    """
    return Hasher(system, client)(request)


class Hasher:
    """Hashes requests of one system: what is the same in all of them is written once, the rest beside it in the order of its keys."""

    def __init__(self, system: System, client: Client) -> None:
        self._client = f'{{"client": {_written(system.client)}, "language": '
        limits = {name: value for name, value in system.limits.items() if name in OF_ANSWERS}
        self._limits = f', "limits": {_written(limits)}, "max_tokens": '
        self._options = (
            f', "options": {_written(system.options)}, "provider": {_written(system.provider)}, "recorded_for": '
        )
        self._version = f', "version": {_written(client.version)}}}'
        self._by_case = system.client in ("recorded", "scripted", "controls")

    def __call__(self, request: Request) -> str:
        """The hash of a request (sha256, hex)."""
        messages = [
            [m.role, m.text, [[a.kind, a.media_type, a.sha256, *([a.name] if a.name else [])] for a in m.attachments]]
            for m in request.messages
        ]
        temperature = "" if request.temperature is None else f', "temperature": {_written(request.temperature)}'
        content = (
            f"{self._client}{_written(request.language)}{self._limits}{_written(request.max_tokens)}"
            f', "messages": {_written(messages)}{self._options}{_written(request.case_id if self._by_case else None)}'
            f', "schema": {_written(request.answer_schema)}, "suite": {_written(request.suite)}{temperature}'
            f', "trial": {_written(request.trial)}{self._version}'
        )
        return hashlib.sha256(content.encode()).hexdigest()


_written = json.JSONEncoder(sort_keys=True, ensure_ascii=False).encode


class _Tried:
    """How often a request was tried in this run; a form that was rejected is no try."""

    def __init__(self, calls: list[Call]) -> None:
        self._calls, self._first = calls, len(calls)

    @property
    def count(self) -> int:
        return sum(c.fault != "schema_rejected" for c in self._calls[self._first :])


_ORDER = itertools.count()
"""Desks of one model share its throttle. The older goes first, so that its answers are filed while those of the next are asked for."""


class Desk:
    """One system asked about the cases of one shard: known replies, the journal, the budget, how many at once.

    Lives on the process's asking loop (`tasks/loop.py`); `stopped` says why nothing more is asked, once something stopped it.
    """

    def __init__(
        self,
        system: System,
        client: Client,
        known: Mapping[str, list[Call]],
        budget: Budget,
        run_id: str,
        waits: Waits,
        purpose: Purpose = "test",
    ) -> None:
        self.system, self.client, self.budget, self.run_id, self.waits = system, client, budget, run_id, waits
        self.known = {h: list(calls) for h, calls in known.items()}
        self.version, self.purpose = system_version(system, client), purpose
        self._hash = Hasher(system, client)
        self._order = next(_ORDER)
        self.asked = 0
        self.stopped: ZkusebnaError | None = None
        self.throttle = throttle_of(system)
        self.form: Form = FORMS[0] if system.options.get("structured", True) else FORMS[-1]
        self._same: dict[str, asyncio.Lock] = {}
        self._told: dict[str, tuple[Fault | None, float | None]] = {}

    def open(self, journal: Journal) -> None:
        """Begin, with the journal that every call goes to."""
        self.journal = journal
        self.waits.recall(self.throttle)

    async def ask(self, request: Request, case: Case, turn: int) -> Call:
        """The reply to a request: a known final one, or new calls until one is final or must be left to the next run (M-5)."""
        key = self._hash(request)
        async with self._same.setdefault(key, asyncio.Lock()):
            before = self.known.setdefault(key, [])
            if before and before[-1].status in FINAL:
                return before[-1]
            tried = _Tried(before)
            call = await self._attempt(request, case, turn, key, before)
            if call.status in FINAL or is_over(tried.count, call):
                return call  # nearly always
            await asyncio.sleep(self._wait(key, tried.count))
            retrying = AsyncRetrying(
                retry=retry_if_result(lambda call: call.status not in FINAL),
                stop=lambda state: is_over(tried.count, state.outcome.result()) if state.outcome else False,
                wait=lambda _: self._wait(key, tried.count),
                retry_error_callback=lambda _: before[-1],
            )
            last: Call = await retrying(self._attempt, request, case, turn, key, before)
            return last

    def _wait(self, key: str, attempts: int) -> float:
        fault, wait_s = self._told[key]
        if fault in PATIENT:
            return 0.0  # the throttle holds everybody back
        return wait_before(attempts, fault, wait_s)

    async def _attempt(self, request: Request, case: Case, turn: int, key: str, before: list[Call]) -> Call:
        """One call, in the form that the endpoint is known to take; a rejected form is recorded and the next one asked at once."""
        while True:
            await self.throttle.enter(self._order)
            try:
                if self.stopped:
                    raise self.stopped
                form = self.form
                if request.form != form:
                    request = request.model_copy(update={"form": form})
                call, reply = await self._call(request, case, turn, len(before) + 1, key)
                before.append(call)
            finally:
                self.throttle.leave()
            self._told[key] = (reply.fault, reply.wait_s)
            self._heed(call, reply, len(before))
            rejected = next_form(form) if reply.fault == "schema_rejected" else None
            if rejected is None:
                return call
            if self.form == form:
                self.form = rejected

    def _heed(self, call: Call, reply: Reply, attempts: int) -> None:
        if reply.fault in PATIENT:
            wait = wait_before(attempts, reply.fault, reply.wait_s)
            self.throttle.slow_down(wait)
            self.waits.tell(self.throttle)
        elif call.status in FINAL:
            self.throttle.went_well()
        if reason := stop_reason(call):
            self.stopped = self.stopped or SystemStoppedError(f"{self.system.id}: {reason}.")
            raise self.stopped

    async def _call(self, request: Request, case: Case, turn: int, attempt: int, key: str) -> tuple[Call, Reply]:
        most = most_usd(self.system, request, self.budget)
        try:
            self.budget.reserve(most)
        except ZkusebnaError as problem:
            self.stopped = self.stopped or problem
            raise
        asked_at = datetime.now(UTC)
        cost = Decimal(0)
        try:
            reply = await self.client.complete(request)
            cost = reply.cost_usd
            told = {name: getattr(reply, name) for name in TOLD}
            call = Call(
                suite=case.suite,
                edition=case.edition,
                system_id=self.system.id,
                case_id=case.case_id,
                trial=request.trial,
                turn=turn,
                attempt=attempt,
                form=request.form if request.answer_schema is not None else "none",
                call_id=uuid.uuid4().hex,
                request_hash=key,
                asked_at=asked_at,
                prompt_version=case.prompt_version,
                set_version=case.set_version,
                run_id=self.run_id,
                purpose=self.purpose,
                **told,
            )
            self.asked += 1
            await self.journal.append(call)
        finally:
            self.budget.settle(most, cost)
        return call, reply

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
                max_tokens=brief.max_tokens,
                temperature=brief.temperature,
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
        if status == "ok" and brief.answer_schema is not None and not has_object(last.text):
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
            system_version=self.version,
            prompt_version=case.prompt_version,
            error=last.error,
            cost_usd=sum((c.cost_usd for h in {c.request_hash for c in calls} for c in self.known[h]), Decimal(0)),
            latency_ms=sum(c.latency_ms for c in calls if c.status in FINAL),
            run_id=self.run_id,
            tokens_in=last.tokens_in,
            tokens_out=last.tokens_out,
            truncated_turns=[turn for turn, call in enumerate(calls, start=1) if call.status == "truncated"],
        )
