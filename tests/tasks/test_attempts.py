"""What the door does after a fault: a hand-written table (M-2, M-5)."""

import pytest
from row_support import call as call_of

from schemas.call import Call
from tasks.attempts import is_over, next_form, stop_reason, wait_before


def call_with(fault: str | None) -> Call:
    return Call.model_validate({**call_of(1).model_dump(), "status": "api_error", "fault": fault, "error": "told so"})


@pytest.mark.parametrize(
    ("fault", "attempts", "over"),
    [
        ("rate_limit", 1, False), ("rate_limit", 500, False),
        ("server", 4, False), ("server", 5, True), ("network", 4, False), ("network", 5, True), ("timeout", 5, True),
        (None, 1, False), (None, 2, True), ("request", 2, True),
    ],
)  # fmt: skip
def test_how_often_a_request_is_repeated(fault: str | None, attempts: int, over: bool) -> None:
    assert is_over(attempts, call_with(fault)) is over


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        ("key", "the key is refused (told so)"),
        ("credits", "the credits do not suffice (told so)"),
        ("gone", "the model is not there (told so)"),
        ("daily_quota", "the quota of the day is used up (told so)"),
        ("rate_limit", None),
        ("server", None),
        (None, None),
    ],
)
def test_what_stops_a_system(fault: str | None, told: str | None) -> None:
    assert stop_reason(call_with(fault)) == told


@pytest.mark.parametrize(
    ("attempts", "fault", "wait_s", "jitter", "seconds"),
    [
        (1, "server", None, 1.0, 0.5), (2, "server", None, 1.0, 1.0), (5, "server", None, 1.0, 8.0),
        (1, "server", None, 0.0, 0.25), (20, "network", None, 1.0, 60.0),
        (3, "server", 12.5, 0.5, 12.5), (2, None, None, 1.0, 0.0),
    ],
)  # fmt: skip
def test_how_long_it_waits(
    attempts: int, fault: str | None, wait_s: float | None, jitter: float, seconds: float
) -> None:
    assert wait_before(attempts, fault, wait_s, lambda: jitter) == seconds


def test_the_ladder_of_forms() -> None:
    assert (next_form("schema"), next_form("json"), next_form("none")) == ("json", "none", None)
