"""`service`: an HTTP API that is described in its entry of `systems.yaml`.

Options: `url`; `method` (POST, PUT, PATCH or GET; GET sends the entries of `body` as the query); `headers` (`{key}` stands for the
value of the variable that `key_env` names); `body` (any JSON; its strings may hold `{prompt}`, `{text}`: the text of the documents,
`{image}`: the first image in base64, `{language}`); `answer` and `cost`: where in the reply they stand (`choices.0.text`).

Readings: redirects are not followed, since a key must not travel. A reply without anything at `answer` is fault `request`, unless it
holds an error of its own. A reply without a cost costs 0.
"""

import asyncio
import base64
import json
import re
import time
from collections.abc import Collection, Mapping
from typing import Any, Literal

import aiohttp
import httpx
from httpx_aiohttp import HttpxAiohttpClient
from pydantic import Field

from schemas.errors import UsageError
from schemas.exchange import Fault, Frozen, Reply, Request
from schemas.system import System
from tasks.clients.answer_path import PathError, cost_at, text_at
from tasks.clients.faults import one_line, read_trouble
from tasks.clients.options import read_options, seconds_of, unset, without
from tasks.clients.words import documents_of, prompt_of
from tasks.settings import secret

VERSION = "service-1"
"""Of the way from an entry to a request and from a reply to an answer; a part of every request's hash."""
MOST_BYTES = 10_000_000
"""Of a reply; a longer one is no answer."""
_IN_FLIGHT, _CONNECT_S = 64, 15.0
_PLACEHOLDER = re.compile(r"\{([a-z_]+)\}")
_IN_BODY = frozenset({"prompt", "text", "image", "language"})


class ServiceOptions(Frozen):
    """Options of an entry of this kind."""

    url: str = Field(pattern=r"^https?://[^\s{}]+$")
    method: Literal["POST", "PUT", "PATCH", "GET"] = "POST"
    headers: dict[str, str] = Field(default_factory=dict)
    body: Any = Field(default_factory=dict)
    answer: str
    cost: str | None = None
    model: str | None = Field(
        default=None, description="Name of the model behind it; entries that share it share a limit of calls"
    )


