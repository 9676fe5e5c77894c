"""Raw grades: one row per item and judge; a row explains itself (G-2, G-5)."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from schemas.answer import BlindAnswer
from schemas.evidence_row import Evidence
from schemas.exchange import Frozen, Language
from schemas.row import Col, Row

PassName = Literal["atomic", "holistic"]

PROGRAM = "program"
"""The partition of what the project's own graders counted; every other is named after its judge."""


class Grade(Row):
    """One verdict of one judge on one item of one answer."""

    table: ClassVar[str] = "grades"
    version: ClassVar[int] = 2
    key: ClassVar[tuple[str, ...]] = (
        "suite",
        "edition",
        "system_id",
        "case_id",
        "trial",
        "pass_name",
        "judge_id",
        "item",
    )

    suite: Annotated[str, Col(partition=True)] = Field(description="Suite")
    edition: Annotated[str, Col(partition=True)] = Field(description="Edition")
    system_id: str = Field(description="System under test", pattern=r"^[a-z][a-z0-9._-]*$")
    case_id: str = Field(description="Case")
    trial: int = Field(description="Number of the trial, from 1", ge=1)
    pass_name: PassName = Field(description="Mechanical (atomic) or holistic pass (G-4)")
    judge_id: str = Field(description="Who judged: a program (`fields`) or a judge of `systems.yaml`")
    item: str = Field(description="What was judged: a field, a rule, a criterion")
    points: float = Field(description="Points given", ge=0)
    max_points: float = Field(description="Points possible; 0 for an item outside the denominator (D-11)", ge=0)
    label: str = Field(description="The verdict in a word: right, wrong, absent, invented, …")
    error: str | None = Field(description="Error category, exactly one where the item is wrong (D-13)")
    expected: Annotated[str | None, Col(private=True)] = Field(description="The right value as graded")
    given: Annotated[str | None, Col(private=True)] = Field(description="The value of the answer as read")
    reason: str | None = Field(description="Why, in a sentence")
    quote: Annotated[str | None, Col(private=True)] = Field(description="Literal quote that the grade stands on (G-7)")
    rubric_version: str = Field(description="Version of the rubric or grader")
    answer_hash: str | None = Field(
        default=None, description="Hash of the replies that were graded: a grade of another answer does not count"
    )
    is_same_vendor: bool | None = Field(
        default=None, description="Whether the judge and the judged come from one vendor; null for programs and people"
    )


class Verdict(Frozen):
    """A grade as a grader gives it: it knows neither suite nor edition nor system (G-6); the task adds them."""

    pass_name: PassName
    judge_id: str
    item: str
    points: float = Field(ge=0)
    max_points: float = Field(ge=0)
    label: str
    error: str | None = None
    expected: str | None = None
    given: str | None = None
    reason: str | None = None
    quote: str | None = None
    rubric_version: str


class Exam(Frozen):
    """All that a grader gets: the truth, the language and the answer without its author (G-6).

    evidence: what was collected of the answer, in suites that have evidence (A-1); None where nothing could be.
    """

    truth: dict[str, Any]
    language: Language
    answer: BlindAnswer
    evidence: Evidence | None = None
