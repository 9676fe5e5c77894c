"""The record of money: every attempt of every call of every suite (M-3)."""

from decimal import Decimal
from typing import Annotated, ClassVar, Literal

from pydantic import AwareDatetime, Field

from schemas.exchange import CostFrom, Fault, Form
from schemas.row import Col, Row
from schemas.status import Status

Purpose = Literal["test", "judge", "draft"]
"""What a call was paid for: an answer, a grade, a draft of a case; so costs of judges and of systems under test stand apart (M-8)."""


class Call(Row):
    """One attempt of one call."""

    table: ClassVar[str] = "calls"
    key: ClassVar[tuple[str, ...]] = ("suite", "edition", "system_id", "request_hash", "attempt")

    suite: Annotated[str, Col(partition=True)] = Field(description="Suite")
    edition: Annotated[str, Col(partition=True)] = Field(description="Edition")
    system_id: str = Field(description="System that was asked", pattern=r"^[a-z][a-z0-9._-]*$")
    case_id: str = Field(description="Case")
    trial: int = Field(description="Number of the trial, from 1", ge=1)
    turn: int = Field(description="Turn of the conversation, from 1", ge=1)
    attempt: int = Field(description="Attempt at the same request, from 1", ge=1)
    call_id: Annotated[str, Col(volatile=True)] = Field(description="This attempt")
    request_hash: str = Field(description="Hash of the content of the request (M-4)", pattern=r"^[0-9a-f]{64}$")
    status: Status = Field(description="Status of the call (G-11)")
    text: Annotated[str, Col(private=True)] = Field(description="Text of the reply")
    error: str | None = Field(description="Error as the gateway or program told it")
    finish_reason: str | None = Field(description="Finish reason as returned")
    provider: str | None = Field(description="Provider that served the call, or the program and its version")
    generation_id: Annotated[str | None, Col(volatile=True)] = Field(description="The gateway's id of the generation")
    tokens_in: int | None = Field(description="Input tokens as returned", ge=0)
    tokens_out: int | None = Field(description="Output tokens as returned", ge=0)
    cost_usd: Annotated[Decimal, Col(unit="USD")] = Field(
        description="Cost as returned, or by the price (`cost_from`)", max_digits=18, decimal_places=9, ge=0
    )
    latency_ms: Annotated[int, Col(unit="ms", volatile=True)] = Field(
        description="Time of this request alone (M-5)", ge=0
    )
    asked_at: Annotated[AwareDatetime, Col(volatile=True)] = Field(description="When the request was sent, UTC")
    prompt_version: str = Field(description="Version of the prompt")
    set_version: str = Field(description="Version of the set")
    run_id: Annotated[str, Col(volatile=True)] = Field(description="Run that asked")
    form: Form | None = Field(
        default=None, description="How an object was asked for: by JSON schema, as any JSON, in words (M-2)"
    )
    fault: Fault | None = Field(
        default=None, description="Why there is no answer, as far as it decides what to do next (M-5)"
    )
    cost_from: CostFrom | None = Field(
        default=None,
        description="Where the cost comes from: the endpoint's own word; else, where the system has a price, its tokens at that price, "
        "or the most that the call can cost",
    )
    purpose: Purpose | None = Field(
        default=None,
        description="What was paid for: an answer of a system under test, a judge's grade, a draft of a case",
    )
