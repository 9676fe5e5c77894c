"""Memory does not grow with the number of cases (the long check)."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = str(Path(sys.executable).with_name("zkusebna"))


def peak_mb(size: int, folder: Path) -> float:
    """Peak resident memory of `zkusebna run` over text-level cases through all five stages, in MB."""
    words = [
        "run",
        "--suites",
        "invoices",
        "--systems",
        "rules",
        "--levels",
        "text",
        "--size",
        str(size),
        "--store",
        "s",
    ]
    environment = {**os.environ, "PREFECT_HOME": str(folder / "prefect")}
    folder.mkdir()
    run = subprocess.Popen([COMMAND, *words], env=environment, cwd=folder, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(run.pid, 0)
    assert status == 0
    return usage.ru_maxrss / 1024


@pytest.mark.slow
def test_ten_thousand_cases_need_little_more_than_a_thousand(tmp_path: Path) -> None:
    thousand = peak_mb(500, tmp_path / "thousand")
    ten_thousand = peak_mb(5000, tmp_path / "ten_thousand")
    print(f"peak of 1,000 cases {thousand:.0f} MB, of 10,000 cases {ten_thousand:.0f} MB")
    assert ten_thousand <= 1.2 * thousand
