"""Numbers by hand in both languages; the expected strings are written out, spaces shown as `~`."""

import pytest

from profiles.report import numbers
from profiles.report.texts import Both


def _tilde(both: Both) -> tuple[str, str]:
    return both.cs.replace("\u00a0", "~"), both.en.replace("\u00a0", "~")


@pytest.mark.parametrize(
    ("share", "cs", "en"),
    [
        (0.0, "0,0~%", "0.0%"),
        (0.00004, "0,1~%", "0.1%"),
        (0.931, "93,1~%", "93.1%"),
        (0.9996, "99,9~%", "99.9%"),
        (1.0, "100,0~%", "100.0%"),
    ],
)
def test_shares(share: float, cs: str, en: str) -> None:
    assert _tilde(numbers.percent(share)) == (cs, en)


@pytest.mark.parametrize(
    ("difference", "cs", "en"),
    [
        (-0.0123, "−1,2~p.~b.", "−1.2~pp"),
        (0.005, "+0,5~p.~b.", "+0.5~pp"),
        (0.0, "0,0~p.~b.", "0.0~pp"),
        (-0.0001, "0,0~p.~b.", "0.0~pp"),
    ],
)
def test_differences_are_in_percentage_points(difference: float, cs: str, en: str) -> None:
    assert _tilde(numbers.points(difference)) == (cs, en)


def test_intervals() -> None:
    assert _tilde(numbers.percents(0.5, 0.9999)) == ("50,0–99,9~%", "50.0–99.9%")
    assert _tilde(numbers.points_between(-0.1, 0.02)) == ("−10,0 až +2,0~p.~b.", "−10.0 to +2.0~pp")


@pytest.mark.parametrize(
    ("ms", "cs", "en"),
    [(0, "0~ms", "0~ms"), (2.5, "2,5~ms", "2.5~ms"), (999, "999~ms", "999~ms"), (1000, "1,0~s", "1.0~s"), (61_250, "61,2~s", "61.2~s")],
)  # fmt: skip
def test_times(ms: float, cs: str, en: str) -> None:
    assert _tilde(numbers.duration(ms)) == (cs, en)


@pytest.mark.parametrize(
    ("value", "cs", "en"),
    [
        (0, "0~USD", "0~USD"),
        (0.0123, "0,0123~USD", "0.0123~USD"),
        (0.5, "0,500~USD", "0.500~USD"),
        (1234.5, "1~234,50~USD", "1,234.50~USD"),
    ],
)
def test_money_is_in_dollars(value: float, cs: str, en: str) -> None:
    assert _tilde(numbers.usd(value)) == (cs, en)


def test_days() -> None:
    assert _tilde(numbers.day("2026-11-05")) == ("5.~11.~2026", "5~Nov~2026")
