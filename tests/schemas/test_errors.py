"""The tree of errors and the hint at the nearest word."""

from importlib import import_module

import pytest

from schemas import errors


@pytest.mark.parametrize(
    ("name", "code"), [("UsageError", 2), ("StoreError", 2), ("GateError", 1), ("StageError", 1), ("BudgetError", 1)]
)
def test_every_error_of_ours_has_its_exit_code(name, code):
    error = getattr(errors, name)
    assert issubclass(error, errors.ZkusebnaError)
    assert error.exit_code == code
    assert name in errors.__doc__


def test_the_drawn_tree_is_the_whole_tree():
    for module in ("profiles.report.leak", "tasks.recognise", "tasks.model_server"):  # each has an error of its own
        import_module(module)
    assert {e.__name__ for e in errors.ZkusebnaError.__subclasses__()} == {
        line.split()[1] for line in errors.__doc__.splitlines() if line.startswith(("├──", "└──"))
    }


@pytest.mark.parametrize(
    ("word", "nearest"),
    [
        ("ruels", "rules"),
        ("ocr_rules", "ocr-rules"),
        ("recorde", "recorded"),
        ("Rules", "rules"),
        ("qqq", None),
        ("", None),
    ],
)
def test_the_nearest_word_is_offered_and_all_are_listed(word, nearest):
    told = str(errors.unknown("system", word, {"rules", "ocr-rules", "recorded"}))
    assert told.startswith(f"Unknown system {word!r}")
    assert ("did you mean" in told) == (nearest is not None)
    if nearest:
        assert f"did you mean {nearest!r}?" in told
    assert told.endswith("Known: ocr-rules, recorded, rules.")
