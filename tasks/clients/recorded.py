"""`recorded`: answers made elsewhere, from a JSON Lines file with `case_id` and `text` a line.

    {"case_id": "invoices-cs-0001", "text": "{\\"supplier\\": …}"}

A broken line, a repeated case or an unknown one is told with its number and reason; the rest is graded.
"""

import hashlib
from collections.abc import Collection
from pathlib import Path

from pydantic import ValidationError

from schemas.errors import UsageError
from schemas.exchange import Frozen, Reply, Request
from schemas.system import System


class Recording(Frozen):
    """The answers of a file by case, and what was wrong with the other lines (`line 3: …`)."""

    texts: dict[str, str]
    problems: tuple[str, ...]
    version: str


def read_recording(file: Path) -> Recording:
    """Read a file of recorded answers; UsageError where it cannot be read at all."""
    try:
        whole = file.read_bytes()
    except OSError as problem:
        raise UsageError(f"The recorded answers {str(file)!r} cannot be read: {problem.strerror}.") from problem
    texts: dict[str, str] = {}
    problems: list[str] = []
    for number, line in enumerate(whole.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            case_id, text = _parse(line)
        except ValueError as problem:
            problems.append(f"line {number}: {problem}")
            continue
        if case_id in texts:
            problems.append(f"line {number}: the case {case_id!r} was answered before; the first answer counts")
            continue
        texts[case_id] = text
    version = hashlib.sha256(whole).hexdigest()[:16]
    return Recording(texts=texts, problems=tuple(problems), version=version)


class _Line(Frozen):
    case_id: str
    text: str


def _parse(line: bytes) -> tuple[str, str]:
    """Case and text of a line; ValueError that says what was expected."""
    try:
        entry = _Line.model_validate_json(line)
    except ValidationError as problem:
        first = problem.errors()[0]
        where = f" at {first['loc'][0]!r}" if first["loc"] else ""
        raise ValueError(f'expected {{"case_id": "…", "text": "…"}}, but{where}: {first["msg"]}') from problem
    return entry.case_id, entry.text


class RecordedClient:
    """Answers from a file."""

    def __init__(self, system: System) -> None:
        if "file" not in system.options:
            raise UsageError(f"System {system.id!r} has no file of answers; give --recorded {system.id}=FILE.")
        self.recording = read_recording(Path(system.options["file"]))
        self.version = self.recording.version

    async def open(self) -> None:
        """Nothing to open."""

    async def close(self) -> None:
        """Nothing to close."""

    def answers(self, case_id: str) -> bool:
        """Only what the file holds."""
        return case_id in self.recording.texts

    def problems(self, cases: Collection[str]) -> list[str]:
        """Broken and repeated lines by number, and answers to cases that the run does not have."""
        alien = sorted(set(self.recording.texts) - set(cases))
        told = [f"{len(alien)} answers are to unknown cases, e.g. {alien[0]!r}"] if alien else []
        return [*self.recording.problems, *told]

    async def complete(self, request: Request) -> Reply:
        """The recorded text, also when the conversation asks once more: a recording has one answer."""
        return Reply(status="ok", text=self.recording.texts[request.case_id], finish_reason="stop", provider="recorded")


def make(system: System) -> RecordedClient:
    """A client for a system."""
    return RecordedClient(system)


def missing(system: System) -> str | None:
    """The file, where none was given."""
    if "file" in system.options:
        return None
    return f"it answers from a file: zkusebna run --systems {system.id} --recorded {system.id}=FILE"
