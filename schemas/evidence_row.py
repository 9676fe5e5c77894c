"""The evidence of a trial in the store: a row a file, and one with what was measured (A-1, A-11)."""

from typing import Annotated, ClassVar

from pydantic import Field

from schemas.evidence import MEASUREMENTS, Measurements
from schemas.exchange import Frozen
from schemas.row import Col, Row

PICTURE, PAGE, DATA = "image/png", "text/html", "application/json"
MEDIA = {".png": PICTURE, ".html": PAGE, ".json": DATA}


class EvidenceFile(Row):
    """One file of the evidence of one answer; the bytes are a blob of the store. The measurements stand in a row of their own."""

    table: ClassVar[str] = "evidence"
    key: ClassVar[tuple[str, ...]] = ("suite", "edition", "system_id", "case_id", "trial", "name")

    suite: Annotated[str, Col(partition=True)] = Field(description="Suite")
    edition: Annotated[str, Col(partition=True)] = Field(description="Edition")
    system_id: str = Field(description="System under test", pattern=r"^[a-z][a-z0-9._-]*$")
    case_id: str = Field(description="Case")
    trial: int = Field(description="Number of the trial, from 1", ge=1)
    name: str = Field(description="Name of the file (A-1), or `measurements.json`", pattern=r"^[a-z0-9][a-z0-9.-]*$")
    media_type: str = Field(description="image/png, text/html or application/json")
    sha256: Annotated[str, Col(volatile=True)] = Field(
        description="Hash of the bytes, which are a blob of the store", pattern=r"^[0-9a-f]{64}$"
    )
    size_bytes: Annotated[int, Col(unit="B", volatile=True)] = Field(description="Size", ge=0)
    is_one_colour: Annotated[bool | None, Col(volatile=True)] = Field(
        description="Whether every pixel of a picture has one colour; null for what is no picture"
    )
    measurements: Annotated[str | None, Col(private=True, volatile=True)] = Field(
        description="What was measured, as JSON, in the row `measurements.json` alone (A-11)"
    )


class Item(Frozen):
    """One file of the evidence as graders see it: no system, no case."""

    name: str
    media_type: str
    sha256: str
    size_bytes: int
    is_one_colour: bool | None = None


class Evidence(Frozen):
    """All that was collected of one answer's page."""

    files: tuple[Item, ...]
    measurements: Measurements

    def file(self, name: str) -> Item | None:
        """The file of a name, where it could be had."""
        return next((f for f in self.files if f.name == name), None)


def evidence_of(rows: list[EvidenceFile]) -> Evidence | None:
    """The evidence in the rows of one answer; None where it has none."""
    told = next((r.measurements for r in rows if r.name == MEASUREMENTS), None)
    if told is None:
        return None
    files = tuple(
        Item.model_validate(r.model_dump(include=set(Item.model_fields))) for r in rows if r.name != MEASUREMENTS
    )
    return Evidence(files=files, measurements=Measurements.model_validate_json(told))
