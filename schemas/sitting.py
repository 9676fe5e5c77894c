"""A check before it is made: its number, its draw and its day, written down before anybody is asked (J-4, J-7).

For the administrator alone: nothing of this is public (J-6).
"""

from pydantic import AwareDatetime, Field

from schemas.exchange import DocumentLanguage, Frozen


class Juror(Frozen):
    """A member of the pool, as the record of a check keeps it."""

    id: str
    vendor: str
    family: str

    def written(self) -> str:
        """In one line, as the table of votes keeps it.

        >>> Juror.read(Juror(id="a-1", vendor="Acme, s. r. o.", family="a").written()).vendor
        'Acme, s. r. o.'
        """
        return "\t".join(" ".join(part.split()) for part in (self.id, self.vendor, self.family))

    @classmethod
    def read(cls, line: str) -> "Juror":
        """The juror of such a line."""
        id_, vendor, family = line.split("\t")
        return cls(id=id_, vendor=vendor, family=family)


class Draw(Frozen):
    """One check: whoever finishes it after a stop asks the same jurors the same words."""

    check_id: str = Field(pattern=r"^[a-z0-9-]+$")
    number: int = Field(ge=1, description="Of the check, from 1; what the draw is made from (J-7)")
    claim_id: str
    language: DocumentLanguage
    today: str = Field(pattern=r"^\d{4}-\d{2}-\d{2}$", description="The day that stands in the prompt")
    size: int = Field(ge=1, description="Jurors that the panel is to have")
    order: tuple[Juror, ...] = Field(description="The whole pool in the order of the draw")
    key_mark: str = Field(description="Mark of the key of the draw")
    opened_at: AwareDatetime


class Sitting(Frozen):
    """The checks that one run is to make; a task's whole argument."""

    root: str
    edition: str
    run_id: str
    checks: tuple[str, ...]
