"""`compact`: a maintenance flow that keeps the number of small files of the store low."""

from prefect import flow

from flows.runner import task_runner
from tasks.compact import compact_tables, show_compacted, told_compacted
from tasks.turns import in_turn


@flow(name="compact", flow_run_name="compact", task_runner=task_runner())
@in_turn
def compact_store(root: str = "store") -> str:
    """Merge the many small parts of calls, votes and checks into few large ones; rows stay as they are.

    It waits for a run that is writing, and readers go on meanwhile. A retry of the run does what is left.

    Args:
        root: path of the store
    """
    done = compact_tables(root)
    show_compacted(done)
    return told_compacted(done)
