"""The draft of a case of law on its way to approval: what was ordered, what each step came to, what a person decided (L-4)."""

import hashlib
from collections.abc import Iterator
from typing import Any, Literal

from pydantic import AwareDatetime, BaseModel, Field, model_validator

from schemas.exchange import Frozen
from schemas.legal import Area, Category, Day, Reference, State, Text
from schemas.marked import Flaw, FlawsError

Step = Literal["facts", "case", "check"]
"""The three steps of L-4: the source's facts, rule, exception and references; question, foil, answer and rules; verification."""

Choice = Literal["approve", "change", "refuse"]
"""What a person can decide about what a step came to."""


class DraftOrder(Frozen):
    """From what a case is to be made, and by which model."""

    source: Text = Field(description="The text that the case is made from")
    area: Area
    category: Category
    law_as_of: Day
    system: str = Field(description="Id of the system that drafts")

    @property
    def id(self) -> str:
        """Name of the draft, 12 hex digits: the same order is the same draft, so nothing is asked twice (M-4)."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:12]


class Facts(Frozen):
    """What step 1 takes from the source."""

    facts: tuple[Text, ...] = Field(
        description="Facts of life on which rule and exception turn, one at least", min_length=1
    )
    general_rule: Text = Field(description="The rule that a layman would apply")
    exception: Text = Field(description="What makes the general rule wrong here")
    references: tuple[Reference, ...] = Field(
        description="Provisions and decisions that the answer cites, one at least", min_length=1
    )

    @model_validator(mode="after")
    def _has_ids(self) -> "Facts":
        if flaws := list(_bad_ids(self)):
            raise FlawsError(flaws)
        return self


def _bad_ids(facts: Facts) -> Iterator[Flaw]:
    for at, reference in enumerate(facts.references):
        if reference.id != f"R{at + 1}":
            yield Flaw(
                ("references", at, "id"), f"{reference.id!r} was found, expected 'R{at + 1}', in the order of the list"
            )


DRAFTED = (
    "id", "meta_task", "question", "foil", "reference", "must_contain", "must_not_contain", "may_contain", "notes",
)  # fmt: skip
"""What of a case the model drafts in step 2; the rest comes from the order and from step 1."""


class Version(Frozen):
    """What a step came to, as YAML that a person can read and correct; what is wrong with it stands in `problems`, a sentence each."""

    number: int = Field(description="Place in the record of the draft, from 1")
    step: Step
    text: str
    problems: tuple[str, ...] = ()
    author: str = Field(description="Who wrote it last: the drafting system, or a person")
    prompt_version: str = ""
    judged_by: str = Field(default="", description="Who judged foil and reference answer: a system, or `signals`")
    run_id: str
    made_at: AwareDatetime


class Decision(Frozen):
    """What a person decided about the version before it, who and when (L-4)."""

    number: int = Field(description="Place in the record of the draft, from 1")
    step: Step
    choice: Choice
    who: str
    reason: str = Field(default="", description="Why it is refused, or what is to be changed")
    text: str = Field(default="", description="The text that was approved, or as the person corrected it")
    state: State = "draft"
    problem: str = Field(default="", description="Why the decision was not taken; the person is asked again")
    run_id: str
    decided_at: AwareDatetime


class ToMake(Frozen):
    """The step that comes next, and what it starts from: the approved text, or the one to revise by a person's wish."""

    step: Step
    text: str = ""
    wish: str = ""
    author: str = ""
    """The person whose corrected text is to be checked as it is."""


class ToDecide(Frozen):
    """A version that waits for a person; told: why the last decision was not taken."""

    version: Version
    number: int
    told: str = ""
    before: str = ""
    """The text that a person saw before this one."""


class Closed(Frozen):
    """The end of a draft; name: where the approved case stands in the store."""

    draft: str
    is_approved: bool
    who: str
    reason: str = ""
    name: str | None = None


def answer_schema(model: type[BaseModel], fields: tuple[str, ...] = ()) -> dict[str, Any]:
    """The JSON schema that a drafting model answers by: some fields of a model, all of them required, as strict modes want it (M-2).

    >>> sorted(answer_schema(Facts)["required"])
    ['exception', 'facts', 'general_rule', 'references']
    """
    whole = model.model_json_schema()
    chosen = {name: whole["properties"][name] for name in fields or whole["properties"]}
    inner = {name: _strict(part) for name, part in whole.get("$defs", {}).items()}
    return {**_strict({"type": "object", "properties": chosen}), "$defs": inner}


def _strict(part: dict[str, Any]) -> dict[str, Any]:
    properties = {
        name: {k: v for k, v in about.items() if k not in ("default", "title")}
        for name, about in part["properties"].items()
    }
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
