"""The audience's votes come in from a file, and stand beside the jury's record without touching it (J-5).

    claim_id,yes,no
    book-vacation,120,340

A file holds the sums of one source; whoever imports the source again replaces them. Columns may stand in any order, be separated by commas,
semicolons or tabs, and have others beside them.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

from datasets import checks as records
from datasets.jury import claims_by_id
from datasets.store import Store
from schemas.errors import nearest
from schemas.exchange import Frozen
from schemas.jury import SUITE
from schemas.marked import quoted
from schemas.vote import EVER, AudienceVote
from tasks.csv_rows import read_lines

COLUMNS = ("claim_id", "yes", "no")

MOST = 10**12
"""Votes; a larger number is a slip."""


class Imported(Frozen):
    """How many claims' votes were taken, and what was wrong with the other lines, a sentence each with its line."""

    taken: int
    problems: tuple[str, ...]


def import_votes(root: str, file: Path, source: str | None = None) -> Imported:
    """Bring in the votes of a file; what is wrong in it is told by line, the rest is taken.

    source: where they come from, by default the file's name without its ending. UsageError where it cannot be read or lacks a column.
    """
    rows, problems = read_votes(file, source or file.stem, datetime.now(UTC))
    if rows:
        store = Store.open(root)
        with records.alone(store, "audience"):
            records.put_audience(store, rows)
    return Imported(taken=len(rows), problems=tuple(problems))


def read_votes(file: Path, source: str, now: datetime) -> tuple[list[AudienceVote], list[str]]:
    """The rows of a file, and what was wrong; UsageError as `read_lines`."""
    found: dict[str, AudienceVote] = {}
    problems: list[str] = []
    for line in read_lines(file, COLUMNS):
        row = line.cells
        told = _wrong(row) or (
            "the claim stood there before; the first line counts" if row["claim_id"] in found else ""
        )
        if told:
            problems.append(f"{file.name}, line {line.number}: {told if told.endswith('.') else f'{told}.'}")
            continue
        yes, no = int(row["yes"]), int(row["no"])
        found[row["claim_id"]] = AudienceVote(
            suite=SUITE, edition=EVER, claim_id=row["claim_id"], source=source, yes=yes, no=no, imported_at=now
        )
    return list(found.values()), problems


def _wrong(row: Mapping[str, str]) -> str | None:
    known = claims_by_id()
    if row["claim_id"] not in known:
        return f"there is no claim {row['claim_id']!r}{nearest(row['claim_id'], known)}"
    for name in ("yes", "no"):
        if not (row[name].isascii() and row[name].isdecimal() and int(row[name]) <= MOST):
            return f"{name}: a whole number of votes was expected, not {quoted(row[name])}"
    return None
