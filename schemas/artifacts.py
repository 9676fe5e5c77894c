"""Web pages that models make: the task, the criteria and their scale, control pages, and what is right (A-4, A-5, S-5)."""

from typing import Literal, Self

from pydantic import Field, model_validator

from schemas.exchange import Frozen, Language
from schemas.scenario import Scenario

Criterion = Literal["conformity", "works", "look", "code", "structure", "logic", "process"]
"""conformity: with the requirements. works: at once. look: by `shot-full.png`. code: its quality. structure: of the code. logic: its
correctness. process: the way in which an agent worked (A-5)."""

SHARED: tuple[Criterion, ...] = ("conformity", "works", "look", "code")
"""What people and judges both grade; percentages, agreement and badges stand on these alone (A-7, A-9)."""

JUDGES_ONLY: tuple[Criterion, ...] = ("structure", "logic")
PEOPLE_ONLY: tuple[Criterion, ...] = ("process",)
OF_JUDGES: tuple[Criterion, ...] = (*SHARED, *JUDGES_ONLY)
OF_PEOPLE: tuple[Criterion, ...] = (*SHARED, *PEOPLE_ONLY)

HALVES = (0.0, 0.5, 1.0)
"""The scale of every criterion (A-5)."""

NO_PAGE = "no_page"
"""The reply holds no page: there is nothing to judge, and everybody's grade is 0."""

ControlKind = Literal[
    "good", "frozen_first_frame", "dead_buttons", "console_errors", "empty_below_fold", "covering_overlay", "wrong_task", "crash_on_load",
]  # fmt: skip
"""How a control page was broken on purpose; `good` is not (S-5)."""


class Requirement(Frozen):
    """One statement of the specification that can be checked on the page."""

    id: str = Field(pattern=r"^Q[1-9][0-9]?$")
    text: str = Field(min_length=1)


class ControlPage(Frozen):
    """A page whose grade is known beforehand: by criterion what it has to get, as far as that is certain.

    served: judges that were made with it at hand; their fitness is not measured on it (S-5).
    """

    file: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*\.html$")
    kind: ControlKind
    expected: dict[Criterion, float | None]
    served: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _is_on_the_scale(self) -> Self:
        for criterion, value in self.expected.items():
            if value is not None and value not in HALVES:
                raise ValueError(f"expected.{criterion}: 0, 0.5 or 1 was expected, not {value!r}")
        return self

    @property
    def known(self) -> dict[Criterion, float]:
        """What is certain."""
        return {criterion: value for criterion, value in self.expected.items() if value is not None}


class WebTask(Frozen):
    """One specification of a page, and how the page is used (A-4).

    is_static: nothing on the page is meant to move by itself, so three equal shots are no defect (A-2). moves_by_itself: it has to move
    without being used. scenario: its interactions; None for the three clicks of A-3.
    """

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9-]*$")
    version: str
    language: Language
    title: str
    prompt: str = Field(min_length=1)
    is_static: bool
    moves_by_itself: bool = False
    requirements: tuple[Requirement, ...] = Field(min_length=1)
    scenario: Scenario | None = None


class Expected(Frozen):
    """What a control page has to get, as the truth of its case tells it by trial."""

    kind: ControlKind
    expected: dict[Criterion, float]
    served: tuple[str, ...] = ()


class Truth(Frozen):
    """What graders get of a task; `question` is the specification, `controls` are by trial."""

    task: dict[str, str]
    question: str
    is_static: bool
    moves_by_itself: bool
    requirements: tuple[Requirement, ...]
    scenario: Scenario | None
    n_words: int = Field(description="Length of the specification in words (A-9)", ge=1)
    controls: dict[str, Expected] = Field(default_factory=dict)
