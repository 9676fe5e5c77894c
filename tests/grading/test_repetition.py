"""The longest chain of repetition (L5): tables by hand, and a second count of shingles made another way."""

import difflib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading.repetition import Chain, longest_chain, repeats, shingles

LONG = "Strážný přišel ke dveřím, podíval se okénkem dovnitř a beze slova odešel zase chodbou"
OTHER = "Venku se zvedl vítr a někde za zdí štěkal pes, kterého nikdo neokřikl"
THIRD = "Kuchařka přinesla misku kaše, postavila ji na prkno a čekala na minci"


@pytest.mark.parametrize(
    ("turns", "length"),
    [
        ([], 0),
        ([LONG], 0),
        ([LONG, OTHER, THIRD], 0),
        ([LONG, LONG.upper() + "!"], 2),  # case and punctuation are no difference
        ([LONG, LONG, LONG, OTHER], 3),
        ([LONG, f"{LONG} a hned se vrátil"], 2),  # most shingles, but no sentence that is the same
        ([f"{LONG}. {OTHER}.", THIRD, f"Ráno. {LONG}."], 2),  # a sentence of eight words, with a gap
        ([f"{LONG}.", OTHER, f"{LONG}.", THIRD, f"Zase. {LONG}."], 3),
        (["Dobré ráno, řekl Bárta."] * 5, 0),  # four words: neither a shingle nor a sentence of eight
        (["Dobré ráno, řekl pomalu Bárta."] * 3, 3),  # five words: one shingle, all of it shared
        (
            ["Sedm slov je pořád jenom sedm slov", OTHER, "Sedm slov je pořád jenom sedm slov"],
            0,
        ),  # a gap needs eight words
        (["", "", ""], 0),
    ],
)
def test_chains_by_hand(turns: list[str], length: int) -> None:
    assert longest_chain(turns).length == length


def test_most_is_more_than_half_of_the_shorter_one() -> None:
    """Words a b c d e f g h have four shingles of five; two of four are half, three are most."""
    base = "a b c d e f g h"
    assert len(shingles(base)) == 4
    assert not repeats(base, "a b c d e f x x x x x x")
    assert repeats(base, "a b c d e f g x x x x x x")


def test_the_chain_names_its_turns_and_sentence() -> None:
    assert longest_chain([OTHER, f"{LONG}.", THIRD, f"{LONG}."]) == Chain((1, 3), LONG)


words = st.lists(st.sampled_from("abcdefgh"), max_size=14).map(" ".join)


@given(words, words)
def test_shared_shingles_against_a_second_count(one: str, other: str) -> None:
    """Oracle: difflib finds a common run of five words exactly where a shingle is shared."""
    a, b = one.split(), other.split()
    run = difflib.SequenceMatcher(None, a, b, autojunk=False).find_longest_match().size
    assert bool(shingles(one) & shingles(other)) == (run >= 5)
    assert repeats(one, other) == repeats(other, one)
