"""A case: what is shown to a system (the brief) and what is right (the truth), one row of the table `cases`."""

import json
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from schemas.exchange import Attachment, Brief, Frozen, Language
from schemas.row import Col, Row

Split = Literal["public", "private"]


class Case(Row):
    """One case of an edition: its brief, its truth, and the groups it is counted in."""

    table: ClassVar[str] = "cases"
    key: ClassVar[tuple[str, ...]] = ("suite", "edition", "case_id")

    suite: Annotated[str, Col(partition=True)] = Field(
        description="Suite, one of the words of `zkusebna run --suites`", pattern=r"^[a-z_]+$"
    )
    edition: Annotated[str, Col(partition=True)] = Field(
        description="Edition: version, seed, size and private part of the set"
    )
    case_id: str = Field(description="Case, unique in its suite and edition", pattern=r"^[a-z0-9-]+$")
    pair_id: str = Field(description="The case and its twin in the other language share this (D-1)")
    language: Language = Field(description="Language of the document or prompt")
    split: Split = Field(description="public, or private: only aggregates of it leave the store (G-8)")
    level: str = Field(description="How the document is given: text layer, clean image, … (D-8)")
    variant: str = Field(description="Kind of document (D-7)")
    layout: str = Field(description="Layout of the document")
    prompt_version: str = Field(description="Version of the prompt")
    set_version: str = Field(description="Version of the generator or of the authored set")
    brief: Annotated[str, Col(private=True)] = Field(
        description="The brief as JSON: all that a system may know of the case"
    )
    truth: Annotated[str, Col(private=True)] = Field(
        description="The right answer as JSON, the source data itself (D-3)"
    )
    text: Annotated[str | None, Col(private=True)] = Field(
        description="Text layer shown to the system, at the level text"
    )
    document_sha256: str | None = Field(description="Hash of the typeset PDF", pattern=r"^[0-9a-f]{64}$")
    image_sha256: str | None = Field(
        description="Hash of the image shown to the system (a blob of the store)", pattern=r"^[0-9a-f]{64}$"
    )
    canary: Annotated[str | None, Col(private=True)] = Field(description="Canary string of a private case (G-8)")
    area: str | None = Field(default=None, description="Area of law, where the suite has areas (L-1)")
    category: str | None = Field(default=None, description="Error category that the case was made for (L-3)")
    meta_task: str | None = Field(default=None, description="What the solver has to do above all (G-3)")
    state: str | None = Field(default=None, description="draft, reviewed or approved by a person (L-4)")

    def to_brief(self) -> Brief:
        """The brief as an object (attachments without data)."""
        return Brief.model_validate_json(self.brief)

    def to_truth(self) -> dict[str, Any]:
        """The truth as a plain dict."""
        truth: dict[str, Any] = json.loads(self.truth)
        return truth


class MadeCase(Frozen):
    """A case fresh from its generator with the bytes that go to the store as blobs, each named by its hash."""

    case: Case
    blobs: tuple[Attachment, ...] = ()
