"""A person's signature under a ranking: who, when, over which grades (A-9)."""

from pydantic import Field

from schemas.exchange import Frozen


class Signed(Frozen):
    """What `zkusebna sign` writes into the store; `grades_hash` is the hash of all grades of the edition that were there."""

    who: str = Field(min_length=1)
    when: str
    suite: str
    edition: str
    grades_hash: str = Field(pattern=r"^[0-9a-f]{64}$")
    n_grades: int = Field(ge=1)
