"""The suite `legal` as a source: authored questions of law, each with the words around it, answered in free text (L-1 to L-4).

A set of n has the first n cases of `datasets/law/cz`, in an order that is balanced over areas and categories, so a small set spans both.
Nothing is drawn, so the seed changes no case. G-8 keeps a third of every *generated* set private; these cases are authored and published
as a whole, so all of them are public. `--levels` is a matter of documents and changes nothing here.

The set is that of one jurisdiction: legal metrics do not cross borders (G-10), so no number adds two of them. Another country's cases are
another folder beside this one, with the same names in it (L-11). Drafts are cases like all others; `state` tells the tables apart (L-4).
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from datasets.legal_files import Law, Leaks, read_law, read_own
from datasets.prompts import Prompt, read_prompt
from schemas.case import Case, MadeCase
from schemas.edition import Edition
from schemas.errors import UsageError
from schemas.exchange import Brief, Message, Transcript
from schemas.legal import LegalCase, Truth

SUITE = "legal"
SET_VERSION = "1.0"
FOLDER = Path(__file__).parent / "law" / "cz"
"""Where the cases stand."""

OWN: Path | None = None
"""People's own cases, which come after those of the project; the setting `ZKUSEBNA_LEGAL_FOLDER` (`tasks/suites.py`)."""

LEAKS: Leaks | None = None
"""What a question gives away (L-4); the grader's, which parses citations (`tasks/suites.py`)."""

QUESTION = "{{ question }}"
"""Where the question stands in the prompt."""


def problems() -> list[str]:
    """What is wrong with the files of the set, a sentence each; what is sound is taken without them."""
    return [*law().problems, *(f"cases/{case.id}.yaml: {told}" for case, told in _unprompted(law(), FOLDER))]


def cases() -> tuple[LegalCase, ...]:
    """All sound cases, in the order in which sets of any size take them."""
    return _ordered(FOLDER, OWN, LEAKS)


def own_units() -> int:
    """How many of the cases are people's own; they are the last ones."""
    return len(cases()) - len(_ordered(FOLDER, None, LEAKS))


def law() -> Law:
    """All that is sound in the folder of the set and in people's own; an id of the set stays with the set."""
    return _both(FOLDER, OWN, LEAKS)


@cache
def _both(folder: Path, own: Path | None, leaks: Leaks | None) -> Law:
    ours = read_law(folder, leaks)
    if own is None:
        return ours
    theirs, known = read_own(own, folder.name, leaks), {case.id for case in ours.cases}
    twice = [case.id for case in theirs.cases if case.id in known]
    return Law(
        cases=(*ours.cases, *(case for case in theirs.cases if case.id not in known)),
        signals={**theirs.signals, **ours.signals},
        controls={**theirs.controls, **ours.controls},
        problems=(
            *ours.problems,
            *theirs.problems,
            *(
                f"{own.name}/{name}.yaml: the set has a case {name!r} already, expected an id of its own."
                for name in twice
            ),
        ),
    )


@cache
def _ordered(folder: Path, own: Path | None, leaks: Leaks | None) -> tuple[LegalCase, ...]:
    both, ours = _both(folder, own, leaks), {case.id for case in read_law(folder, leaks).cases}
    without = {case.id for case, _ in _unprompted(both, folder)}
    sound = [case for case in both.cases if case.id not in without]
    return (*in_balance(c for c in sound if c.id in ours), *in_balance(c for c in sound if c.id not in ours))


def in_balance(cases: Iterable[LegalCase]) -> tuple[LegalCase, ...]:
    """Cases in an order whose every beginning spans areas and categories as evenly as they allow.

    Next comes the case whose area and category have together been taken least often, then the one whose pair of both has, then the first
    by id.
    """
    left: dict[tuple[str, str], list[LegalCase]] = {}
    for case in sorted(cases, key=lambda case: case.id, reverse=True):
        left.setdefault((case.area, case.category), []).append(case)
    taken: Counter[str | tuple[str, str]] = Counter()
    ordered: list[LegalCase] = []
    while left:
        pair = min(left, key=lambda p: (taken[p[0]] + taken[p[1]], taken[p], left[p][-1].id))
        ordered.append(left[pair].pop())
        taken.update([*pair, pair])
        if not left[pair]:
            del left[pair]
    return tuple(ordered)


