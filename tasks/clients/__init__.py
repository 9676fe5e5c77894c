"""Kinds of client: how a system is reached. Only `tasks/ask.py` uses them.

A client is one module with one class; adding a kind is a module, a row in `CLIENTS`, a word in `schemas.system.ClientKind`, a test.
"""

from collections.abc import Collection
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, cast

from schemas.exchange import Reply, Request
from schemas.system import ClientKind, System
from tasks.clients.charged import Charged


class Client(Protocol):
    """Answers requests of one system."""

    version: str
    """Version of the program behind it; a part of every request's hash, so a new version is asked anew."""

    async def open(self) -> None:
        """Called once a shard, inside the asking loop: connections, child processes."""

    async def close(self) -> None:
        """Called when the shard is done."""

    async def complete(self, request: Request) -> Reply:
        """One attempt at one request, without waiting or repeating; what goes wrong is a status, not an exception."""

    def answers(self, case_id: str) -> bool:
        """Whether the client can be asked about a case at all (a file of recorded answers may lack it)."""

    def problems(self, cases: Collection[str]) -> list[str]:
        """What was wrong with what a person gave to it, a sentence each; `cases` are all that the run has."""


class ClientModule(Protocol):
    """What a module of this package offers."""

    def make(self, system: System) -> Client:
        """A client for a system; UsageError for options that are wrong."""

    def missing(self, system: System) -> str | None:
        """None where it can run here, else one sentence: what is missing and which command installs it."""


CLIENTS: dict[ClientKind, str] = {
    "rules": "tasks.clients.rules",
    "ocr_rules": "tasks.clients.ocr_rules",
    "recorded": "tasks.clients.recorded",
    "scripted": "tasks.clients.scripted",
    "controls": "tasks.clients.controls",
    "panel": "tasks.clients.panel",
    "openai": "tasks.clients.openai",
    "openrouter": "tasks.clients.openrouter",
    "local": "tasks.clients.local",
    "command": "tasks.clients.command",
    "service": "tasks.clients.service",
}


@dataclass(frozen=True)
class Kind:
    """A kind of client: its module, and the cost of calls where the system has a price."""

    module: ClientModule

    def make(self, system: System) -> Client:
        """A client for a system; UsageError for options that are wrong."""
        client = self.module.make(system)
        return client if system.price is None else Charged(client, system)

    def missing(self, system: System) -> str | None:
        """None where it can run here, else one sentence."""
        return self.module.missing(system)


def module_of(system: System) -> ClientModule:
    """The kind of client of a system."""
    return Kind(cast(ClientModule, import_module(CLIENTS[system.client])))
