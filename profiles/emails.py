"""Reading the grades of e-mails: the documents' profile and tendencies over the nine fields (D-9)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from profiles import documents
from schemas.answer import Answer
from schemas.board import Board
from schemas.case import Case
from schemas.emails import FIELDS
from schemas.grade import Grade
from schemas.profile import Profile
from schemas.stamp import Stamp
from schemas.tendency import Tendency

if TYPE_CHECKING:
    import pandas as pd

VERSION = documents.VERSION


def profile(case: Case, answer: Answer, grades: Sequence[Grade]) -> Profile:
    """The diagnosis of one answer to one e-mail (G-1), see `profiles.documents.profile`."""
    return documents.profile(FIELDS, case, answer, grades)


def tendencies(profiles: "pd.DataFrame", grades: "pd.DataFrame", stamp: Stamp) -> list[Tendency]:
    """Aggregates of one system over one edition of e-mails, see `profiles.documents.tendencies`."""
    return documents.tendencies(FIELDS, profiles, grades, stamp)


def board(rows: Sequence[Tendency], systems: Sequence[str]) -> Board:
    """The standing as a table of words, see `profiles.documents.board`."""
    return documents.board(rows, systems)
