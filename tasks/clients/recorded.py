"""`recorded`: answers made elsewhere, from a JSON Lines file with `case_id` and `text` a line, or from a folder of HTML files.

    {"case_id": "invoices-cs-0001", "text": "{\\"supplier\\": …}"}
    {"case_id": "had", "trial": 2, "text": "<!doctype html>…"}
    {"case_id": "keeper-cs", "replies": ["Bylo ráno …", "Bárta vzal minci …", …]}

`replies` has one text a turn of a conversation; one that ended early ends with an empty reply. In a folder `had.html` answers the case `had`,
and `had.2.html` is its second trial. A broken line or file, a repeated case or an unknown one, and a conversation with too few or too many
replies is told with its place and reason; the rest is graded. A case has as many trials as were recorded.
"""

import hashlib
import itertools
import re
from collections.abc import Collection
from pathlib import Path
from typing import Self

from pydantic import Field, ValidationError, model_validator

from schemas.errors import UsageError
from schemas.exchange import Frozen, Reply, Request
from schemas.system import System

Key = tuple[str, int]
"""A case and a trial of it."""

Said = str | tuple[str, ...]
"""What was recorded of a trial: one text for all its turns, or a text a turn."""


class Turns(Frozen):
    """How many turns a conversation has: the planned ones, and with a repeat (M-2) at most."""

    planned: int = Field(ge=1)
    most: int = Field(ge=1)

    def flaw(self, said: Said) -> str | None:
        """Why something recorded does not fit, as the end of a sentence; None where it does.

        >>> Turns(planned=1, most=2).flaw("{}"), Turns(planned=3, most=3).flaw(("a", "b", " "))
        (None, None)
        >>> Turns(planned=3, most=3).flaw(("a", "b"))
        '3 replies were expected, one a turn, not 2; a run that ended early ends with an empty reply'
        """
        if isinstance(said, str):
            wanted = f"a list `replies` of {self.planned} texts was expected, one a turn, not one `text`"
            return wanted if self.planned > 1 else None
        if self.planned <= len(said) <= self.most or (0 < len(said) < self.planned and not said[-1].strip()):
            return None
        if self.planned == 1:
            return f"one reply was expected, not {len(said)}"
        early = "; a run that ended early ends with an empty reply" if len(said) < self.planned else ""
        return f"{self.planned} replies were expected, one a turn, not {len(said)}{early}"


ONE = Turns(planned=1, most=2)
"""Of a case that is no conversation."""


class Recording(Frozen):
    """The answers of a file by case and trial, where each stands, and what was wrong with the other lines (`line 3: …`)."""

    texts: dict[Key, Said]
    places: dict[Key, str] = Field(default_factory=dict)
    problems: tuple[str, ...]
    version: str

    def trials(self, case_id: str, turns: Turns | None = None) -> int:
        """The highest trial up to which a case is answered without a gap; turns: what does not fit them is a gap."""

        def is_there(key: Key) -> bool:
            return key in self.texts and (turns is None or turns.flaw(self.texts[key]) is None)

        return next(n for n in itertools.count() if not is_there((case_id, n + 1)))


def read_recording(file: Path) -> Recording:
    """Read a file or a folder of recorded answers; UsageError where it cannot be read at all."""
    if file.is_dir():
        return _read_folder(file)
    try:
        whole = file.read_bytes()
    except OSError as problem:
        raise UsageError(f"The recorded answers {str(file)!r} cannot be read: {problem.strerror}.") from problem
    texts: dict[Key, Said] = {}
    places: dict[Key, str] = {}
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
        texts[entry.case_id, entry.trial] = entry.said
        places[entry.case_id, entry.trial] = f"line {number} of {file.name}"
    told = (*problems, *_gaps(texts))
    return Recording(texts=texts, places=places, problems=told, version=hashlib.sha256(whole).hexdigest()[:16])


def _gaps(texts: Collection[Key]) -> list[str]:
    """Trials that nobody asks for, since one before them is missing."""
    lost = [(c, t) for c, t in sorted(texts) if t > 1 and (c, t - 1) not in texts]
    return [f"trial {t} of {c!r} is left out: there is no trial {t - 1}" for c, t in lost]


