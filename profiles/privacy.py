"""Which aggregates of a private set may not be shown, so that none can be computed from the others either (G-8).

A cell is one published group, e.g. `("level", "photo")`, with the documents behind it. A sum says that a parent's numbers are the sum
of its children's (`all` of `cs` and `en`); whoever knows all members of a sum but one knows the last one too.
"""

from collections.abc import Iterable, Mapping, Sequence

Cell = tuple[str, ...]
Sum = tuple[Cell, Sequence[Cell]]

COMPLEMENTARY = "complementary_private"
"""The note of a group that is withheld only because a smaller one could be computed from it."""


def floor_note(floor: int) -> str:
    """The note of a group with fewer private documents than the floor.

    >>> floor_note(5)
    'fewer_than_5_private'
    """
    return f"fewer_than_{floor}_private"


def withheld(
    cells: Mapping[Cell, frozenset[str]], sums: Sequence[Sum], floor: int, also: Iterable[Cell] = ()
) -> dict[Cell, str]:
    """The cells that may not be shown, each with its note.

    Primary: every cell with 1 to floor - 1 documents. Complementary: as long as a sum has a single withheld member, or its withheld
    children together hold fewer documents than the floor, its smallest shown child is withheld too (by number of documents, then
    name); where no child is left, the parent. Empty cells hold nothing and are never withheld.

    cells: documents behind each cell. sums: parents and children, all of them in `cells`. also: cells to withhold beforehand.

    >>> docs = {("all",): frozenset("abcdefghijklmn"), ("text",): frozenset("abcdef"), ("scan",): frozenset("ghijk"),
    ...         ("photo",): frozenset("lmn")}
    >>> withheld(docs, [(("all",), [("text",), ("scan",), ("photo",)])], 5)
    {('photo',): 'fewer_than_5_private', ('scan',): 'complementary_private'}
    """
    hidden = {cell: COMPLEMENTARY for cell in also if cells[cell]}
    hidden |= {cell: floor_note(floor) for cell, documents in cells.items() if 0 < len(documents) < floor}
    while (cell := _next(cells, sums, floor, hidden)) is not None:
        hidden[cell] = COMPLEMENTARY
    return hidden


def _next(
    cells: Mapping[Cell, frozenset[str]], sums: Sequence[Sum], floor: int, hidden: Mapping[Cell, str]
) -> Cell | None:
    """The next cell that must be withheld, or None where every sum is safe."""
    for parent, all_children in sums:
        children = [cell for cell in all_children if cells[cell]]
        unknown = [cell for cell in children if cell in hidden]
        shown = [cell for cell in children if cell not in hidden]
        if parent in hidden:
            if not unknown and shown:
                return min(shown, key=lambda cell: (len(cells[cell]), cell))
        elif unknown:
            together = frozenset[str]().union(*(cells[cell] for cell in unknown))
            if len(unknown) == 1 or len(together) < floor:
                return min(shown, key=lambda cell: (len(cells[cell]), cell), default=parent)
    return None
