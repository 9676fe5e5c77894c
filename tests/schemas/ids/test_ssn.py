"""SSN: the form of the number, and the areas that nobody was ever given (D-5)."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stdnum.us import ssn as public_ssn

from schemas.ids import ssn
from schemas.ids.errors import InvalidIdentifier

WITHDRAWN = {"078051120", "457555462", "219099999"}  # well formed, refused by the public validator one by one


@settings(deadline=None)
@given(
    st.integers(0, 999) | st.sampled_from([0, 665, 666, 667, 899, 900]),
    st.integers(0, 99) | st.just(0),
    st.integers(0, 9999) | st.just(0),
)
def test_it_differs_from_the_public_validator_in_000_and_666_only(area: int, group: int, serial: int) -> None:
    text = f"{area:03}{group:02}{serial:04}"
    if text in WITHDRAWN:
        return
    if area in (0, 666):
        assert ssn.is_valid(text) is public_ssn.is_valid("123" + text[3:])
    else:
        assert ssn.is_valid(text) is public_ssn.is_valid(text)
    if ssn.is_valid(text):
        assert ssn.is_assignable(text) is public_ssn.is_valid(text)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("666-00-4302", "group must not be 00"),
        ("666-71-0000", "serial must not be 0000"),
        ("900-71-4302", "area must not be 900 to 999"),
        ("999-88-4302", "area must not be 900 to 999"),
        ("66-671-4302", "AAA-GG-SSSS"),
        ("666-714302", "AAA-GG-SSSS"),
        ("66671-4302", "AAA-GG-SSSS"),
        ("666-71-430", "AAA-GG-SSSS"),
        ("666/71/4302", "AAA-GG-SSSS"),
    ],
)
def test_the_broken_rule_is_named(text: str, rule: str) -> None:
    with pytest.raises(InvalidIdentifier, match=rule):
        ssn.validate(text)


def test_canonical_and_printed_form() -> None:
    assert ssn.validate("000-12-3456") == ssn.validate("000 12 3456") == "000123456"
    assert ssn.format("000123456") == "000-12-3456"


def test_what_is_no_ssn_is_neither_assignable_nor_not() -> None:
    with pytest.raises(InvalidIdentifier):
        ssn.is_assignable("900-71-4302")
