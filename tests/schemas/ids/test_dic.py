"""DIČ: what may follow CZ, and whose rule is named when it may not (D-4)."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stdnum.cz.dic import calc_check_digit_special

from schemas.ids import dic, ico, rc
from schemas.ids.errors import InvalidIdentifier


@settings(deadline=None)
@given(st.integers(0, 2**64))
def test_it_is_made_of_the_related_number(seed: int) -> None:
    company, person = ico.draw(Random(seed)), rc.draw(Random(seed))
    assert dic.from_ico(company) == "CZ" + company
    assert dic.from_rc(rc.format(person)) == "CZ" + person
    assert dic.validate("cz " + company) == "CZ" + company


@settings(deadline=None)
@given(st.text("0123456789", min_size=7, max_size=7))
def test_nine_digits_from_6_have_the_public_check_digit(middle: str) -> None:
    accepted = [digit for digit in "0123456789" if dic.is_valid(f"CZ6{middle}{digit}")]
    assert accepted == [calc_check_digit_special(middle)]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("09487743", "CZ and 8 to 10 digits"),
        ("SK09487743", "CZ and 8 to 10 digits"),
        ("CZ9487743", "CZ and 8 to 10 digits"),
        ("CZ850101/0013", "CZ and 8 to 10 digits"),
        ("CZ09487744", "check digit must be 3"),
        ("CZ600000007", "check digit must be 8"),
        ("CZ8502301235", "1985-02-30 does not"),
        ("CZ590312123", "births to 1953"),
    ],
)
def test_the_broken_rule_is_named_with_the_whole_value(text: str, rule: str) -> None:
    with pytest.raises(InvalidIdentifier, match=rule) as caught:
        dic.validate(text)
    assert (caught.value.kind, caught.value.value) == ("dic", text)


def test_a_related_number_that_is_none_makes_no_dic() -> None:
    with pytest.raises(InvalidIdentifier, match="ico '9487743'"):
        dic.from_ico("9487743")
    with pytest.raises(InvalidIdentifier, match="rc '850230/1235'"):
        dic.from_rc("850230/1235")
