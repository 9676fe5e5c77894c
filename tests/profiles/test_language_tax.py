"""The tax against tables worked out by hand, and laws that it keeps (D-18, G-11, S-1)."""

from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from profiles import language_tax
from schemas import readings
from schemas.answer import Answer
from schemas.case import Case
from schemas.grade import Grade
from schemas.profile import Profile
from schemas.row import to_table
from schemas.stamp import Stamp
from schemas.status import Status
from schemas.tendency import Tendency

STAMP = Stamp(
    suite="language_tax", edition="e1", system_id="s1", set_version="1.0", prompt_version="p1", rubric_version="g1", seed=7,
    run_id="r1", run_date="2026-01-31",
)  # fmt: skip
PLACE: dict[str, Any] = {"suite": "language_tax", "edition": "e1"}
Rows = dict[tuple[str, str, str], Tendency]
Counts = dict[str, list[int | None]]


def case(language: str, number: int, variant: str = "topic", layout: str = "plain") -> Case:
    name = layout.replace("_", "-") if variant == "overhead" else f"{language}-{number:04}"
    return Case(
        **PLACE, case_id=name, pair_id=f"{number:04}", language=language, split="public", level="text", variant=variant, layout=layout,
        prompt_version="p1", set_version="1.0", brief="{}", truth="{}", text=None, document_sha256=None, image_sha256=None, canary=None,
    )  # fmt: skip


def diagnosis(case: Case, tokens: int | None, trial: int = 1, status: Status = "truncated") -> Profile:
    """By way of an answer and its grades, as the stages do it."""
    key: dict[str, Any] = {**PLACE, "system_id": "s1", "case_id": case.case_id, "trial": trial}
    answer = Answer(
        **key, status=status, text="D", replies=["D"], request_hashes=[], system_version="1", prompt_version="p1", error=None,
        cost_usd=Decimal(0), latency_ms=5, run_id="r", tokens_in=tokens,
    )  # fmt: skip
    points = float(tokens is not None)
    verdicts = [
        ("atomic", "tokens", points, points, None if points else "unmeasured"),
        ("holistic", "limit", 1.0, 1.0, None),
    ]
    grades = [
        Grade(
            **key, pass_name=name, judge_id="usage", item=item, points=got, max_points=most, label="x", error=error, expected=None,
            given=None, reason=None, quote=None, rubric_version="g1",
        )
        for name, item, got, most, error in verdicts
    ]  # fmt: skip
    return language_tax.profile(case, answer, grades if status in ("ok", "truncated") else [])


def folded(counts: Counts, empty: int | None = 10, stop: int | None = 11, more: list[Profile] | None = None) -> Rows:
    """Tendencies of counts by language, one a paragraph."""
    rows = [
        diagnosis(case("en", 0, "overhead", "no_text"), empty),
        diagnosis(case("en", 0, "overhead", "full_stop"), stop),
    ]
    rows += [diagnosis(case(x, n), tokens) for x, given in counts.items() for n, tokens in enumerate(given, 1)]
    frame: pd.DataFrame = to_table(Profile, [*rows, *(more or [])]).to_pandas()
    shuffled = frame.sample(frac=1, random_state=1)
    found = language_tax.tendencies(shuffled, pd.DataFrame(), STAMP)
    return {(r.dimension, r.group_name, r.metric): r for r in found}


def tax(rows: Rows, language: str, metric: str = "language_tax") -> Tendency:
    return rows["language", language, metric]


def test_by_hand() -> None:
    """English 110, 210, 60 is 100 + 200 + 50 = 350 above an empty prompt of 10; Czech 210, 310, 135 is 200 + 300 + 125 = 625."""
    rows = folded({"en": [110, 210, 60], "cs": [210, 310, 135], "de": [160, 310, 85]})
    assert tax(rows, "cs").value == pytest.approx(625 / 350, abs=1e-12)
    assert tax(rows, "de").value == pytest.approx((150 + 300 + 75) / 350, abs=1e-12)
    assert tax(rows, "en").value == 1
    # the Czech paragraphs on their own: 2, 1.5, 2.5
    spread = [tax(rows, "cs", f"language_tax_{m}").value for m in ("min", "q1", "median", "q3", "max")]
    assert spread == pytest.approx([1.5, 1.75, 2, 2.25, 2.5])
    assert [tax(rows, x, "tokens_in").value for x in ("cs", "en", "de")] == [625, 350, 525]
    assert (tax(rows, "cs").n_documents, tax(rows, "cs").n_items, tax(rows, "cs").n_left_out) == (3, 6, 0)
    overhead = rows["overhead", "no_text", "tokens_in"]
    assert (overhead.value, overhead.n_documents, overhead.note) == (10, 1, None)
    assert rows["overall", "all", "coverage"].value == 1


