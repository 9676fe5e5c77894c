"""What a role-play is made of: a scenario of 13 messages, rubrics T and R, the definitions of axis L, control transcripts (R-1 to R-7, S-5).

Files of people become these models through `schemas.marked.parse`, so a fault is told with its line.
"""

from collections.abc import Iterator
from typing import Annotated, Any, Literal, Self, get_args

from pydantic import Field, model_validator

from schemas.exchange import Frozen
from schemas.marked import Flaw, FlawsError

Trap = Literal[
    "coin_for_breakfast", "debt_and_first_offence", "false_memory", "tears", "silence", "good_motive_offence", "dilemma",
    "confiscated_knife", "empty_search", "third_offence_escape", "calm", "gift_and_question", "farewell",
]  # fmt: skip
"""What the 13 messages try, in their order (R-2)."""

TRAPS: tuple[Trap, ...] = get_args(Trap)
MESSAGES = len(TRAPS)
TURNS = MESSAGES + 1
"""Answers of a whole run: to the opening and to each of the 13 messages."""

PlayLanguage = Literal["cs", "en"]
"""Languages in which the scenarios are played: Czech, and English as the control round (R-11)."""

Axis = Literal["L1", "L2", "L3", "L4", "L5", "L6", "L7", "L8"]
AXES: tuple[Axis, ...] = get_args(Axis)
EVENTS: tuple[Axis, ...] = ("L2", "L3", "L4", "L6", "L7", "L8")
"""What a judge labels place by place: the burning of the letter, own events, others who act, out-of-play voice, unforced kindness, rule 7."""

Played = Literal["played", "annulled", "not_reached"]
PLAYED: tuple[Played, ...] = get_args(Played)
"""What became of a message (L1); denying a false premise is playing."""

T_ITEMS = tuple(f"T{n}" for n in range(1, 13))
R_ITEMS = tuple(f"R{n}" for n in range(1, 7))
MESSAGE_OF = {**{f"T{n}": n for n in range(1, 12)}, "T12": 13, "R6": 12}
"""The message that an item grades, where it is a single one (R-4)."""

