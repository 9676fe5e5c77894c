"""IBAN: the account that matches, the check digits by ISO 7064, the groups of four (D-4)."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stdnum import iban as public_iban

from schemas.ids import account, iban
from schemas.ids.errors import InvalidIdentifier

seeds = st.integers(0, 2**64)


def test_the_example_of_the_standard() -> None:
    assert iban.from_account("19-2000145399/0800") == "CZ6508000000192000145399"
    assert iban.format("cz6508000000192000145399") == "CZ65 0800 0000 1920 0014 5399"


@settings(deadline=None)
@given(seeds)
def test_it_belongs_to_its_account(seed: int) -> None:
    text = account.draw(Random(seed))
    made = iban.from_account(text)
    assert iban.to_account(iban.format(made)) == text
    assert made[2:4] == public_iban.calc_check_digits("CZxx" + made[4:])
    assert int(f"{made[4:]}1235{made[2:4]}") % 97 == 1  # C is 12, Z is 35
    assert [len(group) for group in iban.format(made).split(" ")] == [4] * 6


@settings(deadline=None)
@given(seeds, st.integers(2, 23), st.integers(1, 9))
def test_a_change_of_one_digit_is_refused(seed: int, place: int, step: int) -> None:
    text = iban.draw(Random(seed))
    changed = text[:place] + str((int(text[place]) + step) % 10) + text[place + 1 :]
    assert not iban.is_valid(changed)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("CZ66 0800 0000 1920 0014 5399", "check digits must be 65"),
        ("CZ38 0800 0000 1920 0014 5400", "weighted sum of the number"),
        ("CZ83 0000 0000 1920 0014 5399", "0000 is no bank code"),
        ("SK65 0800 0000 1920 0014 5399", "CZ and 22 digits"),
        ("CZ65 0800 0000 1920 0014 539", "CZ and 22 digits"),
        ("CZ65-0800-0000-1920-0014-5399", "CZ and 22 digits"),
    ],
)
def test_the_broken_rule_is_named_with_the_whole_value(text: str, rule: str) -> None:
    with pytest.raises(InvalidIdentifier, match=rule) as caught:
        iban.validate(text)
    assert (caught.value.kind, caught.value.value) == ("iban", text)


def test_an_account_that_is_none_has_no_iban() -> None:
    with pytest.raises(InvalidIdentifier, match="account '00/0100'"):
        iban.from_account("00/0100")
