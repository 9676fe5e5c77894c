"""The table of suites: a suite is one word in four folders and one row here.

Modules keep the three protocols below; the table is a plain dict. No flow and no stage names a suite.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from schemas.answer import Answer
from schemas.case import Case, MadeCase
from schemas.edition import Edition
from schemas.errors import unknown
from schemas.exchange import Brief, Message, Transcript
from schemas.grade import Exam, Grade, Verdict
from schemas.profile import Profile
from schemas.stamp import Stamp
from schemas.tendency import Tendency

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


@dataclass(frozen=True)
class Suite:
    """One row of the table."""

    word: str
    default_size: int
    full_size: int

    @property
    def source(self) -> Source:
        return cast(Source, import_module(f"datasets.{self.word}"))

    @property
    def grader(self) -> Grader:
        return cast(Grader, import_module(f"grading.{self.word}"))

    @property
    def reader(self) -> Reader:
        return cast(Reader, import_module(f"profiles.{self.word}"))


SUITES: dict[str, Suite] = {
    "invoices": Suite("invoices", default_size=60, full_size=150),
}


def suite_of(word: str) -> Suite:
    """The suite of a word; UsageError with the nearest name for any other."""
    if word not in SUITES:
        raise unknown("suite", word, SUITES)
    return SUITES[word]
