"""The rubrics of the role-play as data: T and R with an anchor for every value, the definitions of axis L (R-4 to R-7, R-13).

What METHODOLOGY.md gives is marked `source: method`; an anchor of ours is marked `source: ours` and has an example that meets it and one
that does not.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, Self

from pydantic import Field, model_validator

from schemas.exchange import Frozen
from schemas.marked import Flaw, FlawsError
from schemas.roleplay import AXES, MESSAGE_OF, PLAYED, R_ITEMS, T_ITEMS, PlayLanguage, Text, Trap

RubricId = Literal["t", "r", "l"]
Source = Literal["method", "ours"]

ITEMS: Mapping[RubricId, Sequence[str]] = {"t": T_ITEMS, "r": R_ITEMS, "l": AXES}
BONUSES = tuple(f"B{n}" for n in range(1, 5))
VALUES = (2, 1, 0)


class Sourced(Frozen):
    """Words with their source."""

    text: Text
    source: Source


class Example(Sourced):
    """Words that one of ours is shown by: an example that meets them, one that does not."""

    meets: Text | None = Field(default=None, description="an example that meets it")
    fails: Text | None = Field(default=None, description="an example that does not meet it")

    def lacks(self) -> Iterator[Flaw]:
        """Examples that are missing where the words are ours (R-13)."""
        for name in ("meets", "fails"):
            if self.source == "ours" and getattr(self, name) is None:
                yield Flaw(
                    (name,), "it is missing; an anchor of ours has an example that meets it and one that does not"
                )


class Anchor(Example):
    """What a value means."""

    value: int = Field(description="the points", ge=0, le=2)


class Label(Example):
    """A state of a message or a type of event of axis L."""

    label: Text = Field(description="the word that a judge writes")


class Item(Frozen):
    """One item of a rubric: graded by anchors, or labelled by labels and counted by code."""

    id: Text = Field(description="the item, as T1, R1, B1 or L1")
    name: Text = Field(description="its name")
    key: Text | None = None
    message: int | None = Field(default=None, description="the message that it grades", ge=1, le=13)
    trap: Trap | None = None
    definition: Sourced | None = None
    readings: tuple[Text, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    kind: Literal["status", "event", "computed"] | None = None
    event: Text | None = None
    result: Literal["yes_no"] | None = None
    from_answer: int = Field(default=0, ge=0, le=13)
    labels: tuple[Label, ...] = ()


class Rubric(Frozen):
    """One rubric in one language; `max` and `bonus_max` are the most points that its items and bonuses give."""

    id: RubricId = Field(description="t, r or l")
    version: Text = Field(description="the version of the text")
    language: PlayLanguage = Field(description="the language of all texts, cs or en")
    title: Text = Field(description="the name of the rubric")
    max: int | None = None
    bonus_max: int | None = None
    instructions: tuple[Text, ...] = Field(default=(), description="what a judge heeds throughout")
    items: tuple[Item, ...] = Field(description="its items in their order")
    bonuses: tuple[Item, ...] = ()

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        flaws = [*self._order(), *self._values(), *self._labels()]
        if flaws:
            raise FlawsError(flaws)
        return self

    def _order(self) -> Iterator[Flaw]:
        for name, wanted in (("items", ITEMS[self.id]), ("bonuses", BONUSES if self.id == "t" else ())):
            found = [item.id for item in getattr(self, name)]
            if found != list(wanted):
                told = f"{', '.join(found) or 'nothing'} was found, expected {', '.join(wanted) or 'nothing'}"
                yield Flaw((name,), told)
        for at, item in enumerate(self.items):
            if self.id != "l" and item.message != MESSAGE_OF.get(item.id):
                told = f"{item.message!r} was found, expected {MESSAGE_OF.get(item.id)!r}, what {item.id} grades (R-4)"
                yield Flaw(("items", at, "message"), told)

    def _values(self) -> Iterator[Flaw]:
        for name, wanted in (("items", VALUES), ("bonuses", VALUES[1:])):
            for at, item in enumerate(getattr(self, name) if self.id != "l" else ()):
                values = [anchor.value for anchor in item.anchors]
                if values != list(wanted):
                    told = f"anchors for {values} were found, expected {list(wanted)}, an anchor for every value"
                    yield Flaw((name, at, "anchors"), told)
                for n, anchor in enumerate(item.anchors):
                    yield from (Flaw((name, at, "anchors", n, *f.loc), f.told) for f in anchor.lacks())

    def _labels(self) -> Iterator[Flaw]:
        for at, item in enumerate(self.items if self.id == "l" else ()):
            words = [label.label for label in item.labels]
            wanted = {"L1": list(PLAYED), "L5": []}.get(item.id, [item.event or ""])
            if words != wanted:
                yield Flaw(("items", at, "labels"), f"{words} was found, expected {wanted}")
            for n, label in enumerate(item.labels):
                yield from (Flaw(("items", at, "labels", n, *f.loc), f.told) for f in label.lacks())
