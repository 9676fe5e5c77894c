"""A standing as a table of words, for the terminal and for Prefect."""

from schemas.exchange import Frozen


class Board(Frozen):
    """One row a system and group; every row has the same headings, English, with the date of the run (G-9).

    shown: which headings the terminal shows, each inner tuple one column, its parts below each other; captions say what the numbers are.
    """

    rows: tuple[dict[str, str], ...]
    shown: tuple[tuple[str, ...], ...]
    caption: str
