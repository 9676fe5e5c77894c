"""Reads the folder of one jurisdiction: cases, their signals and their control answers; what is wrong is told, the rest is taken.

    cases/<id>.yaml      the case, without which the other two are nothing
    signals/<id>.yaml    by what the mechanical judge knows each statement
    controls/<id>.yaml   five answers whose grade is known beforehand (S-5)
    prompts/             the words around a question

Signals or controls with a fault are left out whole, so whoever finds some finds all of them; the case is taken without them.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import TypeVar

from schemas.errors import UsageError, nearest
from schemas.exchange import Frozen
from schemas.legal import Controls, LegalCase, Signals
from schemas.marked import Flaw, Marked, parse

M = TypeVar("M", LegalCase, Controls, Signals)
Beside = TypeVar("Beside", Controls, Signals)


Leaks = Callable[[LegalCase], list[str]]
"""What a question gives away, each as the end of a sentence about it; none where it may be asked (L-4)."""

BESIDE = ("signals", "controls")
"""Folders that stand beside cases."""


class Law(Frozen):
    """What is sound in a folder: cases in the order of their ids, signals and controls by case; and a sentence for all that is not."""

    cases: tuple[LegalCase, ...]
    signals: dict[str, Signals]
    controls: dict[str, Controls]
    problems: tuple[str, ...]


@cache
def read_law(folder: Path, leaks: Leaks | None = None) -> Law:
    """The law of a jurisdiction, whose name is that of the folder; UsageError where there is no folder of cases.

    leaks: leaves out, and tells, cases whose questions give something away.
    """
    if not (folder / "cases").is_dir():
        raise UsageError(f"The folder {str(folder)!r} has no folder `cases`; cases of law stand in `cases/<id>.yaml`.")
    return _law(folder, folder / "cases", folder.name, leaks)


@cache
def read_own(folder: Path, jurisdiction: str, leaks: Leaks | None = None) -> Law:
    """People's own cases of a jurisdiction, `<id>.yaml` in the folder itself, as approved drafts stand in a store.

    UsageError where there is no folder.
    """
    if not folder.is_dir():
        raise UsageError(f"There is no folder {str(folder)!r}; own cases of law stand in it as `<id>.yaml`.")
    return _law(folder, folder, jurisdiction, leaks)


def _law(folder: Path, home: Path, jurisdiction: str, leaks: Leaks | None) -> Law:
    problems: list[str] = []
    cases: dict[str, LegalCase] = {}
    names = set()
    for name, marked in _marked(home, LegalCase, problems):
        names.add(name)
        if marked.model is None:
            problems += marked.problems
            continue
        given_away = [Flaw(("question",), told) for told in (leaks(marked.model) if leaks else ())]
        if flaws := marked.tell([*_misplaced(marked.model, name, jurisdiction), *given_away]):
            problems += flaws
        else:
            cases[name] = marked.model
    signals = _beside(folder / "signals", Signals, cases, names, problems)
    controls = _beside(folder / "controls", Controls, cases, names, problems)
    return Law(cases=tuple(cases.values()), signals=signals, controls=controls, problems=tuple(problems))


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


def _misplaced(case: LegalCase, name: str, jurisdiction: str) -> Iterator[Flaw]:
    if case.id != name:
        yield Flaw(("id",), f"{case.id!r} was found, expected {name!r}, the name of the file")
    if case.jurisdiction != jurisdiction:
        yield Flaw(
            ("jurisdiction",), f"{case.jurisdiction!r} was found, expected {jurisdiction!r}, the name of the folder"
        )


def _beside(
    folder: Path, model: type[Beside], cases: dict[str, LegalCase], names: Iterable[str], problems: list[str]
) -> dict[str, Beside]:
    """Signals or controls by case; those of a case that is itself wrong wait for it, and are not told."""
    found: dict[str, Beside] = {}
    for name, marked in _marked(folder, model, problems):
        if marked.model is None:
            problems += marked.problems
        elif name not in names:
            problems += marked.tell([Flaw(("case",), f"there is no case {name!r}{nearest(name, names)}")])
        elif marked.model.case != name:
            told = f"{marked.model.case!r} was found, expected {name!r}, the name of the file"
            problems += marked.tell([Flaw(("case",), told)])
        elif name in cases:
            flaws = marked.tell(marked.model.against(cases[name]))
            problems += flaws
            if not flaws:
                found[name] = marked.model
    return found
