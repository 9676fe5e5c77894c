"""Which systems a run asks: wanted or default ones, what cannot run here, files of recorded answers."""

from pathlib import Path

import pytest

from schemas.errors import UsageError
from tasks.choose import choose_systems, find_system


def test_an_unknown_system_gives_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"Unknown system 'ocr_rules'; did you mean 'ocr-rules'\?"):
        find_system("ocr_rules")


def test_default_systems_are_asked_and_every_other_one_is_told_with_its_reason() -> None:
    choice = choose_systems(None, "invoices")
    assert {"rules", "ocr-rules"} <= {s.id for s in choice.systems}
    assert choice.left_out["recorded"].startswith("it answers from a file")


def test_a_system_that_is_not_for_the_suite_is_left_out() -> None:
    choice = choose_systems(["rules"], "another")
    assert not choice.systems
    assert choice.left_out == {"rules": "it is not for the suite another"}


def test_a_file_of_recorded_answers_is_a_system_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"case_id": "x", "text": "y"}\n', encoding="utf-8")
    choice = choose_systems(["rules"], "invoices", {"acme": str(file)})
    assert [s.id for s in choice.systems] == ["rules", "acme"]
    assert choice.systems[1].options == {"file": str(file)}
    with pytest.raises(UsageError, match="'rules' is not of the kind `recorded`"):
        choose_systems(None, "invoices", {"rules": str(file)})
