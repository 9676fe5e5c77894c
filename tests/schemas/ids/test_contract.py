"""What every identifier promises, judged by python-stdnum as a stranger: 100,000 drawn of each kind (D-4, D-5)."""

import pickle
import random
from random import Random
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stdnum import iban as public_iban
from stdnum.cz import bankaccount as public_account
from stdnum.cz import dic as public_dic
from stdnum.cz import rc as public_rc
from stdnum.us import ein as public_ein
from stdnum.us import rtn as public_aba
from stdnum.us import ssn as public_ssn

from schemas.ids import aba, account, dic, ein, iban, ico, rc, ssn
from schemas.ids.errors import InvalidIdentifier

DRAWN = 100_000
KINDS = (ico, dic, rc, account, iban, ein, ssn, aba)
JUDGES = {rc: public_rc, account: public_account, iban: public_iban, ein: public_ein, aba: public_aba}
# Remainder by 11 of the sum weighted 8 to 2, and the check digit that belongs to it, written by hand.
ICO_CHECK = {0: "1", 1: "0", 2: "9", 3: "8", 4: "7", 5: "6", 6: "5", 7: "4", 8: "3", 9: "2", 10: "1"}

kinds = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__.rpartition(".")[2])


def drawn(kind: ModuleType, count: int = DRAWN, seed: int = 20260101) -> list[str]:
    stream = Random(seed)
    return [kind.draw(stream) for _ in range(count)]


def ico_by_table(digits: str) -> bool:
    a, b, c, d, e, f, g, check = map(int, digits)
    return ICO_CHECK[(8 * a + 7 * b + 6 * c + 5 * d + 4 * e + 3 * f + 2 * g) % 11] == str(check)


@pytest.mark.parametrize("kind", JUDGES, ids=lambda kind: kind.__name__.rpartition(".")[2])
def test_a_stranger_rejects_none_of_the_drawn(kind: ModuleType) -> None:
    assert [text for text in drawn(kind) if not JUDGES[kind].is_valid(text)] == []


def test_a_stranger_rejects_no_ico() -> None:
    """python-stdnum judges an IČO as an eight-digit DIČ, which refuses a leading 9: those the table judges."""
    texts = drawn(ico)
    nines = [text for text in texts if text[0] == "9"]
    assert [text for text in texts if text[0] != "9" and not public_dic.is_valid(text)] == []
    assert [text for text in nines if not ico_by_table(text)] == []
    assert len(nines) > DRAWN / 20


def test_a_stranger_rejects_no_dic() -> None:
    texts = drawn(dic)
    nines = [text for text in texts if len(text) == 10 and text[2] == "9"]
    others = [text for text in texts if len(text) > 10 or text[2] != "9"]
    assert [text for text in others if not public_dic.is_valid(text)] == []
    assert [text for text in nines if not ico_by_table(text[2:])] == []
    assert len(nines) + len(others) == DRAWN
    assert 0.15 < sum(len(text) > 10 for text in texts) / DRAWN < 0.25


def test_every_drawn_ssn_lies_in_an_unassigned_area_and_is_well_formed_but_for_it() -> None:
    """python-stdnum refuses the areas 000 and 666 (D-5): with an ordinary area in their place it accepts each number."""
    texts = drawn(ssn)
    assert {text[:3] for text in texts} == {"000", "666"}
    assert [text for text in texts if public_ssn.is_valid(text)] == []
    assert [text for text in texts if not public_ssn.is_valid("123" + text[3:])] == []
    assert [text for text in texts if ssn.is_assignable(text)] == []


@kinds
def test_a_drawn_one_is_canonical(kind: ModuleType) -> None:
    assert [text for text in drawn(kind, 5_000) if kind.validate(text) != text] == []


@kinds
@settings(deadline=None)
@given(seed=st.integers(0, 2**64))
def test_format_and_validate_are_inverse(kind: ModuleType, seed: int) -> None:
    text = kind.draw(Random(seed))
    assert kind.validate(kind.format(text)) == text
    assert kind.format(kind.format(text)) == kind.format(text)


@kinds
def test_draw_is_a_function_of_its_stream_alone(kind: ModuleType) -> None:
    random.seed(1)
    first, before = drawn(kind, 300), random.getstate()
    random.seed(2)
    assert drawn(kind, 300) == first
    assert drawn(kind, 300, seed=3) != first
    random.seed(1)
    assert random.getstate() == before


@kinds
@settings(deadline=None)
@given(seed=st.integers(0, 2**64), space=st.sampled_from(" \t\n\u00a0\u202f\u2009"), place=st.integers(0, 30))
def test_white_space_is_ignored_wherever_it_stands(kind: ModuleType, seed: int, space: str, place: int) -> None:
    text = kind.draw(Random(seed))
    printed = kind.format(text)
    assert kind.validate(f"{space}{printed[:place]}{space}{printed[place:]}{space}") == text


@kinds
@pytest.mark.parametrize("text", ["", " ", "x", "0", "-", "/", "CZ", "1" * 40, "12345678a", "None"])
def test_what_is_no_identifier_is_refused_with_kind_value_and_rule(kind: ModuleType, text: str) -> None:
    with pytest.raises(InvalidIdentifier) as caught:
        kind.validate(text)
    error = caught.value
    assert not kind.is_valid(text)
    assert (error.kind, error.value) == (kind.__name__.rpartition(".")[2], text)
    assert repr(text) in str(error)
    assert error.rule in str(error)
    with pytest.raises(InvalidIdentifier):
        kind.format(text)


@kinds
@pytest.mark.parametrize("zero", ["٠", "０", "𝟎"])
def test_digits_of_other_scripts_are_refused(kind: ModuleType, zero: str) -> None:
    text = drawn(kind, 1)[0]
    places = [place for place, sign in enumerate(text) if sign.isdigit()]
    foreign = [text[:at] + chr(ord(zero) + int(text[at])) + text[at + 1 :] for at in places]
    assert kind.is_valid(text)
    assert [changed for changed in foreign if kind.is_valid(changed)] == []


@kinds
@pytest.mark.parametrize("tail", ["x", "1/0100x", "/", "-"])
def test_nothing_may_follow(kind: ModuleType, tail: str) -> None:
    assert [text for text in drawn(kind, 50) if kind.is_valid(text + tail)] == []


def test_an_error_survives_pickling() -> None:
    error = pickle.loads(pickle.dumps(InvalidIdentifier("rc", "850230/1235", "the date must exist")))
    assert (error.kind, error.value, error.rule) == ("rc", "850230/1235", "the date must exist")
    assert str(error) == "rc '850230/1235' is refused: the date must exist."
    assert isinstance(error, ValueError)
