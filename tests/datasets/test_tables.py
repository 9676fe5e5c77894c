"""Parts, seals and manifests; the oracles are rows in memory and readers that know nothing of us (DuckDB, pandas, pyarrow)."""

import hashlib
import json
import random
from collections import Counter
from decimal import Decimal

import duckdb
import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from row_support import PLACE, call, grade, grades, killed_at, new_store, rows, tendency

from datasets import tables
from datasets.digests import digest_of
from datasets.tables import (
    Place,
    find_part,
    loose_keys,
    manifest_name,
    part_of,
    read,
    read_part,
    rows_of,
    seal,
    sealed,
    shard_key,
    waiting_keys,
    write_part,
    write_table,
)
from schemas.answer import Answer
from schemas.case import Case
from schemas.errors import StoreError
from schemas.grade import Grade
from schemas.row import arrow_schema, to_table, volatile
from schemas.tables import TABLES
from schemas.tendency import Tendency

every_table = pytest.mark.parametrize("model", TABLES.values(), ids=lambda m: m.table)


def in_tables(store, table="grades"):
    """All rows that a stranger finds below `tables/`, each once a time it stands there."""
    glob = str(store.path(f"tables/{table}/**/*.parquet"))
    if not store.names(f"tables/{table}"):
        return Counter()
    found = duckdb.sql(
        f"SELECT suite, edition, system, case_id, points FROM read_parquet('{glob}', hive_partitioning=true)"
    )
    return Counter(found.fetchall())


def as_found(rows, place=PLACE):
    return Counter((place.suite, place.edition, place.system, r.case_id, r.points) for r in rows)


def assert_settled(store, rows, place=PLACE):
    """Exactly the rows, for a stranger and by the manifest, and nothing that waits."""
    home = f"tables/grades/{place.folder}"
    manifest = json.loads(store.get(f"manifests/grades/{place.folder}.json"))
    assert [f["shard"] for f in manifest["files"]] == sorted(f["shard"] for f in manifest["files"])
    assert sorted(f["name"] for f in manifest["files"]) == store.names(home)
    assert manifest["rows"] == len(rows) == sum(f["rows"] for f in manifest["files"])
    here = Counter(
        {row: n for row, n in in_tables(store).items() if row[:3] == (place.suite, place.edition, place.system)}
    )
    assert here == as_found(rows, place)
    assert Counter(r.case_id for r in rows_of(Grade, read(store, Grade, place))) == Counter(r.case_id for r in rows)
    assert store.names(f"work/grades/{place.folder}") == []
    for part in sealed(store, Grade, place):
        assert part.digest == find_part(store, Grade, place, part.key).digest


# One part


@every_table
@settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_rows_come_back_from_the_store_as_they_were(model, tmp_path, data):
    store = new_store(tmp_path)
    place = Place(suite=PLACE.suite, edition=PLACE.edition, system=None if model is Case else "rules")
    drawn = data.draw(rows(model, **({"system_id": "rules"} if "system_id" in model.model_fields else {})))
    part = write_part(store, model, place, "k", 3, drawn)
    found = rows_of(model, read_part(store, model, place, part.name))
    assert found == sorted(drawn, key=lambda r: tuple(getattr(r, k) for k in model.key))
    assert (part.rows, part.shard, part.key) == (len(drawn), 3, "k")
    assert find_part(store, model, place, "k") == part
    file = pq.read_schema(store.path(part.name))
    wanted = arrow_schema(model, file=True)
    assert file.remove_metadata().equals(wanted.remove_metadata())
    assert all(file.field(n).metadata == wanted.field(n).metadata for n in wanted.names)
    assert {k: v for k, v in file.metadata.items() if k != b"shard"} == wanted.metadata
    meta = pq.read_metadata(store.path(part.name))
    assert {meta.row_group(g).column(0).compression for g in range(meta.num_row_groups)} <= {"ZSTD"}


