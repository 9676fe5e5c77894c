"""`command`: a command-line program that gets the request in a folder of its own and answers on its standard output.

Options: `command` (words of the command line; `{folder}` and `{prompt}` are filled in), `env` (names of environment variables that
it may see), `answer` (where the answer stands, if it prints JSON), `version_command` (prints the program's version).

The folder is fresh, read-only (no file in it can be written or added; the superuser is not bound by that) and goes away after
the call: `prompt.md`, `document.txt` or `document.png` (more: `document-2.txt` …; by its own
name where it has one), `schema.json`. It is the working folder and
HOME. The environment holds PATH, HOME, LANG and what `env` and `key_env` name. The prompt also comes on standard input.
"""

import contextlib
import hashlib
import json
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pydantic import Field

from schemas.errors import UsageError
from schemas.exchange import Fault, Frozen, Reply, Request
from schemas.system import System
from tasks.clients.answer_path import PathError, text_at
from tasks.clients.faults import one_line
from tasks.clients.options import read_options, seconds_of, secrets_of, unset, without
from tasks.clients.process import MOST_BYTES, run_within
from tasks.clients.words import documents_of, prompt_of
from tasks.settings import secret, variables

_SECONDS_OF_VERSION = 20.0
_MEDIA = {"text": "txt", "image": "png"}
_LANG = "C.UTF-8"


class CommandOptions(Frozen):
    """Options of an entry of this kind."""

    command: tuple[str, ...] = Field(min_length=1)
    env: tuple[str, ...] = ()
    answer: str | None = None
    version_command: tuple[str, ...] = ()
    model: str | None = Field(
        default=None, description="Name of the model behind it; entries that share it share a limit of calls"
    )


class CommandClient:
    """Runs a program once a request."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.options = read_options(system, CommandOptions)
        self.seconds = seconds_of(system)
        self.name = Path(self.options.command[0]).name
        key = (system.key_env and secret(system.key_env)) or ""
        passed = variables(self.options.env) | ({system.key_env: key} if system.key_env and key else {})
        self.secrets = secrets_of(passed) | {key}
        self.env = {"LANG": _LANG, **variables(("PATH", "LANG")), **passed}
        said = self._said_version()
        self.provider = f"{self.name} {said}".strip()[:200]
        self.version = hashlib.sha256(json.dumps([self.options.command, said]).encode()).hexdigest()[:16]

    def _said_version(self) -> str:
        command = self.options.version_command
        if not command:
            return ""
        where = f"System {self.system.id!r}, options.version_command"
        try:
            with _folder({}) as folder:
                done = subprocess.run(
                    command,
                    cwd=folder,
                    env={**self.env, "HOME": str(folder)},
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    timeout=_SECONDS_OF_VERSION,
                    check=False,
                )
        except (OSError, subprocess.TimeoutExpired) as problem:
            raise UsageError(f"{where}: {without(self.secrets, str(problem))}.") from problem
        said = " ".join(without(self.secrets, (done.stdout or done.stderr).decode(errors="replace")).split())
        if done.returncode != 0:
            raise UsageError(f"{where}: exit code {done.returncode}, {said[-200:]!r}.")
        return said

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
        """One run of the program; its time limit, exit code and the size of its answer decide the status (G-11)."""
        prompt = prompt_of(request)
        with _folder(files_of(request, prompt)) as folder:
            words = [_filled(word, {"folder": str(folder), "prompt": prompt}) for word in self.options.command]
            begun = time.monotonic()
            reply = await self._run(words, folder, prompt.encode())
        return reply.model_copy(
            update={
                "text": without(self.secrets, reply.text),
                "error": one_line(without(self.secrets, reply.error, in_part=True)) if reply.error else None,
                "provider": self.provider,
                "latency_ms": round((time.monotonic() - begun) * 1000),
            }
        )

    async def _run(self, words: Sequence[str], folder: Path, given: bytes) -> Reply:
        try:
            ended = await run_within(words, folder, {**self.env, "HOME": str(folder)}, given, self.seconds)
        except TimeoutError:
            return Reply(status="timeout", fault="timeout", error=f"{self.name} gave no answer in {self.seconds:g} s")
        except (FileNotFoundError, PermissionError) as problem:
            return _failed("gone", f"{self.name} cannot be started: {problem.strerror}")
        except (OSError, ValueError) as problem:  # a prompt that is too long for a command line, or holds a NUL
            return _failed("request", f"{self.name} cannot be started: {problem}")
        text = ended.printed.decode(errors="replace").rstrip("\r\n")
        if ended.is_cut:
            error = f"{self.name} printed more than {MOST_BYTES} bytes"
            return Reply(status="truncated", text=text, error=error, finish_reason="length")
        if ended.code != 0:
            how = f"exit code {ended.code}" if ended.code > 0 else f"ended by signal {-ended.code}"
            return _failed("server", f"{self.name}: {how}{_last_line(ended.errors)}")
        return self._answer(text)

    def _answer(self, text: str) -> Reply:
        if self.options.answer is None:
            return Reply(status="ok", text=text, finish_reason="stop")
        try:
            return Reply(status="ok", text=text_at(json.loads(text), self.options.answer), finish_reason="stop")
        except PathError as problem:
            return _failed("server", f"{self.name}: {problem}")
        except (ValueError, RecursionError):
            return _failed("server", f"{self.name} printed no JSON: {text[:200]!r}")


def _failed(fault: Fault, error: str) -> Reply:
    return Reply(status="api_error", fault=fault, error=error)


def _last_line(errors: bytes) -> str:
    lines = errors.decode(errors="replace").splitlines()
    return next((f": {line.strip()}" for line in reversed(lines) if line.strip()), "")


def files_of(request: Request, prompt: str) -> dict[str, bytes]:
    """Content of the folder by name of file."""
    files = {"prompt.md": prompt.encode()}
    for attachment in documents_of(request):
        ending = _MEDIA[attachment.kind]
        count = sum(name.endswith(f".{ending}") for name in files) + 1
        unnamed = f"document.{ending}" if count == 1 else f"document-{count}.{ending}"
        files[attachment.name or unnamed] = attachment.data
    if request.answer_schema is not None:
        files["schema.json"] = json.dumps(request.answer_schema, ensure_ascii=False, indent=2).encode()
    return files


@contextmanager
def _folder(files: dict[str, bytes]) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="zkusebna-"))
    try:
        for name, content in files.items():
            (folder / name).write_bytes(content)
            (folder / name).chmod(0o400)
        folder.chmod(0o500)
        yield folder
    finally:
        with contextlib.suppress(OSError):  # a program may have taken it away
            folder.chmod(0o700)
        shutil.rmtree(folder, ignore_errors=True)


def _filled(word: str, values: dict[str, str]) -> str:
    return re.sub(r"\{(folder|prompt)\}", lambda found: values[found[1]], word)


def make(system: System) -> CommandClient:
    """A client for a system; UsageError for wrong options or a version that the program does not tell."""
    return CommandClient(system)


def missing(system: System) -> str | None:
    """The program or an environment variable that is not there."""
    options = read_options(system, CommandOptions)
    program = options.command[0]
    if "/" in program and not Path(program).is_absolute():
        return f"the program {program!r} needs its full path: the working folder is the one of the request"
    if shutil.which(program) is None:
        return f"the program {program!r} is not there or cannot be run"
    return unset(options.env, system.key_env)
