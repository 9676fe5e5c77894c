"""The data dictionary; the oracle is the Arrow schema's own words and entries written by hand."""

import pytest

from schemas.dictionary import Entry, entries
from schemas.row import arrow_schema
from schemas.tables import TABLES

every_table = pytest.mark.parametrize("model", TABLES.values(), ids=lambda m: m.table)


@every_table
def test_every_column_stands_there_once_in_order_with_its_words(model):
    found = [e for e in entries(model) if "[]." not in e.column]
    schema = arrow_schema(model)
    assert [e.column for e in found] == schema.names
    for entry, field in zip(found, schema, strict=True):
        assert entry.description == field.metadata[b"description"].decode()
        assert entry.unit == field.metadata.get(b"unit", b"").decode()
        assert entry.nullable == field.nullable
        assert entry.is_volatile == (b"volatile" in field.metadata)
        assert entry.is_key == (field.name in model.key)
        assert (entry.place == "path") == (field.name not in arrow_schema(model, file=True).names)
        assert entry.type in (str(field.type), "list<struct>")
        assert entry.table == model.table


def test_entries_written_by_hand():
    calls = {e.column: e for e in entries(TABLES["calls"])}
    assert calls["cost_usd"] == Entry(
        table="calls", column="cost_usd", type="decimal128(18, 9)", nullable=False, is_key=False, place="file",
        is_volatile=False, allowed="≥ 0", unit="USD", description="Cost as returned, or by the price (`cost_from`)",
    )  # fmt: skip
    assert calls["suite"].place == "path"
    assert calls["asked_at"].type == "timestamp[us, tz=UTC]"
    assert calls["attempt"].is_key
    assert calls["attempt"].allowed == "≥ 1"
    assert calls["request_hash"].allowed == "matches ^[0-9a-f]{64}$"
    words = "ok | filtered | refused | truncated | timeout | invalid | pin_violated | api_error"
    assert calls["status"].allowed == words


def test_nested_columns_follow_their_list():
    found = [
        (e.column, e.type, e.nullable) for e in entries(TABLES["profiles"]) if e.column.startswith("critical_path")
    ]
    assert found == [
        ("critical_path", "list<struct>", False),
        ("critical_path[].item", "string", False),
        ("critical_path[].error", "string", False),
        ("critical_path[].given", "string", True),
        ("critical_path[].expected", "string", True),
    ]
    assert not any(e.is_key for e in entries(TABLES["profiles"]) if "[]." in e.column)
