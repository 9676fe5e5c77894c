"""The standing consensus against the public cases of J-3, and against a second implementation written the naive way."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schemas.jury import VERDICTS, Counts, state


@pytest.mark.parametrize(
    ("able", "unable", "undecided", "expected", "percent"),
    [
        (4, 1, 0, "UMÍ", 80),
        (4, 1, 1, "SPORNÉ", 66),
        (2, 0, 0, "UMÍ", 100),
        (1, 0, 0, "SPORNÉ", 100),
        (0, 0, 3, "SPORNÉ", 0),
        (11, 1, 0, "UMÍ", 91),
        (79, 20, 0, "SPORNÉ", 79),
        (80, 20, 0, "UMÍ", 80),
        (0, 0, 0, "SPORNÉ", None),
        (0, 2, 0, "NEUMÍ", 100),
        (0, 1, 0, "SPORNÉ", 100),
        (1, 1, 0, "SPORNÉ", 50),
        (1, 0, 1, "SPORNÉ", 50),
        (1, 4, 0, "NEUMÍ", 80),
        (8, 0, 2, "UMÍ", 80),
        (7, 0, 2, "SPORNÉ", 77),
        (399_999_999_999_999_999, 100_000_000_000_000_000, 0, "SPORNÉ", 79),
    ],
)
def test_public_cases(able: int, unable: int, undecided: int, expected: str, percent: int | None) -> None:
    """J-3, on whole numbers: floats would call the last one 80 %."""
    found = state(Counts(able=able, unable=unable, undecided=undecided))
    assert (found.state, found.percent) == (expected, percent)


def naive(history: list[str]) -> tuple[str, int | None]:
    """J-3 as it is written, sentence after sentence, over the list of verdicts itself and in fractions."""
    if not history:
        return "SPORNÉ", None
    best = max(("UMÍ", "NEUMÍ"), key=lambda side: sum(1 for v in history if v == side))
    share = Fraction(len([v for v in history if v == best]), len(history))
    shown = int(share * 100)  # towards zero
    if len(history) < 2:
        return "SPORNÉ", shown
    if all(v == history[0] for v in history) and history[0] != "NEROZHODNUTO":
        return history[0], shown
    if len(history) >= 3 and share >= Fraction(4, 5):
        return best, shown
    return "SPORNÉ", shown


@given(
    st.lists(st.sampled_from(VERDICTS), max_size=40)
    | st.lists(st.sampled_from(["UMÍ"] * 9 + ["NEUMÍ", "NEROZHODNUTO"]), max_size=60)
)
def test_random_histories_against_the_naive_implementation(history: list[str]) -> None:
    """Verdict after verdict."""
    for end in range(len(history) + 1):
        found = state(Counts.of(history[:end]))
        assert (found.state, found.percent) == naive(history[:end])


@given(st.lists(st.sampled_from(VERDICTS), max_size=30), st.randoms())
def test_the_order_of_verdicts_decides_nothing(history: list[str], random: object) -> None:
    shuffled = list(history)
    random.shuffle(shuffled)  # type: ignore[attr-defined]  # hypothesis gives a random.Random
    assert state(Counts.of(history)) == state(Counts.of(shuffled))


def test_a_word_that_is_no_verdict_is_told() -> None:
    with pytest.raises(ValueError, match="'MOŽNÁ' is no verdict; expected one of UMÍ, NEUMÍ, NEROZHODNUTO"):
        Counts.of(["UMÍ", "MOŽNÁ"])
