"""One erratum: a right answer or a rule of grading that turned out wrong, and what changed (G-13)."""

import datetime as dt
from typing import Literal

from pydantic import Field

from schemas.exchange import Frozen

PartName = Literal["set", "prompt", "grading"]


class InBoth(Frozen):
    """A sentence in both languages of the report."""

    cs: str = Field(min_length=1)
    en: str = Field(min_length=1)


class Erratum(Frozen):
    """What was wrong, what changed, and from which version to which."""

    date: dt.date = Field(description="Day on which it was mended")
    suite: str = Field(description="Suite")
    part: PartName = Field(description="Whose version changed: the set, the prompt or the grading")
    wrong: InBoth = Field(description="What was wrong")
    changed: InBoth = Field(description="What changed, and which numbers move")
    version_from: str = Field(alias="from", min_length=1, description="Version before")
    version_to: str = Field(alias="to", min_length=1, description="Version after")
