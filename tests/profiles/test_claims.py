"""The public view of the jury: states, reversals, months and disagreements by hand; audiences change no state (J-3 to J-6)."""

import datetime as dt
from dataclasses import asdict, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from profiles.claims import Audience, Overview, PublicClaim, differs, flips_of, overview, public_rows, since_of
from schemas import readings
from schemas.jury import VERDICTS, ClaimSet, Counts, state
from schemas.vote import AudienceVote, Check, Vote

CLAIMS = ClaimSet.model_validate({
    "version": "1.0",
    "fields": [{"id": "law", "cs": "Právo", "en": "Law"}, {"id": "art", "cs": "Umění", "en": "Art"}],
    "claims": [
        {"id": i, "field": f, "cs": f"Umí AI {i}?", "en": f"Can AI {i}?", "measure_cs": "Ano.", "measure_en": "Yes."}
        for i, f in (("one", "law"), ("two", "law"), ("three", "art"))
    ],
})  # fmt: skip
START = dt.datetime(2026, 3, 1, 14, 35, tzinfo=dt.UTC)

History = list[tuple[str, list[str]]]
"""Checks in the order of time: a claim and the verdicts on it."""


def record(history: History, **changed: Any) -> tuple[list[Check], list[Vote]]:
    checks, votes = [], []
    for number, (claim, verdicts) in enumerate(history, start=1):
        place: dict[str, Any] = {
            "suite": "jury", "edition": "ever", "claim_id": claim, "check_id": f"c{number:06}", "language": "cs", "source": "panel",
            "panel_size": 5, "is_incomplete": len(verdicts) < 3, "checked_at": START + dt.timedelta(days=number - 1),
            "prompt_version": "p", "set_version": "1.0", "run_id": "r",
        }  # fmt: skip
        counts = Counts.of(verdicts).model_dump()
        checks.append(Check.model_validate({**place, **counts, "jurors": len(verdicts), "is_small_pool": False}))
        votes += [
            Vote.model_validate({
                **place, "system_id": f"juror-{n}", "vendor": f"Vajgar {n}", "family": f"kmen{n}", "place": n + 1, "verdict": verdict,
                "reason": f"Důvod {verdict} {n}.", "is_withheld": False, "since": "2024-01" if verdict == "UMÍ" else None, "text": "x",
                "pool": [], "key_mark": None, "request_hash": None, **changed,
            })
            for n, verdict in enumerate(verdicts)
        ]  # fmt: skip
    return checks, votes


def audience(claim: str, yes: int, no: int, source: str = "web") -> AudienceVote:
    return AudienceVote(suite="jury", edition="ever", claim_id=claim, source=source, yes=yes, no=no, imported_at=START)


def view(history: History, heard: tuple[AudienceVote, ...] = (), **changed: Any) -> Overview:
    return overview(CLAIMS, *record(history, **changed), heard)


def claim(found: Overview, id_: str) -> PublicClaim:
    return next(c for c in found.claims if c.id == id_)


HISTORY: History = [
    ("one", ["UMÍ"] * 5),
    ("two", ["UMÍ", "NEUMÍ", "NEROZHODNUTO"]),
    ("one", ["NEUMÍ"] * 3),
    ("one", ["NEUMÍ"] * 7),
    ("one", ["NEUMÍ"] * 10),
    ("two", ["NEUMÍ"]),
]


def test_a_claims_page_by_hand() -> None:
    """5:0, 5:3, 5:10, 5:20 = 80 %."""
    found = claim(view(HISTORY), "one")
    assert [(c.day, c.state, c.percent, c.jurors) for c in found.checks] == [
        ("2026-03-01", "UMÍ", 100, 5), ("2026-03-03", "SPORNÉ", 62, 3), ("2026-03-04", "SPORNÉ", 66, 7), ("2026-03-05", "NEUMÍ", 80, 10),
    ]  # fmt: skip
    assert [(f.day, f.before, f.after, f.is_reversal) for f in found.flips] == [
        ("2026-03-03", "UMÍ", "SPORNÉ", False), ("2026-03-05", "SPORNÉ", "NEUMÍ", True),
    ]  # fmt: skip
    assert (found.state, found.percent, found.able, found.unable, found.undecided) == ("NEUMÍ", 80, 5, 20, 0)
    assert found.last_checked == "2026-03-05"


