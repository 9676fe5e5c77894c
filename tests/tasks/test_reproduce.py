"""A run made again: equal where nothing was touched, and a touched number, version or part is found (S-4, G-9)."""

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pipeline_support import run_stages, stable_rows

from datasets.store import Store
from schemas.errors import UsageError
from tasks.manifest import changed, made_with
from tasks.past_runs import past_runs
from tasks.reproduce import reproduce
from tasks.runs import Order, finish_run


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("ZKUSEBNA_PRIVATE_SEED", "a secret that nobody may read")
    root = str(tmp_path / "store")
    done = run_stages(root, "invoices", ["rules"], 6, ("text",))
    finish_run(root, Order(run_id="r1", seed=7, parts=()), [done])
    return root


def test_a_run_is_made_again_to_the_last_digit_and_nothing_is_written(root: str) -> None:
    before = stable_rows(root)
    found = reproduce(root, "r1")
    assert found.is_equal
    assert {t.table: t.n_before for t in found.tables}.keys() == {"grades", "profiles", "tendencies"}
    assert all(t.n_before == t.n_now > 0 for t in found.tables)
    assert found.changed == ()
    assert stable_rows(root) == before


def test_one_touched_number_is_found_with_its_column(root: str) -> None:
    """A digit of one interval is changed in the kept part itself."""
    store = Store.open(root)
    kept = next(k for k in past_runs(store)[0].stands[0].kept if k.table == "tendencies")
    file = store.path(kept.parts[0].name)
    table = pq.ParquetFile(file).read()
    values = table["high"].to_pylist()
    at = next(i for i, v in enumerate(values) if v is not None)
    values[at] += 1e-12
    other = table.set_column(table.schema.get_field_index("high"), table.schema.field("high"), pa.array(values))
    file.unlink()  # a hard link: the store's own part must stay what it was
    pq.write_table(other, file)
    found = reproduce(root)
    assert not found.is_equal
    assert [(t.table, t.n_different, t.columns) for t in found.tables if not t.is_equal] == [
        ("tendencies", 1, ("high",))
    ]


def test_what_has_changed_since_is_named(root: str) -> None:
    store = Store.open(root)
    manifest = json.loads(store.get("runs/r1.json"))
    manifest["made_with"]["packages"]["scipy"] = "0.1"
    manifest["made_with"]["fonts"].pop("Inter-Bold.ttf")
    store.put("runs/r1.json", json.dumps(manifest).encode())
    told = reproduce(root).changed
    assert len(told) == 2
    assert any(line.startswith("packages.scipy: 0.1, now ") for line in told)
    assert any(line.startswith("fonts.Inter-Bold.ttf: nothing, now ") for line in told)


def test_a_pruned_part_is_a_sentence_and_an_unknown_run_too(root: str) -> None:
    store = Store.open(root)
    kept = next(k for k in past_runs(store)[0].stands[0].kept if k.table == "answers")
    store.remove(kept.parts[0].name)
    found = reproduce(root)
    assert not found.is_equal
    assert "pruned" in found.problems[0]
    with pytest.raises(UsageError, match="Unknown run 'r2'; did you mean 'r1'"):
        reproduce(root, "r2")


def test_the_manifest_holds_versions_and_no_secret(root: str) -> None:
    text = (Path(root) / "runs" / "r1.json").read_text(encoding="utf-8")
    assert "a secret that nobody may read" not in text
    made = json.loads(text)["made_with"]
    assert made["settings"]["private_seed"] == "given"
    assert made["packages"]["prefect"]
    assert made["suites"]["invoices"]["set"]
    assert {"Inter-Regular.ttf", "PTSerif-Bold.ttf"} <= made["fonts"].keys()
    assert str(Path.home()) not in text
    assert changed(made_with(), made_with()) == []
