"""`zkusebna errata add`: to the project's file or a store's, told in one sentence where it is wrong, with the rest of the file as it was."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from typer.testing import CliRunner

from datasets.errata import FILE, add_erratum, read_errata
from datasets.store import Store
from flows.cli import app
from schemas.errors import UsageError
from tasks.errata import NAME, read_all_errata, read_mistake
from tasks.suites import SUITES

ENTRY: dict[str, Any] = {
    "date": "2026-11-30", "suite": "invoices", "part": "set", "wrong": {"cs": "Špatně „bylo“.", "en": "It: was wrong."},
    "changed": {"cs": "Dobře.", "en": "# Right."}, "from": "1.0", "to": "1.1",
}  # fmt: skip
WORDS = [
    "--wrong-cs",
    "Špatně.",
    "--wrong-en",
    "Wrong.",
    "--changed-cs",
    "Dobře.",
    "--changed-en",
    "Right.",
    "--to",
    "1.1",
]


def test_what_was_added_stands_first_and_comments_and_older_entries_stay(tmp_path: Path) -> None:
    file = tmp_path / "errata.yaml"
    file.write_text(FILE.read_text(encoding="utf-8"), encoding="utf-8")
    head = [line for line in file.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    add_erratum(ENTRY, SUITES, file)
    before = file.read_text(encoding="utf-8")
    add_erratum({**ENTRY, "from": "1.1", "to": "1.2"}, SUITES, file)
    after = file.read_text(encoding="utf-8")
    assert after.splitlines()[: len(head)] == head
    assert after.endswith(before.removeprefix("\n".join(head)).lstrip("\n"))
    told = yaml.safe_load(after)
    assert [(e["from"], e["to"]) for e in told[:2]] == [("1.1", "1.2"), ("1.0", "1.1")]
    assert told[1]["wrong"] == ENTRY["wrong"]
    assert told[1]["changed"]["en"] == "# Right."


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"suite": "invoces"}, "'invoces' is no suite; did you mean 'invoices'?"),
        ({"part": "sat"}, "'sat' is not one of the known words; did you mean 'set'?"),
        ({"to": "1.0"}, "a version other than '1.0' was expected"),
        ({"date": "30. 11."}, "a date such as 2026-11-30 was expected"),
        ({"wrong": {"cs": "Jen česky."}}, "wrong.en: it is missing"),
        ({"note": "x"}, "note: there is no such key"),
    ],
)  # fmt: skip
def test_a_wrong_entry_is_told_and_nothing_is_written(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    file = tmp_path / "errata.yaml"
    add_erratum(ENTRY, SUITES, file)
    before = file.read_bytes()
    with pytest.raises(UsageError) as caught:
        add_erratum(ENTRY | change, SUITES, file)
    assert said in str(caught.value)
    with pytest.raises(UsageError, match="stands there already"):
        add_erratum(ENTRY, SUITES, file)
    assert file.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["errata.yaml"]


def test_the_command_writes_to_the_store_and_takes_a_mistake(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "s")
    mistake = tmp_path / "mistake.json"
    told = {
        "kind": "zkusebna-mistake",
        "suite": "invoices",
        "part": "prompt",
        "prompt_version": "p1",
        "case_id": "invoices-cs-0001",
    }
    mistake.write_text(json.dumps(told), encoding="utf-8")
    done = CliRunner().invoke(app, ["errata", "add", "--mistake", str(mistake), *WORDS, "--store", str(store.root)])
    assert done.exit_code == 0, done.output
    assert "invoices, prompt p1 → 1.1" in done.output
    (found,) = read_errata(SUITES, store.path(NAME))
    assert (found.suite, found.part, found.version_from, found.wrong.en) == ("invoices", "prompt", "p1", "Wrong.")
    assert found in read_all_errata(store)
    shown = CliRunner().invoke(app, ["errata", "show", "--store", str(store.root)])
    assert "Wrong. Right." in shown.output


@pytest.mark.parametrize("text", ["{half", "[]", '{"kind": "other"}'])
def test_a_file_that_is_no_mistake_is_told(tmp_path: Path, text: str) -> None:
    file = tmp_path / "m.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=r"m\.json"):
        read_mistake(file)
