"""The errata log: what is sound is read, what is broken is told with file, entry, what was expected and the nearest word (G-13)."""

from pathlib import Path

import pytest

from datasets.errata import FILE, read_errata
from schemas.errors import UsageError
from tasks.suites import SUITES

GOOD = """
- date: 2026-10-02
  suite: invoices
  part: set
  wrong: {cs: Splatnost byla o den dřív., en: The due date was a day early.}
  changed: {cs: Opravena., en: Mended.}
  from: "1.0"
  to: "1.1"
"""


def read(text: str, folder: Path) -> str:
    """What is told of a file."""
    file = folder / "errata.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError) as caught:
        read_errata(SUITES, file)
    told = str(caught.value)
    assert told.endswith(".")
    assert "\n" not in told
    return told


def test_the_projects_own_errata_are_sound() -> None:
    assert all(e.suite in SUITES for e in read_errata(SUITES, FILE))


def test_the_newest_stands_first(tmp_path: Path) -> None:
    file = tmp_path / "errata.yaml"
    file.write_text(
        GOOD + GOOD.replace("2026-10-02", "2026-11-30").replace("part: set", "part: grading"), encoding="utf-8"
    )
    found = read_errata(SUITES, file)
    assert [(e.date.isoformat(), e.part, e.version_from, e.version_to) for e in found] == [
        ("2026-11-30", "grading", "1.0", "1.1"), ("2026-10-02", "set", "1.0", "1.1")
    ]  # fmt: skip
    assert found[1].wrong.cs == "Splatnost byla o den dřív."


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("- date", "- - date", "errata.yaml is no YAML: "),
        (GOOD, "date: 2026-10-02", "errata.yaml: a list of entries was expected, each with date, suite, wrong, changed, from and to."),
        (GOOD, "- x", "a list of entries was expected"),
        ("  suite:", "  siute:", "entry 1, siute: there is no such key; did you mean 'suite'? Known: changed, date, from, part, suite, to, wrong."),
        ("invoices", "invoice", "entry 1, suite: 'invoice' is no suite; did you mean 'invoices'? Known: "),
        ("part: set", "part: sets", "entry 1, part: 'sets' is not one of the known words; did you mean 'set'? Known: grading, prompt, set."),
        ("2026-10-02", "2. 10. 2026", "entry 1, date: a date such as 2026-11-30 was expected, not '2. 10. 2026'."),
        ('"1.1"', "1.1", "entry 1, to: a text was expected (put versions in quotes)."),
        ('"1.1"', '"1.0"', "entry 1, to: a version other than '1.0' was expected, since something changed."),
        (", en: Mended.", "", "entry 1, changed.en: it is missing."),
        ("cs: Opravena., ", "cz: Opravena., ", "entry 1, changed.cz: there is no such key; did you mean 'cs'? Known: cs, en."),
        ("cs: Opravena.", "cs: ''", "entry 1, changed.cs: a text was expected, it is empty."),
    ],
)  # fmt: skip
def test_what_is_broken_is_told(old: str, new: str, told: str, tmp_path: Path) -> None:
    assert old in GOOD
    assert told in read(GOOD.replace(old, new), tmp_path)


def test_an_entry_that_stands_there_twice(tmp_path: Path) -> None:
    assert read(GOOD + GOOD, tmp_path) == "errata.yaml: entry 2 stands there twice; the first is entry 1."


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"The errata none.yaml cannot be read: "):
        read_errata(SUITES, tmp_path / "none.yaml")
