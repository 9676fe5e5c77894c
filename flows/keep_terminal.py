"""What the commands that keep a store say when they are done."""

from pathlib import Path
from typing import Any

import typer

_KINDS = {
    "runs": "runs", "snapshots": "parts kept for comparisons", "evidence": "remembered pages", "blobs": "blobs", "thumbs": "small pictures",
    "quarantine": "quarantined files",
}  # fmt: skip


def size_of(number: int) -> str:
    """Bytes for a person.

    >>> [size_of(n) for n in (0, 999, 1_500, 2_000_000, 3_400_000_000)]
    ['0 B', '999 B', '1.5 kB', '2.0 MB', '3.4 GB']
    """
    if number < 1000:
        return f"{number} B"
    value, unit = float(number), ""
    for unit in ("kB", "MB", "GB", "TB"):  # noqa: B007 - the last one stays
        value /= 1000
        if value < 1000:
            break
    return f"{value:.1f} {unit}"


def show_migrated(told: Any, *, is_dry: bool) -> None:
    """The format, what is made anew, what was tidied."""
    if told.before == told.after:
        typer.echo(f"The store has format {told.after}, which is this version's: {told.partitions} sealed partitions.")
    else:
        typer.echo(f"The store {'would go' if is_dry else 'went'} from format {told.before} to {told.after}.")
    if told.older:
        tables = ", ".join(f"{count} of {table}" for table, count in told.older.items())
        typer.echo(f"Of earlier versions, made anew by the next run without a call: {tables}.")
    if told.removed:
        typer.echo(
            f"{len(told.removed)} files of grades that nothing reads any more {'would be' if is_dry else 'were'} removed."
        )


def show_pruned(told: Any, *, is_dry: bool) -> None:
    """What went, by kind, and how much it gave back."""
    verb = "Would remove" if is_dry else "Removed"
    for kind, count in told.files.items():
        if count:
            typer.echo(f"{verb} {count} {_KINDS[kind]}, {size_of(told.bytes[kind])}.")
    if not any(told.files.values()):
        typer.echo("There is nothing to remove.")
    if told.filed:
        typer.echo(f"{told.filed} old journals {'would be' if is_dry else 'were'} filed into calls.")
    for problem in told.problems:
        typer.echo(f"Left alone: {problem}.")


def show_exported(told: Any, file: Path) -> None:
    """Where the archive is, and what is in it and what is not."""
    typer.echo(
        f"Archive: {file} ({told.files} files, {size_of(told.size_bytes)}). It holds private cases: keep it inside the house."
    )
    if told.has_secrets:
        typer.echo("It holds the store's secrets.")
    else:
        typer.echo(
            "It holds no secrets: keep the secret seed and the jury's key apart (or use --with-secrets),"
            " else the next run draws a new private part."
        )


def show_imported(told: Any, root: str) -> None:
    """Where the store is, and whether it can be continued."""
    typer.echo(f"Store: {root} ({told.files} files verified, {size_of(told.size_bytes)}).")
    if not told.has_secrets:
        typer.echo(
            "The archive held no secrets: set ZKUSEBNA_PRIVATE_SEED and ZKUSEBNA_JURY_KEY, or the next run makes new ones."
        )
