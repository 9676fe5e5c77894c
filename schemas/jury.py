"""What the jury decides: verdicts on a claim, and the state that follows from all that were ever recorded (J-1 to J-3)."""

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Literal, get_args

from pydantic import Field, StringConstraints, model_validator

from schemas.errors import nearest
from schemas.exchange import DocumentLanguage, Frozen
from schemas.marked import Flaw, FlawsError

SUITE = "jury"

PANEL = "panel"
"""The system of the suite: the rotating panel as one, so that nothing made from its answers names a juror (J-6)."""

Verdict = Literal["UMÍ", "NEUMÍ", "NEROZHODNUTO"]
"""It can, it cannot, undecided (J-2)."""

State = Literal["UMÍ", "NEUMÍ", "SPORNÉ"]
"""It can, it cannot, disputed (J-3)."""

VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
STATES: tuple[State, ...] = get_args(State)

WINS_PERCENT = 80
"""Share of all verdicts that a side needs where they are not unanimous (J-3)."""

LEAST_VERDICTS = 3
"""A check with fewer is an incomplete panel; it still counts (J-4). From so many on a side can win without unanimity (J-3)."""

PANEL_SIZES = range(3, 8)
"""Jurors of a panel (J-1)."""

SAFE_POOL = 8
"""Where a panel is drawn from fewer models, the public page warns that a juror could be guessed (J-7)."""

MONTH = r"^(?:19|20)\d{2}-(?:0[1-9]|1[0-2])$"

Month = Annotated[str, StringConstraints(pattern=MONTH)]
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]


class Counts(Frozen):
    """How many verdicts there are of each kind: UMÍ, NEUMÍ, NEROZHODNUTO."""

    able: int = Field(default=0, ge=0)
    unable: int = Field(default=0, ge=0)
    undecided: int = Field(default=0, ge=0)

    @classmethod
    def of(cls, verdicts: Iterable[str]) -> "Counts":
        """Counted; ValueError for a word that is no verdict.

        >>> Counts.of(["UMÍ", "NEUMÍ", "UMÍ"])
        Counts(able=2, unable=1, undecided=0)
        """
        found = Counter(verdicts)
        if strangers := found.keys() - set(VERDICTS):
            raise ValueError(f"{min(strangers)!r} is no verdict; expected one of {', '.join(VERDICTS)}")
        return cls(able=found["UMÍ"], unable=found["NEUMÍ"], undecided=found["NEROZHODNUTO"])

    @property
    def total(self) -> int:
        """All verdicts, the undecided ones among them."""
        return self.able + self.unable + self.undecided

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(
            able=self.able + other.able,
            unable=self.unable + other.unable,
            undecided=self.undecided + other.undecided,
        )


class Standing(Frozen):
    """The state of a claim; percent: share of the stronger side in all verdicts, rounded down, None where there are none."""

    state: State
    percent: int | None


def state(counts: Counts) -> Standing:
    """The standing consensus of J-3, in whole numbers: 4 of 5 decides, 79 of 99 does not.

    Fewer than two verdicts are disputed; unanimous ones decide at once; otherwise, from three on, a side with 80 % of all verdicts wins.
    An undecided verdict counts in the total and for no side.

    >>> state(Counts(able=4, unable=1)), state(Counts(able=11, unable=1)).percent, state(Counts(able=4, unable=1, undecided=1)).percent
    (Standing(state='UMÍ', percent=80), 91, 66)
    """
    total, most = counts.total, max(counts.able, counts.unable)
    percent = 100 * most // total if total else None
    side: State = "UMÍ" if counts.able > counts.unable else "NEUMÍ"
    is_unanimous = most == total
    wins = total >= LEAST_VERDICTS and 100 * most >= WINS_PERCENT * total
    if total >= 2 and (is_unanimous or wins):
        return Standing(state=side, percent=percent)
    return Standing(state="SPORNÉ", percent=percent)


class Truth(Frozen):
    """What is known of a claim beforehand: nothing but the month that an editor knows."""

    since: Month | None


class ClaimField(Frozen):
    """A field of life that claims come from."""

    id: str = Field(description="Slug of the field", pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    cs: Text = Field(description="Czech name of the field")
    en: Text = Field(description="English name of the field")


class Claim(Frozen):
    """One claim (J-1): the question, what would count as being able, and the month of the first ability where an editor knows it.

    A claim whose meaning changes is another claim with another id: verdicts on an id count for ever (J-3).
    """

    id: str = Field(description="Slug of the claim", pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")
    field: str = Field(description="Id of one of the fields")
    cs: Text = Field(description="The claim in Czech, a question that begins with „Umí AI“")
    en: Text = Field(description="The claim in English, a question")
    measure_cs: Text = Field(description="What would count as being able, in Czech")
    measure_en: Text = Field(description="What would count as being able, in English")
    since: Month | None = Field(default=None, description="Month of the first ability as 2024-05, or null")

    def words(self, language: DocumentLanguage) -> tuple[str, str]:
        """Claim and measure in a language."""
        return (self.cs, self.measure_cs) if language == "cs" else (self.en, self.measure_en)


class ClaimSet(Frozen):
    """The file of claims; all that is wrong with it is told at once, with its places."""

    version: Text = Field(description='Version of the set, as "1.0"')
    fields: tuple[ClaimField, ...] = Field(description="The fields, one at least", min_length=1)
    claims: tuple[Claim, ...] = Field(description="The claims, one at least", min_length=1)

    @model_validator(mode="after")
    def _is_sound(self) -> "ClaimSet":
        known = [field.id for field in self.fields]
        flaws = _twice("fields", known) + _twice("claims", [claim.id for claim in self.claims])
        for at, claim in enumerate(self.claims):
            if claim.field not in known:
                flaws.append(Flaw(("claims", at, "field"), f"{claim.field!r} is no field{nearest(claim.field, known)}"))
        if flaws:
            raise FlawsError(flaws)
        return self


def _twice(name: str, ids: list[str]) -> list[Flaw]:
    return [
        Flaw((name, at, "id"), f"{found!r} stood there before; exactly one was expected")
        for at, found in enumerate(ids)
        if found in ids[:at]
    ]
