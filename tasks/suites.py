"""The table of suites: a suite is one word in four folders and one row here.

Modules keep the three protocols below; the table is a plain dict. No flow and no stage names a suite.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from schemas.answer import Answer
from schemas.board import Board
from schemas.case import Case, MadeCase
from schemas.edition import Edition
from schemas.errors import unknown
from schemas.exchange import Brief, Message, Transcript
from schemas.grade import Exam, Grade, PassName, Verdict
from schemas.judging import Question, Reading
from schemas.profile import Profile
from schemas.stamp import Stamp
from schemas.system import ClientKind
from schemas.tendency import Tendency
from tasks.settings import Settings

if TYPE_CHECKING:
    import pandas as pd


class Source(Protocol):
    """`datasets/<suite>.py`: makes the cases, and says what to tell a system next."""

    SET_VERSION: str

    def versions(self) -> dict[str, str]:
        """Versions of all that decides what the cases are beyond the edition: prompts, templates, vocabularies, levels."""

    def units(self, edition: Edition) -> int:
        """How many units (pairs of twins, authored cases) the edition has; shards are ranges of units."""

    def make_cases(self, edition: Edition, private_seed: str, start: int, stop: int) -> Iterator[MadeCase]:
        """The cases of units start … stop - 1, the same to the byte for the same edition and secret seed (D-3)."""

    def next_message(self, brief: Brief, transcript: Transcript) -> Message | None:
        """What to say next, from the brief alone; None when the conversation is over."""


class Grader(Protocol):
    """`grading/<suite>.py`: the two passes (G-4)."""

    RUBRIC_VERSION: str

    def atomic(self, exam: Exam) -> list[Verdict]:
        """Pass 1, item by item."""

    def holistic(self, exam: Exam) -> list[Verdict]:
        """Pass 2, the answer as a whole; does not see pass 1."""


class Reader(Protocol):
    """`profiles/<suite>.py`: reads grades, gives no verdict."""

    VERSION: str

    def profile(self, case: Case, answer: Answer, grades: Sequence[Grade]) -> Profile:
        """The diagnosis of one answer (G-1)."""

    def tendencies(self, profiles: "pd.DataFrame", grades: "pd.DataFrame", stamp: Stamp) -> list[Tendency]:
        """Aggregates of one system over one edition.

        profiles: the columns of `Profile` but `critical_path`; grades: case_id, trial, item, points, max_points, label, error of the
        atomic pass.
        """

    def board(self, rows: Sequence[Tendency], systems: Sequence[str]) -> Board:
        """The standing as a table for the terminal and the artifact, from `tendencies` of the systems in that order; may be empty."""


class Judging(Protocol):
    """What a grader offers beside its counted passes where models may judge: questions, and how to read the replies."""

    JUDGED_VERSION: str

    def questions(self, exam: Exam, pass_name: PassName) -> list[Question]:
        """What a judge is asked about one answer in one pass; built without identity (G-6)."""

    def read_reply(self, exam: Exam, question: Question, reply: str, *, judge_id: str, is_last: bool) -> Reading:
        """The grades in a reply, or what to tell the judge so that it answers once more; never a problem where `is_last`."""


@dataclass(frozen=True)
class Suite:
    """One row of the table.

    trials: how often a system is asked each case, where an order does not say it; most_trials: how often an order may say (`--trials`), 0
    where the number is fixed; reruns: further trials at most of a case whose trials ended in extreme behaviour (M-6).
    is_generated: whether the set is drawn from seeds, as large as wanted and with a private third (G-8); an authored one is published as
    a whole and has `full_size` units. by_panel: asked by panels that are drawn for every case (`tasks/jury.py`), not system by system (J-1).
    clients: kinds of client that can be asked; empty: all. has_evidence: answers are pages that are opened, and graders see what was
    collected of them (A-1). is_conversation: a case has many turns, and the report shows runs turn by turn. is_compared: a system can do better or
    worse in it than another, case by case (S-2); tokens and claims cannot.
    """

    word: str
    default_size: int
    full_size: int
    trials: int = 1
    most_trials: int = 0
    reruns: int = 0
    is_generated: bool = True
    clients: tuple[ClientKind, ...] = ()
    by_panel: bool = False
    has_evidence: bool = False
    is_conversation: bool = False
    is_compared: bool = True

    def size(self, wanted: int | None, *, is_full: bool) -> int:
        """The size of a run: the wanted one, else the published one of a full run, else the default (D-2).

        Of an authored set at most all of it.

        >>> SUITES["language_tax"].size(60, is_full=False), SUITES["invoices"].size(60, is_full=False)
        (50, 60)
        """
        whole = self.full_size if self.is_generated else self.full_size + self.own_units
        if wanted is not None:
            return wanted if self.is_generated else min(wanted, whole)
        return whole if is_full else self.default_size

    def asked(self, trials: int) -> "Suite":
        """The same suite with another number of trials."""
        return replace(self, trials=trials)

    @property
    def own_units(self) -> int:
        """How many cases people have beside those of an authored set; they come after them."""
        return int(getattr(self.source, "own_units", int)())

    @property
    def source(self) -> Source:
        module = import_module(f"datasets.{self.word}")
        if hasattr(module, "OWN"):  # people's own cases beside those of the project
            own = getattr(Settings.read(), f"{self.word}_folder", None)
            setattr(module, "OWN", own)  # noqa: B010 - a module has no such attribute for mypy
        if hasattr(module, "LEAKS"):  # what only the grader can find in a question
            setattr(module, "LEAKS", getattr(self.grader, "leaks_of", None))  # noqa: B010
        return cast(Source, module)

    @property
    def grader(self) -> Grader:
        return cast(Grader, import_module(f"grading.{self.word}"))

    @property
    def judging(self) -> Judging | None:
        """The judged passes of the suite; None where nobody judges it."""
        return cast(Judging, self.grader) if hasattr(self.grader, "questions") else None

    @property
    def reader(self) -> Reader:
        return cast(Reader, import_module(f"profiles.{self.word}"))


SUITES: dict[str, Suite] = {
    "invoices": Suite("invoices", default_size=60, full_size=150),
    "emails": Suite("emails", default_size=60, full_size=150),
    "pii": Suite("pii", default_size=60, full_size=150),
    "legal": Suite("legal", default_size=32, full_size=32, is_generated=False),
    "language_tax": Suite(
        "language_tax",
        default_size=5,
        full_size=50,
        is_generated=False,
        clients=("openai", "openrouter", "local"),
        is_compared=False,
    ),
    # Five tasks of eight: every kind of broken control page and all three languages are among them, and their pages are opened in two minutes.
    "artifacts": Suite(
        "artifacts", default_size=5, full_size=8, trials=6, most_trials=20, is_generated=False, has_evidence=True
    ),
    "roleplay": Suite(
        "roleplay", default_size=4, full_size=4, most_trials=20, reruns=3, is_generated=False, is_conversation=True
    ),
    "jury": Suite(
        "jury", default_size=48, full_size=48, is_generated=False, clients=("panel",), by_panel=True, is_compared=False
    ),
}


def suite_of(word: str) -> Suite:
    """The suite of a word; UsageError with the nearest name for any other."""
    if word not in SUITES:
        raise unknown("suite", word, SUITES)
    return SUITES[word]
