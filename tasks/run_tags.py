"""What a flow run is about, for the lists of Prefect's UI: its name, and tags of suite, edition and systems that a person can filter by."""

import sys
from collections.abc import Callable, Sequence

MOST_NAMES = 3
"""So many systems stand in the name of a run; of more, how many there are."""


def name_run(stage: str, *keys: str) -> Callable[[], str]:
    """What names the runs of a flow: the stage, the given parameters, the systems.

    It is called inside the run, whose parameters it reads.
    """

    def name() -> str:
        from prefect.runtime import flow_run

        return run_name(stage, [flow_run.parameters.get(key) for key in keys])

    return name


def run_name(stage: str, values: Sequence[object]) -> str:
    """A stage and what it is about, in words; what is not given is left out.

    >>> run_name("test", ["invoices", "1.0-s7-n4", ["a", "b"]]), run_name("nightly", ["", None])
    ('test invoices 1.0-s7-n4 a, b', 'nightly')
    >>> run_name("nightly", [["a", "b", "c", "d"]])
    'nightly 4 of them: a, b, c …'
    """
    words = [stage]
    for value in values:
        if isinstance(value, list | tuple):
            names = ", ".join(map(str, value[:MOST_NAMES]))
            words.append(f"{len(value)} of them: {names} …" if len(value) > MOST_NAMES else names)
        elif value:
            words.append(str(value))
    return " ".join(word for word in words if word)


def tag_run(suites: str | Sequence[str], edition: str = "", systems: Sequence[str] = ()) -> None:
    """Add tags to the flow run that this is called in; nothing happens outside of one."""
    if "prefect" not in sys.modules:
        return
    from prefect.client.orchestration import get_client
    from prefect.context import FlowRunContext

    context = FlowRunContext.get()
    if context is None or context.flow_run is None:
        return
    given = [("suite", [suites] if isinstance(suites, str) else suites), ("edition", [edition]), ("system", systems)]
    new = {f"{kind}:{word}" for kind, words in given for word in words if word}
    if new <= set(context.flow_run.tags):
        return
    with get_client(sync_client=True) as client:
        client.update_flow_run(context.flow_run.id, tags=sorted({*context.flow_run.tags, *new}))
