"""The operator's guides are true: their commands, options and deployments are there, the arithmetic adds up, the query runs."""

import math
import re
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest
import typer.main
import yaml

from flows.cli import app
from tasks.shards import MOST_UNITS
from tasks.test import MOST_CASES

ROOT = Path(__file__).parents[1]
OPERATING = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
SCALING = (ROOT / "docs" / "scaling.md").read_text(encoding="utf-8")


def commands(text: str) -> list[list[str]]:
    """Every `zkusebna …` in code: in backticks, or a line of a block."""
    found = re.findall(r"`zkusebna ([^`]+)`", text) + re.findall(
        r"^(?:\.venv/bin/)?zkusebna ([^#\n]+)", text, re.MULTILINE
    )
    return [line.split() for line in found]


@pytest.mark.parametrize("text", [OPERATING, SCALING], ids=["operating", "scaling"])
def test_every_command_and_option_is_there(text: str) -> None:
    known = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    assert commands(text)
    for word, *rest in commands(text):
        if word == "…":
            continue
        options = {o for p in known[word].params for o in (*p.opts, *p.secondary_opts)}
        given = {w for w in rest if w.startswith("--")}
        assert given <= options, (word, given - options)


def test_every_deployment_is_told_and_none_that_is_not_there() -> None:
    deployments = yaml.safe_load((ROOT / "prefect.yaml").read_text(encoding="utf-8"))["deployments"]
    table = OPERATING[OPERATING.index("## What each deployment does") : OPERATING.index("Money is spent by")]
    told = set(
        re.findall(r"`([a-z-]+)`", " ".join(line.split("|")[1] for line in table.splitlines() if line.startswith("|")))
    )
    assert told == {d["name"] for d in deployments}


def test_prefect_has_the_commands_that_are_named() -> None:
    """By the help of Prefect's own command line."""
    for words in (
        ["flow-run", "retry"],
        ["flow-run", "cancel"],
        ["deployment", "schedule", "pause"],
        ["work-pool", "create"],
        ["deploy"],
    ):
        assert f"prefect {' '.join(words)}" in OPERATING.replace("--no-prompt ", "")
        done = subprocess.run([sys.executable, "-m", "prefect", *words, "--help"], capture_output=True, check=False)
        assert done.returncode == 0, words


def test_the_arithmetic_of_a_million() -> None:
    """Counts by the code's own numbers, money by hand."""
    cases = 1_000_000
    shards = cases // (2 * MOST_UNITS)
    tasks_of_test = math.ceil(cases / MOST_CASES)
    assert shards == 2000
    assert "| shards | 2,000 |" in SCALING
    assert round(tasks_of_test, -1) == 830
    assert round(shards + 2 * shards + shards + tasks_of_test + 1, -2) == 8800
    for price_in, price_out, told in ((0.10, 0.40, "236"), (0.50, 1.50, "1,073"), (3.00, 15.00, "7,725")):
        usd = 1500 * price_in + 215 * price_out
        assert f"{math.floor(usd + 0.5):,}" == told
        assert f"| {told} |" in SCALING
    for n, points in ((1_000, "3.1"), (100_000, "0.3"), (1_000_000, "0.1")):
        assert f"{196 * math.sqrt(0.25 / n):.1f}" == points
        assert f"± {points}" in SCALING


def test_the_query_over_many_stores_pools_them(tmp_path: Path) -> None:
    """Two stores with the same rows: shares stay, documents double."""
    kept = ROOT / "tests" / "stores" / "format-1"
    for name in ("a", "b"):
        shutil.copytree(kept, tmp_path / name)
    query = re.search(r"```sql\n(.*?)```", SCALING, re.DOTALL)
    assert query is not None
    one, two = (
        {(s, f): (v, n) for s, f, v, n in duckdb.sql(query[1].replace("/stores/*", f"{tmp_path}/{which}")).fetchall()}
        for which in ("a", "*")
    )
    assert len(one) == len(two) >= 13
    assert all(two[key] == (value, 2 * documents) for key, (value, documents) in one.items())
