"""Tables that people give as CSV: lines with their numbers, whatever separates the columns."""

import csv
from collections.abc import Iterator, Sequence
from pathlib import Path

from schemas.errors import UsageError, nearest
from schemas.exchange import Frozen


class Line(Frozen):
    """One line: its number in the file, and its cells by column, without the spaces around them."""

    number: int
    cells: dict[str, str]


def read_lines(file: Path, columns: Sequence[str]) -> Iterator[Line]:
    """The lines of a file that hold anything; columns may stand in any order, be separated by commas, semicolons or tabs, and have others beside.

    UsageError where it cannot be read, is no text, or lacks a column.
    """
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except OSError as problem:
        raise UsageError(f"The file {str(file)!r} cannot be read: {problem.strerror}.") from problem
    except UnicodeDecodeError as problem:
        raise UsageError(f"The file {str(file)!r} is no text in UTF-8.") from problem
    lines = text.splitlines(keepends=True)
    head = lines[0] if lines else ""
    reader = csv.DictReader(lines, delimiter=max(",;\t", key=head.count), skipinitialspace=True)
    names = [name for name in reader.fieldnames or () if name]
    for lacking in (name for name in columns if name not in names):
        raise UsageError(
            f"{file.name}, line 1: the columns {', '.join(columns)} were expected; {lacking!r} is missing{nearest(lacking, names)}"
        )
    for row in reader:
        cells = {name: (row.get(name) or "").strip() for name in names}
        if any(cells.values()):
            yield Line(number=reader.line_num, cells=cells)
