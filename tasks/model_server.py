"""Starts and stops the server of a small open-weight model: llama.cpp behind OpenAI's HTTP API, on loopback, in a process of its own.

    server = lease(Plan(file, context)); url = await server.ready(); release(server)     # one server a plan for the whole process

The child is this module run as a program. It dies with its parent, however that ends: its standard input is a pipe that only the
parent holds open, and the kernel terminates the child (SIGIO, even while the weights load) when the pipe closes.
"""

import asyncio
import fcntl
import importlib
import importlib.metadata
import importlib.util
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import IO, NamedTuple

from schemas.errors import ZkusebnaError

RUNTIME = "xllamacpp"
SECONDS_TO_LOAD = 300.0
"""A file of several gigabytes from a slow disk; the small model needs 1 to 5 s."""
_ROOT = Path(__file__).parents[1]
_LONGEST_LINE = 500
_LOOK_AFTER_PARENT_S = 2.0
_ERRORS_ONLY = 1


class ModelServerError(ZkusebnaError):
    """The server did not start, or ended by itself; the message holds its last words."""


def runtime_version() -> str | None:
    """Version of the installed llama.cpp server, found without importing it; None where there is none."""
    if importlib.util.find_spec(RUNTIME) is None:
        return None
    return importlib.metadata.version(RUNTIME)


class Plan(NamedTuple):
    """What is served and how: a model file, tokens of a call at most, calls at once, processor threads."""

    file: Path
    context: int
    at_once: int = 1
    threads: int = 1


class Server:
    """One server of one plan; it starts with the first `ready` and again if it has ended."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.users = 0
        self._starting = threading.RLock()
        self._process: subprocess.Popen[bytes] | None = None
        self._url = ""

    @property
    def pid(self) -> int | None:
        """The process, where one runs."""
        return self._process.pid if self._process is not None and self._process.poll() is None else None

    async def ready(self) -> str:
        """Address of the running server (`http://127.0.0.1:PORT`), started if need be; ModelServerError where it cannot start."""
        return self._url if self.pid is not None and self._url else await asyncio.to_thread(self._start)

    def stop(self) -> None:
        """End the server and what it started, at once; it holds nothing that could be lost."""
        self._kill()  # a start that waits for it ends too, and lets go of the lock
        with self._starting:
            self._kill()
            process, self._process, self._url = self._process, None, ""
            if process is not None:
                process.wait()
                for pipe in (process.stdin, process.stdout):
                    if pipe is not None:
                        pipe.close()

    def _kill(self) -> None:
        process = self._process
        if process is not None and process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)

    def _start(self) -> str:
        with self._starting, tempfile.TemporaryFile() as errors:
            if self.pid is not None and self._url:
                return self._url
            self.stop()
            self._process = process = subprocess.Popen(
                [sys.executable, "-m", "tasks.model_server", *map(str, self.plan)],
                cwd=_ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )
            assert process.stdout is not None
            has_spoken, _, _ = select.select([process.stdout], [], [], SECONDS_TO_LOAD)
            self._url = process.stdout.readline().decode().strip() if has_spoken else ""
            if not self._url:
                self.stop()
                raise ModelServerError(
                    f"The model server of {self.plan.file.name!r} did not start: {_first_line(errors) or process.returncode}."
                )
            return self._url


def _first_line(errors: IO[bytes]) -> str:
    """What went wrong first, without the clock and the letter before it."""
    errors.seek(0)
    line = errors.readline(_LONGEST_LINE).decode(errors="replace").strip()
    return re.sub(r"^[\d.]+ [A-Z] ", "", line)


_lock = threading.Lock()
_servers: dict[tuple[int, Plan], Server] = {}


def lease(plan: Plan) -> Server:
    """The server of a plan that all shards of this process share; nothing starts yet. Every lease is released once."""
    with _lock:
        server = _servers.setdefault((os.getpid(), plan), Server(plan))
        server.users += 1
        return server


def release(server: Server) -> None:
    """Give a lease back; the last one ends the server."""
    with _lock:
        server.users -= 1
        if server.users > 0:
            return
        _servers.pop((os.getpid(), server.plan), None)
    server.stop()


def _die_with_parent() -> None:
    """Have the kernel end this process when the other end of standard input closes, however long the interpreter is busy."""
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_ASYNC)
    if select.select([0], [], [], 0)[0]:
        sys.exit("The parent has ended.")


def serve(plan: Plan) -> None:
    """Serve a plan until the parent ends; the address goes to standard output as one line."""
    parent = os.getppid()
    _die_with_parent()
    llama = importlib.import_module(RUNTIME)
    params = llama.CommonParams()
    params.model.path = str(plan.file)
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.n_parallel, params.n_ctx = plan.at_once, plan.context * plan.at_once
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = plan.threads
    params.cache_prompt, params.cache_ram_mib = False, 0
    params.endpoint_slots = False  # it would tell prompts to whoever asks
    params.ui, params.verbosity = False, _ERRORS_ONLY
    server = llama.Server(params)
    sys.stdout.write(f"{server.listening_address}\n")
    sys.stdout.flush()
    while os.getppid() == parent:  # a forked sibling may still hold the pipe
        select.select([0], [], [], _LOOK_AFTER_PARENT_S)


if __name__ == "__main__":
    try:
        serve(Plan(Path(sys.argv[1]), *map(int, sys.argv[2:])))
    except RuntimeError as problem:
        sys.exit(str(problem))
