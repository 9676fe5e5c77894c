"""An edition: which set of cases it is, by suite, version, seed, size and private part (G-8, D-2)."""

from pydantic import Field

from schemas.exchange import Frozen


class Edition(Frozen):
    """The recipe of a set; the same edition gives the same cases to the byte (D-3).

    size: documents a language, a third of them private in a generated set; id: a slug that never looks like a number or a date.
    private_hash: salted hash of the secret seed of the private part; the seed itself stands in no row and no report.
    """

    suite: str
    id: str = Field(pattern=r"^[a-z][a-z0-9._-]*$")
    set_version: str
    seed: int
    size: int = Field(ge=1)
    private_hash: str
    levels: tuple[str, ...] = Field(default=(), description="Only these levels; empty: the shares of the set (D-8)")


def private_numbers(size: int) -> frozenset[int]:
    """Numbers of the pairs (from 0) that are private: a third, rounded down, spread evenly (G-8).

    >>> sorted(private_numbers(6)), len(private_numbers(150))
    ([2, 5], 50)
    """
    return frozenset(range(2, size, 3))
