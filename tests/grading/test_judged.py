"""A judge's reply is read in one place: fenced, wrapped, off the scale, with a quote that is there or not (A-5, G-7, M-2)."""

import json

import pytest

from grading.judged import HALVES, QUARTERS, YES_NO, open_reply
from grading.questions import prompt

TEXT = "Lhůta skončí v pondělí 2. června 2025, protože 1. června je neděle."

WRAPPED = [
    "{}",
    "```json\n{}\n```",
    "Můj posudek:\n\n```\n{}\n```\nHezký den.",
    "Posudek: {} To je vše.",
]


@pytest.mark.parametrize("wrap", WRAPPED)
def test_a_wrapped_object_keeps_its_grade(wrap: str) -> None:
    told = json.dumps({"points": 1, "quote": "1. června je neděle", "reason": "Ano."})
    reply = open_reply(wrap.replace("{}", told), "cs")
    assert (reply.number("points", YES_NO), reply.quote(TEXT, is_wanted=True)) == (1, ("1. června je neděle", True))
    assert reply.problem is None


@pytest.mark.parametrize(
    ("given", "scale", "pinned", "is_flagged"),
    [
        (1, YES_NO, 1, False), ("1", YES_NO, 1, False), (0.5, YES_NO, 0, True), (2, YES_NO, 1, True), (-1, YES_NO, 0, True),
        (0.5, HALVES, 0.5, False), (0.7, HALVES, 0.5, True), ("0,5", HALVES, 0.5, False), (0.99, HALVES, 0.5, True),
        (0.8, QUARTERS, 0.75, True), (0.25, QUARTERS, 0.25, False), (0.37, None, 0.37, False), (1.2, None, 1, True), (-0.1, None, 0, True),
    ],
)  # fmt: skip
def test_off_the_scale_is_asked_once_more_then_snapped_down_and_flagged(
    given: object, scale: tuple[float, ...] | None, pinned: float, is_flagged: bool
) -> None:
    reply = open_reply(json.dumps({"verdict": given}), "cs")
    assert reply.number("verdict", scale) == pinned
    assert bool(reply.problem) == is_flagged
    assert reply.flags == ({"verdict": "off_scale"} if is_flagged else {})


@pytest.mark.parametrize("given", [None, True, "moc", "NaN", [], "Infinity"])
def test_what_is_no_number_is_missing(given: object) -> None:
    reply = open_reply(json.dumps({"verdict": given}), "cs")
    assert reply.number("verdict", HALVES) is None
    assert reply.problem == prompt("again", "cs", problem="Chybí v ní pole verdict.")


def test_the_judge_is_told_what_was_wrong_in_its_language() -> None:
    reply = open_reply('{"verdict": 0.7}', "en")
    reply.number("verdict", HALVES)
    assert "the value 0.7; only 0, 0.5, 1 are allowed" in (reply.problem or "")
    reply = open_reply("Nechci.", "cs")
    assert "není v ní jeden platný objekt JSON" in (reply.problem or "").replace("Není", "není")


@pytest.mark.parametrize(
    ("quote", "is_wanted", "is_grounded"),
    [
        ("v pondělí 2. června 2025", True, True), ("v pondělí 2.\u00a0června 2025", True, True), ("v pondělí 3. června 2025", True, False),
        ("", True, False), ("", False, True), ("něco jiného než text", False, True),
    ],
)  # fmt: skip
def test_a_quote_stands_literally_in_the_text(quote: str, is_wanted: bool, is_grounded: bool) -> None:
    reply = open_reply(json.dumps({"quote": quote}), "cs")
    assert reply.quote(TEXT, is_wanted=is_wanted)[1] == is_grounded
    assert bool(reply.problem) == (is_wanted and not is_grounded)
