"""A system under test or a judge: one entry of `datasets/systems.yaml`."""

from typing import Any, Literal

from pydantic import Field

from schemas.exchange import Frozen

ClientKind = Literal["rules", "ocr_rules", "recorded", "scripted"]


class System(Frozen):
    """Who is asked, by which client, with which options and limits (M-7)."""

    id: str = Field(pattern=r"^[a-z][a-z0-9._-]*$")
    name: str = Field(description="As shown in the report")
    vendor: str
    family: str
    client: ClientKind
    suites: tuple[str, ...] = Field(description="Suites that the system can be asked in; empty: all")
    inputs: tuple[Literal["text", "image"], ...] = Field(
        description="What it can take; a case of another kind is left out and counted"
    )
    options: dict[str, Any] = Field(default_factory=dict)
    limits: dict[str, Any] = Field(default_factory=dict, description="Output tokens, seconds a request")
    held_out_layouts: tuple[str, ...] = Field(
        default=(), description="Layouts that its makers had not seen; the report marks them"
    )
    is_default: bool = Field(default=True, description="Whether `zkusebna run` without --systems asks it")
    note: dict[str, str] = Field(
        default_factory=dict, description="What a reader of the report should know, by language"
    )