def test_a_part_of_no_rows_and_columns_of_the_path_alone(tmp_path):
    store = new_store(tmp_path)
    empty = write_part(store, Grade, PLACE, "none", 0, [])
    assert read_part(store, Grade, PLACE, empty.name).schema.equals(arrow_schema(Grade))
    part = write_part(store, Grade, PLACE, "k", 1, grades(1, 2, 3))
    assert read_part(store, Grade, PLACE, part.name, ["suite"]).to_pylist() == [{"suite": "invoices"}] * 3
    found = read_part(store, Grade, PLACE, part.name, ["points", "case_id"]).to_pylist()
    assert found == [{"case_id": f"c00{n}", "points": 1.0} for n in (1, 2, 3)]


def test_a_part_that_is_older_than_a_column_is_read_with_nulls(tmp_path):
    """New columns come nullable; what was paid for before they came is read all the same."""
    store = new_store(tmp_path)
    part = write_part(store, Grade, PLACE, "k", 0, grades(1, 2, quote="řekl"))
    old = pq.read_table(store.path(part.name), partitioning=None).drop_columns(["quote"])
    pq.write_table(old, store.path(part.name))
    assert rows_of(Grade, read_part(store, Grade, PLACE, part.name)) == grades(1, 2, quote=None)
    assert read_part(store, Grade, PLACE, part.name, ["quote"]).to_pylist() == [{"quote": None}] * 2


def test_a_repeat_overwrites_itself(tmp_path):
    store = new_store(tmp_path)
    for points in (0.0, 1.0):
        part = write_part(store, Grade, PLACE, "k", 0, grades(1, 2, points=points))
    assert store.names("work") == [part.name]
    seal(store, Grade, PLACE, [part])
    again = write_part(store, Grade, PLACE, "k", 0, grades(1, 2, points=0.5))
    seal(store, Grade, PLACE, [again])
    assert_settled(store, grades(1, 2, points=0.5))


def test_a_table_with_a_null_in_a_required_column_is_not_written(tmp_path):
    store = new_store(tmp_path)
    schema = arrow_schema(Grade)
    table = to_table(Grade, grades(1))
    column = schema.get_field_index("label")
    table = table.set_column(column, schema.field(column), pa.array([None], pa.string()))
    with pytest.raises(ValueError, match="null"):
        write_table(store, Grade, PLACE, "k", 0, table)
    assert store.names("work") == []


def test_the_digest_stands_on_the_rows_and_not_on_how_they_are_held(tmp_path, monkeypatch):
    """A null's slot in memory holds what was there before: read back from Parquet, the bytes differ and the rows do not."""
    store = new_store(tmp_path)
    monkeypatch.setattr(tables, "ROW_GROUP", 7)
    for seed in range(15):
        drawn = random.Random(seed)
        made = [
            tendency(n, low=drawn.choice([None, drawn.random()]), high=drawn.choice([None, drawn.random()]), note=drawn.choice([None, "ž"]))
            for n in range(drawn.randrange(1, 60))
        ]  # fmt: skip
        part = write_part(store, Tendency, PLACE, "k", 0, made)
        assert find_part(store, Tendency, PLACE, "k") == part
        drawn.shuffle(made)
        assert write_part(store, Tendency, PLACE, "k", 0, made) == part
        table = to_table(Tendency, made)
        pieces = pa.concat_tables([table.slice(n, 13) for n in range(0, len(made), 13)])
        assert digest_of(Tendency, pieces) == part.digest


