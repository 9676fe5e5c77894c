"""What the gate between two stages expects of a table's rows, derived from its row class, as plain data.

`tasks/gate.py` hands these to Great Expectations; here they are names and arguments, so that `schemas` imports nothing heavy.
"""

import re
import typing as t

from pydantic import BaseModel

from schemas.exchange import Frozen
from schemas.row import Row, columns


class Expectation(Frozen):
    """One expectation: its type in Great Expectations' snake case and its arguments."""

    type: str
    arguments: dict[str, t.Any]


def _is_struct(core: t.Any) -> bool:
    return isinstance(core, type) and issubclass(core, BaseModel)


def expectations(model: type[Row], *, min_rows: int = 1) -> list[Expectation]:
    """The expectations of a table; the first is a row count, since an empty frame passes all others.

    Patterns are anchored by `\\\\Z`: Python's `$` lets a trailing newline through, pydantic's does not.
    Lists and structs are left out: their types are compared exactly before the gate.
    """
    out = [Expectation(type="expect_table_row_count_to_be_between", arguments={"min_value": min_rows})]
    for column in columns(model):
        if t.get_origin(column.type) in (list, tuple) or _is_struct(column.type):
            continue
        at = {"column": column.name}
        if not column.nullable:
            out.append(Expectation(type="expect_column_values_to_not_be_null", arguments=at))
        if column.choices:
            out.append(
                Expectation(type="expect_column_values_to_be_in_set", arguments={**at, "value_set": column.choices})
            )
        if pattern := column.constraint("pattern"):
            anchored = re.sub(r"\$$", r"\\Z", pattern)
            out.append(Expectation(type="expect_column_values_to_match_regex", arguments={**at, "regex": anchored}))
        low, high = column.constraint("ge"), column.constraint("le")
        if low is not None or high is not None:
            out.append(
                Expectation(
                    type="expect_column_values_to_be_between", arguments={**at, "min_value": low, "max_value": high}
                )
            )
    key = list(model.key)
    out.append(Expectation(type="expect_compound_columns_to_be_unique", arguments={"column_list": key}))
    return out
