"""How a run of a deployment ends: red where answers could not be had, with a sentence that says what to do.

An answer that a provider did not give is no failure of the stage, which records it and goes on with all others (G-11). On the command line
the run says so at its end; under a worker nobody reads that, so there the run itself is failed, after everything else was done.
"""

import sys
from collections.abc import Sequence

from schemas.errors import StageError
from tasks.runs import unanswered
from tasks.shards import Outcome


def end_red(root: str, outcomes: Sequence[Outcome]) -> None:
    """StageError where this is the run of a deployment and some answers are still to be had; a subflow leaves it to its parent."""
    if "prefect" not in sys.modules:
        return
    from prefect.context import FlowRunContext

    context = FlowRunContext.get()
    if context is None or context.flow_run is None or context.flow_run.deployment_id is None:
        return
    again, _ = unanswered(root, outcomes)
    if again:
        raise StageError(
            f"Some answers could not be had: {'; '.join(again)}. What was answered is kept and was graded."
            " When the provider is back, press Retry: only what is missing is asked."
        )
