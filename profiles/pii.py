"""Reading the grades of texts with personal data: the documents' profile and tendencies over the seven list fields (D-10)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from profiles import documents
from schemas.answer import Answer
from schemas.board import Board
from schemas.case import Case
from schemas.grade import Grade
from schemas.pii import FIELDS
from schemas.profile import Profile
from schemas.stamp import Stamp
from schemas.tendency import Tendency

if TYPE_CHECKING:
    import pandas as pd

VERSION = documents.VERSION


def profile(case: Case, answer: Answer, grades: Sequence[Grade]) -> Profile:
    """The diagnosis of one answer to one text (G-1), see `profiles.documents.profile`."""
    return documents.profile(FIELDS, case, answer, grades)


def tendencies(profiles: "pd.DataFrame", grades: "pd.DataFrame", stamp: Stamp) -> list[Tendency]:
    """Aggregates of one system over one edition of texts, see `profiles.documents.tendencies`."""
    return documents.tendencies(FIELDS, profiles, grades, stamp)


def board(rows: Sequence[Tendency], systems: Sequence[str]) -> Board:
    """The standing as a table of words, see `profiles.documents.board`."""
    return documents.board(rows, systems)
