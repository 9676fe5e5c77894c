"""Accounts: the rules of the Czech National Bank, the canonical form, and the codes of banks (D-4, D-11)."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stdnum.cz import bankaccount as public_account

from schemas.ids import account
from schemas.ids.assigned import codes
from schemas.ids.errors import InvalidIdentifier

seeds = st.integers(0, 2**64)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("19-2000145399/0800", "19-2000145399/0800"),
        ("000019-2000145399/0800", "19-2000145399/0800"),
        ("0-2000145399/0800", "2000145399/0800"),
        ("000000-2000145399/0800", "2000145399/0800"),
        ("19 - 20 0014\u00a05399 / 0800", "19-2000145399/0800"),
        ("0000000019/0100", "19/0100"),  # 1 · 9 + 2 · 1 = 11
        ("19/0100", "19/0100"),
    ],
)
def test_the_canonical_form(text: str, canonical: str) -> None:
    assert account.validate(text) == canonical == account.format(text)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("00/0100", "at least two digits that are not zero"),
        ("0000000000/0100", "at least two digits that are not zero"),
        ("19-0000000000/0800", "at least two digits that are not zero"),
        ("10/0100", "at least two digits that are not zero"),
        ("19-2000145398/0800", "weighted sum of the number"),
        ("18-2000145399/0800", "weighted sum of the prefix"),
        ("19-2000145399/0801", "0801 is no bank code"),
        ("19-2000145399/0000", "0000 is no bank code"),
        ("-2000145399/0800", "prefix-number/bank"),
        ("0000019-2000145399/0800", "prefix-number/bank"),
        ("02000145399/0800", "prefix-number/bank"),
        ("9/0800", "prefix-number/bank"),
        ("2000145399", "prefix-number/bank"),
        ("2000145399/800", "prefix-number/bank"),
        ("2000145399/08000", "prefix-number/bank"),
        ("19–2000145399/0800", "prefix-number/bank"),
    ],
)
def test_the_broken_rule_is_named(text: str, rule: str) -> None:
    with pytest.raises(InvalidIdentifier, match=rule):
        account.validate(text)


@settings(deadline=None)
@given(seeds, st.integers(0, 16), st.integers(1, 9))
def test_a_change_of_one_digit_of_prefix_or_number_is_refused(seed: int, place: int, step: int) -> None:
    text = account.draw(Random(seed))
    places = [index for index, sign in enumerate(text.partition("/")[0]) if sign.isdigit()]
    at = places[place % len(places)]
    changed = text[:at] + str((int(text[at]) + step) % 10) + text[at + 1 :]
    assert not account.is_valid(changed)


@settings(deadline=None)
@given(st.integers(0, 999_999) | st.just(0), st.integers(0, 10**10 - 1), st.sampled_from(["0100", "2010", "9999"]))
def test_it_agrees_with_the_public_validator(prefix: int, number: int, bank: str) -> None:
    for last in range(10):  # one of ten or none is right
        text = f"{prefix}-{number // 10:09}{last}/{bank}"
        zero = number // 10 == 0 == last
        assert account.is_valid(text) is (public_account.is_valid(text) and not zero)


def test_shares_of_the_drawn() -> None:
    stream = Random(5)
    texts = [account.draw(stream) for _ in range(30_000)]
    prefixed = [text for text in texts if "-" in text]
    numbers = {len(text.partition("/")[0].rpartition("-")[2]) for text in texts}
    assert 0.32 < len(prefixed) / len(texts) < 0.35
    assert {len(text.partition("-")[0]) for text in prefixed} == {2, 3, 4, 5, 6}
    assert numbers == set(range(2, 11))
    assert {text[-4:] for text in texts} == set(codes("bank_codes"))


def test_every_code_of_a_bank_is_on_the_public_list() -> None:
    assert [code for code in codes("bank_codes") if "bank" not in public_account.info(f"19/{code}")] == []
    assert {"0100", "0300", "0600", "0710", "0800", "2010", "3030", "5500", "6210"} <= set(codes("bank_codes"))
    assert len(set(codes("bank_codes"))) == len(codes("bank_codes")) > 40
