"""What the page of a case shows where it is a conversation: every run turn by turn, who speaks, what the message tries, what was judged."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from profiles.report.material import Section, ShownCase
from profiles.report.play_cards import Card, Mention, TurnView, cards
from profiles.report.texts import Both, name, same, text
from schemas.roleplay import Scenario


@dataclass(frozen=True)
class Tried:
    """A message of the player: its number, which trap it is, and what it tries in the words of the scenario; the opening tries nothing."""

    trap: Both
    expects: str | None


@dataclass(frozen=True)
class Turn:
    """A turn of a run beside what its message tries, and the grades that rest on its answer."""

    view: TurnView
    tried: Tried
    judged: Sequence[tuple[Mention, Both]]


@dataclass(frozen=True)
class PlayCase:
    """A scenario and its runs, each with its turns."""

    title: Both
    language: str
    runs: Sequence[tuple[Card, Both, Sequence[Turn]]]


def play_case(section: Section, shown: ShownCase) -> PlayCase | None:
    """The case as conversations; None where the suite has none."""
    truth = shown.case.to_truth()
    if not section.runs or "scenario" not in truth:
        return None
    scenario = Scenario.model_validate(truth["scenario"])
    tried = [
        Tried(text("case_play.opening"), None),
        *(Tried(name("play_trap", m.trap), m.expects) for m in scenario.messages),
    ]
    mine = [run for run in section.runs if run.profile.case_id == shown.case.case_id]
    runs = [
        (card, text("site.case.trial", system=card.system, n=run.profile.trial), list(_turns(card, tried)))
        for run, card in zip(mine, cards(section, mine), strict=True)
    ]
    title = text("case_play.scenario", setting=same(scenario.setting), version=scenario.version)
    return PlayCase(title, scenario.language, runs)


def _turns(card: Card, tried: Sequence[Tried]) -> Iterator[Turn]:
    for view in card.turns:
        told = [(m, text("case_play.part", item=m.named, value=m.value, judge=m.judge)) for m in view.mentions]
        yield Turn(view, tried[view.number], told)
