"""`rules`: reads the text layer of a document by our own rules, as any system would, from the request alone."""

import asyncio
import json
import time
from collections.abc import Callable, Collection
from typing import Any

from schemas.errors import UsageError
from schemas.exchange import Attachment, Reply, Request
from schemas.system import System
from tasks.readers import emails, invoices, pii

READERS: dict[str, Callable[[str, Any], dict[str, Any]]] = {
    "invoices": invoices.read_invoice,
    "emails": emails.read_email,
    "pii": pii.read_pii,
}
"""The program of each kind of document: from text and language to the answer."""

VERSIONS = {"invoices": invoices.VERSION, "emails": emails.VERSION, "pii": pii.VERSION}


class RulesClient:
    """Answers from the text of the last document in the conversation."""

    def __init__(self, system: System) -> None:
        unread = set(system.suites) - set(READERS)
        if unread or not system.suites:
            raise UsageError(
                f"System {system.id!r}: there are no rules for {', '.join(sorted(unread)) or 'every suite'}."
            )
        self.version = ",".join(f"{suite}:{VERSIONS[suite]}" for suite in sorted(READERS))

    async def open(self) -> None:
        """Nothing to open."""

    async def close(self) -> None:
        """Nothing to close."""

    def answers(self, case_id: str) -> bool:
        """Every case."""
        return True

    def problems(self, cases: Collection[str]) -> list[str]:
        """None."""
        return []

    async def complete(self, request: Request) -> Reply:
        """The fields as JSON; `api_error` with the exception's words where the program fails."""
        return await asyncio.to_thread(self._read, request)

    def text_of(self, document: Attachment, request: Request) -> str:
        """The words of a document."""
        if document.kind != "text":
            raise ValueError("no text layer")
        return document.data.decode()

    def _read(self, request: Request) -> Reply:
        documents = [a for message in request.messages for a in message.attachments]
        start = time.monotonic()
        try:
            fields = READERS[request.suite](self.text_of(documents[-1], request), request.language)
        except Exception as problem:  # noqa: BLE001 - whatever a program under test does is its status, never our crash
            return Reply(status="api_error", error=f"{type(problem).__name__}: {problem}", provider=self.version)
        taken = round((time.monotonic() - start) * 1000)
        text = json.dumps(fields, ensure_ascii=False)
        return Reply(status="ok", text=text, finish_reason="stop", provider=self.version, latency_ms=taken)


def make(system: System) -> RulesClient:
    """A client for a system."""
    return RulesClient(system)


def missing(system: System) -> str | None:
    """Nothing is ever missing."""
    return None
