"""The suite `artifacts` as a source: specifications of web pages, each answered by one HTML file (A-4, A-5).

    tasks/<id>.yaml                    a specification, what it requires, and how the page is used
    controls/<id>/controls.yaml        pages whose grade is known beforehand (S-5), the pages beside it

A set of n has the first n tasks in the order of their ids. Nothing is drawn, and all is public: the tasks are authored (G-8).
"""

import hashlib
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import yaml
from pydantic import TypeAdapter, ValidationError

from schemas.artifacts import ControlPage, Expected, Truth, WebTask
from schemas.case import Case, MadeCase
from schemas.edition import Edition
from schemas.errors import UsageError
from schemas.exchange import Brief, Frozen, Message, Transcript

SUITE = "artifacts"
SET_VERSION = "1.1"
FOLDER = Path(__file__).parent / "web_tasks"
"""Where tasks and control pages stand."""

_CONTROLS = TypeAdapter(tuple[ControlPage, ...])


class Tasks(Frozen):
    """What is sound in the folder, in the order of the ids; and a sentence for all that is not."""

    tasks: tuple[WebTask, ...]
    controls: dict[str, tuple[ControlPage, ...]]
    pages: dict[str, tuple[str, ...]]
    problems: tuple[str, ...]


@cache
def read_tasks(folder: Path) -> Tasks:
    """All tasks and control pages of a folder; UsageError where there are none."""
    problems: list[str] = []
    tasks = [task for file in sorted((folder / "tasks").glob("*.yaml")) if (task := _task(file, problems))]
    if not tasks:
        why = f" {problems[0]}" if problems else ""
        raise UsageError(f"The folder {str(folder)!r} has no task; tasks stand in `tasks/<id>.yaml`.{why}")
    controls = {task.id: _controls(folder / "controls" / task.id, problems) for task in tasks}
    pages = {
        task: tuple((folder / "controls" / task / c.file).read_text(encoding="utf-8") for c in some)
        for task, some in controls.items()
    }
    return Tasks(tasks=tuple(tasks), controls=controls, pages=pages, problems=tuple(problems))


def _task(file: Path, problems: list[str]) -> WebTask | None:
    try:
        task = WebTask.model_validate(yaml.safe_load(file.read_text(encoding="utf-8")))
    except (yaml.YAMLError, ValidationError, OSError) as problem:
        problems.append(f"tasks/{file.name}: {_first(problem)}.")
        return None
    if task.id != file.stem:
        problems.append(
            f"tasks/{file.name}: the id {task.id!r} was found, expected {file.stem!r}, the name of the file."
        )
        return None
    return task


def _controls(folder: Path, problems: list[str]) -> tuple[ControlPage, ...]:
    """The control pages of a task, without those that are wrong."""
    file = folder / "controls.yaml"
    if not file.is_file():
        return ()
    try:
        controls = _CONTROLS.validate_python(yaml.safe_load(file.read_text(encoding="utf-8")))
    except (yaml.YAMLError, ValidationError, OSError) as problem:
        problems.append(f"controls/{folder.name}/controls.yaml: {_first(problem)}.")
        return ()
    lacking = [control.file for control in controls if not (folder / control.file).is_file()]
    problems += [f"controls/{folder.name}/controls.yaml: there is no page {name!r} beside it." for name in lacking]
    return tuple(control for control in controls if control.file not in lacking)


def _first(problem: Exception) -> str:
    """The first thing that is wrong, on one line."""
    if isinstance(problem, ValidationError):
        error = problem.errors()[0]
        return f"{'.'.join(map(str, error['loc'])) or 'the file'}: {error['msg']}"
    return " ".join(str(problem).split())


def problems() -> list[str]:
    """What is wrong with the files of the set, a sentence each; what is sound is taken without them."""
    return list(read_tasks(FOLDER).problems)


def control_pages() -> dict[str, tuple[str, ...]]:
    """The control pages by task, in the order of their trials; none where there is no task."""
    return read_tasks(FOLDER).pages if any((FOLDER / "tasks").glob("*.yaml")) else {}


def versions() -> dict[str, str]:
    """Hash of all truths in their order: specifications, requirements, scenarios, marks of the controls."""
    read = read_tasks(FOLDER)
    truths = [(task.id, task.language, truth_of(read, task).model_dump_json()) for task in read.tasks]
    return {"tasks": hashlib.sha256(json.dumps(truths).encode()).hexdigest()[:12]}


def units(edition: Edition) -> int:
    """One task is one unit; all of them where the edition wants more than there are."""
    return min(edition.size, len(read_tasks(FOLDER).tasks))


def make_cases(edition: Edition, private_seed: str, start: int, stop: int) -> Iterator[MadeCase]:
    """The cases of units start … stop - 1 (D-3); `UsageError` for another version of the set.

    private_seed is not used: nothing is private.
    """
    del private_seed  # nothing is private
    if edition.set_version != SET_VERSION:
        raise UsageError(
            f"Edition {edition.id!r} is of version {edition.set_version!r} of {SUITE}; these tasks are {SET_VERSION!r}."
        )
    read = read_tasks(FOLDER)
    for number, task in enumerate(read.tasks[start : min(stop, units(edition))], start=start + 1):
        yield MadeCase(case=_row(edition, number, task, truth_of(read, task)))


def next_message(brief: Brief, transcript: Transcript) -> Message | None:
    """The specification, once: whatever comes is the answer."""
    return None if transcript else Message(role="user", text=brief.prompt)


def truth_of(read: Tasks, task: WebTask) -> Truth:
    """What graders get of a task, with what its control pages have to get by trial."""
    return Truth(
        task={"title": task.title, "version": task.version},
        question=task.prompt,
        is_static=task.is_static,
        moves_by_itself=task.moves_by_itself,
        requirements=task.requirements,
        scenario=task.scenario,
        n_words=len(task.prompt.split()),
        controls={
            str(trial): Expected(kind=control.kind, expected=control.known, served=control.served)
            for trial, control in enumerate(read.controls.get(task.id, ()), start=1)
        },
    )


def _row(edition: Edition, number: int, task: WebTask, truth: Truth) -> Case:
    """One task as a row; its variant says whether the page is to stand still."""
    version = hashlib.sha256(task.prompt.encode()).hexdigest()[:12]
    brief = Brief(suite=SUITE, case_id=task.id, language=task.language, prompt=task.prompt, prompt_version=version)
    return Case(
        suite=SUITE,
        edition=edition.id,
        case_id=task.id,
        pair_id=f"{SUITE}-{number:04}",
        language=task.language,
        split="public",
        level="text",
        variant="static" if task.is_static else "interactive",
        layout="one-file",
        prompt_version=version,
        set_version=SET_VERSION,
        brief=brief.model_dump_json(),
        truth=truth.model_dump_json(),
        text=None,
        document_sha256=None,
        image_sha256=None,
        canary=None,
    )
