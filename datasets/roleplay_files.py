"""Reads a folder of role-play: scenarios, rubrics and control transcripts; what is wrong is told, the rest is taken.

    scenarios/<id>.<language>.yaml         a scenario; in a folder of one's own also `<id>.<language>.yaml` in the folder itself
    rubrics/<t|r|l>.<language>.yaml        the rubrics; a folder of one's own may bring its own, else the project's apply
    controls/<id>-<kind>.<language>.yaml   a control transcript (S-5)

A scenario in a language without all three rubrics is told and left out.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TypeVar

from schemas.errors import UsageError, nearest
from schemas.exchange import Frozen
from schemas.marked import Flaw, Marked, parse
from schemas.roleplay import CONTROL_KINDS, Control, Scenario
from schemas.roleplay_rubrics import ITEMS, Rubric

M = TypeVar("M", Scenario, Rubric, Control)

BESIDE = ("scenarios", "rubrics", "controls")


class Play(Frozen):
    """What is sound in a folder: scenarios by case (`keeper-cs`), rubrics by name (`t.cs`), controls by case in the order of their kinds."""

    scenarios: dict[str, Scenario]
    rubrics: dict[str, Rubric]
    controls: dict[str, tuple[Control, ...]]
    problems: tuple[str, ...]

    def rubrics_in(self, language: str) -> dict[str, Rubric]:
        """The rubrics of a language, by id."""
        return {name: self.rubrics[f"{name}.{language}"] for name in ITEMS if f"{name}.{language}" in self.rubrics}


@cache
def read_play(folder: Path, own: bool = False, ours: Path | None = None) -> Play:
    """The role-play of a folder; UsageError where there is none.

    own: scenarios may stand in the folder itself. ours: whose rubrics apply where the folder has none.
    """
    home = folder if own and not (folder / "scenarios").is_dir() else folder / "scenarios"
    if not home.is_dir():
        raise UsageError(
            f"There is no folder {str(home)!r}; scenarios of role-play stand in it as `<id>.<language>.yaml`."
        )
    problems: list[str] = []
    rubrics = dict(read_play(ours).rubrics) if ours else {}
    for name, marked in _marked(folder / "rubrics", Rubric, problems):
        if rubric := _named(marked, name, lambda r: f"{r.id}.{r.language}", problems):
            rubrics[name] = rubric
    scenarios: dict[str, Scenario] = {}
    names = set()
    for name, found in _marked(home, Scenario, problems):
        names.add(name)
        if scenario := _named(found, name, lambda s: f"{s.id}.{s.language}", problems):
            lacking = [f"{one}.{scenario.language}" for one in ITEMS if f"{one}.{scenario.language}" not in rubrics]
            told = f"there are no rubrics {', '.join(f'{one}.yaml' for one in lacking)} in its language"
            problems += found.tell([Flaw(("language",), told)] if lacking else [])
            if not lacking:
                scenarios[scenario.case_id] = scenario
    controls = _controls(folder / "controls", scenarios, names, problems)
    return Play(scenarios=scenarios, rubrics=rubrics, controls=controls, problems=tuple(problems))


def _marked(folder: Path, model: type[M], problems: list[str]) -> Iterator[tuple[str, Marked[M]]]:
    """The files of a folder by name, read; what is no file of ours is told."""
    for file in sorted(folder.iterdir()) if folder.is_dir() else ():
        told = f"{folder.name}/{file.name}"
        if file.name.startswith(".") or (file.is_dir() and file.name in BESIDE):
            continue
        if file.suffix != ".yaml":
            problems.append(f"{told}: a name that ends in .yaml was expected, as '{file.stem}.yaml'.")
            continue
        try:
            written = file.read_bytes()
        except OSError as problem:
            problems.append(f"{told} cannot be read: {problem.strerror}.")
            continue
        yield file.stem, parse(model, written, told)


def _named(marked: Marked[M], name: str, own_name: Callable[[M], str], problems: list[str]) -> M | None:
    """What a file holds, where its name is that of what it holds; else the sentence goes to problems."""
    if marked.model is None:
        problems += marked.problems
        return None
    wanted = own_name(marked.model)
    if wanted != name:
        problems += marked.tell([Flaw(("id",), f"{wanted!r} was found, expected {name!r}, the name of the file")])
        return None
    return marked.model


def _controls(
    folder: Path, scenarios: Mapping[str, Scenario], names: set[str], problems: list[str]
) -> dict[str, tuple[Control, ...]]:
    """Controls by case; those of a scenario that is itself wrong wait for it, and are not told."""
    found: dict[str, list[Control]] = {}
    for name, marked in _marked(folder, Control, problems):
        stem, _, language = name.rpartition(".")
        if marked.model is None:
            problems += marked.problems
            continue
        control = marked.model
        case_id = f"{control.scenario}-{language}"
        if stem.replace("_", "-") != f"{control.scenario}-{control.kind}".replace("_", "-") or control.language not in (
            None,
            language,
        ):
            told = f"{control.scenario}-{control.kind}.{control.language or language}"
            problems += marked.tell(
                [Flaw(("scenario",), f"{told!r} was found, expected {name!r}, the name of the file")]
            )
        elif f"{control.scenario}.{language}" not in names:
            told = f"there is no scenario '{control.scenario}.{language}'{nearest(f'{control.scenario}.{language}', names)}"
            problems += marked.tell([Flaw(("scenario",), told)])
        elif case_id in scenarios:
            found.setdefault(case_id, []).append(control)
    return {case: tuple(sorted(some, key=lambda c: CONTROL_KINDS.index(c.kind))) for case, some in found.items()}
