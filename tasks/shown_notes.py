"""What a run leaves in Prefect's UI for an operator beside its tables: a link to the report, and a list of rows set aside by a gate."""

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from tasks.settings import Settings


def show_link(page: Path) -> None:
    """A link to the report as an artifact of the running flow: its file, or where `ZKUSEBNA_REPORT_URL` says that it is published."""
    if not _is_in_run():
        return
    from prefect.artifacts import create_link_artifact

    link = Settings.read().report_url or page.resolve().as_uri()
    create_link_artifact(link, link_text="Report", key="report", description=f"The report, on disk `{page.resolve()}`.")


def show_quarantine(table: str, folder: str, name: str, broken: Sequence[Sequence[str]]) -> None:
    """A table artifact of which expectations were broken by how many rows, which stand in the file of that name in the store.

    broken: for each row set aside the expectations that it broke. No value of a row is shown: rows may be private (G-8).
    """
    if not _is_in_run():
        return
    from prefect.artifacts import create_table_artifact

    rows = Counter(rule for rules in broken for rule in rules)
    create_table_artifact(
        key=f"quarantine-{table}",
        table=[{"expectation": rule, "rows": n, "file": name} for rule, n in rows.most_common()],
        description=f"{table} of {folder}: {len(broken)} rows were set aside; nothing downstream runs on them. "
        "Mend what made them, then press Retry: the shard is made again.",
    )


def _is_in_run() -> bool:
    if "prefect" not in sys.modules:
        return False
    from prefect.context import FlowRunContext, TaskRunContext

    return bool(FlowRunContext.get() or TaskRunContext.get())
