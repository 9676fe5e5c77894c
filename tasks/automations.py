"""What the Prefect server does of itself: it marks runs that were lost, and tells of failures and of decisive regressions.

Prefect's own server evaluates automations, so nothing of ours has to be alive. A notification goes out by a block of Prefect's that an
operator made (Slack, Teams, SendGrid, any webhook …, `ZKUSEBNA_NOTIFY`); without one the automation only fires, which stands in the UI's
event feed beside the red run, and nothing leaves the machine.
"""

from datetime import timedelta
from typing import TYPE_CHECKING, Any
from uuid import UUID

from tasks.regressions import EVENT

if TYPE_CHECKING:
    from prefect.events.schemas.automations import AutomationCore, EventTrigger

BEAT = "prefect.flow-run.heartbeat"

LOST_AFTER = timedelta(seconds=120)
"""A run without a heartbeat for so long is lost: four heartbeats of `prefect.toml`."""

NOT_STARTED_AFTER = timedelta(minutes=5)
"""A run that a worker took up has begun by then on a busy machine too; one whose worker was killed meanwhile never will."""

ENDED = ("Completed", "Failed", "Cancelled", "Crashed")
WAITING = ("Paused", "Suspended", "Scheduled", "AwaitingRetry", "AwaitingConcurrencySlot")
"""States in which nothing beats and nothing is lost."""

BEGUN = ("Running", "Retrying")

LOST = "No heartbeat for two minutes: worker and run were killed together. Press Retry; only what is missing is done."
NOT_STARTED = "Not begun after five minutes: its worker was killed. Start a worker, then press Retry."


def automations(block: UUID | None) -> list["AutomationCore"]:
    """The four automations; block: the Prefect block by which the last two notify."""
    from prefect.client.schemas.objects import StateType
    from prefect.events.actions import ChangeFlowRunState
    from prefect.events.schemas.automations import AutomationCore

    return [
        AutomationCore(
            name="zkusebna: mark a lost run",
            description="A run whose worker and process were killed together is not Running for ever: it is Crashed, and has Retry.",
            trigger=_lost(),
            actions=[ChangeFlowRunState(state=StateType.CRASHED, message=LOST)],
        ),
        AutomationCore(
            name="zkusebna: mark a run that did not start",
            description="A run whose worker was killed before it began is not Pending for ever, which Cancel cannot end: it is Crashed.",
            trigger=_not_started(),
            actions=[ChangeFlowRunState(state=StateType.CRASHED, message=NOT_STARTED)],
        ),
        AutomationCore(
            name="zkusebna: tell of a failed run",
            description="A run of a deployment failed or crashed; its page says what to do.",
            trigger=_failed(),
            actions=[_tell(block, "Zkušebna: {{ flow_run.name }} {{ flow_run.state.name }}", FAILED)],
        ),
        AutomationCore(
            name="zkusebna: tell of a regression",
            description="A nightly run does something decisively worse than the run before (the artifact `regressions`).",
            trigger=_worse(),
            actions=[_tell(block, "Zkušebna: decisively worse than the run before", WORSE)],
        ),
    ]


def _lost() -> "EventTrigger":
    """A heartbeat, and then nothing that says that the run goes on, waits or has ended."""
    return _silence({BEAT}, {BEAT, *_states(*ENDED, *WAITING)}, LOST_AFTER)


def _not_started() -> "EventTrigger":
    """A worker has taken the run up, and then nothing."""
    return _silence(_states("Pending"), {BEAT, *_states(*BEGUN, *ENDED, *WAITING)}, NOT_STARTED_AFTER)


def _states(*names: str) -> set[str]:
    return {f"prefect.flow-run.{name}" for name in names}


def _silence(after: set[str], expect: set[str], within: timedelta) -> "EventTrigger":
    """None of the expected events of a run in time after another of the same run."""
    from prefect.events.schemas.automations import EventTrigger, Posture
    from prefect.events.schemas.events import ResourceSpecification

    return EventTrigger(
        after=after,
        expect=expect,
        match=ResourceSpecification({"prefect.resource.id": ["prefect.flow-run.*"]}),
        for_each={"prefect.resource.id"},
        posture=Posture.Proactive,
        threshold=1,
        within=within,
    )


def _failed() -> "EventTrigger":
    """A run that carries the tag of our deployments failed; subflows, which do not carry it, are told by their parent."""
    from prefect.events.schemas.automations import EventTrigger, Posture
    from prefect.events.schemas.events import ResourceSpecification

    ours = {"prefect.resource.role": "tag", "prefect.resource.id": "prefect.tag.zkusebna"}
    return EventTrigger(
        expect={"prefect.flow-run.Failed", "prefect.flow-run.Crashed"},
        match=ResourceSpecification({"prefect.resource.id": "prefect.flow-run.*"}),
        match_related=ResourceSpecification(ours),
        for_each={"prefect.resource.id"},
        posture=Posture.Reactive,
        threshold=1,
    )


def _worse() -> "EventTrigger":
    """The event of `tasks.regressions`."""
    from prefect.events.schemas.automations import EventTrigger, Posture
    from prefect.events.schemas.events import ResourceSpecification

    return EventTrigger(
        expect={EVENT},
        match=ResourceSpecification({"prefect.resource.id": "zkusebna.run.*"}),
        posture=Posture.Reactive,
        threshold=1,
    )


FAILED = """{{ flow_run.name }} is {{ flow_run.state.name }}.
{{ flow_run.state.message }}
{{ flow_run|ui_url }}"""

WORSE = """{% for r in event.payload.regressions %}{{ r.suite }} {{ r.system }}: {{ r.metric }} of {{ r.what }} from {{ r.before }} to {{ r.now }}
{% endfor %}"""


def _tell(block: UUID | None, subject: str, body: str) -> Any:
    from prefect.events.actions import DoNothing, SendNotification

    return SendNotification(block_document_id=block, subject=subject, body=body) if block else DoNothing()
