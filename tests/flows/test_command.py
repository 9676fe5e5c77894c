"""The command as a person uses it: what it says, what it refuses, and SIGKILL in the middle."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from pipeline_support import assert_sound, stable_rows

COMMAND = str(Path(sys.executable).with_name("zkusebna"))
SMALL = ["--suites", "invoices", "--systems", "rules", "--size", "24", "--seed", "7", "--levels", "text"]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """No server but the embedded one, a home and a secret of our own, a wide terminal."""
    home = str(tmp_path_factory.mktemp("prefect"))
    return {**os.environ, "PREFECT_HOME": home, "ZKUSEBNA_PRIVATE_SEED": "the same for all", "COLUMNS": "200"}


def zkusebna(*words: str, env: dict[str, str], cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([COMMAND, *words], env=env, cwd=cwd, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]) -> tuple[Path, float]:
    """The store of an undisturbed run, and how long it took."""
    folder = tmp_path_factory.mktemp("undisturbed")
    begun = time.monotonic()
    done = zkusebna("run", *SMALL, "--store", "store", env=environment, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "Made anew: 48 documents, 48 calls" in done.stdout
    assert done.stdout.rstrip().endswith(f"{folder}/store/report/index.html")
    assert "Traceback" not in done.stderr
    return folder / "store", time.monotonic() - begun


def test_the_second_run_makes_nothing_and_says_so(undisturbed: tuple[Path, float], environment: dict[str, str]) -> None:
    store, _ = undisturbed
    before = stable_rows(store)
    done = zkusebna("run", *SMALL, "--store", str(store), env=environment, cwd=store.parent)
    assert done.returncode == 0, done.stderr
    assert "Nothing was made anew: all 6 shards were in the store already." in done.stdout
    assert stable_rows(store) == before


@pytest.mark.parametrize("third", range(3))
def test_killed_it_goes_on_where_it_was(
    third: int, undisturbed: tuple[Path, float], environment: dict[str, str], tmp_path: Path
) -> None:
    store, whole = undisturbed
    words = [COMMAND, "run", *SMALL, "--store", str(tmp_path / "store")]
    run = subprocess.Popen(words, env=environment, cwd=tmp_path, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(whole * (third + random.Random(third).random()) / 3)
    family = psutil.Process(run.pid).children(recursive=True) if run.poll() is None else []
    run.send_signal(signal.SIGKILL)
    run.wait()
    assert_sound(tmp_path / "store")
    again = zkusebna("run", *SMALL, "--store", str(tmp_path / "store"), env=environment, cwd=tmp_path)
    for orphan in family:  # the embedded server of a killed run lives on; the next run does not need it
        if orphan.is_running():
            orphan.kill()
    assert again.returncode == 0, again.stderr
    assert_sound(tmp_path / "store")
    assert stable_rows(tmp_path / "store") == stable_rows(store)


def test_recorded_answers_are_graded_and_broken_lines_told(
    undisturbed: tuple[Path, float], environment: dict[str, str], tmp_path: Path
) -> None:
    """A broken line, a repeated case and an unknown one are told; the rest is graded, and only what was answered is asked."""
    store, _ = undisturbed
    cases = {row["case_id"]: row for row in stable_rows(store)["cases"]}
    first, second = sorted(cases)[:2]
    right = json.loads(cases[first]["truth"])
    lines = [
        json.dumps({"case_id": first, "text": json.dumps(right, ensure_ascii=False)}, ensure_ascii=False),
        "{broken",
        json.dumps({"case_id": second, "text": "Nevím."}),
        json.dumps({"case_id": first, "text": "{}"}),
        json.dumps({"case_id": second}),
        json.dumps({"case_id": "invoices-cs-9999", "text": "{}"}),
    ]
    (tmp_path / "answers.jsonl").write_text("\n".join(lines), encoding="utf-8")
    words = ["run", *SMALL, "--store", str(store), "--recorded", "acme=answers.jsonl"]
    done = zkusebna(*words, env=environment, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    for told in (
        "acme: line 2: expected",
        "acme: line 4: the case",
        "acme: line 5: expected",
        "1 answers are to unknown cases",
    ):
        assert told in done.stdout
    profiles = [row for row in stable_rows(store)["profiles"] if row["system_id"] == "acme"]
    assert [(p["case_id"], p["is_faultless"], p["is_valid"], p["status"]) for p in profiles] == [
        (first, True, True, "ok"),
        (second, False, False, "invalid"),
    ]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ["run", "--suites", "invoce"],
            "Unknown suite 'invoce'; did you mean 'invoices'? Known: ",
        ),
        (
            ["run", "--systems", "ruls"],
            "Unknown system 'ruls'; did you mean 'rules'? Known: ",
        ),
        (["run", "--size", "0"], "The size 0 is not a number of documents; give 1 or more to --size."),
        (["run", "--size", "-3"], "The size -3 is not a number of documents; give 1 or more to --size."),
        (["run", "--budget", "much"], "The budget 'much' is not an amount in USD; give e.g. --budget 2.50."),
        (["run", "--recorded", "acme=none.jsonl"], "The recorded answers 'none.jsonl' for 'acme' are not there."),
        (["run", "--systems", "recorded"], "None of the systems can run here: recorded: it answers from a file"),
        (["run", "--store", "/proc/nowhere"], "The store at '/proc/nowhere' cannot be used"),
        (["run", "--store", "full"], "holds other files and no store; give an empty or new folder to --store."),
        (["run", "--store", "newer"], "has format 99, newer than this version's 1"),
        (["report", "--store", "empty"], "There is no store at"),
        (["describe", "grade"], "Unknown table 'grade'; did you mean 'grades'?"),
        (["run", "--sise", "3"], "No such option: --sise"),
        (["run", "--size", "many"], "Invalid value for '--size'"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(
    words: list[str], told: str, environment: dict[str, str], tmp_path: Path
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "notes.txt").write_text("mine")
    (tmp_path / "newer").mkdir()
    (tmp_path / "newer" / "zkusebna.json").write_text('{"format": 99}')
    (tmp_path / "empty").mkdir()
    done = zkusebna(*words, env=environment, cwd=tmp_path)
    assert done.returncode == 2
    assert told in done.stderr
    assert "Traceback" not in done.stderr
    assert not done.stdout
    assert (tmp_path / "full" / "notes.txt").read_text() == "mine"


def test_a_traceback_only_with_debug(environment: dict[str, str], tmp_path: Path) -> None:
    done = zkusebna("run", "--size", "0", "--debug", env=environment, cwd=tmp_path)
    assert "Traceback" in done.stderr
    assert "The size 0" in done.stderr


def test_without_ocr_it_says_so_and_runs_what_can_run(environment: dict[str, str], tmp_path: Path) -> None:
    """A path without Tesseract: `ocr-rules` is left out with the command that installs it; `rules` runs."""
    bare = {**environment, "PATH": str(tmp_path)}
    listed = zkusebna("systems", env=bare, cwd=tmp_path)
    assert "make setup" in listed.stdout
    words = ["--suites", "invoices", "--systems", "rules,ocr-rules", "--size", "2", "--levels", "text", "--store", "s"]
    done = zkusebna("run", *words, env=bare, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "left out invoices: ocr-rules (Tesseract is not installed: run `make setup`" in done.stdout
    assert {row["system_id"] for row in stable_rows(tmp_path / "s")["tendencies"]} == {"rules"}


def test_a_dry_run_writes_nothing(environment: dict[str, str], tmp_path: Path) -> None:
    done = zkusebna("run", *SMALL, "--dry-run", "--store", "s", env=environment, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "s").exists()
    row = next(line for line in done.stdout.splitlines() if line.split()[:2] == ["invoices", "rules"])
    assert row.split() == ["invoices", "rules", "system", "48", "0", "48", "0", "0", "0"]


def test_two_runs_do_not_write_to_one_store(environment: dict[str, str], tmp_path: Path) -> None:
    from datasets.store import Store

    with Store.open(tmp_path / "s").locked():
        done = zkusebna("run", *SMALL, "--store", "s", env=environment, cwd=tmp_path)
    assert done.returncode == 2
    assert "Another run is writing to the store" in done.stderr


def test_describe_names_every_table_and_column(environment: dict[str, str], tmp_path: Path) -> None:
    from schemas.tables import TABLES

    done = zkusebna("describe", env=environment, cwd=tmp_path)
    assert done.returncode == 0
    for name, model in TABLES.items():
        assert f"{name} (version {model.version})" in done.stdout
        for column in model.model_fields:
            assert column in done.stdout
