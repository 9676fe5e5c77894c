"""Which systems a run asks: wanted or default ones, what cannot run here, files of recorded answers."""

from pathlib import Path

import pytest
from tests_support import case_of

from schemas.errors import UsageError
from tasks import model_server
from tasks.choose import choose_systems, find_system
from tasks.suites import suite_of
from tasks.test import first_of


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


def test_a_suite_that_counts_tokens_asks_models_alone(tmp_path: Path) -> None:
    """D-18: a file of recorded answers, and rules, count none."""
    file = tmp_path / "a.jsonl"
    file.write_text('{"case_id": "x", "text": "y"}\n', encoding="utf-8")
    choice = choose_systems(["rules", "smollm2", "acme"], "language_tax", {"acme": str(file)})
    assert [s.id for s in choice.systems] == ["smollm2"]
    assert choice.left_out["rules"] == "it is not for the suite language_tax"
    assert choice.left_out["acme"] == "language_tax asks only systems of the kinds openai, openrouter, local"


@pytest.mark.parametrize("suite", ["invoices", "language_tax"])
def test_the_small_model_is_asked_by_default_and_left_out_in_a_sentence_without_its_extra(
    suite: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "smollm2" in {s.id for s in choose_systems(None, suite).systems}
    monkeypatch.setattr(model_server, "runtime_version", lambda: None)
    choice = choose_systems(None, suite)
    assert "smollm2" not in {s.id for s in choice.systems}
    assert choice.left_out["smollm2"] == "its runtime (xllamacpp) is not installed: `make setup` installs it"


def test_how_many_cases_a_system_is_asked_about() -> None:
    """Two invoices, twins of one pair, and all of the language tax: one number for every suite, or numbers by suite."""
    small = find_system("smollm2")
    names = [(f"invoices-{language}-{n:04}", f"{n:04}") for language in ("cs", "en") for n in (3, 2, 1)]
    cases = [case_of(name, pair_id=pair) for name, pair in names]
    asked = [c.case_id for c in first_of(small, cases, 0)]
    assert asked == ["invoices-cs-0001", "invoices-en-0001"]
    assert first_of(small, cases, 1) == []
    assert first_of(small, [], 0) == []
    assert (small.most_cases("invoices"), small.most_cases("language_tax")) == (2, None)
    same = small.model_copy(update={"cases_at_most": 3})
    assert (same.most_cases("invoices"), same.most_cases("language_tax")) == (3, 3)


@pytest.mark.parametrize(
    ("word", "wanted", "is_full", "size"),
    [
        ("invoices", None, False, 60), ("invoices", None, True, 150), ("invoices", 1000, False, 1000),
        ("language_tax", None, False, 5), ("language_tax", None, True, 50), ("language_tax", 7, True, 7), ("language_tax", 1000, False, 50),
    ],
)  # fmt: skip
def test_an_authored_set_is_at_most_all_of_it(word: str, wanted: int | None, is_full: bool, size: int) -> None:
    """D-2, D-18: one --size serves all suites of a run."""
    assert suite_of(word).size(wanted, is_full=is_full) == size
