"""A system under test or a judge: one entry of `datasets/systems.yaml`."""

from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from schemas.exchange import Frozen

ClientKind = Literal[
    "rules",
    "ocr_rules",
    "recorded",
    "scripted",
    "controls",
    "panel",
    "openai",
    "openrouter",
    "local",
    "command",
    "service",
]


class Price(Frozen):
    """What tokens cost, USD a million, where the price list of a gateway does not say it; and what a call and a picture cost on top."""

    usd_per_million_in: Decimal = Field(ge=0)
    usd_per_million_out: Decimal = Field(ge=0)
    usd_per_request: Decimal = Field(default=Decimal(0), ge=0)
    usd_per_image: Decimal = Field(default=Decimal(0), ge=0)


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
    cases_at_most: Annotated[int, Field(ge=1)] | dict[str, Annotated[int, Field(ge=1)]] | None = Field(
        default=None,
        description="Asked about so many cases of a set, the first ones: of every set, or by suite; none, or a suite not named: all",
    )
    key_env: str | None = Field(
        default=None, description="Environment variable with the key; never part of a hash or a row"
    )
    price: Price | None = None
    held_out_layouts: tuple[str, ...] = Field(
        default=(), description="Layouts that its makers had not seen; the report marks them"
    )
    aliases: tuple[str, ...] = Field(
        default=(), description="Other names that it goes by, masked before a judge reads them (G-6)"
    )
    judges: tuple[str, ...] = Field(default=(), description="Suites in which it may judge answers")
    juror: bool = Field(
        default=False, description="Whether it is in the pool that panels of the jury are drawn from (J-7)"
    )
    is_default: bool = Field(default=True, description="Whether `zkusebna run` without --systems asks it")
    is_control: bool = Field(
        default=False,
        description="Whether its answers are controls (S-5): asked and graded like any other, never shown among the systems under test",
    )
    note: dict[str, str] = Field(
        default_factory=dict, description="What a reader of the report should know, by language"
    )

    @property
    def names(self) -> tuple[str, ...]:
        """All words by which it could name itself, or be named (G-6, J-6)."""
        words = (self.id, self.name, self.vendor, self.family, str(self.options.get("model", "")), *self.aliases)
        return tuple(dict.fromkeys(word for word in words if word))

    def most_cases(self, suite: str) -> int | None:
        """How many cases of a suite it is asked about at most; None: all of them."""
        return self.cases_at_most.get(suite) if isinstance(self.cases_at_most, dict) else self.cases_at_most

    @model_validator(mode="after")
    def _is_pinned(self) -> "System":
        if self.client == "openrouter" and not self.provider:
            raise ValueError("provider is missing: a gateway's model is asked at one pinned provider (M-1)")
        return self
