"""The gate: planted bad rows are exactly those set aside; the oracle is a check in plain Python, written a second time."""

import datetime as dt
import io
import json
import random
import re
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from row_support import PLACE, call, grade, grades, new_store

from schemas.call import Call
from schemas.errors import GateError
from schemas.expectations import Expectation, expectations
from schemas.grade import Grade
from schemas.row import arrow_schema, to_table
from schemas.tables import TABLES
from tasks.gate import check, pass_gate
from tasks.gate_log import read_gates

NAME = f"quarantine/{{}}/{PLACE.folder}/part-k.parquet"
STATUSES = {"ok", "filtered", "refused", "truncated", "timeout", "invalid", "pin_violated", "api_error"}
REQUIRED = [
    "system_id", "case_id", "trial", "turn", "attempt", "call_id", "request_hash", "status", "text", "cost_usd", "latency_ms",
    "asked_at", "prompt_version", "set_version", "run_id",
]  # fmt: skip
LOWEST = {"trial": 1, "turn": 1, "attempt": 1, "tokens_in": 0, "tokens_out": 0, "cost_usd": 0, "latency_ms": 0}
PLANTS = [
    ("system_id", "Rules"), ("system_id", "rules\n"), ("system_id", ""), ("request_hash", "0" * 64 + "\n"), ("request_hash", "0" * 63),
    ("request_hash", "G" * 64), ("status", "great"), ("status", "ok\n"), ("status", ""), ("trial", 0), ("attempt", -1), ("tokens_in", -1),
    ("tokens_out", -(2**62)), ("cost_usd", Decimal("-0.000000001")), ("latency_ms", -5), *((n, None) for n in REQUIRED),
]  # fmt: skip


def reasons(rows):
    """Rule by rule in plain Python, from the descriptions of the columns of `calls`: row number → what is wrong."""
    found = {}
    keys = [tuple(r[k] for k in ("suite", "edition", "system_id", "request_hash", "attempt")) for r in rows]
    for number, row in enumerate(rows):
        wrong = {f"expect_column_values_to_not_be_null({n})" for n in REQUIRED if row[n] is None}
        wrong |= {
            f"expect_column_values_to_be_between({n})"
            for n, low in LOWEST.items()
            if row[n] is not None and row[n] < low
        }
        if row["status"] is not None and row["status"] not in STATUSES:
            wrong.add("expect_column_values_to_be_in_set(status)")
        for name, pattern in (("system_id", "[a-z][a-z0-9._-]*"), ("request_hash", "[0-9a-f]{64}")):
            if row[name] is not None and not re.fullmatch(pattern, row[name]):
                wrong.add(f"expect_column_values_to_match_regex({name})")
        if keys.count(keys[number]) > 1:
            wrong.add("expect_compound_columns_to_be_unique(suite, edition, system_id, request_hash, attempt)")
        if wrong:
            found[number] = wrong
    return found


def table_of(model, rows):
    """A table that no row class has seen; nulls stand even where none may."""
    schema = arrow_schema(model)
    return pa.Table.from_arrays([pa.array([r[f.name] for r in rows], f.type) for f in schema], schema=schema)


def planted(seed):
    """120 good calls, every kind of bad value planted at a place of its own, two of them twice, and two duplicate keys."""
    drawn = random.Random(seed)
    rows = [call(n, tokens_in=drawn.choice([None, n]), cost_usd=Decimal(n).scaleb(-9)).model_dump() for n in range(120)]
    places = drawn.sample(range(120), len(PLANTS) + 4)
    for place, (name, value) in zip(places, PLANTS, strict=False):
        rows[place][name] = value
    rows[places[0]]["latency_ms"] = rows[places[1]]["latency_ms"] = -1
    for one, other in (places[-4:-2], places[-2:]):
        rows[other]["request_hash"] = rows[one]["request_hash"]
    return rows


def test_planted_rows_are_exactly_those_in_quarantine_with_their_reasons(tmp_path):
    store = new_store(tmp_path)
    rows = planted(7)
    wanted = reasons(rows)
    assert len(wanted) == len(PLANTS) + 4
    with pytest.raises(GateError) as caught:
        pass_gate(store, Call, PLACE, "k", table_of(Call, rows))
    name = NAME.format("calls")
    bad = pq.read_table(pa.BufferReader(store.get(name)), partitioning=None).to_pylist()
    assert [set(r.pop("broken")) for r in bad] == [wanted[n] for n in sorted(wanted)]
    assert bad == [rows[n] for n in sorted(wanted)]
    told = str(caught.value)
    rules = set().union(*wanted.values())
    assert told.startswith(f"calls of {PLACE.folder}: {len(wanted)} of 120 rows break ")
    assert any(f"break {r} and {len(rules) - 1} more" in told for r in rules)
    assert told.endswith(f"; they stand in {name}.")


def test_the_quarantine_goes_when_the_shard_passes(tmp_path):
    store = new_store(tmp_path)
    good = to_table(Grade, grades(1, 2))
    bad = to_table(Grade, [grade(1), grade(1)])
    other = NAME.format("grades").replace("part-k", "part-other")
    store.put(other, b"of another shard")
    for passing in (good, good.slice(0, 0)):
        with pytest.raises(
            GateError, match=r"2 of 2 rows break expect_compound_columns_to_be_unique\(suite, edition, .*\); they"
        ):
            pass_gate(store, Grade, PLACE, "k", bad)
        assert store.exists(NAME.format("grades"))
        pass_gate(store, Grade, PLACE, "k", passing, min_rows=0)
        assert store.names("quarantine") == [other]


