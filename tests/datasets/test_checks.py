"""The jury's permanent record: what is written twice counts once, and no row ever changes (J-4)."""

from pathlib import Path
from typing import Any

import pytest
from check_rows import NOV, check, vote
from row_support import killed_at

from datasets import checks
from datasets.store import Store
from schemas.errors import StoreError
from schemas.sitting import Draw, Juror
from schemas.vote import AudienceVote


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "store")


def test_a_check_that_is_written_twice_counts_once_and_stays_as_it_was(store: Store) -> None:
    """J-4, also where the second writing says something else, and over the end of a month."""
    for _ in range(2):
        checks.record(store, [check(0), check(1)], [vote(0, "a"), vote(0, "b"), vote(1, "a")])
    checks.record(store, [check(0, able=0, unable=1)], [vote(0, "a", verdict="NEUMÍ"), vote(2, "c")])
    assert checks.read_checks(store) == [check(0), check(1)]
    assert checks.read_votes(store) == [vote(0, "a"), vote(0, "b"), vote(1, "a"), vote(2, "c")]


def test_rows_that_are_there_never_change_as_more_come(store: Store) -> None:
    """Every earlier row stands in every later record, word for word."""
    before: list[Any] = []
    for number in range(6):
        checks.record(store, [check(number)], [vote(number, j) for j in "ab"])
        now = [*checks.read_checks(store), *checks.read_votes(store)]
        assert all(row in now for row in before)
        assert len(now) == 3 * (number + 1)
        before = now
    assert len(store.names("tables/votes", ".parquet")) == 2


@pytest.mark.parametrize("at", range(1, 9))
def test_a_record_that_is_stopped_anywhere_is_whole_when_it_is_repeated(store: Store, at: int) -> None:
    checks.record(store, [check(0)], [vote(0, "a")])
    fresh = [check(1)], [vote(1, "a"), vote(1, "b")]
    try:
        with killed_at("put", "", at):
            checks.record(store, *fresh)
    except pytest.fail.Exception:  # fewer writes than that: it was not stopped
        pass
    done = {c.check_id for c in checks.read_checks(store)}
    voted = [v for v in checks.read_votes(store) if v.check_id == "c000001"]
    assert "c000000" in done
    assert len(voted) in ((2,) if "c000001" in done else (0, 2))
    checks.record(store, *fresh)
    assert len(checks.read_votes(store)) == 3
    assert len(checks.read_checks(store)) == 2


def test_draws_are_kept_as_first_written_until_they_are_closed(store: Store) -> None:
    pool = (Juror(id="a", vendor="A", family="x"), Juror(id="b", vendor="B", family="y"))
    draw = Draw(
        check_id="c000007", number=7, claim_id="book-vacation", language="cs", today="2026-11-30", size=3, order=pool, key_mark="m",
        opened_at=NOV,
    )  # fmt: skip
    checks.keep_draw(store, draw)
    checks.keep_draw(store, draw.model_copy(update={"order": pool[::-1]}))
    assert checks.open_draws(store) == [draw]
    assert store.path("jury/checks/c000007.json").stat().st_mode & 0o077 == 0
    checks.close_draw(store, "c000007")
    checks.close_draw(store, "c000007")
    assert checks.open_draws(store) == []


def test_the_audience_of_a_source_is_replaced_and_others_stay(store: Store) -> None:
    """J-5."""

    def heard(source: str, yes: int) -> AudienceVote:
        return AudienceVote(
            suite="jury", edition="ever", claim_id="book-vacation", source=source, yes=yes, no=1, imported_at=NOV
        )

    checks.put_audience(store, [heard("web", 3), heard("kiosk", 5)])
    checks.put_audience(store, [heard("web", 9)])
    assert [(a.source, a.yes) for a in checks.read_audience(store)] == [("kiosk", 5), ("web", 9)]


def test_two_sittings_at_once_are_refused_and_the_audience_may_come_meanwhile(store: Store) -> None:
    with (
        checks.alone(store),
        checks.alone(store, "audience"),
        pytest.raises(StoreError, match="Another sitting of the jury is under way"),
        checks.alone(store),
    ):
        pass
    with checks.alone(store):
        pass


def test_an_empty_store_has_no_record(store: Store) -> None:
    assert checks.read_votes(store) == []
    assert checks.read_checks(store) == []
    assert checks.read_audience(store) == []
