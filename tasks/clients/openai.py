"""`openai`: any endpoint that takes chat completions, by its URL (M-1).

Options: `url` (up to and with `/v1`), `model`, and those of `chat.write_body`. Limits: `seconds` for the whole call (120), `at_once`
connections, `max_tokens`. One attempt a call: nothing is repeated, waited for or queued here. The key never leaves the header.

httpx's requests and replies on aiohttp's transport, one a shard (`connections.py`). Whatever goes wrong below HTTP is `network`; `timeout` is
only what passes our own deadline.
"""

import asyncio
import re
import time
from collections.abc import Collection, Mapping
from typing import Any

import aiohttp
import httpx

from schemas.errors import UsageError
from schemas.exchange import Fault, Reply, Request
from schemas.status import Status
from schemas.system import System
from tasks.clients import chat
from tasks.clients.connections import open_transport, post
from tasks.clients.faults import one_line
from tasks.settings import secret

SECONDS, AT_ONCE, CONNECT_S = 120.0, 64, 15.0
HIDDEN = "[key]"
_SHORTEST_KEY = 8
_PREFIX = 8
"""So much of a key at the start of a word makes the word a key, for services that show the one they refused in part."""


class OpenAIClient:
    """One system behind one endpoint."""

    def __init__(self, system: System, url: str, key: str | None) -> None:
        self.system, self._key = system, key
        self.url = endpoint(system, url)
        self.seconds = _positive(system, "seconds", SECONDS)
        self.at_once = int(_positive(system, "at_once", AT_ONCE))
        self.version = chat.VERSION
        self._http: httpx.AsyncBaseTransport | None = None
        if not isinstance(system.options.get("model"), str):
            raise UsageError(
                f"System {system.id!r}: options.model is to name a model, not {system.options.get('model')!r}."
            )
        if key is not None and not (key.isascii() and key.isprintable()):
            raise UsageError(
                f"System {system.id!r}: the key in {system.key_env} holds characters that no header can carry."
            )

    async def open(self) -> None:
        """Connections for one shard; loopback is never reached through a proxy."""
        headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "zkusebna"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key}"
        self._http = open_transport(self.url, headers, self.at_once, CONNECT_S)

    async def close(self) -> None:
        """Close the connections."""
        if self._http is not None:
            http, self._http = self._http, None
            await http.aclose()

    def answers(self, case_id: str) -> bool:
        """Every case."""
        return True

    def problems(self, cases: Collection[str]) -> list[str]:
        """None."""
        return []

    def more_fields(self, request: Request) -> Mapping[str, Any]:
        """What a gateway wants in the body beside the standard fields."""
        return {}

    def checked(self, reply: Reply) -> Reply:
        """A reply after a look at what a gateway says about it."""
        return reply

    async def complete(self, request: Request) -> Reply:
        """One attempt; what goes wrong is the reply's status and fault, never an exception."""
        if self._http is None:
            await self.open()
        assert self._http is not None
        body = chat.write_body(self.system, request, self.more_fields(request))
        form_sent = chat.response_format(request) is not None
        started = time.perf_counter()
        try:
            async with asyncio.timeout(self.seconds) as deadline:
                response = await post(self._http, self.url, body, CONNECT_S)
        except (TimeoutError, httpx.HTTPError, aiohttp.ClientError, OSError) as problem:
            if deadline.expired():
                return self._failed("timeout", "timeout", f"no whole answer in {self.seconds:g} s", started)
            cause = (
                problem.__cause__ or problem
            )  # the transport names them loosely: a dropped connection comes as a `ConnectTimeout`
            return self._failed("api_error", "network", f"connection: {type(cause).__name__}: {cause}", started)
        reply = chat.read_reply(
            response.status_code,
            response.headers,
            self._hide(response.content.decode("utf-8-sig", "replace")),
            form_sent=form_sent,
            now=time.time(),
            latency_ms=_since(started),
        )
        if reply.error is not None:
            reply = reply.model_copy(update={"error": self._hide_parts(reply.error)})
        return self.checked(reply)

    def _failed(self, status: Status, fault: Fault, error: str, started: float) -> Reply:
        error = one_line(self._hide_parts(chat.clean(error)))
        return Reply(status=status, fault=fault, error=error, latency_ms=_since(started))

    def _hide(self, text: str) -> str:
        return text.replace(self._key, HIDDEN) if self._key and len(self._key) >= _SHORTEST_KEY else text

    def _hide_parts(self, error: str) -> str:
        error = self._hide(error)
        if self._key and len(self._key) >= 2 * _PREFIX:
            error = re.sub(re.escape(self._key[:_PREFIX]) + r"[^\s\"']*", HIDDEN, error)
        return error


def endpoint(system: System, url: Any) -> httpx.URL:
    """The address that requests go to; UsageError for one that is none, or that holds a password."""
    try:
        parsed = httpx.URL(str(url or "").rstrip("/"))
    except httpx.InvalidURL as problem:
        raise UsageError(f"System {system.id!r}: options.url {url!r} is no URL: {problem}.") from problem
    if parsed.userinfo:
        raise UsageError(f"System {system.id!r}: options.url holds a password; name its variable in key_env instead.")
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise UsageError(f"System {system.id!r}: options.url is to be http(s)://…/v1, not {url!r}.")
    if parsed.path.endswith("/chat/completions"):
        return parsed
    return parsed.copy_with(path=f"{parsed.path.rstrip('/')}/chat/completions")


def _positive(system: System, limit: str, default: float) -> float:
    value = system.limits.get(limit, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        raise UsageError(f"System {system.id!r}: limits.{limit} is to be a number above 0, not {value!r}.")
    return float(value)


def _since(started: float) -> int:
    return round((time.perf_counter() - started) * 1000)


def make(system: System) -> OpenAIClient:
    """A client for a system; UsageError for options that are wrong."""
    return OpenAIClient(system, system.options.get("url", ""), secret(system.key_env) if system.key_env else None)


def missing(system: System) -> str | None:
    """The key, where the entry names a variable for it that is not set."""
    if system.key_env is None or secret(system.key_env):
        return None
    return f"its key is missing: set the environment variable {system.key_env}"
