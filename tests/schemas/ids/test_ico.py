"""IČO: the check digit against a table made by hand, and what the digit guarantees (D-4, D-11)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stdnum.cz.dic import calc_check_digit_legal

from schemas.ids import ico
from schemas.ids.errors import InvalidIdentifier

sevens = st.text("0123456789", min_size=7, max_size=7)

# Begins with 9, which python-stdnum cannot judge: 8 · 9 = 72 leaves 6; the other digit adds its weight.
BEGINS_WITH_NINE = [
    "90000005",  # 72 leaves 6
    "91000009",  # 79 leaves 2
    "90100000",  # 78 leaves 1
    "90010001",  # 77 leaves 0
    "90001001",  # 76 leaves 10
    "90000102",  # 75 leaves 9
    "90000013",  # 74 leaves 8
]


@pytest.mark.parametrize("text", BEGINS_WITH_NINE)
def test_the_table_of_those_that_begin_with_nine(text: str) -> None:
    accepted = [digit for digit in "0123456789" if ico.is_valid(text[:7] + digit)]
    assert accepted == [text[7]]


@settings(deadline=None)
@given(sevens)
def test_exactly_one_check_digit_fits_and_it_is_the_public_one(seven: str) -> None:
    accepted = [digit for digit in "0123456789" if ico.is_valid(seven + digit)]
    assert accepted == [calc_check_digit_legal(seven)]


@settings(deadline=None)
@given(sevens, st.integers(0, 7), st.integers(1, 9))
def test_a_change_of_one_digit_is_refused_where_the_check_digit_is_not_1(seven: str, place: int, step: int) -> None:
    """The remainders 0 and 10 share the check digit 1, so only there a change can go unseen."""
    text = seven + calc_check_digit_legal(seven)
    changed = text[:place] + str((int(text[place]) + step) % 10) + text[place + 1 :]
    assert ico.is_valid(text)
    if place == 7 or text[7] != "1":
        assert not ico.is_valid(changed)


def test_the_two_remainders_that_share_a_check_digit() -> None:
    assert ico.is_valid("90010001")
    assert ico.is_valid("90011001") is False  # 81 leaves 4
    assert ico.is_valid("00000001")  # 0 leaves 0
    assert ico.is_valid("00000051")  # 10 leaves 10


@pytest.mark.parametrize("text", ["177041", "0177041", "000177041", "00177041x", "CZ00177041", "0017-7041"])
def test_leading_zeros_belong_to_the_number(text: str) -> None:
    assert ico.is_valid("00177041")
    with pytest.raises(InvalidIdentifier, match="exactly 8 digits"):
        ico.validate(text)
