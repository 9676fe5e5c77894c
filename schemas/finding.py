"""A finding of `zkusebna doctor`: one thing that was looked at, and how to mend it."""

from typing import Literal

from schemas.exchange import Frozen

State = Literal["ok", "note", "broken"]


class Finding(Frozen):
    """One thing that was looked at: what was found, and how to mend it where it is not ok."""

    name: str
    state: State
    told: str
    mend: str | None = None
