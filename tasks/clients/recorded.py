"""`recorded`: answers made elsewhere, from a JSON Lines file with `case_id` and `text` a line, or from a folder of HTML files.

    {"case_id": "invoices-cs-0001", "text": "{\\"supplier\\": …}"}
    {"case_id": "had", "trial": 2, "text": "<!doctype html>…"}

In a folder `had.html` answers the case `had`, and `had.2.html` is its second trial. A broken line or file, a repeated case or an unknown one is
told with its place and reason; the rest is graded. A case has as many trials as were recorded.
"""

import hashlib
import itertools
import re
from collections.abc import Collection
from pathlib import Path

from pydantic import Field, ValidationError

from schemas.errors import UsageError
from schemas.exchange import Frozen, Reply, Request
from schemas.system import System


class Recording(Frozen):
    """The answers of a file by case and trial, and what was wrong with the other lines (`line 3: …`)."""

    texts: dict[tuple[str, int], str]
    problems: tuple[str, ...]
    version: str

    def trials(self, case_id: str) -> int:
        """The highest trial up to which a case is answered without a gap."""
        return next(n for n in itertools.count() if (case_id, n + 1) not in self.texts)


def read_recording(file: Path) -> Recording:
    """Read a file or a folder of recorded answers; UsageError where it cannot be read at all."""
    if file.is_dir():
        return _read_folder(file)
    try:
        whole = file.read_bytes()
    except OSError as problem:
        raise UsageError(f"The recorded answers {str(file)!r} cannot be read: {problem.strerror}.") from problem
    texts: dict[tuple[str, int], str] = {}
    problems: list[str] = []
    for number, line in enumerate(whole.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            entry = _parse(line)
        except ValueError as problem:
            problems.append(f"line {number}: {problem}")
            continue
        if (entry.case_id, entry.trial) in texts:
            problems.append(f"line {number}: the case {entry.case_id!r} was answered before; the first answer counts")
            continue
        texts[entry.case_id, entry.trial] = entry.text
    return Recording(texts=texts, problems=(*problems, *_gaps(texts)), version=hashlib.sha256(whole).hexdigest()[:16])


def _gaps(texts: Collection[tuple[str, int]]) -> list[str]:
    """Trials that nobody asks for, since one before them is missing."""
    lost = [(c, t) for c, t in sorted(texts) if t > 1 and (c, t - 1) not in texts]
    return [f"trial {t} of {c!r} is left out: there is no trial {t - 1}" for c, t in lost]


_PAGE = re.compile(r"([a-z0-9-]+)(?:\.([1-9]\d{0,3}))?\.html?")


def _read_folder(folder: Path) -> Recording:
    """Pages by the names of their files."""
    texts: dict[tuple[str, int], str] = {}
    problems: list[str] = []
    digest = hashlib.sha256()
    for file in sorted(p for p in folder.iterdir() if not p.name.startswith(".")):
        named = _PAGE.fullmatch(file.name)
        if named is None or not file.is_file():
            problems.append(f"{file.name}: a page named as `<case>.html` or `<case>.2.html` was expected")
            continue
        try:
            data = file.read_bytes()
        except OSError as problem:
            problems.append(f"{file.name} cannot be read: {problem.strerror}")
            continue
        key = named[1], int(named[2] or 1)
        if key in texts:
            problems.append(f"{file.name}: trial {key[1]} of {key[0]!r} was answered before; the first answer counts")
            continue
        texts[key] = data.decode("utf-8-sig", "replace")
        digest.update(f"{file.name}\0{len(data)}\0".encode() + data)
    if not texts:
        raise UsageError(f"The folder {str(folder)!r} holds no page; pages are named as `<case>.html`.")
    return Recording(texts=texts, problems=(*problems, *_gaps(texts)), version=digest.hexdigest()[:16])


class _Line(Frozen):
    case_id: str
    text: str
    trial: int = Field(default=1, ge=1)


def _parse(line: bytes) -> _Line:
    """Case, trial and text of a line; ValueError that says what was expected."""
    try:
        return _Line.model_validate_json(line)
    except ValidationError as problem:
        first = problem.errors()[0]
        where = f" at {first['loc'][0]!r}" if first["loc"] else ""
        raise ValueError(f'expected {{"case_id": "…", "text": "…"}}, but{where}: {first["msg"]}') from problem


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
        return self.trials(case_id) > 0

    def trials(self, case_id: str) -> int:
        """As many as were recorded."""
        return self.recording.trials(case_id)

    def problems(self, cases: Collection[str]) -> list[str]:
        """Broken and repeated lines by number, and answers to cases that the run does not have."""
        alien = sorted({case_id for case_id, _ in self.recording.texts} - set(cases))
        told = [f"{len(alien)} answers are to unknown cases, e.g. {alien[0]!r}"] if alien else []
        return [*self.recording.problems, *told]

    async def complete(self, request: Request) -> Reply:
        """The recorded text of the trial, of the first where a further one was not recorded; also when the conversation asks once more."""
        texts = self.recording.texts
        text = texts.get((request.case_id, request.trial)) or texts[request.case_id, 1]
        return Reply(status="ok", text=text, finish_reason="stop", provider="recorded")


def make(system: System) -> RecordedClient:
    """A client for a system."""
    return RecordedClient(system)


def missing(system: System) -> str | None:
    """The file, where none was given."""
    if "file" in system.options:
        return None
    return f"it answers from a file: zkusebna run --systems {system.id} --recorded {system.id}=FILE"