Text = Annotated[str, Field(min_length=1)]
Case = Annotated[str, Field(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$")]


class Planned(Frozen):
    """One of the 13 messages: its words, which trap it is, and what it tries; the last two are for graders and never sent (R-1)."""

    n: int = Field(description="the number of the message, from 1")
    trap: Trap = Field(description="the id of its trap")
    text: Text = Field(description="the words of the player")
    expects: Text = Field(description="what the message tries, for graders alone")


class Facts(Frozen):
    """What can be counted or looked up: coins at the start, the letter, who there is, what was confiscated."""

    coins: int = Field(description="how many coins the user's character has at the start", gt=0)
    letter: Text = Field(description="the confiscated letter")
    characters: tuple[Text, ...] = Field(description="the characters of the world", min_length=1)
    confiscated: Text = Field(description="what was taken from the user's character")


class Scenario(Frozen):
    """One scenario in one language."""

    id: Case = Field(description="the scenario's name, the same in each language")
    version: Text = Field(description="the version of the text")
    language: PlayLanguage = Field(description="the language of all texts, cs or en")
    setting: Text = Field(description="where and when it plays, a short title")
    opening: Text = Field(description="message 0: the rules and the opening")
    messages: tuple[Planned, ...] = Field(description="the 13 messages that follow, in their order")
    facts: Facts = Field(description="what can be counted or looked up")
    not_measurable: tuple[Text, ...] = Field(default=(), description="what this language cannot measure (R-11)")

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        flaws = list(self._flaws())
        if flaws:
            raise FlawsError(flaws)
        return self

    def _flaws(self) -> Iterator[Flaw]:
        if len(self.messages) != MESSAGES:
            yield Flaw(("messages",), f"{MESSAGES} messages were expected, one a trap, not {len(self.messages)}")
        for at, message in enumerate(self.messages[:MESSAGES]):
            if message.n != at + 1:
                yield Flaw(
                    ("messages", at, "n"), f"{message.n} was found, expected {at + 1}: messages stand in their order"
                )
            if message.trap != TRAPS[at]:
                told = f"{message.trap!r} was found, expected {TRAPS[at]!r}, the trap of message {at + 1} (R-2)"
                yield Flaw(("messages", at, "trap"), told)

    @property
    def case_id(self) -> str:
        """The scenario in its language, as cases are called."""
        return f"{self.id}-{self.language}"


ControlKind = Literal["holds", "pushover", "referee", "plays_user"]
CONTROL_KINDS: tuple[ControlKind, ...] = get_args(ControlKind)
"""Control transcripts: the world holds, gives way everywhere, annuls every message, plays the user's character (S-5)."""


class MessagesCounted(Frozen):
    """What became of the 13 messages (L1, R-7)."""

    played: int = Field(ge=0)
    annulled: int = Field(ge=0)
    not_reached: int = Field(ge=0)

    @model_validator(mode="after")
    def _thirteen(self) -> Self:
        total = self.played + self.annulled + self.not_reached
        if total != MESSAGES:
            raise ValueError(f"played, annulled and not reached are {MESSAGES} together (R-7), not {total}")
        return self


class AxisExpected(Frozen):
    """The counts that a control transcript has."""

    L1: MessagesCounted
    L2: bool
    L3: int = Field(ge=0)
    L4: int = Field(ge=0)
    L5: int = Field(ge=0)
    L6: int = Field(ge=0)
    L7: int = Field(ge=0)
    L8: int = Field(ge=0)


class Expected(Frozen):
    """The grades that a control transcript has: points of T and R, counts of L; `bonuses` by id or all together."""

    T: dict[str, int | dict[str, int]]
    R: dict[str, int]
    L: AxisExpected

    @model_validator(mode="after")
    def _all_items(self) -> Self:
        flaws = []
        if set(found := [*self.T]) != {*T_ITEMS, "bonuses"}:
            flaws.append(Flaw(("T",), f"{', '.join(found)} was found, expected {', '.join(T_ITEMS)}, bonuses"))
        if set(found := [*self.R]) != set(R_ITEMS):
            flaws.append(Flaw(("R",), f"{', '.join(found)} was found, expected {', '.join(R_ITEMS)}"))
        if flaws:
            raise FlawsError(flaws)
        return self

    @property
    def points(self) -> dict[str, int]:
        """Points of all items of T and R, and of the bonuses where they are told one by one."""
        plain = {item: value for item, value in self.T.items() if isinstance(value, int) and item != "bonuses"}
        bonuses = self.T["bonuses"]
        return {**plain, **(bonuses if isinstance(bonuses, dict) else {}), **self.R}


class Control(Frozen):
    """One control transcript: an answer a message from the opening on, its grades, and the quotes that they stand on."""

    scenario: Case = Field(description="the id of its scenario")
    kind: ControlKind = Field(description="what it shows: holds, pushover, referee or plays_user")
    language: PlayLanguage | None = None
    version: Text | None = None
    turns: tuple[Text, ...] = Field(description="the answers to messages 0 to 13")
    expected: Expected = Field(description="the grades that it has")
    quotes: dict[str, Any] = Field(description="by item, the literal words that its grade stands on")

    @model_validator(mode="after")
    def _all_turns(self) -> Self:
        if len(self.turns) != TURNS:
            raise FlawsError(
                [Flaw(("turns",), f"{TURNS} answers were expected, to messages 0 to 13, not {len(self.turns)}")]
            )
        return self


class Truth(Frozen):
    """What is right in a case, for graders alone: the scenario with what its messages try, the rubrics, the grades of its controls by trial."""

    scenario: Scenario
    rubrics: dict[Literal["t", "r", "l"], dict[str, Any]]
    controls: dict[str, Expected] = Field(default_factory=dict)
    control_kinds: dict[str, ControlKind] = Field(default_factory=dict)
