"""Whether input tokens were counted and the output limit held, by a hand-written table (D-18, G-4, G-11)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grading import language_tax
from schemas.answer import BlindAnswer
from schemas.grade import Exam
from schemas.status import Status


def exam(tokens: int | None, characters: int = 379, text: str = "D", status: Status = "truncated") -> Exam:
    answer = BlindAnswer(case_id="c", trial=1, status=status, replies=(text,), tokens_in=tokens)
    return Exam(
        truth={"paragraph": "p01" if characters > 1 else None, "characters": characters}, language="pl", answer=answer
    )


@pytest.mark.parametrize(
    ("tokens", "characters", "label", "points", "given"),
    [
        (57, 379, "counted", 1, "57"),
        (1, 379, "counted", 1, "1"),
        (None, 379, "unmeasured", 0, None),
        (0, 379, "unmeasured", 0, "0"),
        (30, 0, "counted", 1, "30"),
        (0, 0, "counted", 1, "0"),  # an endpoint that puts nothing around a message
        (None, 0, "unmeasured", 0, None),
        (0, 1, "unmeasured", 0, "0"),
    ],
)
def test_a_count_is_a_measurement_and_a_missing_one_is_no_zero(
    tokens: int | None, characters: int, label: str, points: int, given: str | None
) -> None:
    [verdict] = language_tax.atomic(exam(tokens, characters))
    assert (verdict.item, verdict.pass_name, verdict.label) == ("tokens", "atomic", label)
    assert (verdict.points, verdict.max_points, verdict.given) == (points, points, given)
    assert (verdict.error, bool(verdict.reason)) == ((None, False) if points else ("unmeasured", True))


@pytest.mark.parametrize("status", ["ok", "truncated", "refused", "invalid"])
def test_how_the_answer_ended_does_not_matter(status: Status) -> None:
    """One token is what was ordered: an answer cut off by its length is no fault."""
    assert [v.error for v in language_tax.atomic(exam(57, status=status))] == [None]
    assert [v.error for v in language_tax.holistic(exam(57, status=status))] == [None]


@pytest.mark.parametrize(("text", "label"), [("", "kept"), ("Dě", "kept"), ("x" * 64, "kept"), ("x" * 65, "exceeded")])
def test_a_long_answer_means_that_the_limit_was_ignored(text: str, label: str) -> None:
    [verdict] = language_tax.holistic(exam(57, text=text))
    assert (verdict.label, verdict.points, verdict.max_points) == (label, float(label == "kept"), 1)


@given(st.none() | st.integers(0, 2**62), st.integers(0, 10**6), st.text())
def test_no_answer_raises(tokens: int | None, characters: int, text: str) -> None:
    both = [
        *language_tax.atomic(exam(tokens, characters, text)),
        *language_tax.holistic(exam(tokens, characters, text)),
    ]
    assert all(v.points <= v.max_points for v in both)
