"""What a case of the suite `legal` is: question, foil, reference answer, atomic rules, references, controls and signals (L-1 to L-4, S-5).

Nothing here knows a country: another one's cases are another folder of data (L-11). What the keys of a case say against each other is
checked here too, so a case that breaks L-1 to L-4 cannot be made; `schemas/marked.py` gives each fault its line.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StringConstraints, model_validator

from schemas.errors import nearest
from schemas.exchange import Frozen, Language
from schemas.marked import Flaw, FlawsError, quoted

Area = Literal["civil", "labour", "administrative", "criminal", "tax", "commercial"]
"""Areas of law."""

Category = Literal[
    "exception-to-general-rule", "legislative-amendment", "case-law-conflict", "deadline-calculation", "scope-limitation"
]  # fmt: skip
"""Error categories (L-3)."""

MetaTask = Literal["statute-search", "deadline-arithmetic", "case-law-search", "intertemporal", "classification"]
"""What the solver has to do above all (G-3)."""

State = Literal["draft", "reviewed", "approved"]
"""How far people have come with a case; only approved ones enter the standing (L-4)."""

ReferenceKind = Literal["norm", "decision", "doctrine"]

ControlKind = Literal["right", "partly", "foil"]

CONTROL_KINDS: tuple[ControlKind, ...] = ("right", "right", "partly", "partly", "foil")
"""The five control answers of a case in the order of their trials (S-5)."""

LETTERS = {"must_contain": "M", "must_not_contain": "N", "may_contain": "B", "references": "R"}
"""With which letter the ids of a list begin."""


def _day(value: Any) -> Any:
    """A day as a date; pydantic alone would take a number for seconds since 1970."""
    if isinstance(value, date) and not isinstance(value, datetime):
        return value
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        raise ValueError(f"a day as 2025-07-01 was expected, not {quoted(value)}") from None


Day = Annotated[date, BeforeValidator(_day)]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]
Ids = tuple[str, ...]


class Rule(Frozen):
    """An atomic rule: one statement that can be judged on its own (L-2)."""

    id: str = Field(description="Id of the rule, its letter and a number, as M1")
    text: Text = Field(description="The statement, in one sentence")
    key_exception: bool = False
    references: Ids = Field(default=(), description="References that belong to the statement")


class Reference(Frozen):
    """A provision, decision or work that the right answer cites, and its weight in grounding (L-6)."""

    id: str = Field(description="Id of the reference, R and a number")
    kind: ReferenceKind = Field(description="Norm, decision or doctrine")
    cite: Text = Field(description="The exact citation, as § 35 odst. 1 zákona č. 262/2006 Sb.")
    short: Text = Field(description="The citation as people write it")
    weight: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 1


class LegalCase(Frozen):
    """One case; whoever makes one that breaks L-1 to L-4 gets all its faults with their places."""

    id: str = Field(description="Slug of the case, the name of its file", pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    version: Text = Field(description='Version of the case, as "1.0"')
    jurisdiction: str = Field(description="Country, two small letters, the name of its folder", pattern=r"^[a-z]{2}$")
    language: Language = Field(description="Language of question and answer")
    area: Area = Field(description="Area of law")
    category: Category = Field(description="Error category (L-3)")
    law_as_of: Day = Field(description="The day whose wording of the law decides, as 2025-07-01")
    state: State = Field(description="Draft, reviewed or approved (L-4)")
    meta_task: MetaTask = Field(description="What the solver has to do above all")
    question: Text = Field(description="The question in plain language")
    foil: Text = Field(description="The one answer that applies only the general rule (L-1)")
    reference: Text = Field(description="The right answer with its citations")
    must_contain: tuple[Rule, ...] = Field(description="What the right answer needs, one statement at least (L-2)")
    must_not_contain: tuple[Rule, ...] = Field(
        description="Wrong statements that follow from the foil, one at least (L-2)", min_length=1
    )
    may_contain: tuple[Rule, ...] = Field(default=(), description="Context that adds value (L-2)")
    references: tuple[Reference, ...] = Field(description="What the right answer cites, one at least", min_length=1)
    notes: str = Field(default="", description="For the reviewer; no part of the truth")
    reviewed_by: Text | None = Field(default=None, description="The person who reviewed or approved it (L-4)")
    reviewed_on: Day | None = Field(default=None, description="The day of the review or approval (L-4)")

    def rules(self) -> tuple[Rule, ...]:
        """All atomic rules, in the order M, N, B."""
        return (*self.must_contain, *self.must_not_contain, *self.may_contain)

    @model_validator(mode="after")
    def _is_sound(self) -> "LegalCase":
        flaws = [*_bad_ids(self), *_unknown_references(self), *_bad_key_exceptions(self), *_lacking_review(self)]
        if flaws:
            raise FlawsError(flaws)
        return self


def _bad_ids(case: LegalCase) -> Iterator[Flaw]:
    """Ids without their letter and a number, and ids that stand there twice; told with the next free one."""
    lists = {name: [entry.id for entry in getattr(case, name)] for name in LETTERS}
    seen: set[str] = set()
    for name, letter in LETTERS.items():
        numbers = {int(i[1:]) for i in lists[name] if i[:1] == letter and i[1:].isdecimal()}
        free = f"{letter}{max(numbers, default=0) + 1}"
        for at, found in enumerate(lists[name]):
            if found[:1] != letter or not found[1:].isdecimal() or found[1:].startswith("0"):
                yield Flaw((name, at, "id"), f"{quoted(found)} was found, expected {letter} and a number, as {free!r}")
            elif found in seen:
                yield Flaw((name, at, "id"), f"{found!r} stands there twice; the next free one is {free!r}")
            seen.add(found)


def _unknown_references(case: LegalCase) -> Iterator[Flaw]:
    known = [reference.id for reference in case.references]
    for name in ("must_contain", "must_not_contain", "may_contain"):
        for at, rule in enumerate(getattr(case, name)):
            yield from unknown_ids((name, at, "references"), rule.references, known, "reference")


def unknown_ids(loc: tuple[str | int, ...], found: Iterable[str], known: Iterable[str], kind: str) -> Iterator[Flaw]:
    """Ids that a list names although nothing has them, and ids that it names twice."""
    known = list(known)
    for at, (one, times) in enumerate(Counter(found).items()):
        if one not in known:
            yield Flaw((*loc, at), f"there is no {kind} {quoted(one)}{nearest(one, known)}")
        if times > 1:
            yield Flaw((*loc, at), f"{quoted(one)} is named {times} times, expected once")


def _bad_key_exceptions(case: LegalCase) -> Iterator[Flaw]:
    if not case.must_contain:
        yield Flaw(("must_contain",), "at least one statement was expected, not none")
    elif not any(rule.key_exception for rule in case.must_contain):
        yield Flaw(("must_contain",), "one statement at least was expected to have `key_exception: true`, none has")
    for name in ("must_not_contain", "may_contain"):
        for at, rule in enumerate(getattr(case, name)):
            if rule.key_exception:
                yield Flaw((name, at, "key_exception"), "only a statement of must_contain can be the key exception")


def _lacking_review(case: LegalCase) -> Iterator[Flaw]:
    """L-4: a state beyond draft says who and when."""
    for key, wanted in (("reviewed_by", "who reviewed it"), ("reviewed_on", "the day of the review")):
        if case.state != "draft" and getattr(case, key) is None:
            yield Flaw(("state",), f"a case that is {case.state!r} needs `{key}`, {wanted}; else it is a 'draft'")


class Mark(Frozen):
    """What a control answer is expected to get: the must_contain that it misses, the must_not_contain that it violates (S-5)."""

    kind: ControlKind
    misses: Ids = ()
    violates: Ids = ()


class Control(Mark):
    """A control answer: its expected marks, and its text, which goes to nobody but the client `controls`."""

    text: Text = Field(description="The answer")

    def mark(self) -> Mark:
        """The marks without the text."""
        return Mark(kind=self.kind, misses=self.misses, violates=self.violates)


class Controls(Frozen):
    """The control answers of a case, by trial: right, right, partly, partly, foil."""

    case: str = Field(description="Id of the case")
    controls: tuple[Control, ...] = Field(description="Five answers: right, right, partly, partly, foil (S-5)")

    @model_validator(mode="after")
    def _has_five(self) -> "Controls":
        kinds = tuple(control.kind for control in self.controls)
        if kinds != CONTROL_KINDS:
            told = f"{', '.join(CONTROL_KINDS)} was expected, in this order, not {', '.join(kinds) or 'none'}"
            raise FlawsError([Flaw(("controls",), told)])
        return self

    def against(self, case: LegalCase) -> Iterator[Flaw]:
        """What is wrong with them beside their case: unknown ids, marks that their kind cannot have, texts that served before (S-5)."""
        needed, wrong = [r.id for r in case.must_contain], [r.id for r in case.must_not_contain]
        used = {case.reference: "the reference answer", case.foil: "the foil"}
        for at, control in enumerate(self.controls):
            loc = ("controls", at)
            yield from unknown_ids((*loc, "misses"), control.misses, needed, "must_contain")
            yield from unknown_ids((*loc, "violates"), control.violates, wrong, "must_not_contain")
            if told := _wrong_marks(control, needed):
                yield Flaw((*loc, "kind"), told)
            if before := used.get(control.text):
                yield Flaw((*loc, "text"), f"a text of its own was expected, this one is that of {before}")
            used[control.text] = f"control {at + 1}"


def _wrong_marks(control: Control, needed: list[str]) -> str | None:
    """What is wrong with the marks of a kind: a right answer has none, a partly right one misses something, a foil says something wrong."""
    if control.kind == "right" and (control.misses or control.violates):
        return "a right answer misses and violates nothing"
    if control.kind == "partly" and control.violates:
        return "a partly right answer violates nothing; one that does is wrong"
    if control.kind == "partly" and not control.misses:
        return f"a partly right answer misses something; name it in `misses`, of {', '.join(needed)}"
    if control.kind == "partly" and len(needed) > 1 and set(control.misses) >= set(needed):
        return f"a partly right answer fulfils something; it cannot miss all of {', '.join(needed)}"
    if control.kind == "foil" and not control.violates:
        return "a foil violates something; name it in `violates`"
    return None


Group = Annotated[tuple[Text, ...], Field(min_length=1)]
"""Wordings that say the same; a few words each, compared by lemmas in order."""


class Signal(Frozen):
    """By what the mechanical judge knows a statement: of each group of `all` one wording is found, of no group of `none` any."""

    all: tuple[Group, ...] = Field(description="Groups of wordings, one at least", min_length=1)
    none: tuple[Group, ...] = ()


class Signals(Frozen):
    """The signals of a case, by rule."""

    case: str = Field(description="Id of the case")
    rules: dict[str, Signal] = Field(description="Signals by the id of the rule")

    def against(self, case: LegalCase) -> Iterator[Flaw]:
        """Rules that the case does not have, and rules of the case that have no signals."""
        known = [rule.id for rule in case.rules()]
        for name in self.rules:
            if name not in known:
                yield Flaw(("rules", name), f"the case has no such rule{nearest(name, known)}")
        lacking = [name for name in known if name not in self.rules]
        if lacking:
            yield Flaw(("rules",), f"signals of every rule were expected, {', '.join(lacking)} has none")


class Truth(LegalCase):
    """What is right in a case: all but the notes, the expected marks of the control answers by trial ("1" to "5"), the signals by rule.

    Without controls or signals their mapping is empty. The texts of the controls are no part of it.
    """

    controls: dict[str, Mark] = Field(default_factory=dict)
    signals: dict[str, Signal] = Field(default_factory=dict)