def test_an_empty_frame_fails_where_rows_are_required(tmp_path):
    store = new_store(tmp_path)
    empty = to_table(Grade, [])
    with pytest.raises(
        GateError, match=r"grades of .*: 0 of 0 rows break expect_table_row_count_to_be_between\(\); they stand"
    ):
        pass_gate(store, Grade, PLACE, "k", empty)
    pass_gate(store, Grade, PLACE, "k", empty, min_rows=0)


@pytest.mark.parametrize("change", ["type", "order", "missing", "nullable"])
def test_other_columns_or_types_are_refused_before_any_check(tmp_path, change):
    table = to_table(Grade, grades(1))
    column = table.schema.get_field_index("trial")
    table = {
        "type": lambda: table.set_column(
            column, pa.field("trial", pa.int32(), nullable=False), table["trial"].cast(pa.int32())
        ),
        "order": lambda: table.select(table.column_names[::-1]),
        "missing": lambda: table.drop_columns(["quote"]),
        "nullable": lambda: table.set_column(column, pa.field("trial", pa.int64()), table["trial"]),
    }[change]()
    with pytest.raises(GateError, match=r"grades of .*: the columns or their types differ"):
        pass_gate(new_store(tmp_path), Grade, PLACE, "k", table)


def test_an_expectation_that_crashed_is_told_as_such():
    table = to_table(Grade, grades(1))
    for wanted in (
        Expectation(type="expect_column_values_to_not_be_null", arguments={"column": "nowhere"}),
        Expectation(type="expect_column_values_to_match_regex", arguments={"column": "label", "regex": "("}),
        Expectation(type="expect_column_values_to_be_between", arguments={"column": "label", "min_value": 3}),
    ):
        with pytest.raises(
            GateError, match=rf"The expectation {wanted.type}\({wanted.arguments['column']}\) crashed: .+"
        ):
            check(table, [wanted])


@pytest.mark.parametrize("model", TABLES.values(), ids=lambda m: m.table)
def test_columns_of_nulls_alone_break_nothing_where_nulls_may_be(model):
    """All-null columns lose their type on the way to a frame; a check on one must neither crash nor complain."""
    wanted = [e for e in expectations(model) if e.type != "expect_column_values_to_not_be_null"]
    nullable = {f.name for f in arrow_schema(model) if f.nullable}
    schema = arrow_schema(model)
    day = dt.datetime(2026, 11, 29, tzinfo=dt.UTC)
    fill = {pa.timestamp("us", tz="UTC"): day, pa.string(): "a", pa.int64(): 1, pa.float64(): 1.0, pa.bool_(): True}
    row = {f.name: None if f.name in nullable else fill.get(f.type, []) for f in schema}
    row |= {n: v for n, v in call(1).model_dump().items() if n in schema.names and n not in nullable}
    broken = check(table_of(model, [row]), [e for e in wanted if e.arguments.get("column") in nullable])
    assert broken == []


def test_eight_threads_get_the_right_verdicts():
    """great_expectations#12209: a context shared by threads gave wrong verdicts without a word."""
    wanted = [e for e in expectations(Grade) if e.arguments.get("column") == "pass_name"]
    good = to_table(Grade, grades(*range(30)))
    cases = []
    for number in range(80):
        bad = () if number % 2 else (number % 30, (number + 7) % 30)
        label = pa.array(["maybe" if n in bad else "atomic" for n in range(30)])
        column = good.schema.get_field_index("pass_name")
        cases.append((good.set_column(column, good.schema.field(column), label), tuple(sorted(bad))))
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda case: check(case[0], wanted), cases))
    rule = "expect_column_values_to_be_in_set(pass_name)"
    assert [[(b.rule, b.rows) for b in broken] for broken in found] == [
        [(rule, bad)] if bad else [] for _, bad in cases
    ]


def test_the_quarantine_is_whole_parquet_with_all_columns(tmp_path):
    store = new_store(tmp_path)
    with pytest.raises(GateError):
        pass_gate(store, Grade, PLACE, "k", to_table(Grade, [grade(1), grade(1), grade(2)]))
    found = pq.read_table(io.BytesIO(store.get(NAME.format("grades"))))
    assert found.schema.names == [*arrow_schema(Grade).names, "broken"]
    assert found.num_rows == 2


def test_every_gate_leaves_a_line_under_its_run_without_a_value(tmp_path):
    """The history is told from the file itself: rows that came, rows set aside and where, rules by name; no label, quote or id of a case."""
    store = new_store(tmp_path)
    pass_gate(store, Grade, PLACE, "k", to_table(Grade, grades(1, 2)), run_id="r1")
    with pytest.raises(GateError):
        pass_gate(store, Grade, PLACE, "k2", to_table(Grade, [grade(1), grade(1), grade(2)]), run_id="r1")
    pass_gate(store, Grade, PLACE, "k3", to_table(Grade, grades(1)))
    raw = store.get("gates/r1.jsonl").decode()
    first, second = (json.loads(line) for line in raw.splitlines())
    assert (first["rows"], first["set_aside"], first.get("broken")) == (2, 0, None)
    assert (second["rows"], second["set_aside"]) == (3, 2)
    assert store.exists(second["quarantine"])
    assert second["broken"][0].startswith("expect_compound_columns_to_be_unique(")
    assert not {str(v) for v in (grade(1).case_id, grade(1).label)} & set(raw.replace('"', " ").split())
    with store.path("gates/r1.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"table": "gra')
    told = read_gates(store)
    assert {run: [line.passed for line in lines] for run, lines in told.items()} == {"r1": [2, 0], "by-hand": [1]}
