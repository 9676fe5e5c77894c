"""Rows to Arrow to Parquet and back; the oracles are the rows themselves, pydantic's JSON schema and types written by hand."""

import datetime as dt
import io
import typing as t
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import AwareDatetime, BaseModel, Field, ValidationError
from row_support import call, grade, rows

from schemas.profile import Step
from schemas.row import arrow_schema, arrow_type, columns, to_table, unwrap, volatile
from schemas.tables import TABLES

MODELS = sorted(TABLES.values(), key=lambda m: m.table)
every_table = pytest.mark.parametrize("model", MODELS, ids=lambda m: m.table)


def through_parquet(table):
    sink = io.BytesIO()
    pq.write_table(table, sink, row_group_size=3)
    return pq.read_table(pa.BufferReader(sink.getvalue()))


@every_table
@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_rows_come_back_from_parquet_as_they_were(model, data):
    drawn = data.draw(rows(model))
    table = to_table(model, drawn)
    back = through_parquet(table)
    found = [model.model_validate(r) for r in back.to_pylist()]
    assert found == sorted(drawn, key=lambda r: tuple(getattr(r, k) for k in model.key))
    assert back.schema.equals(arrow_schema(model), check_metadata=True)
    assert table.schema.equals(arrow_schema(model), check_metadata=True)


def test_types_of_calls_are_those_written_here():
    text = pa.string()
    assert {f.name: (f.type, f.nullable) for f in arrow_schema(TABLES["calls"])} == {
        "suite": (text, False), "edition": (text, False), "system_id": (text, False), "case_id": (text, False),
        "trial": (pa.int64(), False), "turn": (pa.int64(), False), "attempt": (pa.int64(), False),
        "call_id": (text, False), "request_hash": (text, False), "status": (text, False), "text": (text, False),
        "error": (text, True), "finish_reason": (text, True), "provider": (text, True), "generation_id": (text, True),
        "tokens_in": (pa.int64(), True), "tokens_out": (pa.int64(), True),
        "cost_usd": (pa.decimal128(18, 9), False), "latency_ms": (pa.int64(), False),
        "asked_at": (pa.timestamp("us", "UTC"), False), "prompt_version": (text, False), "set_version": (text, False),
        "run_id": (text, False), "form": (text, True), "fault": (text, True), "cost_from": (text, True),
        "purpose": (text, True),
    }  # fmt: skip


def test_nested_rows_keep_their_fields_and_descriptions():
    path = arrow_schema(TABLES["profiles"]).field("critical_path")
    struct = path.type.value_type
    assert [(f.name, f.type, f.nullable) for f in struct] == [
        ("item", pa.string(), False),
        ("error", pa.string(), False),
        ("given", pa.string(), True),
        ("expected", pa.string(), True),
    ]
    assert [f.metadata[b"description"].decode() for f in struct] == [f.description for f in Step.model_fields.values()]


@every_table
def test_metadata_tells_descriptions_units_and_versions(model):
    schema = through_parquet(to_table(model, [])).schema
    properties = model.model_json_schema()["properties"]
    assert {f.name: f.metadata[b"description"].decode() for f in schema} == {
        name: p["description"] for name, p in properties.items()
    }
    units = {f.name: f.metadata[b"unit"].decode() for f in schema if b"unit" in f.metadata}
    assert units == {
        n: u for n, u in {"cost_usd": "USD", "latency_ms": "ms", "size_bytes": "B"}.items() if n in properties
    }
    assert schema.metadata[b"table"].decode() == model.table
    assert int(schema.metadata[b"schema_version"]) == model.version
    assert schema.metadata[b"description"].decode() == model.__doc__.splitlines()[0]
    in_file = arrow_schema(model, file=True)
    assert in_file.names == [n for n in schema.names if n not in ("suite", "edition")]
    assert all(in_file.field(n).equals(schema.field(n), check_metadata=True) for n in in_file.names)


