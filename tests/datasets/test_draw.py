"""Streams by key and exact shares (S-4, D-8); the oracle is tables written by hand and properties."""

import subprocess
import sys
from collections import Counter
from fractions import Fraction
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.draw import apportion, balance, deal, stream

FOUR = {"text": 30, "image": 30, "scan": 30, "photo": 10}
TWO = {"text": 30, "image": 30}


@pytest.mark.parametrize(
    ("shares", "size", "expected"),
    [
        (FOUR, 150, (45, 45, 45, 15)),  # D-8, word for word
        (FOUR, 50, (15, 15, 15, 5)),
        (FOUR, 100, (30, 30, 30, 10)),
        (FOUR, 60, (18, 18, 18, 6)),
        (FOUR, 20, (6, 6, 6, 2)),
        (FOUR, 7, (2, 2, 2, 1)),  # quotas 2.1 2.1 2.1 0.7
        (FOUR, 1, (1, 0, 0, 0)),
        (FOUR, 0, (0, 0, 0, 0)),
        (TWO, 20, (10, 10)),
        (TWO, 41, (21, 20)),
    ],
)
def test_largest_remainder_by_hand(shares, size, expected):
    assert tuple(apportion(shares, size).values()) == expected


def test_ties_from_the_end():
    assert apportion(TWO, 19, ties_from_end=True) == {"text": 9, "image": 10}
    assert apportion(FOUR, 7, ties_from_end=True) == {"text": 2, "image": 2, "scan": 2, "photo": 1}  # no tie, no change


@given(st.dictionaries(st.text(min_size=1), st.integers(1, 99), min_size=1, max_size=6), st.integers(0, 5000))
def test_shares_are_within_one_of_their_quota(shares, size):
    counts = apportion(shares, size)
    assert sum(counts.values()) == size
    assert all(abs(counts[w] - Fraction(shares[w] * size, sum(shares.values()))) < 1 for w in shares)


@given(st.integers(1, 6), st.integers(0, 400), st.integers(0, 400))
def test_two_balanced_parts_are_balanced_together(kinds, one, two):
    words = [str(i) for i in range(kinds)]
    first, second = balance(words, one), balance(words, two, first=one)
    for counts, size in ((first, one), (second, two), (Counter(first) + Counter(second), one + two)):
        spread = [counts[w] for w in words]
        assert sum(spread) == size
        assert max(spread) - min(spread) <= 1


def test_deal_keeps_counts_and_follows_its_stream():
    assert Counter(deal({"a": 40, "b": 20}, Random(1))) == {"a": 40, "b": 20}
    assert deal({"a": 40, "b": 20}, Random(1)) == deal({"a": 40, "b": 20}, Random(1))
    assert deal({"a": 40, "b": 20}, Random(1)) != deal({"a": 40, "b": 20}, Random(2))


def test_streams_are_their_keys_and_nothing_else():
    assert stream("a", 1).random() != stream("a", 2).random()
    assert stream("a", "b").random() != stream("ab").random()
    assert stream("1").random() != stream(1).random()
    code = "from datasets.draw import stream; print(stream('invoices', 7, 'cs').random())"
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert other.stdout.strip() == repr(stream("invoices", 7, "cs").random())


def test_streams_do_not_touch_the_global_one():
    import random

    before = random.getstate()
    stream("a").random()
    assert random.getstate() == before
