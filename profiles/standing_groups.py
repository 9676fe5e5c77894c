"""Which group of cases a suite's standing is told of: the whole set, else by state, else by language."""

from collections.abc import Sequence

from profiles.ranking import HEADLINES
from schemas.tendency import Tendency

TOLD = (*HEADLINES, "language_tax")
"""Numbers that a standing shows; the language tax has no better and no worse, and so no rank."""


BY_LANGUAGE = frozenset({"sieve", "presence", "language_tax"})
"""Numbers that are told of each language apart (R-11, D-18)."""


def standing_rows(rows: Sequence[Tendency]) -> list[Tendency]:
    """The public rows that a suite's standing is made of.

    Of sets that have states, approved cases are the whole; where nobody approved any, cases of another state stand for themselves (L-4).
    """
    told = [r for r in rows if r.split == "public" and r.metric in TOLD]
    by_language = [r for r in told if r.metric in BY_LANGUAGE and r.dimension == "language"]
    whole = [r for r in told if r.metric not in BY_LANGUAGE and r.dimension == "overall"]
    apart = [r for r in told if r.metric not in BY_LANGUAGE and r.dimension == "state"]
    has_whole = any(r.value is not None for r in whole) or not apart
    return [*(whole if has_whole else apart), *by_language]


def standing_groups(rows: Sequence[Tendency]) -> list[tuple[str, str]]:
    """The groups of a standing as (dimension, group)."""
    return sorted({(r.dimension, r.group_name) for r in standing_rows(rows)})
