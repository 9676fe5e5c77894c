"""The diagnosis of one answer: what was wrong and what would have made it perfect (G-1)."""

from decimal import Decimal
from typing import Annotated, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from schemas.case import Split
from schemas.exchange import Language
from schemas.row import Col, Row
from schemas.status import Status


class Step(BaseModel):
    """One step of the critical path: the item that was wrong, how, and what the right value is."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    item: str = Field(description="Item that lost its points")
    error: str = Field(description="Error category")
    given: str | None = Field(description="What the answer said")
    expected: str | None = Field(description="What it would have had to say")


class Score(BaseModel):
    """One number that the grades of one judge give for one answer."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    judge_id: str = Field(description="Whose grades")
    metric: str = Field(description="What is measured, a metric of `tendencies` or a part of one")
    value: float = Field(description="The number; 0 or 1 for yes and no")
    is_same_vendor: bool = Field(description="Whether the judge and the judged come from one vendor")


class Profile(Row):
    """How one system did on one case in one trial."""

    table: ClassVar[str] = "profiles"
    version: ClassVar[int] = 2
    key: ClassVar[tuple[str, ...]] = ("suite", "edition", "system_id", "case_id", "trial")

    suite: Annotated[str, Col(partition=True)] = Field(description="Suite")
    edition: Annotated[str, Col(partition=True)] = Field(description="Edition")
    system_id: str = Field(description="System under test", pattern=r"^[a-z][a-z0-9._-]*$")
    case_id: str = Field(description="Case")
    trial: int = Field(description="Number of the trial, from 1", ge=1)
    pair_id: str = Field(description="Case and twin (D-1)")
    language: Language = Field(description="Language of the document or prompt")
    split: Split = Field(description="public or private (G-8)")
    level: str = Field(description="Level of the document (D-8)")
    variant: str = Field(description="Variant of the document (D-7)")
    layout: str = Field(description="Layout of the document")
    status: Status = Field(description="Status of the answer (G-11)")
    is_scored: bool = Field(
        description="Whether the answer is scored; false: left out of every share and counted (G-11)"
    )
    points: float = Field(description="Points over all items of the atomic pass", ge=0)
    max_points: float = Field(description="Points possible over all items of the atomic pass", ge=0)
    is_faultless: bool = Field(description="Not a single error, invented values included (D-14)")
    is_valid: bool = Field(description="The answer is valid, after the one repeat of M-2 (D-16)")
    is_valid_first: bool = Field(description="The answer was valid at the first try (D-16)")
    question: str = Field(
        description="Quality of the question, e.g. `answerable`: every wanted value is printed in the document"
    )
    structure: str = Field(description="Structure of the answer: json, fenced, embedded, none")
    deviations: list[str] = Field(description="Error categories that occur, sorted, each once")
    critical_path: Annotated[list[Step], Col(private=True)] = Field(
        description="What exactly would have had to be different for a perfect score (G-1)"
    )
    cost_usd: Annotated[Decimal, Col(unit="USD")] = Field(
        description="Cost of the answer", max_digits=18, decimal_places=9, ge=0
    )
    latency_ms: Annotated[int, Col(unit="ms", volatile=True)] = Field(description="Response time (M-5)", ge=0)
    prompt_version: str = Field(description="Version of the prompt")
    set_version: str = Field(description="Version of the set")
    rubric_version: str = Field(description="Version of the graders")
    tokens_in: int | None = Field(default=None, description="Input tokens of the last reply, as returned (D-18)", ge=0)
    area: str | None = Field(default=None, description="Area of law, where the suite has areas (L-1)")
    category: str | None = Field(default=None, description="Error category that the case was made for (L-3)")
    meta_task: str | None = Field(default=None, description="What the solver has to do above all (G-3)")
    state: str | None = Field(default=None, description="draft, reviewed or approved by a person (L-4)")
    scores: list[Score] = Field(
        default=[],
        description="What each judge's grades come to in this answer (L-6 to L-10); empty where nobody judged",
    )
