"""The chapter of documents for a suite that is not invoices: every number of D-14 to D-17 by hand, over its whole way from grades."""

from typing import Any

import pytest

from datasets.systems import load_systems
from profiles import documents
from profiles.report.chapters import chapter_of
from profiles.report.material import Section
from profiles.report.page import render
from profiles.report.tables import Table
from schemas.answer import Answer
from schemas.case import Case
from schemas.fields import Field
from schemas.grade import Grade
from schemas.profile import Profile
from schemas.row import to_table
from schemas.stamp import Stamp

FIELDS = (Field(name="customer", kind="text"), Field(name="amount", kind="amount"), Field(name="order", kind="text"))
STAMP = Stamp(
    suite="letters", edition="e1", system_id="rules", set_version="1.0", prompt_version="p1", rubric_version="g1", seed=7, run_id="r",
    run_date="2026-11-05",
)  # fmt: skip
NBSP = "\u00a0"

LETTERS = [
    # pair, language, level, layout, right of three fields (None: not there), error, valid at the first try, valid, ms, USD
    (1, "cs", "text", "plain", (1, 1, 1), None, 1, 1, 100, "0.001"),
    (1, "en", "text", "plain", (1, 1, 1), None, 1, 1, 200, "0.001"),
    (2, "cs", "text", "thread", (1, 0, 1), "number_format", 0, 1, 300, "0.002"),
    (2, "en", "text", "thread", (1, 1, None), None, 1, 1, 400, "0.001"),
    (3, "cs", "scan", "plain", (0, 0, 0), "invalid_json", 0, 0, 500, "0.002"),
    (3, "en", "scan", "plain", (1, 1, 0), "missing", 1, 1, 600, "0.001"),
    (4, "cs", "scan", "thread", (0, 1, 1), "lost_diacritics", 1, 1, 700, "0.001"),
    (4, "en", "scan", "thread", None, None, 0, 0, 0, "0"),
]


def grade(case_id: str, item: str, points: int, possible: int, error: str | None, pass_name: Any = "atomic") -> Grade:
    label = "absent" if not possible else "right" if points else "wrong"
    return Grade(
        suite="letters", edition="e1", system_id="rules", case_id=case_id, trial=1, pass_name=pass_name, judge_id="fields", item=item,
        points=points, max_points=possible, label=label, error=error, expected=None, given=None, reason="x", quote=None,
        rubric_version="g1",
    )  # fmt: skip


@pytest.fixture(scope="module")
def section() -> Section:
    profiles, marks = [], []
    for pair, language, level, layout, right, error, first, valid, ms, usd in LETTERS:
        case_id = f"letters-{language}-{pair:04}"
        place: dict[str, Any] = {"suite": "letters", "edition": "e1", "case_id": case_id}
        case = Case(
            **place, pair_id=f"letters-{pair:04}", language=language, split="public", level=level, variant="complaint", layout=layout,
            prompt_version="p1", set_version="1.0", brief="{}", truth="{}", text=None, document_sha256=None, image_sha256=None, canary=None,
        )  # fmt: skip
        answer = Answer(
            **place, system_id="rules", trial=1, status="filtered" if right is None else "ok" if valid else "invalid", text=None,
            replies=[], request_hashes=[], system_version="1", prompt_version="p1", error=None, cost_usd=usd, latency_ms=ms, run_id="r",
        )  # fmt: skip
        grades = []
        if right is not None:
            for field, points in zip(FIELDS, right, strict=True):
                grades.append(
                    grade(case_id, field.name, points or 0, int(points is not None), error if points == 0 else None)
                )
            grades += [
                grade(case_id, item, n, 1, None, "holistic")
                for item, n in (("json", valid), ("json_first", first), ("structure", 1))
            ]
        profiles.append(documents.profile(FIELDS, case, answer, grades))
        marks += [g for g in grades if g.pass_name == "atomic"]
    frame = to_table(Profile, profiles).to_pandas().drop(columns="critical_path")
    grades_frame = to_table(Grade, marks).to_pandas()[
        ["case_id", "trial", "item", "points", "max_points", "label", "error"]
    ]
    rows = documents.tendencies(FIELDS, frame, grades_frame, STAMP)
    return Section(
        "letters",
        "e1",
        tuple(rows),
        {"rules": load_systems()["rules"]},
        n_public=8,
        left_out={"rules": {"filtered": 1}},
    )


def cells(table: Table) -> dict[str, tuple[str | None, str | None]]:
    """Value and what stands beside it, by the heading of the line, in English."""
    return {
        line.heading.en: (line.cells[0].value and line.cells[0].value.en, line.cells[0].n and line.cells[0].n.en)
        for line in table.lines
    }  # type: ignore[misc]  # None where there is no value


