"""Many shares at once against each one alone by scipy's bootstrap (S-1)."""

import numpy as np
import pytest

from profiles import intervals


@pytest.mark.parametrize("n", [2, 7, 40, 700])
def test_each_share_is_what_it_is_alone(n: int) -> None:
    """The same generator draws the same documents, so the ends agree to the last digits; plain and degenerate shares too."""
    draw = np.random.default_rng(5)
    possible = draw.integers(1, 4, (5, n)).astype(float)
    points = possible * draw.random((5, n))
    points[3], possible[3] = draw.integers(0, 2, n), 1
    points[4], possible[4] = 0.25, 1
    together = intervals.shares(points, possible, np.random.default_rng(9))
    for row, found in enumerate(together):
        alone = intervals.share(points[row], possible[row], np.random.default_rng(9))
        assert found.method == alone.method
        assert (found.value, found.low, found.high) == pytest.approx((alone.value, alone.low, alone.high), rel=1e-9)
    assert [found.method for found in together][3:] == ["wilson", "wilson"]


def test_nothing_and_one_document() -> None:
    assert intervals.shares(np.empty((2, 0)), np.empty((2, 0)), np.random.default_rng(1)) == [intervals.NOTHING] * 2
    one = intervals.shares(np.array([[0.5]]), np.array([[1.0]]), np.random.default_rng(1))[0]
    assert (one.value, one.low, one.high) == (0.5, *intervals.wilson(0.5, 1))
