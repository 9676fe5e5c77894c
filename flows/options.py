"""Options that several commands share, and how what a person gave becomes a value."""

import sys
from decimal import Decimal
from pathlib import Path
from typing import Annotated

import typer

from schemas.errors import UsageError
from tasks.settings import Settings

StorePath = Annotated[
    Path | None,
    typer.Option("--store", help="Folder of the store; default: $ZKUSEBNA_STORE, else ./store.", show_default=False),
]


def is_debug() -> bool:
    """Whether `--debug` was given, anywhere on the command line."""
    return "--debug" in sys.argv[1:]


def root_of(store: Path | None) -> str:
    """The path of the store."""
    return str((store or Path(Settings.read().store)).expanduser().resolve())


def usd_of(text: str | None) -> Decimal | None:
    """An amount of --budget; UsageError for what is none."""
    if text is None:
        return None
    try:
        amount = Decimal(text)
    except ArithmeticError:
        amount = Decimal(-1)
    if not amount.is_finite() or amount < 0:
        raise UsageError(f"The budget {text!r} is not an amount in USD; give e.g. --budget 2.50.")
    return amount
