"""Votes of an audience from a file: what is wrong is told by line with the nearest right thing, the rest is taken (J-5)."""

from pathlib import Path

import pytest
from jury_support import build

from datasets import checks as records
from datasets.store import Store
from schemas.errors import UsageError
from tasks.audience import import_votes


@pytest.fixture
def root(tmp_path: Path) -> str:
    Store.open(tmp_path / "store")
    return str(tmp_path / "store")


def file_of(tmp_path: Path, text: str, encoding: str = "utf-8") -> Path:
    file = tmp_path / "anketa.csv"
    file.write_text(text, encoding=encoding)
    return file


def kept(root: str) -> dict[tuple[str, str], tuple[int, int]]:
    return {(a.source, a.claim_id): (a.yes, a.no) for a in records.read_audience(Store.open(root))}


def test_wrong_lines_are_told_and_the_rest_is_taken(tmp_path: Path, root: str) -> None:
    text = """claim_id,yes,no
book-vacation,120,340
book-vacaton,5,5
remove-appendix,-3,2
write-funny-joke,1.5,2
grade-essays,,2

tutor-student,7,0
book-vacation,1,1
teach-first-grade,9999999999999,0
"""
    found = import_votes(root, file_of(tmp_path, text))
    assert kept(root) == {("anketa", "book-vacation"): (120, 340), ("anketa", "tutor-student"): (7, 0)}
    assert found.taken == 2
    starts = [problem.partition(" Known:")[0] for problem in found.problems]
    assert starts == [
        "anketa.csv, line 3: there is no claim 'book-vacaton'; did you mean 'book-vacation'?",
        "anketa.csv, line 4: yes: a whole number of votes was expected, not '-3'.",
        "anketa.csv, line 5: yes: a whole number of votes was expected, not '1.5'.",
        "anketa.csv, line 6: yes: a whole number of votes was expected, not ''.",
        "anketa.csv, line 9: the claim stood there before; the first line counts.",
        "anketa.csv, line 10: yes: a whole number of votes was expected, not '9999999999999'.",
    ]


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_columns_in_any_order_with_any_mark_between_and_others_beside(tmp_path: Path, root: str, mark: str) -> None:
    text = f"no{mark}note{mark}claim_id{mark}yes\r\n4{mark}x{mark}book-vacation{mark} 3\r\n"
    import_votes(root, file_of(tmp_path, text, "utf-8-sig"), "web")
    assert kept(root) == {("web", "book-vacation"): (3, 4)}


def test_a_source_that_comes_again_is_replaced(tmp_path: Path, root: str) -> None:
    for yes in (1, 2):
        import_votes(root, file_of(tmp_path, f"claim_id,yes,no\nbook-vacation,{yes},0\n"))
    assert kept(root) == {("anketa", "book-vacation"): (2, 0)}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "line 1: the columns claim_id, yes, no were expected; 'claim_id' is missing"),
        ("claim,yes,no\n", "'claim_id' is missing; did you mean 'claim'?"),
        ("claim_id,yes\nbook-vacation,1\n", "'no' is missing"),
    ],
)
def test_a_file_without_its_columns_is_refused(tmp_path: Path, root: str, text: str, told: str) -> None:
    with pytest.raises(UsageError) as caught:
        import_votes(root, file_of(tmp_path, text))
    assert told in str(caught.value)


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, root: str) -> None:
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        import_votes(root, tmp_path / "none.csv")
    (tmp_path / "x.csv").write_bytes(b"claim_id,yes,no\n\xff")
    with pytest.raises(UsageError, match="is no text in UTF-8"):
        import_votes(root, tmp_path / "x.csv")


def test_the_votes_touch_no_other_table(tmp_path: Path, root: str) -> None:
    """J-5: neither influences the other."""
    build(root, 2)
    store = Store.open(root)
    before = {name: store.get(name) for name in store.names("tables")}
    import_votes(root, file_of(tmp_path, "claim_id,yes,no\nbook-vacation,1,0\n"))
    after = {name: store.get(name) for name in store.names("tables")}
    assert {n: b for n, b in after.items() if not n.startswith("tables/audience/")} == before
