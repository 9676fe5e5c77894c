"""Where a provider's filter stopped, in the chapter of any suite: by system, provider and message, how often (M-6)."""

from collections.abc import Sequence
from dataclasses import dataclass

from profiles.filters import UNKNOWN
from profiles.report import numbers
from profiles.report.material import Section
from profiles.report.texts import Both, same, text

COUNTS = ("filtered", "passed", "not_measured")
"""Columns of counts, by the words of `profiles.filters.FilterLine`."""


@dataclass(frozen=True)
class FilterTable:
    """Lines of system, provider, message and the three counts; `id` is unique in the page."""

    id: str
    columns: Sequence[Both]
    lines: Sequence[tuple[Both, Sequence[Both]]]


def filter_table(section: Section) -> FilterTable | None:
    """The table of a section over its public cases; None where no filter stopped anything. The first message is 1."""
    lines = [
        (
            same(section.systems[line.system_id].name),
            (
                text("filters.unknown") if line.provider == UNKNOWN else same(line.provider),
                numbers.integer(line.turn),
                *(numbers.integer(getattr(line, name)) for name in COUNTS),
            ),
        )
        for line in section.filters
        if line.system_id in section.systems
    ]
    columns = [text(f"filters.{name}") for name in ("provider", "message", *COUNTS)]
    return FilterTable(f"{section.suite}-by-filter", columns, lines) if lines else None