def test_the_empty_prompt_is_subtracted() -> None:
    """Without it the tax would be 220/120; with it, 210/110 and so nearer to the truth of the texts."""
    counts: Counts = {"en": [120, 120], "cs": [220, 220]}
    assert tax(folded(counts, empty=10), "cs").value == pytest.approx(210 / 110)
    assert tax(folded(counts, empty=0), "cs").value == pytest.approx(220 / 120)


def test_a_missing_count_takes_its_paragraph_out_of_both_sums() -> None:
    """G-11: unmeasured, never 0; another language keeps the paragraph."""
    rows = folded({"en": [110, 210, 60], "cs": [210, None, 135], "de": [160, 310, 85]})
    assert tax(rows, "cs").value == pytest.approx(325 / 150)
    assert (tax(rows, "cs").n_documents, tax(rows, "cs").n_left_out) == (2, 1)
    assert tax(rows, "de").value == pytest.approx(525 / 350)
    coverage = rows["overall", "all", "coverage"]
    assert (coverage.value, coverage.n_left_out) == (pytest.approx(10 / 11), 1)


def test_a_missing_english_count_takes_the_paragraph_from_every_language() -> None:
    rows = folded({"en": [110, None, 60], "cs": [210, 310, 135], "de": [160, 310, 85]})
    assert tax(rows, "cs").value == pytest.approx(325 / 150)
    assert tax(rows, "de").value == pytest.approx(225 / 150)
    assert (tax(rows, "en").n_documents, tax(rows, "en").n_left_out) == (2, 1)


def test_a_full_stop_stands_in_for_an_empty_prompt_that_was_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """The full stop is a token of its own: 11 - 1."""
    rows = folded({"en": [110], "cs": [210]}, empty=None, stop=11)
    assert tax(rows, "cs").value == 2
    assert rows["overhead", "full_stop", "tokens_in"].value == 10
    assert ("overhead", "no_text", "tokens_in") not in rows
    monkeypatch.setattr(readings, "OVERHEAD_BY_FULL_STOP", False)
    assert tax(folded({"en": [110], "cs": [210]}, empty=None, stop=11), "cs").note == "no_overhead"


def test_an_empty_prompt_that_was_counted_goes_before_the_full_stop() -> None:
    assert tax(folded({"en": [110], "cs": [210]}, empty=10, stop=60), "cs").value == 2


def test_without_any_overhead_there_is_no_tax() -> None:
    rows = folded({"en": [110], "cs": [210]}, empty=None, stop=None)
    assert {r.note for (d, _, _), r in rows.items() if d in ("language", "overhead")} == {"no_overhead"}
    assert {r.value for (d, _, _), r in rows.items() if d in ("language", "overhead")} == {None}


def test_without_a_paragraph_in_both_languages_there_is_no_tax() -> None:
    rows = folded({"en": [None, 210], "cs": [210, None]})
    assert (tax(rows, "cs").value, tax(rows, "cs").note, tax(rows, "cs").n_left_out) == (None, "no_paragraphs", 2)
    everything = folded({"en": [None], "cs": [None]}, None, None)
    assert tax(everything, "en").value is None
    assert everything["overall", "all", "coverage"].value == 0


@pytest.mark.parametrize("nonsense", [10, 9, 1])
def test_a_count_that_does_not_pass_the_empty_prompts_is_none(nonsense: int) -> None:
    """A gateway that counts nothing of the text says the same for every message."""
    rows = folded({"en": [110, 210], "cs": [nonsense, 310]})
    assert (tax(rows, "cs").value, tax(rows, "cs").n_left_out) == (1.5, 1)
    assert tax(folded({"en": [nonsense], "cs": [nonsense]}), "cs").note == "no_paragraphs"


def test_of_several_trials_the_first_counted_one_is_taken() -> None:
    again = [diagnosis(case("cs", 1), 210, trial=2), diagnosis(case("cs", 1), 999, trial=3)]
    rows = folded({"en": [110], "cs": [None]}, more=again)
    assert (tax(rows, "cs").value, tax(rows, "cs").n_documents) == (2, 1)


