"""Views for analysts: SQL over the rows against what the stages aggregated by other code (S-1), and a store without a table."""

import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from pipeline_support import run_stages

from datasets.store import Store
from schemas.tables import TABLES
from tasks.views import ORDER, SQL, build_views, describe_views

NUMBERS = ("document_numbers", "field_numbers", "error_numbers", "language_gaps")
KEY = "suite, edition, system_id, split, dimension, group_name, metric"


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    patch = pytest.MonkeyPatch()
    patch.setenv("ZKUSEBNA_PRIVATE_SEED", "the same for all")
    root = str(tmp_path_factory.mktemp("views") / "it's a store")
    run_stages(root, "invoices", ["rules"], 24, ("text",))
    run_stages(root, "legal", ["controls"], 3)
    patch.undo()
    return build_views(root)


def test_views_and_aggregates_are_the_same_numbers(file: Path) -> None:
    """Every number of the report over documents that SQL tells is the stage's own, to the last digits; withheld ones aside (G-8)."""
    with duckdb.connect(str(file), read_only=True) as database:
        for view in NUMBERS:
            n, apart = database.execute(
                f"SELECT count(*), max(abs(v.value - t.value)) FROM {view} v JOIN tendencies t USING ({KEY})"
            ).fetchone() or (0, None)
            assert n > 0, view
            assert apart is not None, view
            assert apart < 1e-12, view
        told = {
            (d, g, m)
            for d, g, m in database.execute(
                "SELECT dimension, group_name, metric FROM tendencies WHERE suite = 'invoices' AND value IS NOT NULL AND value <> 0 "
                "AND NOT (metric = 'language_gap' AND dimension <> 'overall') AND metric <> 'coverage'"
            ).fetchall()
        }
        union = " UNION ALL ".join(f"SELECT dimension, group_name, metric FROM {v}" for v in NUMBERS)
        found = set(database.execute(union).fetchall())
        assert told <= found, "no number of the report is without its SQL"


def test_scores_of_judges_are_the_means_that_the_report_shows(file: Path) -> None:
    with duckdb.connect(str(file), read_only=True) as database:
        n, apart = database.execute(
            "SELECT count(*), max(abs(v.value - t.value)) FROM score_numbers v "
            "JOIN tendencies t USING (suite, edition, system_id, split, metric, judge_id) "
            "WHERE t.dimension = 'overall' AND t.metric = 'control_right_atomic'"
        ).fetchone() or (0, None)
    assert n > 0
    assert apart is not None
    assert apart < 1e-12


def test_every_table_is_a_view_with_its_rows(file: Path) -> None:
    with duckdb.connect(str(file), read_only=True) as database:
        names = {
            name for (name,) in database.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall()
        }
        assert names == {*TABLES, *ORDER}
        (grades,) = database.execute("SELECT count(*) FROM grades").fetchone() or (0,)
        (votes,) = database.execute("SELECT count(*) FROM votes").fetchone() or (None,)
    assert (grades > 0, votes) == (True, 0)


def test_an_empty_store_has_all_views_and_no_rows(tmp_path: Path) -> None:
    Store.open(tmp_path)
    with duckdb.connect(str(build_views(str(tmp_path))), read_only=True) as database:
        for name in (*TABLES, *ORDER):
            assert database.execute(f"SELECT count(*) FROM {name}").fetchone() == (0,)


def test_the_dictionary_tells_the_views_as_a_store_has_them(file: Path) -> None:
    """Names and types of columns are those of a filled store; the words are the file's own comment, and the view has them too."""
    told = describe_views()
    assert {f"{entry.view}.sql" for entry in told} == {path.name for path in SQL.iterdir()}
    with duckdb.connect(str(file), read_only=True) as database:
        for entry in told:
            rows = database.execute(f"DESCRIBE {entry.view}").fetchall()
            assert list(entry.columns) == [(name, kind) for name, kind, *_ in rows], entry.view
            found = database.execute(f"SELECT comment FROM duckdb_views() WHERE view_name = '{entry.view}'").fetchone()
            assert found == (entry.description,)
    spend = next(entry for entry in told if entry.view == "spend")
    words = "What calls cost, by day, suite, system, purpose, and where the cost comes from (the endpoint's word, a price, or nothing)."
    assert spend.description == words
    assert (spend.columns[0], spend.columns[-1]) == (("day", "DATE"), ("cost_usd", "DECIMAL(38,9)"))


def test_one_view_is_described_by_its_name() -> None:
    command = str(Path(sys.executable).with_name("zkusebna"))
    told = subprocess.run([command, "describe", "leaderboard"], capture_output=True, text=True, check=True).stdout
    assert "leaderboard (view): The standing" in told
    assert "field_accuracy_low" in told
    wrong = subprocess.run([command, "describe", "leaderbord"], capture_output=True, text=True, check=False)
    assert (wrong.returncode, "leaderboard" in wrong.stderr) == (2, True)
