"""`controls`: control answers, whose grade is known beforehand; they go the way of any answer, so that who grades them cannot tell (S-5).

A case has as many trials as it has texts, whatever the suite asks of others; each trial is one text. They cost nothing and take no time.
"""

from collections.abc import Collection

from datasets.controls import SUITES, control_answers, controls_folder, controls_version
from schemas.errors import UsageError
from schemas.exchange import Reply, Request
from schemas.system import System


class ControlsClient:
    """Answers by case and trial from the files of control answers."""

    def __init__(self, system: System) -> None:
        lacking = sorted(set(system.suites) - set(SUITES))
        if lacking or not system.suites:
            which = f"for {', '.join(lacking)}" if lacking else "for every suite"
            raise UsageError(
                f"System {system.id!r}: there are no control answers {which}; {', '.join(SUITES)} has some."
            )
        self.suites = system.suites
        self.version = ",".join(f"{suite}:{controls_version(suite)}" for suite in sorted(self.suites))

    async def open(self) -> None:
        """Nothing to open."""

    async def close(self) -> None:
        """Nothing to close."""

    def answers(self, case_id: str) -> bool:
        """Only cases that have control answers."""
        return self.trials(case_id) > 0

    def trials(self, case_id: str) -> int:
        """As many as the case has control answers."""
        return max(len(control_answers(suite, case_id)) for suite in self.suites)

    def problems(self, cases: Collection[str]) -> list[str]:
        """None: what is wrong with a file of control answers is told with its suite's other files."""
        return []

    async def complete(self, request: Request) -> Reply:
        """The text of the trial, of a conversation that of the turn; `api_error` where the case has none."""
        texts = control_answers(request.suite, request.case_id)
        if not 1 <= request.trial <= len(texts):
            reason = f"the case {request.case_id!r} has {len(texts)} control answers, none for trial {request.trial}"
            return Reply(status="api_error", error=reason, fault="request", provider="controls")
        found, turn = texts[request.trial - 1], len(request.messages) // 2
        if isinstance(found, tuple) and turn >= len(found):
            reason = f"control answer {request.trial} of the case {request.case_id!r} has {len(found)} turns, none for turn {turn + 1}"
            return Reply(status="api_error", error=reason, fault="request", provider="controls")
        text = found if isinstance(found, str) else found[turn]
        return Reply(status="ok", text=text, finish_reason="stop", provider="controls")


def make(system: System) -> ControlsClient:
    """A client for a system; UsageError for suites without control answers."""
    return ControlsClient(system)


def missing(system: System) -> str | None:
    """The files, where none of its suites has one."""
    folders = [folder for suite in system.suites if (folder := controls_folder(suite))]
    if any(True for folder in folders if folder.is_dir() for _ in folder.glob("*.yaml")):
        return None
    return "there are no control answers yet"
