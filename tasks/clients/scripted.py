"""`scripted`: answers from its options, for tests: the same text for every case, or one list of texts a case.

Options: `replies` (texts by turn, the last one repeats), `by_case` (case → texts by turn), `status` (of every reply), `cost_usd` (of a
call), `delay_ms` (before a reply), `fail_first` (the first N calls of this process are `api_error`), `log` (a file to which every call
writes its case).
"""

import asyncio
from collections.abc import Collection
from decimal import Decimal
from pathlib import Path
from typing import Any

from schemas.exchange import Reply, Request
from schemas.system import System


class ScriptedClient:
    """A system that says what it was told to say."""

    def __init__(self, system: System) -> None:
        self.options: dict[str, Any] = system.options
        self.version = "1"
        self.failures_left = int(self.options.get("fail_first", 0))

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
        """The text of this turn."""
        delay = float(self.options.get("delay_ms", 0))
        if delay:
            await asyncio.sleep(delay / 1000)
        if "log" in self.options:
            with Path(self.options["log"]).open("a", encoding="utf-8") as log:
                log.write(f"{request.case_id}/{len(request.messages)}\n")
        if self.failures_left > 0:
            self.failures_left -= 1
            return Reply(status="api_error", error="scripted failure")
        texts = self.options.get("by_case", {}).get(request.case_id) or self.options.get("replies") or [""]
        turn = len(request.messages) // 2
        return Reply(
            status=self.options.get("status", "ok"),
            text=texts[min(turn, len(texts) - 1)],
            provider="scripted",
            cost_usd=Decimal(str(self.options.get("cost_usd", 0))),
            latency_ms=round(delay),
        )


def make(system: System) -> ScriptedClient:
    """A client for a system."""
    return ScriptedClient(system)


def missing(system: System) -> str | None:
    """Nothing is ever missing."""
    return None
