"""One pydantic class is one table: its Arrow schema and its rows in columns are derived here.

The Great Expectations suite (`schemas/expectations.py`) and the data dictionary (`schemas/dictionary.py`) are derived from the same
class; its JSON schema is pydantic's own `model_json_schema()`.
"""

import dataclasses
import datetime as dt
import functools
import operator
import types
import typing as t
from collections.abc import Iterable
from decimal import Decimal

from pydantic import AwareDatetime, BaseModel, ConfigDict
from pydantic.fields import FieldInfo

if t.TYPE_CHECKING:
    import pyarrow as pa


@dataclasses.dataclass(frozen=True)
class Col:
    """What a column is beyond its type; stands in `Annotated`, so it never leaks into the JSON schema.

    unit: as printed in the dictionary ("ms", "USD"). partition: the value stands in the path (`suite=…`) and not in the file.
    volatile: differs from run to run by nature (times, ids of calls); "the same result" leaves it out.
    private: holds text of a case or an answer, and never leaves the store for private cases (G-8).
    """

    unit: str = ""
    partition: bool = False
    volatile: bool = False
    private: bool = False


class Row(BaseModel):
    """Base of every table's row: frozen, no unknown columns; `table`, `version` and `key` are class attributes."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    table: t.ClassVar[str] = ""
    version: t.ClassVar[int] = 1
    key: t.ClassVar[tuple[str, ...]] = ()


@dataclasses.dataclass(frozen=True)
class Column:
    """One column of a table, resolved: core type, whether it may be null, pydantic's constraints and our marks."""

    name: str
    type: t.Any
    nullable: bool
    constraints: tuple[t.Any, ...]
    col: Col
    description: str

    def constraint(self, name: str) -> t.Any:
        """The value of a pydantic constraint (`ge`, `pattern`, `max_digits` …), or None."""
        return next((v for m in self.constraints if (v := getattr(m, name, None)) is not None), None)

    @property
    def choices(self) -> list[str]:
        """The closed list of values of a `Literal` column; empty for every other type."""
        return list(t.get_args(self.type)) if t.get_origin(self.type) is t.Literal else []


def unwrap(annotation: t.Any, metadata: Iterable[t.Any] = ()) -> tuple[t.Any, bool, list[t.Any]]:
    """The core type of an annotation, whether it may be None, and all marks and constraints found on the way."""
    nullable, found = False, list(metadata)
    while True:
        origin, args = t.get_origin(annotation), t.get_args(annotation)
        if origin is t.Annotated:
            annotation = args[0]
            for mark in args[1:]:
                found += mark.metadata if isinstance(mark, FieldInfo) else [mark]
        elif origin in (t.Union, types.UnionType) and type(None) in args and len(args) == 2:
            annotation, nullable = next(a for a in args if a is not type(None)), True
        else:
            return annotation, nullable, found


@functools.cache
def columns(model: type[BaseModel]) -> tuple[Column, ...]:
    """The columns of a row class (or of a nested struct) in order."""
    out = []
    for name, field in model.model_fields.items():
        core, nullable, meta = unwrap(field.annotation, field.metadata)
        col = next((m for m in meta if isinstance(m, Col)), Col())
        out.append(Column(name, core, nullable, tuple(meta), col, field.description or ""))
    return tuple(out)


def arrow_type(column: Column) -> "pa.DataType":
    """The Arrow type of a column; TypeError for what no table may hold (naive times, unions, `Any`)."""
    import pyarrow as pa

    scalars = {
        str: pa.string(),
        bool: pa.bool_(),
        int: pa.int64(),
        float: pa.float64(),
        dt.date: pa.date32(),
        AwareDatetime: pa.timestamp("us", tz="UTC"),
    }
    if column.choices:
        return pa.string()
    if column.type is Decimal:
        digits, places = column.constraint("max_digits"), column.constraint("decimal_places")
        if digits is None or places is None:
            raise TypeError(f"column {column.name!r}: Decimal needs max_digits and decimal_places")
        return pa.decimal128(digits, places)
    if t.get_origin(column.type) in (list, tuple):
        inner, nullable, meta = unwrap(t.get_args(column.type)[0])
        element = Column("element", inner, nullable, tuple(meta), Col(), "")
        return pa.list_(pa.field("element", arrow_type(element), nullable=nullable))
    if isinstance(column.type, type) and issubclass(column.type, BaseModel):
        return pa.struct([_arrow_field(c) for c in columns(column.type)])
    if column.type in scalars:
        return scalars[column.type]
    raise TypeError(f"column {column.name!r}: no Arrow type for {column.type!r}")


def _arrow_field(column: Column) -> "pa.Field":
    import pyarrow as pa

    meta = {
        "description": column.description,
        "unit": column.col.unit,
        "volatile": "true" if column.col.volatile else "",
    }
    return pa.field(
        column.name, arrow_type(column), nullable=column.nullable, metadata={k: v for k, v in meta.items() if v}
    )


@functools.cache
def arrow_schema(model: type[Row], *, file: bool = False) -> "pa.Schema":
    """The Arrow schema of a table, with descriptions and units in the metadata.

    file: only the columns that stand in the file; partition columns come from the path.
    """
    import pyarrow as pa

    fields = [_arrow_field(c) for c in columns(model) if not (file and c.col.partition)]
    title = (model.__doc__ or "").strip().splitlines()[0]
    return pa.schema(fields, {"table": model.table, "schema_version": str(model.version), "description": title})


def _plain(value: t.Any) -> t.Any:
    if isinstance(value, BaseModel):
        return {name: _plain(getattr(value, name)) for name in type(value).model_fields}
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return value


def to_table(model: type[Row], rows: Iterable[Row]) -> "pa.Table":
    """Rows as an Arrow table of the full schema, sorted by the key; ValueError for a null where none may be."""
    import pyarrow as pa

    rows = sorted(rows, key=operator.attrgetter(*model.key))
    schema = arrow_schema(model)
    arrays = []
    for field in schema:
        values = list(map(operator.attrgetter(field.name), rows))
        array = pa.array([_plain(v) for v in values] if pa.types.is_nested(field.type) else values, field.type)
        if not field.nullable and array.null_count:
            raise ValueError(f"{model.table}: null in the required column {field.name!r}")
        arrays.append(array)
    return pa.Table.from_arrays(arrays, schema=schema)


@functools.cache
def volatile(model: type[Row]) -> frozenset[str]:
    """Names of the columns that differ from run to run by nature."""
    return frozenset(c.name for c in columns(model) if c.col.volatile)