@every_table
@settings(max_examples=3, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(data=st.data())
def test_the_digest_changes_with_any_cell_but_the_volatile_ones(model, data):
    one, other = data.draw(rows(model).filter(bool))[0], data.draw(rows(model).filter(bool))[0]
    digest = digest_of(model, to_table(model, [one]))
    for name in model.model_fields:
        changed = one.model_copy(update={name: getattr(other, name)})
        same = to_table(model, [changed])[name].equals(to_table(model, [one])[name]) or name in volatile(model)
        assert (digest_of(model, to_table(model, [changed])) == digest) == same, name


def test_the_digest_tells_nulls_empties_and_places_apart():
    different = [
        grade(1, given=None), grade(1, given=""), grade(1, reason="", given="x"), grade(1, reason="x", given=""),
        grade(1, reason="xy", given="z"), grade(1, reason="x", given="yz"), grade(1, points=0.0),
    ]  # fmt: skip
    assert len({digest_of(Grade, to_table(Grade, [p])) for p in different}) == len(different)
    cuts = [[["a"], ["b", "c"]], [["a", "b"], ["c"]], [[], ["a", "b", "c"]], [["a", "b", "c"], []]]
    answers = pa.schema([arrow_schema(Answer).field("replies")])
    assert len({digest_of(Answer, pa.table([cut], answers)) for cut in cuts}) == len(cuts)
    two = [[grade(1, given="x"), grade(2, given=None)], [grade(1, given=None), grade(2, given="x")]]
    assert len({digest_of(Grade, to_table(Grade, p)) for p in two}) == 2


def test_shard_keys_stand_on_all_their_parts():
    assert shard_key("a", 1, ["b"]) == shard_key("a", 1, ("b",))
    assert len({shard_key(*x) for x in (("a", "b"), ("ab",), ("b", "a"), ("a", ["b"]), ("a", 1), ("a", "1"))}) == 6
    assert len(shard_key("ž")) == 16


# Sealing


def test_find_part_prefers_what_waits_and_readers_never_see_it(tmp_path):
    store = new_store(tmp_path)
    assert find_part(store, Grade, PLACE, "k") is None
    assert sealed(store, Grade, PLACE) is None
    seal(store, Grade, PLACE, [write_part(store, Grade, PLACE, "k", 0, grades(1))])
    write_part(store, Grade, PLACE, "k", 0, grades(1, points=0.0))
    write_part(store, Grade, PLACE, "l", 1, grades(2))
    found = find_part(store, Grade, PLACE, "k")
    assert found.name.startswith("work/")
    assert rows_of(Grade, read_part(store, Grade, PLACE, found.name)) == grades(1, points=0.0)
    assert waiting_keys(store, Grade, PLACE) == {"k", "l"}
    assert in_tables(store) == as_found(grades(1))
    assert rows_of(Grade, read(store, Grade, PLACE)) == grades(1)


def test_seal_publishes_its_parts_and_removes_what_they_replace(tmp_path):
    store = new_store(tmp_path)
    old = [write_part(store, Grade, PLACE, k, n, grades(n)) for n, k in enumerate(["a", "b", "c"])]
    seal(store, Grade, PLACE, old)
    assert_settled(store, grades(0, 1, 2))
    write_part(store, Grade, PLACE, "stale", 7, grades(7))
    new = [write_part(store, Grade, PLACE, "d", 1, grades(10)), sealed(store, Grade, PLACE)[0]]
    seal(store, Grade, PLACE, new)
    assert_settled(store, grades(0, 10))
    assert [p.key for p in sealed(store, Grade, PLACE)] == ["a", "d"]
    assert part_of(sealed(store, Grade, PLACE), 1).key == "d"
    with pytest.raises(StoreError, match="no part of shard 2 among 2"):
        part_of(sealed(store, Grade, PLACE), 2)


def test_seal_leaves_other_systems_and_editions_alone(tmp_path):
    store = new_store(tmp_path)
    others = [
        PLACE.model_copy(update=change)
        for change in ({"system": "rules2"}, {"system": "other"}, {"edition": "v1-s7-n60-pabc"}, {"suite": "invoices2"})
    ]
    for place in others:
        kept = grades(1, 2, suite=place.suite, edition=place.edition, system_id=place.system)
        seal(store, Grade, place, [write_part(store, Grade, place, "k", 0, kept)])
        write_part(store, Grade, place, "waits", 1, kept)
    for number in (1, 2):
        seal(store, Grade, PLACE, [write_part(store, Grade, PLACE, f"k{number}", 0, grades(number))])
    assert_settled(store, grades(2))
    for place in others:
        assert [p.key for p in sealed(store, Grade, place)] == ["k"]
        assert waiting_keys(store, Grade, place) == {"waits"}
        assert read(store, Grade, place).num_rows == 2


def test_a_partition_without_systems_is_apart_from_those_within_it(tmp_path):
    store = new_store(tmp_path)
    outer = Place(suite=PLACE.suite, edition=PLACE.edition)
    seal(store, Grade, PLACE, [write_part(store, Grade, PLACE, "inner", 0, grades(1))])
    write_part(store, Grade, PLACE, "inner2", 0, grades(1))
    assert waiting_keys(store, Grade, outer) == loose_keys(store, Grade, outer) == set()
    seal(store, Grade, outer, [write_part(store, Grade, outer, "outer", 0, grades(2))])
    assert [p.key for p in sealed(store, Grade, PLACE)] == ["inner"]
    assert waiting_keys(store, Grade, PLACE) == {"inner2"}


def test_keep_loses_nothing(tmp_path):
    store = new_store(tmp_path)
    seal(store, Grade, PLACE, [write_part(store, Grade, PLACE, "a", 0, grades(1))], keep=True)
    write_part(store, Grade, PLACE, "b", 1, grades(2))
    write_part(store, Grade, PLACE, "a", 0, grades(1, 3))
    seal(store, Grade, PLACE, [], keep=True)
    assert_settled(store, grades(1, 2, 3))
    seal(store, Grade, PLACE, [write_part(store, Grade, PLACE, "c", 2, grades(4))], keep=True)
    assert_settled(store, grades(1, 2, 3, 4))


STOPS = [
    ("put", "tables/", 1),
    ("put", "tables/", 2),
    ("put", "manifests/", 1),
    ("remove", "work/", 1),
    ("remove", "work/", 2),
]
STOPS_OF_REMOVAL = [("remove", "tables/", 1, False), ("remove", "tables/", 2, False)]  # keep removes nothing there


@pytest.mark.parametrize(
    ("method", "prefix", "at", "keep"), [*STOPS_OF_REMOVAL, *((*s, keep) for s in STOPS for keep in (False, True))]
)
def test_a_seal_that_was_stopped_anywhere_is_ended_by_the_next(tmp_path, method, prefix, at, keep):
    """`a` is made again with other rows, `b` and `c` are replaced by `d`, another seal follows with what the store tells."""
    store = new_store(tmp_path)
    old = [write_part(store, Grade, PLACE, k, n, grades(n)) for n, k in enumerate(["a", "b", "c"])]
    seal(store, Grade, PLACE, old)
    new = [
        write_part(store, Grade, PLACE, "a", 0, grades(0, points=0.25)),
        write_part(store, Grade, PLACE, "d", 1, grades(9)),
    ]
    with killed_at(method, prefix, at):
        seal(store, Grade, PLACE, [] if keep else new, keep=keep)
    assert waiting_keys(store, Grade, PLACE)  # the next run sees that there is something to end
    again = [] if keep else [find_part(store, Grade, PLACE, k) for k in ("a", "d")]
    seal(store, Grade, PLACE, again, keep=keep)
    assert_settled(store, [*grades(0, points=0.25), *grades(9), *(grades(1, 2) if keep else [])])
    assert loose_keys(store, Grade, PLACE) == set()


def test_parts_that_no_manifest_lists_are_known(tmp_path):
    store = new_store(tmp_path)
    parts = [write_part(store, Grade, PLACE, k, n, grades(n)) for n, k in enumerate("ab")]
    seal(store, Grade, PLACE, parts)
    first = sealed(store, Grade, PLACE)[:1]
    with killed_at("remove", "tables/"):
        seal(store, Grade, PLACE, first)
    assert waiting_keys(store, Grade, PLACE) == set()
    assert loose_keys(store, Grade, PLACE) == {"b"}
    seal(store, Grade, PLACE, first)
    assert_settled(store, grades(0))


def test_a_newer_table_and_an_unsealed_partition_are_refused(tmp_path):
    store = new_store(tmp_path)
    with pytest.raises(
        StoreError, match=r"grades of suite=invoices/edition=v1-s7-n6-pabc/system=rules is not in the store"
    ):
        read(store, Grade, PLACE)
    seal(store, Grade, PLACE, [write_part(store, Grade, PLACE, "k", 0, grades(1))])
    name = manifest_name(Grade, PLACE)
    store.put(name, json.dumps({**json.loads(store.get(name)), "version": Grade.version + 1}).encode())
    with pytest.raises(
        StoreError, match=f"'grades' in the store has version {Grade.version + 1}, newer than .* {Grade.version}"
    ):
        sealed(store, Grade, PLACE)


def test_a_sealed_partition_of_no_parts_is_an_empty_table(tmp_path):
    store = new_store(tmp_path)
    seal(store, Grade, PLACE, [])
    assert read(store, Grade, PLACE).schema.equals(arrow_schema(Grade))
    assert read(store, Grade, PLACE, ["case_id"]).schema.names == ["case_id"]


# Strangers


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """Two systems with two parts each, calls and grades, a third part that waits."""
    store = new_store(tmp_path_factory.mktemp("shared"))
    for system in ("rules", "ocr-rules"):
        place = PLACE.model_copy(update={"system": system})
        made = [grades(1, 2, system_id=system), grades(3, 4, 5, system_id=system, points=0.5, given="příliš")]
        parts = [write_part(store, Grade, place, shard_key(n), n, g) for n, g in enumerate(made)]
        seal(store, Grade, place, parts)
        write_part(store, Grade, place, "waits", 2, grades(6, system_id=system))
        model = TABLES["calls"]
        seal(
            store, model, place, [write_part(store, model, place, "k", 0, [call(n, system_id=system) for n in (1, 2)])]
        )
    return store


def test_duckdb_reads_a_sealed_table(shared):
    glob = f"{shared.root}/tables/grades/**/*.parquet"
    found = duckdb.sql(f"SELECT * FROM read_parquet('{glob}', hive_partitioning=true)")
    types = dict(zip(found.columns, map(str, found.types), strict=True))
    assert {types[n] for n in ("suite", "edition", "system", "system_id", "case_id")} == {"VARCHAR"}
    assert (types["points"], types["trial"]) == ("DOUBLE", "BIGINT")
    found = duckdb.sql(
        f"SELECT suite, edition, system, count(*), sum(points), max(given) FROM read_parquet('{glob}', hive_partitioning=true)"
        " WHERE system = system_id GROUP BY ALL ORDER BY system"
    ).fetchall()
    assert found == [("invoices", PLACE.edition, s, 5, 3.5, "příliš") for s in ("ocr-rules", "rules")]
    money = f"SELECT sum(cost_usd), typeof(any_value(cost_usd)) FROM read_parquet('{shared.root}/tables/calls/**/*.parquet')"
    assert duckdb.sql(money).fetchall() == [(Decimal("0.000000004"), "DECIMAL(18,9)")]


def test_pandas_reads_a_sealed_table(shared):
    frame = pd.read_parquet(shared.path("tables/grades"))
    assert len(frame) == 10
    assert set(frame["system"].astype(str)) == set(frame["system_id"]) == {"rules", "ocr-rules"}
    assert (frame["system"].astype(str) == frame["system_id"]).all()
    assert set(frame["suite"].astype(object)) == {"invoices"}
    assert set(frame["edition"].astype(object)) == {PLACE.edition}
    assert frame.groupby("system", observed=True)["points"].sum().to_dict() == {"rules": 3.5, "ocr-rules": 3.5}


def test_pyarrow_reads_a_sealed_table(shared):
    found = ds.dataset(shared.path("tables/grades"), partitioning="hive")
    assert {found.schema.field(n).type for n in ("suite", "edition", "system")} == {pa.string()}
    table = found.to_table(filter=ds.field("system") == "rules")
    assert sorted(table["case_id"].to_pylist()) == ["c001", "c002", "c003", "c004", "c005"]
    assert found.schema.field("points").metadata[b"description"] == b"Points given"
    ours = read(shared, Grade, PLACE).drop_columns(["suite", "edition"]).sort_by("case_id")
    assert table.select(ours.schema.names).sort_by("case_id").equals(ours)


def test_nothing_but_whole_parquet_stands_in_tables(shared):
    for name in shared.names("tables"):
        assert pq.read_table(shared.path(name), partitioning=None).num_rows
    manifests = [json.loads(shared.get(n)) for n in shared.names("manifests")]
    assert sorted(f["name"] for m in manifests for f in m["files"]) == shared.names("tables")
    assert len({hashlib.sha256(shared.get(n)).digest() for n in shared.names("tables/calls")}) == 2
