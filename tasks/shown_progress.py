"""How far a stage is, as a progress artifact of its run in Prefect's UI; sent every few seconds, by a thread of its own.

Sending takes up to a quarter of a second and the server may be away, so neither the tasks nor their event loop do it, and what cannot be
sent is not sent. A stage that is over before the first moment has no artifact.
"""

import contextlib
import contextvars
import threading
from collections.abc import Iterator
from uuid import UUID

from tasks.progress import Step, listen

EVERY_S = 5.0
"""Seconds between two messages."""

LAST_S = 10.0
"""How long the end of a stage waits for the last message."""

_counts: dict[str, list[int]] = {}


def _count(step: Step) -> None:
    done_total = _counts.setdefault(step.stage, [0, 0])
    done_total[step.kind == "begin"] += step.items


listen(_count)


class _Bar:
    """The artifact of one stage."""

    def __init__(self, about: str) -> None:
        self.about, self.sent = about, -1
        self.id: UUID | None = None

    def send(self) -> None:
        """Make the artifact or bring it up to date, where something is new."""
        from prefect.artifacts import create_progress_artifact, update_progress_artifact

        for stage, (done, total) in list(_counts.items())[-1:]:
            if not total or done == self.sent:
                continue
            percent, words = min(100.0, round(100 * done / total, 1)), f"{stage} {self.about}: {done} of {total}"
            if self.id is None:
                key = f"progress-{stage}-{self.about}".replace("_", "-").replace(" ", "-")
                made = create_progress_artifact(percent, key=key, description=words)
                self.id = made if isinstance(made, UUID) else None  # a coroutine only inside of an event loop
            else:
                update_progress_artifact(self.id, percent, description=words)
            self.sent = done


@contextlib.contextmanager
def shown(about: str) -> Iterator[None]:
    """While this lasts, the run that it is called in shows how far its tasks are; about: what the stage works on, e.g. the suite."""
    bar, over = _Bar(about), threading.Event()

    def keep_sending() -> None:
        while not over.wait(EVERY_S):
            with contextlib.suppress(Exception):  # the server may be away; the next message tells more
                bar.send()
        if bar.id is not None:
            with contextlib.suppress(Exception):
                bar.send()

    thread = threading.Thread(target=contextvars.copy_context().run, args=(keep_sending,), name="progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(LAST_S)
        _counts.clear()
