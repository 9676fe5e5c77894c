"""How a compared number reads: shares as per cent, counts as counts."""

import pytest

from flows.compare_terminal import _cells
from profiles.comparison import Difference
from profiles.paired import Line


@pytest.mark.parametrize(
    ("metric", "told"),
    [
        ("faultless", ("75.0%", "50.0%", "−25.0", "−40.0 … −10.0")),
        ("l3_own_events", ("0.75", "0.50", "−0.25", "−0.40 … −0.10")),
    ],
)
def test_counts_are_no_percentages(metric: str, told: tuple[str, ...]) -> None:
    found = Difference(0.75, 0.5, -0.4, -0.1, 0.01, 0.02, 20, 5, 0.1)
    assert _cells(Line("overall", "all", metric, "", found))[1:5] == told
