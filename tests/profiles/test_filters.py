"""Where a filter stopped: against DuckDB as a second implementation, and by hand (M-6)."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from profiles.filters import FilterLine, Turn, filter_lines
from schemas.status import STATUSES

SQL = """
WITH trials AS (
    SELECT system_id, case_id, trial, max(turn) AS last, arg_max(status, turn) AS status, arg_max(coalesce(provider, 'unknown'), turn) AS provider
    FROM turns GROUP BY ALL
), longest AS (SELECT case_id, max(turn) AS most FROM turns GROUP BY case_id),
told AS (
    SELECT system_id, coalesce(provider, 'unknown') AS provider, turn, CASE WHEN status = 'filtered' THEN 'filtered'
        WHEN status IN ('ok', 'refused', 'truncated', 'invalid') THEN 'passed' ELSE 'not_measured' END AS passage
    FROM turns
    UNION ALL
    SELECT system_id, provider, unnest(range(last + 1, most + 1)), 'not_measured' FROM trials JOIN longest USING (case_id)
    WHERE status NOT IN ('ok', 'refused', 'truncated', 'invalid')
)
SELECT system_id, provider, turn, count(*) FILTER (passage = 'filtered'), count(*) FILTER (passage = 'passed'),
    count(*) FILTER (passage = 'not_measured')
FROM told GROUP BY ALL ORDER BY system_id, provider, turn
"""


def by_duckdb(turns: Sequence[Turn]) -> list[FilterLine]:
    import duckdb
    import pyarrow as pa

    names = Turn.__dataclass_fields__
    types = {"trial": pa.int64(), "turn": pa.int64()}
    columns = {name: pa.array([getattr(t, name) for t in turns], types.get(name, pa.string())) for name in names}
    with duckdb.connect() as connection:
        connection.register("turns", pa.table(columns))
        return [FilterLine(*row) for row in connection.sql(SQL).fetchall()]


conversations = st.lists(
    st.tuples(
        st.sampled_from(["a", "b"]), st.sampled_from(["c1", "c2", "c3"]), st.integers(1, 3),
        st.lists(st.tuples(st.sampled_from([None, "P", "Q"]), st.sampled_from(STATUSES)), min_size=1, max_size=5),
    ),
    unique_by=lambda c: c[:3], max_size=12,
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(conversations, st.randoms())
def test_duckdb_counts_the_same(given_conversations, random) -> None:
    turns = [
        Turn(system, case, trial, number, provider, status)
        for system, case, trial, said in given_conversations
        for number, (provider, status) in enumerate(said, 1)
    ]
    expected = by_duckdb(turns)
    random.shuffle(turns)
    assert filter_lines(turns) == expected


def test_by_hand() -> None:
    """Three messages: `a` passes all, is stopped at the second one in its second trial; `b` is stopped at once; `c` has an error."""
    turns = [
        *(Turn("a", "x", 1, n, "P", "ok") for n in (1, 2, 3)),
        Turn("a", "x", 2, 1, "P", "ok"), Turn("a", "x", 2, 2, "P", "filtered"),
        Turn("b", "x", 1, 1, None, "filtered"),
        Turn("c", "x", 1, 1, "P", "refused"), Turn("c", "x", 1, 2, "P", "api_error"),
    ]  # fmt: skip
    assert filter_lines(turns) == [
        FilterLine("a", "P", 1, 0, 2, 0), FilterLine("a", "P", 2, 1, 1, 0), FilterLine("a", "P", 3, 0, 1, 1),
        FilterLine("b", "unknown", 1, 1, 0, 0), FilterLine("b", "unknown", 2, 0, 0, 1), FilterLine("b", "unknown", 3, 0, 0, 1),
        FilterLine("c", "P", 1, 0, 1, 0), FilterLine("c", "P", 2, 0, 0, 1), FilterLine("c", "P", 3, 0, 0, 1),
    ]  # fmt: skip


def test_nothing_asked_is_nothing_told() -> None:
    assert filter_lines([]) == []
