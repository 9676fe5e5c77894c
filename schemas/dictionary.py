"""The data dictionary: what `zkusebna describe` says of every table and column, and the same in Czech."""

import itertools
import typing as t
from functools import cache
from importlib.resources import files

import yaml
from pydantic import BaseModel

from schemas.exchange import Frozen
from schemas.row import Column, Row, arrow_type, columns, unwrap


class Entry(Frozen):
    """One column of the dictionary; columns of nested rows are written `critical_path[].item`."""

    table: str
    column: str
    type: str
    nullable: bool
    is_key: bool
    place: t.Literal["file", "path"]
    is_volatile: bool
    allowed: str
    unit: str
    description: str


class ViewEntry(Frozen):
    """One view over the tables, for analysts: what it tells, and its columns as pairs of name and DuckDB type, in order."""

    view: str
    description: str
    columns: tuple[tuple[str, str], ...]


def _allowed(column: Column) -> str:
    if column.choices:
        return " | ".join(column.choices)
    signs = {"ge": "≥", "gt": ">", "le": "≤", "lt": "<", "pattern": "matches"}
    return ", ".join(f"{s} {v}" for n, s in signs.items() if (v := column.constraint(n)) is not None)


def entries(model: type[Row]) -> list[Entry]:
    """The dictionary of one table, in the order of its columns."""
    return _entries(model, model.table, "", frozenset(model.key))


def _entries(model: type[BaseModel], table: str, prefix: str, key: frozenset[str]) -> list[Entry]:
    out = []
    for column in columns(model):
        inner = unwrap(t.get_args(column.type)[0])[0] if t.get_origin(column.type) in (list, tuple) else None
        nested = inner if isinstance(inner, type) and issubclass(inner, BaseModel) else None
        out.append(
            Entry(
                table=table,
                column=prefix + column.name,
                type="list<struct>" if nested else str(arrow_type(column)),
                nullable=column.nullable,
                is_key=not prefix and column.name in key,
                place="path" if column.col.partition else "file",
                is_volatile=column.col.volatile,
                allowed=_allowed(column),
                unit=column.col.unit,
                description=column.description,
            )
        )
        if nested:
            out += _entries(nested, table, f"{prefix}{column.name}[].", key)
    return out


@cache
def czech() -> dict[str, str]:
    """Descriptions of tables, columns and views in Czech, by the English one (`dictionary.cs.yaml`)."""
    found: dict[str, str] = yaml.safe_load(files("schemas").joinpath("dictionary.cs.yaml").read_text(encoding="utf-8"))
    return found


def table_description(model: type[Row]) -> str:
    """What a table holds, in a sentence or two: the first line of its class."""
    return (model.__doc__ or "").strip().splitlines()[0]


def view_description(sql: str) -> str:
    """What a view tells: the comment at the head of its SQL, as one text.

    >>> view_description("-- One line\\n-- and another.\\nCREATE VIEW v AS SELECT 1;")
    'One line and another.'
    """
    lines = itertools.takewhile(lambda line: line.startswith("--"), sql.splitlines())
    return " ".join(line.removeprefix("--").strip() for line in lines)
