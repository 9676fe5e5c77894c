"""The whole command over a bucket: the report is there, the rows are those of a folder, nothing is paid twice."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from bucket_support import Bucket
from pipeline_support import stable_rows

COMMAND = str(Path(sys.executable).with_name("zkusebna"))
SMALL = ["--suites", "invoices,emails", "--systems", "rules", "--size", "12", "--seed", "7", "--levels", "text"]


@pytest.mark.slow
def test_a_run_over_a_bucket_ends_as_one_over_a_folder(bucket: Bucket, tmp_path: Path) -> None:
    home = str(tmp_path / "prefect")
    environment = {**os.environ, "PREFECT_HOME": home, "ZKUSEBNA_PRIVATE_SEED": "the same for all", "COLUMNS": "200"}

    def zkusebna(*words: str) -> str:
        done = subprocess.run(
            [COMMAND, *words], env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
        return done.stdout

    zkusebna("run", *SMALL, "--store", "store")
    told = zkusebna("run", *SMALL, "--store", bucket.address)
    assert told.rstrip().endswith("report/index.html")
    assert Path(told.split()[-1]).is_file()
    assert stable_rows(bucket.address) == stable_rows(tmp_path / "store")
    on_disk = {
        str(p.relative_to(tmp_path / "store")) for p in (tmp_path / "store" / "report").rglob("*") if p.is_file()
    }
    assert bucket.names("report/") == on_disk
    again = zkusebna("run", *SMALL, "--store", bucket.address)
    assert "Nothing was made anew" in again
    assert bucket.address in zkusebna("doctor", "--store", bucket.address)
