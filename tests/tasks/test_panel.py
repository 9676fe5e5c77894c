"""Draws of panels: repeatable, secret, fair to vendors and families; the oracle for what is possible is trying all panels (J-1, J-7)."""

import hashlib
import hmac
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.store import Store
from schemas.errors import UsageError
from schemas.sitting import Juror
from schemas.system import System
from tasks import panel
from tasks.panel import order_of, seat, why_too_small

NINE = [Juror(id=f"m{n}", vendor=f"v{min(n, 7)}", family=f"f{n}") for n in range(9)]
"""Nine models of eight vendors."""

POOLS = st.lists(
    st.tuples(st.sampled_from("abcd"), st.sampled_from("pqrs")), min_size=0, max_size=7
).map(lambda pairs: [Juror(id=f"m{n}", vendor=v, family=f) for n, (v, f) in enumerate(pairs)])  # fmt: skip


def is_mixed(some: tuple[Juror, ...]) -> bool:
    return len({j.vendor for j in some}) == len({j.family for j in some}) == len(some)


def most(pool: list[Juror]) -> int:
    """By trying all."""
    return max(n for n in range(len(pool) + 1) if any(is_mixed(some) for some in combinations(pool, n)))


@settings(max_examples=300)
@given(POOLS, st.integers(1, 5), st.text(max_size=5), st.integers(1, 9))
def test_a_panel_is_as_large_as_vendors_and_families_allow(pool: list[Juror], size: int, key: str, number: int) -> None:
    """A greedy draw alone would sometimes end with fewer."""
    chosen = seat(order_of(key or "k", number, pool), [], size)
    assert is_mixed(tuple(chosen))
    assert len(chosen) == min(size, most(pool))
    assert (why_too_small(pool, size) is None) == (most(pool) >= size)


@settings(max_examples=200)
@given(POOLS, st.integers(2, 5), st.data())
def test_replacements_share_no_vendor_and_no_family_with_those_who_keep_their_places(
    pool: list[Juror], size: int, data: st.DataObject
) -> None:
    order = order_of("k", 1, pool)
    first = seat(order, [], size)
    failed = data.draw(st.sets(st.sampled_from(first))) if first else set()
    valid = [j for j in first if j not in failed]
    second = seat([j for j in order if j not in first], valid, size)
    assert is_mixed((*valid, *second))
    assert not set(second) & set(first)
    assert len(valid) + len(second) <= size


def test_the_draw_is_an_hmac_of_the_number_and_the_id() -> None:
    """Anybody with the key can repeat it by hand."""
    tickets = {j.id: hmac.new(b"key", f"zkusebna/jury/17/{j.id}".encode(), hashlib.sha256).hexdigest() for j in NINE}
    assert [j.id for j in order_of("key", 17, NINE)] == sorted(tickets, key=tickets.__getitem__)
    assert order_of("key", 17, NINE) == order_of("key", 17, NINE[::-1])
    assert order_of("key", 18, NINE) != order_of("key", 17, NINE)
    assert order_of("another", 17, NINE) != order_of("key", 17, NINE)


def test_everybody_sits_about_as_often() -> None:
    """800 panels of five from nine of eight vendors: the two of one vendor share its seats, the others sit in about 5 of 8."""
    seats = Counter(j.id for n in range(800) for j in seat(order_of("key", n, NINE), [], 5))
    assert sum(seats.values()) == 4000
    alone = [seats[f"m{n}"] for n in range(7)]
    assert all(430 <= n <= 570 for n in alone)
    assert 200 <= seats["m7"] <= 380
    assert 200 <= seats["m8"] <= 380


@pytest.mark.parametrize(
    ("pool", "told"),
    [
        ([], "has 0 models of 0 vendors and 0 families; a panel needs 5 of different vendors and families, so at least 5 are missing"),
        (NINE[:4], "has 4 models of 4 vendors and 4 families; a panel needs 5 of different vendors and families, so at least 1 is missing"),
        (
            [Juror(id=f"m{n}", vendor="Acme", family=f"f{n}") for n in range(6)],
            "has 6 models of 1 vendor and 6 families; a panel needs 5 of different vendors and families, so at least 4 are missing",
        ),
    ],
)  # fmt: skip
def test_a_pool_too_small_is_told_with_what_is_missing(pool: list[Juror], told: str) -> None:
    assert why_too_small(pool, 5) == f"the pool of jurors {told}"


def test_vendors_are_one_whatever_their_capitals() -> None:
    two = [Juror(id="a", vendor="Acme", family="x"), Juror(id="b", vendor="ACME", family="y")]
    assert [j.id for j in seat(two, [], 2)] == ["a"]


def system(id_: str, **changed: object) -> System:
    entry = {
        "id": id_,
        "name": id_,
        "vendor": f"v-{id_}",
        "family": f"f-{id_}",
        "client": "scripted",
        "suites": [],
        "inputs": ["text"],
    }
    return System.model_validate({**entry, **changed})  # fmt: skip


def test_only_marked_systems_that_can_run_are_in_the_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    idle = system("idle", juror=True, client="recorded")
    found = {s.id: s for s in (system("in", juror=True), system("out"), idle, system("p", juror=True, client="panel"))}
    assert [s.id for s in panel.pool_of(found)] == ["in"]
    told = panel.why_no_panel(found, 3)
    assert told is not None
    assert "has 1 model of 1 vendor and 1 family; a panel needs 3" in told
    assert "(2 more cannot be asked here: it answers from a file" in told


@pytest.mark.parametrize(("given", "is_fine"), [("3", True), ("7", True), ("2", False), ("8", False)])
def test_a_panel_has_three_to_seven(monkeypatch: pytest.MonkeyPatch, given: str, is_fine: bool) -> None:
    monkeypatch.setenv("ZKUSEBNA_JURY_PANEL", given)
    if is_fine:
        assert panel.panel_size() == int(given)
    else:
        with pytest.raises(UsageError, match=rf"ZKUSEBNA_JURY_PANEL is {given}; a panel has 3 to 7 jurors"):
            panel.panel_size()


def test_the_key_is_given_or_random_kept_and_readable_by_its_owner_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ZKUSEBNA_JURY_KEY", raising=False)
    store = Store.open(tmp_path / "s")
    kept = panel.jury_key(store)
    assert len(kept) == 64
    assert panel.jury_key(store) == kept != panel.jury_key(Store.open(tmp_path / "t"))
    assert store.path("secret/jury_key").stat().st_mode & 0o777 == 0o600
    monkeypatch.setenv("ZKUSEBNA_JURY_KEY", "given")
    assert panel.jury_key(store) == "given"
    assert panel.key_mark("given") not in ("given", panel.key_mark(kept))
    assert panel.is_small(NINE[:7])
    assert not panel.is_small(NINE[:8])