def test_the_whole_by_hand() -> None:
    found = view(HISTORY)
    assert found.states == {
        "all": {"UMÍ": 0, "NEUMÍ": 1, "SPORNÉ": 2},
        "law": {"UMÍ": 0, "NEUMÍ": 1, "SPORNÉ": 1},
        "art": {"UMÍ": 0, "NEUMÍ": 0, "SPORNÉ": 1},
    }
    assert [(c, f.day) for c, f in found.flips] == [("one", "2026-03-05"), ("one", "2026-03-03")]
    assert (found.n_checks, found.n_verdicts, found.n_withheld, found.other_verdicts) == (6, 29, 0, 0)
    assert (found.first_day, found.last_day, found.set_version) == ("2026-03-01", "2026-03-06", "1.0")
    assert [c.is_incomplete for c in claim(found, "two").checks] == [False, True]
    never = claim(found, "three")
    assert (never.state, never.percent, never.checks, never.since, never.last_checked) == (
        "SPORNÉ",
        None,
        (),
        None,
        None,
    )


def test_verdicts_on_a_claim_that_left_the_set_are_told() -> None:
    assert view([("gone", ["UMÍ"] * 3)]).other_verdicts == 3


@pytest.mark.parametrize(
    ("months", "expected"),
    [
        ([], None),
        ([None, None], None),
        (["2024-05"], ("2024-05", "2024-05", "2024-05", 1)),
        (["2024-05", "2022-01", "2023-12"], ("2023-12", "2022-01", "2024-05", 3)),
        (["2024-05", "2022-01", None, "2023-12", "2023-11"], ("2023-11", "2022-01", "2024-05", 4)),
    ],
)
def test_the_first_month_of_an_ability(months: list[str | None], expected: tuple[Any, ...] | None) -> None:
    """Median and range; of an even number the earlier of the two in the middle."""
    found = since_of(months)
    assert (found and tuple(asdict(found).values())) == expected


def test_months_of_other_verdicts_do_not_count() -> None:
    found = view([("one", ["NEUMÍ", "NEUMÍ", "NEROZHODNUTO"])], since="2024-01")
    assert claim(found, "one").since is None


@pytest.mark.parametrize(
    ("counts", "yes", "no", "expected"),
    [
        ((5, 0, 0), 40, 60, True), ((5, 0, 0), 60, 40, False), ((5, 0, 0), 50, 50, False), ((0, 5, 0), 51, 49, True),
        ((3, 3, 0), 90, 10, True), ((3, 3, 0), 70, 30, False), ((3, 3, 0), 10, 90, True), ((0, 0, 0), 90, 10, False),
        ((5, 0, 0), 0, 0, False), ((0, 0, 3), 2, 0, True), ((0, 0, 3), 1, 0, False),
    ],
)  # fmt: skip
def test_where_jury_and_audience_differ(counts: tuple[int, int, int], yes: int, no: int, expected: bool) -> None:
    """J-5, by the reading that stands in `schemas.readings`."""
    able, unable, undecided = counts
    assert differs(Counts(able=able, unable=unable, undecided=undecided), yes, no) is expected


def test_the_other_reading_leaves_disputed_claims_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readings, "AUDIENCE_DIFFERS_FROM_DISPUTED", False)
    assert not differs(Counts(able=3, unable=3), 90, 10)
    assert differs(Counts(able=5), 10, 90)


def test_disagreements_are_listed_and_sources_are_summed() -> None:
    heard = (audience("one", 3, 1), audience("one", 4, 2, "kiosk"), audience("two", 1, 1))
    found = view(HISTORY, heard)
    assert claim(found, "one").audience == Audience(yes=7, no=3, percent=70)
    assert found.disagreements == ("one",)