class ServiceClient:
    """Sends a request as the entry describes it."""

    def __init__(self, system: System) -> None:
        self.version = VERSION
        self.system = system
        self.options = read_options(system, ServiceOptions)
        self.seconds = seconds_of(system)
        self.url = _address(system, self.options.url)
        self.used = _placeholders(self.options.body)
        self.key = (system.key_env and secret(system.key_env)) or ""
        self._check()
        self.headers = {name: value.replace("{key}", self.key) for name, value in self.options.headers.items()}
        self._http: httpx.AsyncClient | None = None

    def _check(self) -> None:
        where = f"System {self.system.id!r}, options"
        if not (self.key.isascii() and self.key.isprintable()):
            raise UsageError(
                f"System {self.system.id!r}: the key in {self.system.key_env} holds characters that no header can carry."
            )
        for name, value in self.options.headers.items():
            if not (f"{name}{value}".isascii() and f"{name}{value}".isprintable()):
                raise UsageError(f"{where}.headers: {name!r} holds characters that no header can carry.")
        if wrong := sorted(self.used - _IN_BODY):
            raise UsageError(f"{where}.body: unknown {{{wrong[0]}}}; known: {', '.join(sorted(_IN_BODY))}.")
        if self.options.method == "GET" and not isinstance(self.options.body, dict):
            raise UsageError(f"{where}.body: names and values were expected for GET, not {self.options.body!r}.")
        if _placeholders(self.options.headers) - {"key"}:
            raise UsageError(f"{where}.headers: only {{key}} may stand there.")
        if "key" in _placeholders(self.options.headers) and not self.system.key_env:
            raise UsageError(
                f"{where}.headers: {{key}} stands there, but `key_env` does not say which variable holds it."
            )

    async def open(self) -> None:
        """Connections that are kept open from call to call."""
        self._http = HttpxAiohttpClient(
            headers={"Accept": "application/json", "User-Agent": "zkusebna", **self.headers},
            limits=httpx.Limits(max_connections=_IN_FLIGHT, max_keepalive_connections=_IN_FLIGHT),
            timeout=httpx.Timeout(None, connect=_CONNECT_S),
            trust_env=self.url.host
            not in ("127.0.0.1", "localhost", "::1"),  # loopback is never reached through a proxy
        )

    async def close(self) -> None:
        """Close them."""
        http, self._http = self._http, None
        if http is not None:
            await http.aclose()

    def answers(self, case_id: str) -> bool:
        """Every case."""
        return True

    def problems(self, cases: Collection[str]) -> list[str]:
        """None."""
        return []

    async def complete(self, request: Request) -> Reply:
        """One request; HTTP status, words of an error and the deadline decide the status (G-11, M-5)."""
        try:
            values = self._values(request)
        except UsageError as problem:
            return _failed("request", str(problem))
        begun = time.monotonic()
        try:
            async with asyncio.timeout(self.seconds) as deadline:
                reply = await self._exchange(values)
        except (TimeoutError, httpx.HTTPError, aiohttp.ClientError, OSError) as problem:
            if deadline.expired():
                reply = Reply(status="timeout", fault="timeout", error=f"no whole answer in {self.seconds:g} s")
            else:
                cause = problem.__cause__ or problem
                reply = _failed("network", f"connection: {type(cause).__name__}: {cause}")
        return reply.model_copy(
            update={
                "text": without([self.key], reply.text),
                "error": one_line(without([self.key], reply.error, in_part=True)) if reply.error else None,
                "provider": self.url.host,
                "latency_ms": round((time.monotonic() - begun) * 1000),
            }
        )

    def _values(self, request: Request) -> dict[str, str]:
        documents = documents_of(request)
        texts = [d.data.decode(errors="replace") for d in documents if d.kind == "text"]
        images = [base64.b64encode(d.data).decode() for d in documents if d.kind == "image"]
        for kind, found in (("text", texts), ("image", images)):
            if found and kind not in self.used:
                raise UsageError(f"The request has a document ({kind}), but options.body has no {{{kind}}}.")
        return {
            "prompt": prompt_of(request),
            "text": "\n\n".join(texts),
            "image": images[0] if images else "",
            "language": request.language,
        }

    async def _exchange(self, values: Mapping[str, str]) -> Reply:
        body = _filled(self.options.body, values)
        if self._http is None:
            await self.open()
        assert self._http is not None
        sent: dict[str, Any] = {"params": body} if self.options.method == "GET" else {"json": body}
        async with self._http.stream(self.options.method, self.url, **sent) as response:
            content = bytearray()
            async for piece in response.aiter_bytes():
                content += piece
                if len(content) > MOST_BYTES:
                    return _failed("request", f"the reply is longer than {MOST_BYTES} bytes")
        return self._reply(response.status_code, response.headers, content.decode(errors="replace"))

    def _reply(self, code: int, headers: Mapping[str, str], body: str) -> Reply:
        document = _parsed(body)
        if code >= 300 or document is None:
            return _trouble(code, headers, body)
        cost = self._cost(document)
        try:
            text = text_at(document, self.options.answer)
        except PathError as problem:
            if isinstance(document, dict) and document.get("error"):
                return _trouble(code, headers, body).model_copy(update=cost)
            return _failed("request", str(problem)).model_copy(update=cost)
        return Reply(status="ok", text=text, finish_reason="stop").model_copy(update=cost)

    def _cost(self, document: Any) -> dict[str, Any]:
        """The cost that the reply states, as fields of a reply; none where it states none."""
        try:
            return (
                {"cost_usd": cost_at(document, self.options.cost), "cost_from": "stated"} if self.options.cost else {}
            )
        except PathError:
            return {}


def _address(system: System, url: str) -> httpx.URL:
    try:
        address = httpx.URL(url)
    except httpx.InvalidURL as problem:
        raise UsageError(f"System {system.id!r}, options.url: {url!r} is no URL: {problem}.") from problem
    if address.userinfo:
        raise UsageError(f"System {system.id!r}, options.url holds a password; name its variable in key_env instead.")
    return address


def _trouble(code: int, headers: Mapping[str, str], body: str) -> Reply:
    trouble = read_trouble(code, headers, body, form_sent=False, now=time.time())
    return Reply(status=trouble.status, fault=trouble.fault, wait_s=trouble.wait_s, error=trouble.error)


def _failed(fault: Fault, error: str) -> Reply:
    return Reply(status="api_error", fault=fault, error=error)


def _parsed(body: str) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _placeholders(template: Any) -> set[str]:
    """Names in braces in all strings of a template (not in its keys)."""
    if isinstance(template, dict):
        return set().union(*(_placeholders(value) for value in template.values()))
    if isinstance(template, list):
        return set().union(*(_placeholders(value) for value in template))
    return set(_PLACEHOLDER.findall(template)) if isinstance(template, str) else set()


def _filled(template: Any, values: Mapping[str, str]) -> Any:
    """A template with the placeholders of its strings replaced, all at once: a brace inside a document stays what it is."""
    if isinstance(template, dict):
        return {key: _filled(value, values) for key, value in template.items()}
    if isinstance(template, list):
        return [_filled(value, values) for value in template]
    return _PLACEHOLDER.sub(lambda found: values[found[1]], template) if isinstance(template, str) else template


def make(system: System) -> ServiceClient:
    """A client for a system; UsageError for options that are wrong."""
    return ServiceClient(system)


def missing(system: System) -> str | None:
    """The variable with the key, where it is not set."""
    return unset([], system.key_env)