def test_faultless_valid_times_and_spend_by_group(section: Section) -> None:
    """Czech: 1 of 4 faultless, 3 of 4 valid, 2 of 4 at once, 100 300 500 700 ms; English: 2 of 3, all valid, 200 400 600 ms."""
    faultless, valid, speed, spend = chapter_of(section).view.more
    czech, english, text, scan = "Czech", "English", "text", "scan"
    assert {k: v[0] for k, v in cells(faultless).items()} == {
        czech: "25.0%", english: "66.7%", text: "75.0%", scan: "0.0%", "complaint": "42.9%", "plain": "50.0%", "thread with older messages": "33.3%"
    }  # fmt: skip
    assert cells(valid) == {
        czech: ("75.0%", "50.0% at the first try"), english: ("100.0%", "100.0% at the first try"),
        text: ("100.0%", "75.0% at the first try"), scan: ("66.7%", "66.7% at the first try"),
    }  # fmt: skip
    assert cells(speed) == {
        czech: (f"400{NBSP}ms", f"90th percentile 640{NBSP}ms"), english: (f"400{NBSP}ms", f"90th percentile 560{NBSP}ms"),
        text: (f"250{NBSP}ms", f"90th percentile 370{NBSP}ms"), scan: (f"600{NBSP}ms", f"90th percentile 680{NBSP}ms"),
    }  # fmt: skip
    assert {k: v[0] for k, v in cells(spend).items()} == {
        czech: f"1.50{NBSP}USD", english: f"1.00{NBSP}USD", text: f"1.25{NBSP}USD", scan: f"1.33{NBSP}USD"
    }  # fmt: skip


def test_the_gap_is_paired_and_over_common_fields(section: Section) -> None:
    """D-15. Pair 1: 3 of 3 and 3 of 3; pair 2 without `order`, which only the Czech one prints: 1 of 2 and 2 of 2; pair 3: 0 of 3 and 2 of 3.

    Pair 4 has an English twin that was filtered: out. Czech 4 of 8, English 7 of 8.
    """
    (language,) = [t for t in chapter_of(section).view.tables if t.id == "letters-public-language"]
    gap = next(line.cells[0] for line in language.lines if line.is_apart)
    assert gap.value is not None
    assert gap.value.en == f"−37.5{NBSP}pp"
    assert gap.n is not None
    assert gap.n.en == f"3{NBSP}pairs"
    assert gap.interval is not None
    (row,) = [r for r in section.rows if r.metric == "language_gap" and r.dimension == "overall"]
    assert row.low is not None
    assert row.high is not None
    assert row.low < row.value == -0.375 < row.high
    assert (row.n_left_out, row.method) == (1, "cluster_bootstrap")


def test_right_fields_by_level_layout_kind_field_and_error(section: Section) -> None:
    """Right fields: Czech 3 + 2 + 0 + 2 of 12, English 3 + 2 + 2 of 8: 14 of 20."""
    view = chapter_of(section).view
    found = {t.id.removeprefix("letters-public-"): {k: v[0] for k, v in cells(t).items()} for t in view.tables}
    assert found["level"] == {"text": "90.9%", "scan": "44.4%"}
    assert found["layout"] == {"plain": "66.7%", "thread with older messages": "75.0%"}
    assert found["variant"] == {"complaint": "70.0%"}
    assert found["field"] == {"Customer": "71.4%", "Amount": "71.4%", "order": "66.7%"}
    assert found["error"] == {"invalid JSON": "3", "missing value": "1", "lost diacritics": "1", "number format": "1"}
    assert view.entries[0].against == "below", "the bar of 95 % (D-14)"


def test_true_cost_by_hand(section: Section) -> None:
    """D-17. Czech: 0.006 USD for 4 documents, 3 of 4 with errors: 750 documents of 3 minutes at 450 Kč are 16,875 Kč for 1,000."""
    czech, english = chapter_of(section).view.costs
    assert czech.lines[0].labour.cs == f"16{NBSP}875,00{NBSP}Kč"
    assert (czech.lines[0].share.en, english.lines[0].share.en) == ("75.0%", "33.3%")
    assert english.lines[0].labour.en.startswith("666.67"), "a third of 1,000 documents, 3 minutes, 40 USD an hour"
    assert english.lines[0].spend.en == f"1.00{NBSP}USD"


def test_the_page_of_any_word_renders_with_the_bar(section: Section) -> None:
    page = render([section])
    assert "laťka 95" in page
    assert 'id="letters-tables"' in page
    assert "Dokumenty bez chyby, platné odpovědi, čas a cena podle jazyka a podoby" in page.replace(NBSP, " ")
