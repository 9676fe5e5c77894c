"""The three programs: how each is installed, started on the same requests, and started again after a kill.

The peers are installed apart, into a folder of their own, from their public packages; nothing of theirs is part of this project.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

ROOT = Path(__file__).parents[2]
TASK = Path(__file__).with_name("inspect_task.py")
DIRECT = {"NO_PROXY": "127.0.0.1,localhost", "no_proxy": "127.0.0.1,localhost"}
"""Loopback is reached directly."""


@dataclass(frozen=True)
class Work:
    """What is to be asked: an edition in a store with the systems of its rounds, the same requests as bodies, where, how many at once."""

    folder: Path
    root: str
    edition: str
    bodies: Path
    systems: str
    url: str
    at_once: int


@dataclass(frozen=True)
class Start:
    """A command with the folder that it runs in, its part of the environment, and what has to run before it, whether or not that succeeds."""

    words: Sequence[str]
    folder: Path
    more: dict[str, str] = field(default_factory=dict)
    before: Sequence[str] = ()


class Tool(Protocol):
    """A program that asks all requests of a work."""

    name: str

    def install(self, folder: Path, /) -> str | None:
        """Make it ready; None, or a sentence that says why it cannot run here."""

    def start(self, work: Work, number: int) -> Start:
        """Ask everything, in a state of its own for each number."""

    def again(self, work: Work, number: int) -> Start:
        """Go on after a kill, in the way that its manual names."""


class Ours:
    """The stage `test`, with Prefect and its server, Great Expectations and the store."""

    name = "zkusebna"

    def install(self, _: Path) -> str | None:
        """It is here."""
        return None

    def start(self, work: Work, number: int) -> Start:
        """A system of its own for each number, so nothing is known yet; Prefect's database is there, as from the second run on."""
        words = [sys.executable, "-m", "benchmarks.peers.ours", "ask", work.root, work.edition, f"slow-{number}"]
        more = {"ZKUSEBNA_SYSTEMS_FILE": work.systems, "PREFECT_HOME": str(work.folder / "prefect")}
        return Start(words, ROOT, more)

    def again(self, work: Work, number: int) -> Start:
        """The same command."""
        return self.start(work, number)


class Inspect:
    """inspect_ai from PyPI, with `openai` for its endpoint."""

    def __init__(self, version: str) -> None:
        self.name, self._version = f"inspect_ai {version}", version

    def install(self, folder: Path) -> str | None:
        """Into a virtual environment of its own."""
        self._bin = folder / f"inspect-{self._version}" / "bin"
        if (self._bin / "inspect").exists():
            return None
        uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv") or "uv"
        python = str(self._bin / "python")
        for words in (
            [uv, "venv", "--quiet", str(self._bin.parent)],
            [uv, "pip", "install", "--quiet", "--python", python, f"inspect_ai=={self._version}", "openai"],
        ):
            if problem := _failed(words):
                return f"inspect_ai {self._version} could not be installed: {problem}"
        return None

    def start(self, work: Work, number: int) -> Start:
        """A log folder of its own for each number."""
        folder = work.folder / f"inspect-{number}"
        folder.mkdir()
        shutil.copy(TASK, folder / "task.py")
        words = [str(self._bin / "inspect"), "eval", "task.py", "-T", f"bodies={work.bodies}", *self._common(work)]
        return Start([*words, "--model", "openai-api/stub/stub/ok"], folder, self._environment(work, folder))

    def again(self, work: Work, number: int) -> Start:
        """`inspect log recover`, which takes what the sample buffer holds, then `inspect eval-retry`, both on the newest log."""
        folder = work.folder / f"inspect-{number}"
        newest = str(max((folder / "logs").glob("*.eval"), key=lambda p: p.stat().st_mtime))
        program = str(self._bin / "inspect")
        return Start(
            [program, "eval-retry", newest, *self._common(work)],
            folder,
            self._environment(work, folder),
            before=[program, "log", "recover", newest, "--overwrite"],
        )

    def _common(self, work: Work) -> list[str]:
        return ["--max-connections", str(work.at_once), "--display", "none", "--log-dir", "logs"]

    def _environment(self, work: Work, folder: Path) -> dict[str, str]:
        return {**DIRECT, "STUB_BASE_URL": work.url, "STUB_API_KEY": "none", "XDG_DATA_HOME": str(folder / "data")}


class Promptfoo:
    """promptfoo from npm."""

    def __init__(self, version: str) -> None:
        self.name, self._version = f"promptfoo {version}", version

    def install(self, folder: Path) -> str | None:
        """Into a folder of its own."""
        home = folder / f"promptfoo-{self._version}"
        self._program = home / "node_modules" / ".bin" / "promptfoo"
        if self._program.exists():
            return None
        home.mkdir(parents=True, exist_ok=True)
        words = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(home)]
        problem = _failed([*words, f"promptfoo@{self._version}"])
        return f"promptfoo {self._version} could not be installed: {problem}" if problem else None

    def start(self, work: Work, number: int) -> Start:
        """A configuration and a home of their own for each number."""
        folder = work.folder / f"promptfoo-{number}"
        folder.mkdir()
        asked = [json.loads(text) for text in json.loads(work.bodies.read_text(encoding="utf-8"))]
        config = {key: asked[0][key] for key in ("temperature", "max_tokens", "response_format")}
        provider = {"id": "openai:chat:stub/ok", "config": {"apiBaseUrl": work.url, "apiKey": "none", **config}}
        tests = [{"vars": {"prompt": body["messages"][0]["content"]}} for body in asked]
        whole = {"prompts": ["{{prompt}}"], "providers": [provider], "tests": tests}
        (folder / "promptfooconfig.json").write_text(json.dumps(whole), encoding="utf-8")
        start = self._eval(work, folder, ["-c", "promptfooconfig.json"])
        subprocess.run(  # makes its database, as there is one from the second run on
            [str(self._program), "list", "evals"], env={**os.environ, **start.more}, capture_output=True, check=False
        )
        return start

    def again(self, work: Work, number: int) -> Start:
        """`promptfoo eval --resume`, the latest evaluation."""
        return self._eval(work, work.folder / f"promptfoo-{number}", ["--resume"])

    def _eval(self, work: Work, folder: Path, words: Sequence[str]) -> Start:
        more = {
            **DIRECT,
            "PROMPTFOO_CONFIG_DIR": str(folder / "home"),
            "PROMPTFOO_DISABLE_TELEMETRY": "1",
            "PROMPTFOO_DISABLE_UPDATE": "1",
            "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
        }
        quiet = ["-j", str(work.at_once), "--no-table", "--no-progress-bar"]
        return Start([str(self._program), "eval", *words, *quiet], folder, more)


def _failed(words: Sequence[str]) -> str | None:
    """Run a command; the last words of what went wrong."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    except OSError as problem:
        return f"{problem}."
    said = (done.stderr or done.stdout).strip().splitlines()
    return None if done.returncode == 0 else (said[-1] if said else f"exit status {done.returncode}.")
