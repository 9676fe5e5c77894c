"""A system under test or a judge: one entry of `datasets/systems.yaml`."""

from decimal import Decimal
from typing import Any, Literal

from pydantic import Field, model_validator

from schemas.exchange import Frozen

ClientKind = Literal[
    "rules", "ocr_rules", "recorded", "scripted", "openai", "openrouter", "local", "command", "service"
]


class Price(Frozen):
    """What tokens cost, USD a million, where the price list of a gateway does not say it."""

    usd_per_million_in: Decimal = Field(ge=0)
    usd_per_million_out: Decimal = Field(ge=0)


class System(Frozen):
    """Who is asked, by which client, with which options and limits (M-7)."""

    id: str = Field(pattern=r"^[a-z][a-z0-9._-]*$")
    name: str = Field(description="As shown in the report")
    vendor: str
    family: str
    client: ClientKind
    provider: str | None = Field(default=None, description="The one provider that may serve it, without fallback (M-1)")
    suites: tuple[str, ...] = Field(description="Suites that the system can be asked in; empty: all")
    inputs: tuple[Literal["text", "image"], ...] = Field(
        description="What it can take; a case of another kind is left out and counted"
    )
    options: dict[str, Any] = Field(default_factory=dict)
    limits: dict[str, Any] = Field(default_factory=dict, description="Output tokens, seconds a request")
    cases_at_most: int | None = Field(
        default=None, ge=1, description="Asked about so many cases of a set, the first ones; none: all"
    )
    key_env: str | None = Field(
        default=None, description="Environment variable with the key; never part of a hash or a row"
    )
    price: Price | None = None
    held_out_layouts: tuple[str, ...] = Field(
        default=(), description="Layouts that its makers had not seen; the report marks them"
    )
    is_default: bool = Field(default=True, description="Whether `zkusebna run` without --systems asks it")
    note: dict[str, str] = Field(
        default_factory=dict, description="What a reader of the report should know, by language"
    )

    @model_validator(mode="after")
    def _is_pinned(self) -> "System":
        if self.client == "openrouter" and not self.provider:
            raise ValueError("provider is missing: a gateway's model is asked at one pinned provider (M-1)")
        return self
