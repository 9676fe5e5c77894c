"""Digests of rows: two tables have the same one where they are equal in all columns that are not volatile."""

import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from schemas.row import Row, volatile

if TYPE_CHECKING:
    import pyarrow as pa


def digest_of(model: type[Row], table: "pa.Table") -> str:
    """Hash of a table's rows, volatile columns left out (sha256, 32 hex digits)."""
    import pyarrow as pa

    digest = hashlib.sha256()
    for name in (n for n in table.schema.names if n not in volatile(model)):
        digest.update(f"{name}: {table.schema.field(name).type}\n".encode())
        for values in _values(table[name].combine_chunks()):
            digest.update(pa.RecordBatch.from_arrays([values], [name]).serialize())
    return digest.hexdigest()[:32]


def _values(array: "pa.Array") -> Iterator["pa.Array"]:
    """An array as flat arrays without nulls, marks of the nulls first: a null's slot holds whatever the memory held before."""
    import pyarrow as pa

    yield array.is_null().cast(pa.uint8())
    if pa.types.is_list(array.type):
        yield array.value_lengths().drop_null()
        yield from _values(array.flatten())
    elif pa.types.is_struct(array.type):
        for field in array.flatten():
            yield from _values(field)
    else:
        whole = array.drop_null()
        yield whole.cast(pa.uint8()) if pa.types.is_boolean(whole.type) else whole
