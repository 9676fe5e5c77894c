"""ABA routing numbers: the assigned prefixes and the weights 3, 7, 1 (D-4)."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stdnum.us import rtn as public_aba

from schemas.ids import aba
from schemas.ids.errors import InvalidIdentifier

DISTRICTS = [f"{district:02}" for district in range(1, 13)]
ASSIGNED = {"00", "80"} | {f"{int(code) + shift:02}" for code in DISTRICTS for shift in (0, 20, 60)}


def test_exactly_the_assigned_prefixes_are_accepted() -> None:
    eights = [f"{prefix:02}123456" for prefix in range(100)]
    accepted = {eight[:2] for eight in eights if aba.is_valid(eight + public_aba.calc_check_digit(eight))}
    assert accepted == ASSIGNED


@settings(deadline=None)
@given(st.sampled_from(sorted(ASSIGNED)), st.text("0123456789", min_size=6, max_size=6))
def test_exactly_one_check_digit_fits_and_it_is_the_public_one(prefix: str, six: str) -> None:
    eight = prefix + six
    accepted = [digit for digit in "0123456789" if aba.is_valid(eight + digit)]
    assert accepted == [public_aba.calc_check_digit(eight)] or eight == "0" * 8


@settings(deadline=None)
@given(st.integers(0, 2**64), st.integers(0, 8), st.integers(1, 9))
def test_a_change_of_one_digit_is_refused(seed: int, place: int, step: int) -> None:
    text = aba.draw(Random(seed))
    changed = text[:place] + str((int(text[place]) + step) % 10) + text[place + 1 :]
    assert not aba.is_valid(changed)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("130000006", "prefix 13 is not assigned"),
        ("000000000", "must not be all zeros"),
        ("011000014", "weighted 3, 7, 1"),
        ("01100001", "exactly 9 digits"),
        ("0110000155", "exactly 9 digits"),
        ("0110-0001-5", "exactly 9 digits"),
    ],
)
def test_the_broken_rule_is_named(text: str, rule: str) -> None:
    with pytest.raises(InvalidIdentifier, match=rule):
        aba.validate(text)


def test_only_banks_and_savings_banks_are_drawn() -> None:
    stream = Random(3)
    prefixes = {aba.draw(stream)[:2] for _ in range(5_000)}
    assert prefixes == set(DISTRICTS) | {f"{int(code) + 20}" for code in DISTRICTS}
