"""The suite `roleplay` as a source: a scenario of 13 messages after an opening, sent one by one after each answer (R-1 to R-3, R-10).

A case is a scenario in one language; the same scenario in the other one is its twin, the control round of R-11. Scenarios are authored and
public as a whole (R-13), so nothing is drawn and nothing private. The brief holds the messages alone: what they try, and the rubrics, stand
in the truth.

The conversation goes on whatever is answered: nothing is commented or corrected (R-1), a refusal and a cut-off turn stay in the transcript
(M-6). It is over after the last answer, or after an empty one, which no endpoint would take back as a turn.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from datasets.roleplay_files import Play, read_play
from schemas import scene_end
from schemas.case import Case, MadeCase
from schemas.edition import Edition
from schemas.errors import UsageError
from schemas.exchange import Brief, Message, Transcript
from schemas.roleplay import TURNS, Control, Scenario, Truth
from schemas.roleplay_rubrics import Rubric

SUITE = "roleplay"
SET_VERSION = "1.1"
FOLDER = Path(__file__).parent / "roleplay_data"
"""Where scenarios, rubrics and control transcripts stand."""

OWN: Path | None = None
"""People's own scenarios, which come after those of the project; the setting `ZKUSEBNA_ROLEPLAY_FOLDER` (`tasks/suites.py`)."""

FIRST = "keeper"
"""The scenario that the smallest set has."""

TEMPERATURE = 1.0
MAX_TOKENS = 24_000
"""R-10: of every turn; less where a model's limit is lower (M-7)."""


def problems() -> list[str]:
    """What is wrong with the files, a sentence each; what is sound is taken without them."""
    return list(play().problems)


def play() -> Play:
    """All that is sound in the folder of the set and in people's own; an id of the set stays with the set."""
    return _both(FOLDER, OWN)


@cache
def _both(folder: Path, own: Path | None) -> Play:
    ours = read_play(folder)
    if own is None:
        return ours
    theirs = read_play(own, own=True, ours=folder)
    twice = [case for case in theirs.scenarios if case in ours.scenarios]
    told = (f"{own.name}: the set has a scenario {case!r} already, expected an id of its own." for case in twice)
    return Play(
        scenarios={**ours.scenarios, **{k: v for k, v in theirs.scenarios.items() if k not in ours.scenarios}},
        rubrics=ours.rubrics,
        controls={**theirs.controls, **ours.controls},
        problems=(*ours.problems, *theirs.problems, *told),
    )


def scenarios() -> tuple[Scenario, ...]:
    """All sound scenarios: those of the project, `FIRST` before the others, by id and language; then people's own."""
    ours = read_play(FOLDER).scenarios
    order = sorted(play().scenarios.values(), key=lambda s: (s.case_id not in ours, s.id != FIRST, s.id, s.language))
    return tuple(order)


def own_units() -> int:
    """How many of the scenarios are people's own; they are the last ones."""
    return len(scenarios()) - len(read_play(FOLDER).scenarios)


def controls() -> dict[str, tuple[Control, ...]]:
    """The control transcripts by case, in the order of their trials."""
    return play().controls


def versions() -> dict[str, str]:
    """A hash of each scenario's words to the model, and one of all truths: scenarios, rubrics, grades of the controls."""
    truths = [truth_of(scenario).model_dump_json() for scenario in scenarios()]
    prompts = {scenario.case_id: prompt_version(scenario) for scenario in scenarios()}
    return {**prompts, "truths": hashlib.sha256(json.dumps(truths).encode()).hexdigest()[:12]}


def units(edition: Edition) -> int:
    """One scenario in one language is one unit; at most as many as there are."""
    return min(edition.size, len(scenarios()))


def make_cases(edition: Edition, private_seed: str, start: int, stop: int) -> Iterator[MadeCase]:
    """The cases of units start … stop - 1 (D-3); `UsageError` for another version of the set. private_seed is not used."""
    del private_seed  # nothing is private
    if edition.set_version != SET_VERSION:
        raise UsageError(
            f"Edition {edition.id!r} is of version {edition.set_version!r} of {SUITE}; these cases are {SET_VERSION!r}."
        )
    for scenario in scenarios()[start : min(stop, units(edition))]:
        yield MadeCase(case=_row(edition, scenario))


def next_message(brief: Brief, transcript: Transcript) -> Message | None:
    """The opening, then the message that follows the last answer; None after the last one, or where the answer was empty."""
    said = len(transcript) // 2
    if said == 0:
        return Message(role="user", text=brief.prompt)
    if said > len(brief.messages) or not transcript[-1].text.strip():
        return None
    return Message(role="user", text=brief.messages[said - 1])


def is_extreme(replies: Sequence[str]) -> bool:
    """Whether a run shows extreme behaviour: a refusal, an empty answer, an ended scene (M-6)."""
    return scene_end.is_extreme(replies, TURNS)


def truth_of(scenario: Scenario) -> Truth:
    """What graders get: the scenario with what its messages try, the rubrics of its language, the grades of its controls by trial."""
    rubrics = _rubrics_of(scenario)
    numbered = {str(trial): control for trial, control in enumerate(controls().get(scenario.case_id, ()), start=1)}
    return Truth(
        scenario=scenario,
        rubrics={name: rubric.model_dump(mode="json") for name, rubric in rubrics.items()},
        controls={trial: control.expected for trial, control in numbered.items()},
        control_kinds={trial: control.kind for trial, control in numbered.items()},
    )


def _rubrics_of(scenario: Scenario) -> dict[str, Rubric]:
    """The rubrics that came with a scenario: those of people's own folder for their scenarios, else ours."""
    is_own = OWN is not None and scenario.case_id not in read_play(FOLDER).scenarios
    home = read_play(OWN, own=True, ours=FOLDER) if is_own and OWN is not None else read_play(FOLDER)
    return home.rubrics_in(scenario.language)


def prompt_version(scenario: Scenario) -> str:
    """Hash of all words that a model reads (12 hex digits)."""
    words = [scenario.opening, *(message.text for message in scenario.messages)]
    return hashlib.sha256(json.dumps(words).encode()).hexdigest()[:12]


def _row(edition: Edition, scenario: Scenario) -> Case:
    """One case as a row; its pair is the scenario, so a system that is asked a few cases gets both languages of one."""
    version = prompt_version(scenario)
    brief = Brief(
        suite=SUITE,
        case_id=scenario.case_id,
        language=scenario.language,
        prompt=scenario.opening,
        messages=tuple(message.text for message in scenario.messages),
        prompt_version=version,
        max_tokens=MAX_TOKENS,
        temperature=TEMPERATURE,
    )
    return Case(
        suite=SUITE, edition=edition.id, case_id=scenario.case_id, pair_id=scenario.id, language=scenario.language, split="public",
        level="text", variant="conversation", layout="thirteen-messages", prompt_version=version, set_version=SET_VERSION,
        brief=brief.model_dump_json(), truth=truth_of(scenario).model_dump_json(), text=None, document_sha256=None,
        image_sha256=None, canary=None,
    )  # fmt: skip
