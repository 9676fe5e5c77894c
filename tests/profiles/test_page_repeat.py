"""Repeatability by hand: sample variance, Jaccard over tokens, the verdict in words (A-8)."""

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from profiles.page_repeat import jaccard, repeatability, tokens

FIRST = "<!doctype html><p>Ahoj</p><script>let a = 1; // poznámka\n</script>"


def test_white_space_and_comments_are_no_tokens() -> None:
    again = FIRST.replace("<p>", "\n  <p>\n").replace("// poznámka", "/* něco jiného */")
    assert tokens(FIRST) == tokens(again)
    assert "let" in tokens(FIRST)
    assert not any("poznámka" in token for token in tokens(FIRST))


def test_jaccard_by_hand() -> None:
    """{a, b, c} and {b, c, d}: two of four."""
    assert jaccard(frozenset("abc"), frozenset("bcd")) == 0.5
    assert jaccard(frozenset(), frozenset()) == 1


@given(st.frozensets(st.characters()), st.frozensets(st.characters()))
def test_jaccard_is_symmetric_and_a_share(a: frozenset[str], b: frozenset[str]) -> None:
    assert jaccard(a, b) == jaccard(b, a)
    assert 0 <= jaccard(a, b) <= 1
    assert (jaccard(a, b) == 1) == (a == b)


def test_similarity_is_the_mean_over_pairs() -> None:
    """Two equal pages and one that shares nothing but the brackets: (1 + x + x) / 3."""
    other = "<b>Nazdar</b>"
    x = len(tokens(FIRST) & tokens(other)) / len(tokens(FIRST) | tokens(other))
    found = repeatability([FIRST, FIRST, other], [1.0, 0.5, 0.0])
    assert found is not None
    assert found.similarity == pytest.approx((1 + 2 * x) / 3)
    assert found.variance == statistics.variance([1.0, 0.5, 0.0]) == 0.25


@pytest.mark.parametrize(
    ("codes", "scores", "verdict"),
    [
        ([FIRST, FIRST], [1.0, 1.0], "same_code"),
        ([FIRST, FIRST.replace("Ahoj", "Hoj")], [1.0, 0.9], "steady"),
        ([FIRST, "<b>x</b>"], [0.9, 0.9], "steady_other_code"),
        ([FIRST, "<b>x</b>"], [1.0, 0.5], "unsteady"),
        ([FIRST, "<b>x</b>"], [1.0], "grades_unknown"),
    ],
)
def test_the_verdict_in_words(codes: list[str], scores: list[float], verdict: str) -> None:
    found = repeatability(codes, scores)
    assert found is not None
    assert found.verdict == verdict


def test_one_trial_says_nothing() -> None:
    assert repeatability([FIRST], [1.0]) is None