def versions() -> dict[str, str]:
    """Hashes of the prompts by language, and of all truths in their order: cases, marks of the controls, signals."""
    both, ordered = law(), cases()
    truths = [(case.id, truth_of(both, case).model_dump_json()) for case in ordered]
    prompts: dict[str, str] = {
        language: _prompt(language).version for language in sorted({case.language for case in ordered})
    }
    return {**prompts, "cases": hashlib.sha256(json.dumps(truths).encode()).hexdigest()[:12]}


def units(edition: Edition) -> int:
    """One case is one unit; `UsageError` for more cases than there are."""
    there = len(cases())
    if edition.size > there:
        raise UsageError(f"The size {edition.size} is more than the {there} cases of {SUITE}.")
    return edition.size


def make_cases(edition: Edition, private_seed: str, start: int, stop: int) -> Iterator[MadeCase]:
    """The cases of units start … stop - 1 (D-3); `UsageError` for another version of the set.

    private_seed is not used: nothing is private.
    """
    del private_seed  # nothing is private
    if edition.set_version != SET_VERSION:
        raise UsageError(
            f"Edition {edition.id!r} is of version {edition.set_version!r} of {SUITE}; these cases are {SET_VERSION!r}."
        )
    both = law()
    for number, case in enumerate(cases()[start : min(stop, units(edition))], start=start + 1):
        yield MadeCase(case=_row(edition, number, case, truth_of(both, case)))


def next_message(brief: Brief, transcript: Transcript) -> Message | None:
    """The question, once: the answer is free text, so there is nothing to ask for again."""
    return None if transcript else Message(role="user", text=brief.prompt)


def truth_of(law: Law, case: LegalCase) -> Truth:
    """What is right in a case: without its notes, with the marks of its controls by trial and its signals, where it has them."""
    marks, signals = law.controls.get(case.id), law.signals.get(case.id)
    return Truth(
        **dict(case.model_copy(update={"notes": ""})),
        controls={str(trial): c.mark() for trial, c in enumerate(marks.controls if marks else (), start=1)},
        signals=signals.rules if signals else {},
    )


def _prompt(language: str) -> Prompt:
    return read_prompt("question", language, FOLDER / "prompts")


def _unprompted(law: Law, folder: Path) -> list[tuple[LegalCase, str]]:
    """Cases in a language for which the folder has no prompt, or one without a place for the question."""
    found = []
    for case in law.cases:
        name = f"question.{case.language}.md"
        if not (folder / "prompts" / name).is_file():
            found.append((case, f"there is no prompt in its language {case.language!r}, expected 'prompts/{name}'."))
        elif QUESTION not in _prompt(case.language).text:
            found.append((case, f"the prompt 'prompts/{name}' has no place for it, expected {QUESTION!r} in it."))
    return found


def _row(edition: Edition, number: int, case: LegalCase, truth: Truth) -> Case:
    """One case as a row; variant is its category, layout its area.

    It has no twin; its pair is its number in the order, so a system that is asked a few cases (`cases_at_most`) gets balanced ones too.
    """
    prompt = _prompt(case.language)
    brief = Brief(
        suite=SUITE,
        case_id=case.id,
        language=case.language,
        prompt=prompt.text.replace(QUESTION, case.question),
        prompt_version=prompt.version,
    )
    return Case(
        suite=SUITE,
        edition=edition.id,
        case_id=case.id,
        pair_id=f"{SUITE}-{number:04}",
        language=case.language,
        split="public",
        level="text",
        variant=case.category,
        layout=case.area,
        prompt_version=prompt.version,
        set_version=SET_VERSION,
        brief=brief.model_dump_json(),
        truth=truth.model_dump_json(exclude={"notes"}),
        text=None,
        document_sha256=None,
        image_sha256=None,
        canary=None,
        area=case.area,
        category=case.category,
        meta_task=case.meta_task,
        state=case.state,
    )