verdict_lists = st.lists(st.sampled_from(VERDICTS), max_size=7)
histories = st.lists(st.tuples(st.sampled_from(["one", "two", "three"]), verdict_lists), max_size=8)
tallies = st.lists(
    st.builds(audience, st.sampled_from(["one", "two", "three"]), st.integers(0, 10**6), st.integers(0, 10**6), st.text(max_size=3)),
    max_size=6,
)  # fmt: skip


@given(histories, tallies)
def test_states_are_invariant_to_audience_votes(history: History, heard: list[AudienceVote]) -> None:
    """J-5: everything but the audience's own figures is the same with any votes and without."""
    nobody = Audience(0, 0, None)
    with_votes, without = view(history, tuple(heard)), view(history)
    blanked = tuple(replace(c, audience=nobody, is_disagreement=False) for c in with_votes.claims)
    assert replace(with_votes, claims=blanked, disagreements=()) == without


@given(histories)
def test_states_are_those_of_all_verdicts_ever(history: History) -> None:
    """J-3: against counting the plain lists."""
    found = view(history)
    for one in found.claims:
        said = [v for name, verdicts in history if name == one.id for v in verdicts]
        assert (one.state, one.percent) == (state(Counts.of(said)).state, state(Counts.of(said)).percent)
        assert len(one.flips) == sum(
            a != b for a, b in zip([c.state for c in one.checks], [c.state for c in one.checks][1:], strict=False)
        )


def test_a_reason_that_names_a_juror_is_withheld_and_counted() -> None:
    """J-6: masked when it was recorded, or named by a sentence recorded before its vendor sat."""
    marked = view([("one", ["UMÍ"] * 3)], reason="Jsem [model].", is_withheld=True)
    later = view([("one", ["UMÍ"] * 3)], reason="Tvrdí to i Vajgar 1 ve své zprávě.")
    for found in (marked, later):
        assert found.n_withheld == 3
        assert all(r.is_withheld and r.text is None for r in claim(found, "one").checks[0].reasons)


def test_reasons_stand_in_an_order_that_tells_nothing_of_jurors() -> None:
    """J-6: by their words, whoever gave them and in whatever order they are recorded."""
    checks, votes = record([("one", ["UMÍ", "NEUMÍ", "NEROZHODNUTO", "UMÍ"])])
    found = [overview(CLAIMS, checks, some, ()) for some in (votes, votes[::-1])]
    assert found[0] == found[1]
    assert [r.verdict for r in claim(found[0], "one").checks[0].reasons] == ["NEROZHODNUTO", "NEUMÍ", "UMÍ", "UMÍ"]


def test_public_rows_name_no_juror_and_no_time_of_day() -> None:
    text = str(public_rows(view(HISTORY)))
    assert "Důvod UMÍ" in text
    assert not [word for word in ("juror-", "Vajgar", "kmen", "14:35", "c00000", "check_id") if word in text]


def test_a_first_state_is_no_flip_and_a_return_no_reversal() -> None:
    found = flips_of([("d1", "SPORNÉ"), ("d2", "UMÍ"), ("d3", "SPORNÉ"), ("d4", "UMÍ"), ("d5", "NEUMÍ")])
    assert [(f.day, f.is_reversal) for f in found] == [("d2", False), ("d3", False), ("d4", False), ("d5", True)]


def test_the_warning_goes_by_the_last_panel() -> None:
    """J-7."""
    checks, votes = record([("one", ["UMÍ"] * 3), ("two", ["UMÍ"] * 3)])
    small = [checks[0].model_copy(update={"is_small_pool": True}), checks[1]]
    assert not overview(CLAIMS, small, votes, ()).is_small_pool
    assert overview(CLAIMS, [small[0]], votes, ()).is_small_pool


def test_every_check_says_whether_its_pool_was_small() -> None:
    """J-7: in the public rows too, whatever came later."""
    checks, votes = record([("one", ["UMÍ"] * 3), ("one", ["UMÍ"] * 3)])
    small = [checks[0].model_copy(update={"is_small_pool": True}), checks[1]]
    (row,) = [r for r in public_rows(overview(CLAIMS, small, votes, ())) if r["id"] == "one"]
    assert [check["is_small_pool"] for check in row["checks"]] == [True, False]
