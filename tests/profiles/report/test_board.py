"""The bar, the groups of the leaderboard, reasons and marks, on hand-written rows (D-14, G-11, M-7)."""

import pytest

from profiles.report import board
from profiles.report.material import Section, choose, newest, reasons
from profiles.report.tables import Tables, against_bar, cell_of
from schemas.system import System
from schemas.tendency import Tendency


def _system(name: str, **more: object) -> System:
    return System.model_validate(
        {
            "id": name,
            "name": name,
            "vendor": "v",
            "family": "f",
            "client": "rules",
            "suites": [],
            "inputs": ["text", "image"],
            **more,
        }
    )


def _row(
    system: str, value: float | None, low: float | None = None, high: float | None = None, **more: object
) -> Tendency:
    base = {
        "suite": "invoices", "edition": "e", "system_id": system, "split": "public", "dimension": "overall", "group_name": "all",
        "metric": "field_accuracy", "value": value, "low": low, "high": high, "method": "none", "n_documents": 4, "n_items": 40,
        "n_left_out": 0, "note": None, "seed": 7, "set_version": "1", "prompt_version": "1", "rubric_version": "1",
        "run_id": "r", "run_date": "2026-01-01",
    }  # fmt: skip
    return Tendency.model_validate({**base, **more})


@pytest.mark.parametrize(
    ("low", "high", "found"),
    [(0.95, 1.0, "above"), (0.9499, 1.0, "open"), (0.9, 0.95, "open"), (0.9, 0.9499, "below"), (None, None, None)],
)
def test_a_share_is_above_or_below_the_bar_only_with_its_whole_interval(
    low: float | None, high: float | None, found: str | None
) -> None:
    assert against_bar(_row("a", 0.95, low, high)) == found


def test_systems_measured_on_a_part_stand_apart_and_do_not_lead() -> None:
    section = Section(
        "invoices", "e", (_row("part", 0.99), _row("weak", 0.5), _row("good", 0.9)),
        {name: _system(name) for name in ("part", "weak", "good")},
        left_out={"part": {"takes_no_image": 5}, "good": {"timeout": 1}, "weak": {}},
    )  # fmt: skip
    assert [(e.standing.system, e.is_partial) for e in board.entries(section, "public")] == [
        ("good", False),
        ("weak", False),
        ("part", True),
    ]


def test_reasons_tell_what_was_not_asked_from_what_failed() -> None:
    kinds = {"a": "text", "b": "image", "c": "text", "d": "text", "e": "text"}
    statuses = {"a": "ok", "c": "timeout", "d": "refused"}
    assert reasons(kinds, statuses, _system("s", inputs=["text"])) == {
        "not_asked": 1,
        "takes_no_image": 1,
        "timeout": 1,
    }


def test_limits_of_a_system_stand_with_its_result() -> None:
    system = _system("s", limits={"max_tokens": 500}, note={"cs": "poznámka", "en": "a note"})
    sheet = board.sheets(Section("invoices", "e", (_row("s", 0.5),), {"s": system}))[0]
    assert sheet.limits.cs == "max_tokens 500"
    assert sheet.note is not None
    assert (sheet.note.cs, sheet.note.en, sheet.seed) == ("poznámka", "a note", 7)


def test_a_layout_that_the_rules_never_saw_is_marked() -> None:
    rows = tuple(_row("s", 0.5, dimension="layout", group_name=g) for g in ("classic", "ledger"))
    system = _system("s", held_out_layouts=("ledger",))
    table = Tables(Section("invoices", "e", rows, {"s": system}), "public", ["s"]).grouped("layout")
    classic, ledger = (line.heading for line in table.lines)
    assert classic.en == "classic"
    assert ledger.en == "ledger (layout not seen when the rules were made: s)"
    assert "neznámé při psaní pravidel" in ledger.cs


def test_a_number_that_may_not_be_shown_says_why() -> None:
    cell = cell_of(_row("s", None, note="fewer_than_5_private"))
    assert cell.value is None
    assert cell.why is not None
    assert cell.why.en == "fewer than 5 documents, not shown"


def test_cases_with_errors_come_first_and_the_page_has_a_limit() -> None:
    ids = [f"c{n:03}" for n in range(300)]
    shown = choose(ids, frozenset({"c299", "c007"}))
    assert (len(shown), shown[:4]) == (200, ["c007", "c299", "c000", "c001"])


def test_the_newest_edition_is_that_of_the_latest_run_then_of_the_latest_manifest() -> None:
    assert newest([("a", "2026-01-02", 1.0), ("b", "2026-01-01", 9.0)]) == "a"
    assert newest([("a", "2026-01-02", 1.0), ("b", "2026-01-02", 9.0)]) == "b"
