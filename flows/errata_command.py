"""The command `zkusebna errata`: tell of an erratum, and show all of them (G-13)."""

import datetime as dt
from pathlib import Path
from typing import Annotated, Any

import typer

from flows.options import StorePath, root_of

errata = typer.Typer(help="The errata: right answers and rules of grading that turned out wrong.", no_args_is_help=True)


def _words(help_: str, name: str, metavar: str = "TEXT") -> Any:
    return typer.Option(name, help=help_, metavar=metavar, show_default=False)


@errata.command()
def add(
    suite: Annotated[str | None, _words("Word of the suite.", "--suite", "SUITE")] = None,
    part: Annotated[str | None, _words("What changed: set, prompt or grading.", "--part", "PART")] = None,
    wrong_cs: Annotated[str | None, _words("What was wrong, in Czech.", "--wrong-cs")] = None,
    wrong_en: Annotated[str | None, _words("What was wrong, in English.", "--wrong-en")] = None,
    changed_cs: Annotated[str | None, _words("What changed and which numbers move, in Czech.", "--changed-cs")] = None,
    changed_en: Annotated[str | None, _words("The same in English.", "--changed-en")] = None,
    before: Annotated[str | None, _words("Version before.", "--from", "VERSION")] = None,
    after: Annotated[str | None, _words("Version after.", "--to", "VERSION")] = None,
    date: Annotated[str | None, _words("Day on which it was mended; default: today.", "--date", "YYYY-MM-DD")] = None,
    mistake: Annotated[
        Path | None,
        _words(
            "File from the form of a case in the report: suite, part and --from are taken from it.", "--mistake", "FILE"
        ),
    ] = None,
    store: StorePath = None,
) -> None:
    """Tell of an erratum: in the project's own file, or with --store in `errata.yaml` of that store. The next report shows it."""
    from tasks.errata import add as add_entry
    from tasks.errata import read_mistake

    entry: dict[str, Any] = {}
    if mistake is not None:
        told = read_mistake(mistake)
        entry = {key: told[key] for key in ("suite", "part", "from") if told[key]}
    given = {
        "date": date or entry.get("date") or dt.datetime.now(dt.UTC).date().isoformat(), "suite": suite, "part": part, "from": before, "to": after,
        "wrong": _both(wrong_cs, wrong_en), "changed": _both(changed_cs, changed_en),
    }  # fmt: skip
    entry |= {key: value for key, value in given.items() if value}
    found, file = add_entry(root_of(store) if store is not None else None, entry)
    typer.echo(
        f"Added to {file}: {found.date.isoformat()} {found.suite}, {found.part} {found.version_from} → {found.version_to}."
    )
    typer.echo("Raise the version where the change stands, then run `zkusebna report`.")


def _both(cs: str | None, en: str | None) -> dict[str, str]:
    return {lang: words for lang, words in (("cs", cs), ("en", en)) if words}


@errata.command()
def show(store: StorePath = None) -> None:
    """All errata of the project and of the store, the newest first."""
    from tasks.errata import all_errata

    found = all_errata(root_of(store))
    for one in found:
        typer.echo(f"{one.date.isoformat()} {one.suite}, {one.part} {one.version_from} → {one.version_to}")
        typer.echo(f"  {one.wrong.en} {one.changed.en}")
    if not found:
        typer.echo("There are no errata so far.")