@every_table
@settings(max_examples=2, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(st.data())
def test_a_null_in_a_required_column_is_refused(model, data):
    row = data.draw(rows(model).filter(bool))[0]
    for field in arrow_schema(model):
        without = row.model_copy(update={field.name: None})
        if field.nullable:
            assert to_table(model, [without])[field.name].null_count == 1
        else:
            with pytest.raises(ValueError, match=f"{model.table}: null in the required column {field.name!r}"):
                to_table(model, [without])


def test_what_is_no_row_is_refused():
    with pytest.raises(ValidationError, match="nonsense"):
        call(1, nonsense=1)
    with pytest.raises(ValidationError, match="timezone"):
        call(1, asked_at=dt.datetime(2026, 1, 1))  # noqa: DTZ001 - a naive time on purpose
    with pytest.raises(ValidationError):
        call(1, cost_usd=Decimal("0.0000000001"))
    with pytest.raises(ValidationError):
        grade(1, judge_id=None)
    with pytest.raises(ValidationError):
        grade(1).points = 2.0


def test_times_of_another_zone_are_the_same_instant_in_utc():
    prague = dt.datetime(2026, 7, 1, 14, 30, tzinfo=dt.timezone(dt.timedelta(hours=2)))
    (found,) = through_parquet(to_table(TABLES["calls"], [call(1, asked_at=prague)]))["asked_at"].to_pylist()
    assert found == prague
    assert found.utcoffset() == dt.timedelta(0)


@pytest.mark.parametrize("core", [dt.datetime, t.Any, int | str, Decimal, bytes, dict[str, int]], ids=str)
def test_types_that_no_table_may_hold_are_told(core):
    class Odd(BaseModel):
        odd: core

    with pytest.raises(TypeError, match="'odd'"):
        arrow_type(columns(Odd)[0])


def test_unwrap_finds_marks_at_every_depth():
    deep = t.Annotated[t.Annotated[int, Field(ge=1)] | None, Field(description="x")]
    core, nullable, marks = unwrap(deep)
    assert (core, nullable) == (int, True)
    assert [m.ge for m in marks if hasattr(m, "ge")] == [1]
    assert unwrap(AwareDatetime)[0] is AwareDatetime


# The law of names (DESIGN, "Tables")

UNITS = {"_ms": "ms", "_usd": "USD", "_bytes": "B"}


def every_column():
    return [(m.table, c) for m in MODELS for c in columns(m)]


def test_a_name_means_the_same_in_every_table():
    seen = {}
    for table, column in every_column():
        what = (arrow_type(column), column.col.unit, column.col.volatile, column.col.partition)
        assert seen.setdefault(column.name, (table, what))[1] == what, (
            f"{column.name}: {table} and {seen[column.name][0]}"
        )


def test_names_carry_their_units_and_their_kind():
    for table, column in every_column():
        where = f"{table}.{column.name}"
        units = [unit for end, unit in UNITS.items() if column.name.endswith(end)]
        assert [u for u in (column.col.unit,) if u] == units, where
        assert column.name.startswith("is_") == (column.type is bool), where
        assert column.name.endswith("_at") == (column.type is AwareDatetime), where
        assert column.name == column.name.lower()
        assert column.description, where
        assert not column.description.endswith("."), where


def test_money_is_decimal_and_nothing_else_is():
    assert {c.name for _, c in every_column() if c.type is Decimal} == {"cost_usd"}
    assert {arrow_type(c) for _, c in every_column() if c.type is Decimal} == {pa.decimal128(18, 9)}


@every_table
def test_keys_are_required_columns_and_partitions_are_suite_and_edition(model):
    by_name = {c.name: c for c in columns(model)}
    assert model.key[:2] == ("suite", "edition")
    assert all(not by_name[k].nullable and not by_name[k].col.volatile for k in model.key)
    assert [c.name for c in by_name.values() if c.col.partition] == ["suite", "edition"]
    assert ("system_id" in by_name) == (model.table not in ("cases", "checks", "audience"))
    assert model.table in TABLES


def test_volatile_and_private_columns_are_those_written_here():
    assert {m.table: volatile(m) for m in MODELS} == {
        "answers": {"latency_ms", "run_id"},
        "calls": {"call_id", "generation_id", "latency_ms", "asked_at", "run_id"},
        "cases": set(),
        "grades": set(),
        "profiles": {"latency_ms"},
        "tendencies": {"run_id", "run_date"},
        "votes": {"checked_at", "run_id"},
        "checks": {"checked_at", "run_id"},
        "audience": {"imported_at"},
        "evidence": {"sha256", "size_bytes", "is_one_colour", "measurements"},
    }
    private = {m.table: {c.name for c in columns(m) if c.col.private} for m in MODELS}
    assert private == {
        "answers": {"text", "replies"},
        "calls": {"text"},
        "cases": {"brief", "truth", "text", "canary"},
        "grades": {"expected", "given", "quote"},
        "profiles": {"critical_path"},
        "tendencies": set(),
        "votes": {"system_id", "vendor", "family", "place", "reason", "text", "pool", "key_mark", "request_hash"},
        "checks": set(),
        "audience": set(),
        "evidence": {"measurements"},
    }
