"""The scale on which an item is graded: by a judge, a program or a person (A-5)."""

from pydantic import Field

from schemas.exchange import Frozen
from schemas.grade import PassName


class Scale(Frozen):
    """What may be graded and how.

    values: the only points there are; without `is_stepped` any number between the first and the last. labels: a word for each value,
    where it has one; errors: the category of a value that is an error. needs_reason_below: fewer points need a reason (A-5).
    """

    pass_name: PassName
    max_points: float
    values: tuple[float, ...]
    is_stepped: bool = True
    labels: dict[float, str] = Field(default_factory=dict)
    errors: dict[float, str] = Field(default_factory=dict)
    needs_reason_below: float | None = None

    def holds(self, points: float) -> bool:
        """Whether the points are on the scale."""
        return points in self.values if self.is_stepped else self.values[0] <= points <= self.values[-1]

    @property
    def told(self) -> str:
        """The scale in words.

        >>> Scale(pass_name="atomic", max_points=1, values=(0, 0.5, 1)).told
        '0, 0.5 or 1'
        """
        words = [f"{value:g}" for value in self.values]
        return (
            f"{', '.join(words[:-1])} or {words[-1]}" if self.is_stepped else f"a number from {words[0]} to {words[-1]}"
        )