_PAGE = re.compile(r"([a-z0-9-]+)(?:\.([1-9]\d{0,3}))?\.html?")


def _read_folder(folder: Path) -> Recording:
    """Pages by the names of their files."""
    texts: dict[Key, Said] = {}
    places: dict[Key, str] = {}
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
        texts[key], places[key] = data.decode("utf-8-sig", "replace"), file.name
        digest.update(f"{file.name}\0{len(data)}\0".encode() + data)
    if not texts:
        raise UsageError(f"The folder {str(folder)!r} holds no page; pages are named as `<case>.html`.")
    told = (*problems, *_gaps(texts))
    return Recording(texts=texts, places=places, problems=told, version=digest.hexdigest()[:16])


class _Line(Frozen):
    case_id: str
    text: str | None = None
    replies: tuple[str, ...] | None = Field(default=None, min_length=1)
    trial: int = Field(default=1, ge=1)

    @model_validator(mode="after")
    def _says_one(self) -> Self:
        if (self.text is None) == (self.replies is None):
            raise ValueError("one of `text` and `replies` was expected, not both or neither")
        return self

    @property
    def said(self) -> Said:
        return self.text if self.text is not None else self.replies or ()


def _parse(line: bytes) -> _Line:
    """Case, trial and text of a line; ValueError that says what was expected."""
    try:
        return _Line.model_validate_json(line)
    except ValidationError as problem:
        first = problem.errors()[0]
        where = f" at {first['loc'][0]!r}" if first["loc"] else ""
        wanted = 'expected {"case_id": "…", "text": "…"}, or "replies": ["…", …] for a conversation'
        raise ValueError(f"{wanted}, but{where}: {first['msg']}") from problem


class RecordedClient:
    """Answers from a file."""

    def __init__(self, system: System) -> None:
        if "file" not in system.options:
            raise UsageError(f"System {system.id!r} has no file of answers; give --recorded {system.id}=FILE.")
        self.recording = read_recording(Path(system.options["file"]))
        self.version = self.recording.version
        self._turns: dict[str, Turns] = {}

    def expect(self, case_id: str, planned: int, most: int) -> None:
        """Learn how many turns the conversation of a case has; what does not fit is not answered, and told by `problems`."""
        self._turns[case_id] = Turns(planned=planned, most=most)

    async def open(self) -> None:
        """Nothing to open."""

    async def close(self) -> None:
        """Nothing to close."""

    def answers(self, case_id: str) -> bool:
        """Only what the file holds."""
        return self.trials(case_id) > 0

    def trials(self, case_id: str) -> int:
        """As many as were recorded and fit the conversation, as far as it is known."""
        return self.recording.trials(case_id, self._turns.get(case_id))

    def problems(self, cases: Collection[str]) -> list[str]:
        """Broken and repeated lines by number, conversations that do not fit, and answers to cases that the run does not have."""
        texts, places = self.recording.texts, self.recording.places
        alien = sorted({case_id for case_id, _ in texts} - set(cases))
        told = [f"{len(alien)} answers are to unknown cases, e.g. {alien[0]!r}"] if alien else []
        unfit = [
            f"{places[key]} is left out: of {key[0]!r} {flaw}"
            for key, said in texts.items()
            if key[0] in cases and (flaw := self._turns.get(key[0], ONE).flaw(said))
        ]
        return [*self.recording.problems, *unfit, *told]

    async def complete(self, request: Request) -> Reply:
        """The recorded reply to this turn of the trial, of the first where a further one was not recorded.

        Where the conversation asks once more than was recorded, the last reply stands.
        """
        texts = self.recording.texts
        said = texts.get((request.case_id, request.trial)) or texts[request.case_id, 1]
        turn = len(request.messages) // 2
        text = said if isinstance(said, str) else said[min(turn, len(said) - 1)]
        return Reply(status="ok", text=text, finish_reason="stop", provider="recorded")


def make(system: System) -> RecordedClient:
    """A client for a system."""
    return RecordedClient(system)


def missing(system: System) -> str | None:
    """The file, where none was given."""
    if "file" in system.options:
        return None
    return f"it answers from a file: zkusebna run --systems {system.id} --recorded {system.id}=FILE"
