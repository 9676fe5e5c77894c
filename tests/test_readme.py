"""The README is true: its query runs on a store, its commands are there."""

import re
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
from pipeline_support import run_stages

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_query_for_analysts_runs_as_it_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pasted from the README, in a folder with a store: a row for every field, Czech and American together."""
    run_stages(str(tmp_path / "store"), "invoices", ["rules"], 2, ("text",))
    query = re.search(r"```sql\n(.*?)```", README, re.DOTALL)
    assert query is not None
    monkeypatch.chdir(tmp_path)
    rows = duckdb.sql(query[1]).fetchall()
    by_field = {field: (documents, right) for _, field, documents, right, _ in rows}
    assert by_field["supplier"][0] == 4
    assert by_field["tax_id"][0] <= 2
    assert all(0 <= right <= 100 for _, right in by_field.values())


def test_its_make_targets_and_commands_are_there() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in set(re.findall(r"`?make ([a-z-]+)", README)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
    command = str(Path(sys.executable).with_name("zkusebna"))
    for word in ("run", "systems", "describe", "report", "card", "compare", "reproduce", "views"):
        assert f"zkusebna {word}" in README
        helped = subprocess.run([command, word, "--help"], capture_output=True, text=True, check=True)
        assert word in helped.stdout
    options = set(re.findall(r"--[a-z-]+", re.search(r"```text\n(.*?)```", README, re.DOTALL)[1]))  # type: ignore[index]
    helped = subprocess.run([command, "run", "--help"], capture_output=True, text=True, check=True)
    assert options <= set(re.findall(r"--[a-z-]+", helped.stdout))


def test_every_setting_is_in_its_table() -> None:
    from tasks.settings import Settings

    assert set(re.findall(r"`ZKUSEBNA_([A-Z_]+)`", README)) == {name.upper() for name in Settings.model_fields}
