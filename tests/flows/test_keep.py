"""The commands that keep a store, as a person types them; the flow `compact` on a real server; two nightly runs at once."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pipeline_support import assert_sound, stable_rows

from datasets.store import FORMAT, Store

ROOT = Path(__file__).parents[2]
Told = tuple[int, str, str]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A copy of a kept store: votes and checks of two months, one run, a blob to which nothing refers."""
    shutil.copytree(ROOT / "tests" / "stores" / f"format-{FORMAT}", tmp_path / "store")
    for path in (tmp_path / "store").rglob("*"):
        os.utime(path, (10**9, 10**9))
    return tmp_path / "store"


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Told]:
    """`zkusebna …` in this process: exit code, standard output, standard error."""

    def run(*words: str) -> Told:
        from flows.cli import main

        monkeypatch.setattr("sys.argv", ["zkusebna", *words])
        capsys.readouterr()
        code = 0
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
        told = capsys.readouterr()
        return code, told.out, told.err

    return run


def test_a_store_is_moved_and_kept_small(command: Callable[..., Told], root: Path, tmp_path: Path) -> None:
    """export, import, migrate, compact, prune: every row is the same at the end as at the beginning."""
    rows, new = stable_rows(root), str(tmp_path / "new")
    code, out, _ = command("export", str(tmp_path / "a.tar"), "--store", str(root))
    assert (code, out.count("\n")) == (0, 2)
    assert "It holds no secrets: keep the secret seed" in out
    code, out, _ = command("import", str(tmp_path / "a.tar"), "--store", new)
    assert code == 0
    assert "files verified" in out
    assert command("migrate", "--store", new)[1] == (
        f"The store has format {FORMAT}, which is this version's: 8 sealed partitions.\n"
    )
    assert command("compact", "--store", new) == (0, "4 parts of 2 partitions became 2.\n", "")
    assert command("compact", "--store", new) == (0, "Nothing to compact in 3 partitions.\n", "")
    assert command("prune", "--keep", "1", "--store", new, "--dry-run")[1] == "Would remove 1 blobs, 19 B.\n"
    assert command("prune", "--keep", "1", "--store", new)[1] == "Removed 1 blobs, 19 B.\n"
    assert command("prune", "--keep", "1", "--store", new)[1] == "There is nothing to remove.\n"
    assert stable_rows(new) == rows
    assert_sound(new)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("prune", "--keep", "0"), "The number of runs 0 cannot be kept; give 1 or more to --keep."),
        (("export", "{store}/a.tar"), "is in the store itself; give a file outside of it."),
        (("import", "{store}/none.tar"), "holds something already; give a new or empty folder to --store."),
        (("prune",), "Missing option '--keep'."),
    ],
)
def test_bad_input_is_one_sentence(
    command: Callable[..., Told], root: Path, words: tuple[str, ...], sentence: str
) -> None:
    code, out, err = command(*(w.format(store=root) for w in words), "--store", str(root))
    assert (code, out) == (2, "")
    assert err.startswith("zkusebna: ")
    assert sentence in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("words", [("prune", "--keep", "1"), ("export", "a.tar"), ("compact",), ("migrate",)])
def test_none_of_them_works_beside_a_run(
    command: Callable[..., Told], root: Path, words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with Store.open(root).locked():
        code, out, err = command(*words, "--store", str(root))
    assert (code, out) == (2, "")
    assert "Another run is writing to the store" in err
    assert not (tmp_path / "a.tar").exists()


@pytest.mark.usefixtures("settings_of_a_new_process")
def test_the_doctor_s_exit_code_says_whether_something_is_broken(command: Callable[..., Told], root: Path) -> None:
    code, out, _ = command("doctor", "--store", str(root), "--json")
    findings = json.loads(out)
    assert code == 0
    assert {"browser", "fonts", "OCR", "local model", "server", "store", "keys", "disk", "clock"} == {
        f["name"] for f in findings
    }
    (root / "zkusebna.json").write_text(json.dumps({"format": FORMAT + 1}))
    code, out, _ = command("doctor", "--store", str(root))
    assert code == 1
    [line] = [line for line in out.splitlines() if line.startswith("BROKEN")]
    assert f"format {FORMAT + 1}, newer than" in line
    assert "→ Update Zkušebna" in out


@pytest.mark.usefixtures("prefect_server")
def test_compaction_as_a_flow_tells_what_it_did(root: Path) -> None:
    """Its artifact is read back from the server."""
    from prefect.client.orchestration import get_client

    from flows.compact import compact_store

    rows = stable_rows(root)
    assert compact_store(str(root)) == "4 parts of 2 partitions became 2."
    assert compact_store(str(root)) == "Nothing to compact in 3 partitions."
    assert stable_rows(root) == rows
    with get_client(sync_client=True) as client:
        found = client.request(
            "POST", "/artifacts/filter", json={"artifacts": {"key": {"any_": ["compaction"]}}}
        ).json()
    assert {a["data"] for a in found} == {"4 parts of 2 partitions became 2.", "Nothing to compact in 3 partitions."}


TWO = """
import sys
from tasks.settings import be_quiet
be_quiet()
from flows.nightly import nightly
nightly(sys.argv[1], ["invoices"], ["rules"], 2, 7, ("text",))
"""


@pytest.mark.slow
def test_two_nightly_runs_at_once(tmp_path: Path) -> None:
    """Both end well, one after the other, and the store is as after one run; the second had nothing left to do."""
    settings = {"ZKUSEBNA_PRIVATE_SEED": "zk-5c1d93", "PREFECT_LOGGING_LEVEL": "INFO", "PYTHONPATH": str(ROOT)}
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", TWO, str(tmp_path / "s")], cwd=ROOT, stderr=subprocess.PIPE, text=True,
            env={**os.environ, **settings, "PREFECT_HOME": str(tmp_path / name)},
        )
        for name in "ab"
    ]  # fmt: skip
    told = [run.communicate()[1] for run in runs]
    assert [run.returncode for run in runs] == [0, 0], told
    assert sum("this one waits for it to end" in lines for lines in told) == 1, told
    assert len(Store.open(tmp_path / "s").names("runs", ".json")) == 2
    alone = {**os.environ, **settings, "PREFECT_HOME": str(tmp_path / "a")}
    subprocess.run(
        [sys.executable, "-c", TWO, str(tmp_path / "t")], cwd=ROOT, env=alone, check=True, capture_output=True
    )
    assert stable_rows(tmp_path / "s") == stable_rows(tmp_path / "t")
    assert_sound(tmp_path / "s")
