"""Answers of systems under test, one row a case, system and trial; and the blind answer that graders receive."""

import hashlib
import json
from decimal import Decimal
from typing import Annotated, ClassVar

from pydantic import Field

from schemas.exchange import Frozen
from schemas.row import Col, Row
from schemas.status import Status


class Answer(Row):
    """What one system answered to one case in one trial."""

    table: ClassVar[str] = "answers"
    key: ClassVar[tuple[str, ...]] = ("suite", "edition", "system_id", "case_id", "trial")

    suite: Annotated[str, Col(partition=True)] = Field(description="Suite")
    edition: Annotated[str, Col(partition=True)] = Field(description="Edition")
    system_id: str = Field(description="System under test", pattern=r"^[a-z][a-z0-9._-]*$")
    case_id: str = Field(description="Case")
    trial: int = Field(description="Number of the trial, from 1", ge=1)
    status: Status = Field(description="Status of the last call (G-11)")
    text: Annotated[str | None, Col(private=True)] = Field(
        description="Text of the last reply; null where there was none"
    )
    replies: Annotated[list[str], Col(private=True)] = Field(
        description="Texts of all replies in order (the repeat of M-2 is the last)"
    )
    request_hashes: list[str] = Field(description="Hashes of the requests, in order; they lead to `calls`")
    system_version: str = Field(description="Hash of the system's entry and of its program's version")
    prompt_version: str = Field(description="Version of the prompt")
    error: str | None = Field(description="Why there is no answer")
    cost_usd: Annotated[Decimal, Col(unit="USD")] = Field(
        description="Cost of all calls of the answer", max_digits=18, decimal_places=9, ge=0
    )
    latency_ms: Annotated[int, Col(unit="ms", volatile=True)] = Field(
        description="Time of the successful requests alone, summed over turns (M-5)", ge=0
    )
    run_id: Annotated[str, Col(volatile=True)] = Field(description="Run that asked")
    tokens_in: int | None = Field(default=None, description="Input tokens of the last reply, as returned", ge=0)
    tokens_out: int | None = Field(default=None, description="Output tokens of the last reply, as returned", ge=0)
    truncated_turns: list[int] = Field(
        default=[], description="Turns, from 1, whose reply a token limit cut off; they stay in the transcript (M-6)"
    )

    def blind(self) -> "BlindAnswer":
        """The same answer without its author (G-6)."""
        return BlindAnswer(
            case_id=self.case_id,
            trial=self.trial,
            status=self.status,
            replies=tuple(self.replies),
            tokens_in=self.tokens_in,
            truncated_turns=tuple(self.truncated_turns),
        )

    @property
    def content_hash(self) -> str:
        """Hash of the replies (16 hex digits): what a grade says it was given for."""
        return hashlib.sha256(json.dumps(self.replies, ensure_ascii=False).encode()).hexdigest()[:16]


class BlindAnswer(Frozen):
    """An answer as graders see it: by its type it cannot say who gave it (G-6)."""

    case_id: str
    trial: int
    status: Status
    replies: tuple[str, ...]
    tokens_in: int | None = None
    truncated_turns: tuple[int, ...] = ()
    """Turns, from 1, whose reply was cut off (M-6)."""
    n_masked: int = 0
    """How often the system named itself; the replies hold `[model]` there."""

    @property
    def text(self) -> str:
        """The last reply, or nothing."""
        return self.replies[-1] if self.replies else ""
