"""Expectations derived from a row class; the oracle is pydantic's own JSON schema of the same class."""

import re
import typing as t

import pytest

from schemas.expectations import expectations
from schemas.row import Row, columns
from schemas.tables import TABLES

every_table = pytest.mark.parametrize("model", TABLES.values(), ids=lambda m: m.table)


def alternatives(schema):
    """The alternatives of a property but null; a decimal's string form says nothing that its number form does not."""
    found = [s for s in schema.get("anyOf", [schema]) if s.get("type") != "null"]
    numbers = [s for s in found if s.get("type") in ("number", "integer")]
    return numbers or found


def by_json_schema(model):
    """(type, column, argument) of all that the JSON schema demands of a scalar column."""
    found = set()
    for name, schema in model.model_json_schema()["properties"].items():
        nullable = any(s.get("type") == "null" for s in schema.get("anyOf", []))
        (one,) = alternatives(schema)
        if one.get("type") in ("array", "object") or "$ref" in one:
            continue
        if not nullable:
            found.add(("expect_column_values_to_not_be_null", name, None))
        if "enum" in one:
            found.add(("expect_column_values_to_be_in_set", name, tuple(one["enum"])))
        if "pattern" in one:
            found.add(("expect_column_values_to_match_regex", name, one["pattern"].removesuffix("$") + r"\Z"))
        if "minimum" in one or "maximum" in one:
            found.add(("expect_column_values_to_be_between", name, (one.get("minimum"), one.get("maximum"))))
    return found


def as_derived(one):
    arguments = one.arguments
    if "value_set" in arguments:
        return one.type, arguments["column"], tuple(arguments["value_set"])
    if "min_value" in arguments:
        return one.type, arguments["column"], (arguments["min_value"], arguments["max_value"])
    return one.type, arguments["column"], arguments.get("regex")


@every_table
def test_expectations_demand_what_the_json_schema_demands(model):
    first, *middle, last = expectations(model)
    assert {as_derived(e) for e in middle} == by_json_schema(model)
    assert len(middle) == len({as_derived(e) for e in middle})
    assert first.type == "expect_table_row_count_to_be_between"
    assert first.arguments == {"min_value": 1}
    assert last.type == "expect_compound_columns_to_be_unique"
    assert tuple(last.arguments["column_list"]) == model.key


def test_the_least_number_of_rows_can_be_none():
    assert expectations(TABLES["grades"], min_rows=0)[0].arguments == {"min_value": 0}


@every_table
def test_patterns_let_no_trailing_newline_through(model):
    for one in expectations(model):
        if regex := one.arguments.get("regex"):
            good = "0" * 64 if "{64}" in regex else "2024-05" if "20" in regex else "abc"
            assert re.search(regex, good)
            assert not re.search(regex, good + "\n")


@every_table
def test_no_column_has_a_constraint_that_the_gate_would_pass_over(model):
    told = {"ge", "le", "pattern", "max_digits", "decimal_places"}
    for column in columns(model):
        held = {n for n in ("gt", "lt", "multiple_of", "min_length", "max_length") if column.constraint(n) is not None}
        assert not held, f"{model.table}.{column.name}: the gate checks {sorted(told)} and not {sorted(held)}"


def test_nested_columns_are_left_out():
    class Inner(Row):
        """A struct."""

        name: str

    class Nested(Row):
        """A list, a tuple and a struct."""

        table: t.ClassVar[str] = "nested"
        key: t.ClassVar[tuple[str, ...]] = ("name",)
        name: str
        words: list[str]
        pairs: tuple[str, ...]
        inner: Inner

    assert {e.arguments["column"] for e in expectations(Nested) if "column" in e.arguments} == {"name"}
