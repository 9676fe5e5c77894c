"""Exact allotments within the public and the private part and in the whole (D-8, G-8), against counts written by hand."""

from collections import Counter

import pytest

from datasets.allotment import Allotment
from schemas.edition import private_numbers

FOUR = {"text": 30, "image": 30, "scan": 30, "photo": 10}
VARIANTS = ("a", "b", "c", "d", "e")
LAYOUTS = ("x", "y")


def allot(size, levels=None, public="public", private="private"):
    return Allotment(size, levels or FOUR, VARIANTS, LAYOUTS, public_key=(public,), private_key=(private,))


def count(allotment, size, name, split=None):
    places = [allotment[i] for i in range(size)]
    return Counter(getattr(p, name) for p in places if split in (None, p.split))


def test_150_by_hand():
    allotment = allot(150)
    assert count(allotment, 150, "level") == {"text": 45, "image": 45, "scan": 45, "photo": 15}
    assert count(allotment, 150, "level", "private") == {"text": 15, "image": 15, "scan": 15, "photo": 5}
    assert count(allotment, 150, "variant", "private") == dict.fromkeys(VARIANTS, 10)
    assert count(allotment, 150, "variant", "public") == dict.fromkeys(VARIANTS, 20)
    assert count(allotment, 150, "layout", "private") == {"x": 25, "y": 25}
    assert count(allotment, 150, "split") == {"public": 100, "private": 50}


def test_60_by_hand():
    allotment = allot(60, {"text": 30, "image": 30})
    assert count(allotment, 60, "split") == {"public": 40, "private": 20}
    assert count(allotment, 60, "level", "private") == {"text": 10, "image": 10}
    assert count(allotment, 60, "level", "public") == {"text": 20, "image": 20}
    assert count(allotment, 60, "variant", "private") == dict.fromkeys(VARIANTS, 4)
    assert count(allotment, 60, "layout", "public") == {"x": 20, "y": 20}


@pytest.mark.parametrize("size", [1, 2, 3, 7, 10, 29, 61, 148])
def test_any_size_is_balanced_in_each_part_and_in_the_whole(size):
    allotment = allot(size, {"text": 1, "image": 1})
    for name, words in (("variant", VARIANTS), ("layout", LAYOUTS), ("level", ("text", "image"))):
        for split in ("public", "private", None):
            counts = count(allotment, size, name, split)
            spread = [counts[w] for w in words]
            assert max(spread) - min(spread) <= 1, (name, split, counts)


def test_splits_are_the_schemas():
    allotment = allot(31)
    assert {i for i in range(31) if allotment[i].split == "private"} == private_numbers(31)


def test_the_secret_moves_only_the_private_part():
    one, two = allot(150, private="one"), allot(150, private="two")
    private = private_numbers(150)
    assert all(one[i] == two[i] for i in range(150) if i not in private)
    assert any(one[i] != two[i] for i in private)
    other = allot(150, public="other", private="one")
    assert any(one[i] != other[i] for i in range(150) if i not in private)


def test_not_crossed():
    """Level, variant and layout are dealt by different permutations: every combination is met in a set of some size."""
    allotment = allot(600, {"text": 1, "image": 1})
    met = {(p.level, p.variant, p.layout) for p in (allotment[i] for i in range(600))}
    assert len(met) == 2 * 5 * 2
