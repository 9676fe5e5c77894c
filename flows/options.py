"""Options that several commands share, and how what a person gave becomes a value."""

import sys
from decimal import Decimal
from pathlib import Path
from typing import Annotated

import typer

from schemas.errors import UsageError
from tasks.settings import Settings, is_bucket, tidy

StorePath = Annotated[
    str | None,
    typer.Option(
        "--store",
        metavar="PATH",
        help="Folder of the store, or s3://BUCKET/PREFIX; default: $ZKUSEBNA_STORE, else ./store.",
        show_default=False,
    ),
]


def is_debug() -> bool:
    """Whether `--debug` was given, anywhere on the command line."""
    return "--debug" in sys.argv[1:]


def root_of(store: str | None) -> str:
    """The path of the store, or its address in a bucket."""
    given = store or Settings.read().store
    return tidy(given) if is_bucket(given) else str(Path(given).expanduser().resolve())


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
