"""The jury's records: verdicts with their jurors, for the administrator alone, and the public log of checks (J-4, J-6).

Both are permanent: a row that is there is never changed, and the verdicts of all editions stand together, in the edition `ever` (J-3).
"""

from typing import Annotated, ClassVar, Literal

from pydantic import AwareDatetime, Field

from schemas.exchange import Language
from schemas.jury import MONTH, Verdict
from schemas.row import Col, Row

EVER = "ever"
"""The one edition of the jury's records."""

Source = Literal["panel", "recorded"]
"""A panel that was drawn and asked, or verdicts made elsewhere."""


class Vote(Row):
    """One juror's verdict in one check; for the administrator's audit, never public (J-6)."""

    table: ClassVar[str] = "votes"
    key: ClassVar[tuple[str, ...]] = ("suite", "edition", "claim_id", "check_id", "system_id")

    suite: Annotated[str, Col(partition=True)] = Field(description="Suite")
    edition: Annotated[str, Col(partition=True)] = Field(
        description="Always `ever`: the verdicts of all editions stand together (J-3)"
    )
    claim_id: str = Field(description="Claim", pattern=r"^[a-z0-9-]+$")
    check_id: str = Field(description="Check, as in `checks`", pattern=r"^[a-z0-9-]+$")
    system_id: Annotated[str, Col(private=True)] = Field(
        description="The juror; no public output says it (J-6)", pattern=r"^[a-z][a-z0-9._-]*$"
    )
    vendor: Annotated[str, Col(private=True)] = Field(description="Vendor of the juror; never twice in a panel (J-7)")
    family: Annotated[str, Col(private=True)] = Field(description="Family of the juror; never twice in a panel (J-1)")
    place: Annotated[int, Col(private=True)] = Field(description="Place of the juror in the draw, from 1", ge=1)
    verdict: Verdict = Field(description="The verdict (J-2)")
    reason: Annotated[str | None, Col(private=True)] = Field(
        description="The reason, names of jurors masked; null where none was given"
    )
    is_withheld: bool = Field(description="Whether the reason names a juror or another maker and is not shown (J-6)")
    since: str | None = Field(description="Month when the ability first appeared, for UMÍ (J-2)", pattern=MONTH)
    text: Annotated[str, Col(private=True)] = Field(description="The reply that the verdict was read from, as it came")
    pool: Annotated[list[str], Col(private=True)] = Field(
        description="Whom the panel was drawn from: id, vendor and family of each, by tabs; empty for verdicts made elsewhere (J-7)"
    )
    key_mark: Annotated[str | None, Col(private=True)] = Field(
        description="Mark of the key of the draw: the same mark, the same key; null for verdicts made elsewhere"
    )
    request_hash: Annotated[str | None, Col(private=True)] = Field(
        description="Hash of the request, which leads to `calls`; null for verdicts made elsewhere"
    )
    language: Language = Field(description="Language of the prompt")
    source: Source = Field(description="panel: drawn and asked; recorded: made elsewhere")
    panel_size: int = Field(description="Jurors that the panel was to have", ge=1)
    is_incomplete: bool = Field(description="Whether the check has fewer than three verdicts (J-4)")
    checked_at: Annotated[AwareDatetime, Col(volatile=True)] = Field(description="When the check was made, UTC")
    prompt_version: str = Field(description="Version of the prompt (G-9)")
    set_version: str = Field(description="Version of the claims (G-9)")
    run_id: Annotated[str, Col(volatile=True)] = Field(description="Run that asked")


class Check(Row):
    """One check of one claim: the public audit log, which names no juror (J-4)."""

    table: ClassVar[str] = "checks"
    key: ClassVar[tuple[str, ...]] = ("suite", "edition", "claim_id", "check_id")

    suite: Annotated[str, Col(partition=True)] = Field(description="Suite")
    edition: Annotated[str, Col(partition=True)] = Field(
        description="Always `ever`: the checks of all editions stand together (J-3)"
    )
    claim_id: str = Field(description="Claim", pattern=r"^[a-z0-9-]+$")
    check_id: str = Field(
        description="Check: its number, or a hash for verdicts made elsewhere", pattern=r"^[a-z0-9-]+$"
    )
    checked_at: Annotated[AwareDatetime, Col(volatile=True)] = Field(description="When the check was made, UTC")
    able: int = Field(description="Verdicts UMÍ", ge=0)
    unable: int = Field(description="Verdicts NEUMÍ", ge=0)
    undecided: int = Field(description="Verdicts NEROZHODNUTO", ge=0)
    jurors: int = Field(description="Jurors whose verdicts are valid", ge=0)
    panel_size: int = Field(description="Jurors that the panel was to have", ge=1)
    is_incomplete: bool = Field(description="Fewer than three verdicts; the check still counts (J-4)")
    is_small_pool: bool = Field(description="Drawn from fewer than eight models: a juror could be guessed (J-7)")
    language: Language = Field(description="Language of the prompt")
    source: Source = Field(description="panel: drawn and asked; recorded: made elsewhere")
    prompt_version: str = Field(description="Version of the prompt (G-9)")
    set_version: str = Field(description="Version of the claims (G-9)")
    run_id: Annotated[str, Col(volatile=True)] = Field(description="Run that asked")


class AudienceVote(Row):
    """What one audience said of one claim; the jury neither sees it nor is moved by it (J-5)."""

    table: ClassVar[str] = "audience"
    key: ClassVar[tuple[str, ...]] = ("suite", "edition", "claim_id", "source")

    suite: Annotated[str, Col(partition=True)] = Field(description="Suite")
    edition: Annotated[str, Col(partition=True)] = Field(description="Always `ever`")
    claim_id: str = Field(description="Claim", pattern=r"^[a-z0-9-]+$")
    source: str = Field(description="Where the votes come from; a later import of the same source replaces its row")
    yes: int = Field(description="Votes that AI can", ge=0)
    no: int = Field(description="Votes that AI cannot", ge=0)
    imported_at: Annotated[AwareDatetime, Col(volatile=True)] = Field(description="When the votes were brought in, UTC")