def test_the_interval_is_that_of_paragraphs_drawn_anew() -> None:
    """S-1, against a bootstrap of our own with another generator."""
    rng = np.random.default_rng(5)
    english = rng.integers(80, 140, 40)
    czech = (english * rng.normal(1.8, 0.25, 40)).astype(int)
    row = tax(folded({"en": [int(x) + 10 for x in english], "cs": [int(x) + 10 for x in czech]}), "cs")
    drawn = rng.integers(0, 40, (20_000, 40))
    low, high = np.quantile(czech[drawn].sum(axis=1) / english[drawn].sum(axis=1), [0.025, 0.975])
    assert (row.low, row.high) == (pytest.approx(low, abs=0.01), pytest.approx(high, abs=0.01))
    assert row.method == "cluster_bootstrap"


@pytest.mark.parametrize("counts", [{"en": [110], "cs": [210]}, {"en": [110, 60], "cs": [210, 110]}])
def test_no_interval_from_one_paragraph_or_where_all_agree(counts: Counts) -> None:
    row = tax(folded(counts), "cs")
    assert (row.value, row.low, row.high, row.method) == (2, None, None, "none")


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 400), st.integers(1, 900)), min_size=1, max_size=8), st.integers(0, 500))
def test_what_stands_around_every_message_changes_nothing(paragraphs: list[tuple[int, int]], around: int) -> None:
    """Any overhead gives the same tax, the tax lies within its spread, and English is 1."""
    counts: Counts = {"en": [e + around for e, _ in paragraphs], "cs": [c + around for _, c in paragraphs]}
    rows = folded(counts, empty=around, stop=None)
    value = tax(rows, "cs").value
    assert value == pytest.approx(sum(c for _, c in paragraphs) / sum(e for e, _ in paragraphs))
    low, high = (tax(rows, "cs", f"language_tax_{m}").value for m in ("min", "max"))
    assert low is not None
    assert high is not None
    assert low - 1e-9 <= value <= high + 1e-9
    assert tax(rows, "en").value == pytest.approx(1)


def test_the_diagnosis_of_a_count() -> None:
    counted = diagnosis(case("cs", 1), 210)
    assert (counted.is_scored, counted.is_faultless, counted.tokens_in, counted.status) == (
        True,
        True,
        210,
        "truncated",
    )
    assert counted.critical_path == []
    missing = diagnosis(case("cs", 1), None, status="ok")
    assert (missing.is_scored, missing.is_faultless, missing.points, missing.max_points) == (False, False, 0, 0)
    assert [(s.item, s.error) for s in missing.critical_path] == [("tokens", "unmeasured")]
    failed = diagnosis(case("cs", 1), 210, status="api_error")
    assert (failed.is_scored, failed.max_points) == (False, 0)


def test_what_does_not_belong_together_is_refused() -> None:
    row = diagnosis(case("cs", 1), 210)
    frame = to_table(Profile, [row]).to_pandas()
    with pytest.raises(ValueError, match="profiles of 's1' among them"):
        language_tax.tendencies(frame, pd.DataFrame(), STAMP.model_copy(update={"system_id": "other"}))
    key: dict[str, Any] = {**PLACE, "system_id": "s1", "case_id": "cs-0001", "trial": 1}
    answer = Answer(
        **key, status="ok", text="", replies=[""], request_hashes=[], system_version="1", prompt_version="p1", error=None,
        cost_usd=Decimal(0), latency_ms=5, run_id="r",
    )  # fmt: skip
    with pytest.raises(ValueError, match="has status 'ok' and 0 grades"):
        language_tax.profile(case("cs", 1), answer, [])


def test_the_table_of_words() -> None:
    rows = list(folded({"en": [110, 210, 60], "cs": [210, 310, None]}).values())
    found = language_tax.board(rows, ["s1", "nobody"])
    assert [(r["system"], r["language"], r["tax"], r["median"], r["paragraphs"], r["run"]) for r in found.rows] == [
        ("s1", "cs", "1.67×", "1.75×", "2 of 3", "2026-01-31")
    ]
    assert {name for parts in found.shown for name in parts} <= set(found.rows[0])
    assert "2026-01-31" in found.caption
    assert language_tax.board([], ["s1"]).rows == ()
