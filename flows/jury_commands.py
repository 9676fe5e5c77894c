"""`zkusebna jury` and `zkusebna votes`: sit, look at the record, bring in what was decided elsewhere."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from flows.options import StorePath, is_debug, root_of, usd_of
from tasks.settings import be_quiet

jury = typer.Typer(help="The jury: what AI can do, by rotating panels of models.", no_args_is_help=True)
votes = typer.Typer(help="The audience's votes on the jury's claims.", no_args_is_help=True)


@jury.command()
def sit(
    claims: Annotated[int, typer.Option(help="How many claims, the longest unchecked first.", min=1)] = 5,
    language: Annotated[Literal["cs", "en"], typer.Option(help="Language of the prompt.")] = "cs",
    budget: Annotated[
        str | None, typer.Option(help="What the sitting may spend at most.", metavar="USD", show_default=False)
    ] = None,
    store: StorePath = None,
) -> None:
    """Check claims, each by a panel drawn for it, and record the verdicts.

    A sitting that was stopped goes on with its checks at the next one.
    """
    be_quiet(debug=is_debug())
    from flows.jury_terminal import sit_in_terminal

    sit_in_terminal(root_of(store), claims, language, usd_of(budget))


@jury.command()
def show(store: StorePath = None) -> None:
    """The states of all claims, reversals, and where the audience differs; no juror is named."""
    from flows.jury_terminal import show_overview

    show_overview(root_of(store))


@jury.command()
def audit(
    claim: Annotated[str, typer.Argument(help="Id of the claim.", show_default=False)], store: StorePath = None
) -> None:
    """For the administrator: which model gave which verdict on a claim, with every draw repeated. Not for publication."""
    from flows.jury_terminal import show_audit

    show_audit(root_of(store), claim)


@jury.command()
def record(
    file: Annotated[Path, typer.Argument(help="JSON Lines: claim, system, date, text.", show_default=False)],
    store: StorePath = None,
) -> None:
    """Bring in verdicts that were made elsewhere; a wrong line is told, the rest is taken."""
    from flows.jury_terminal import show_imported
    from tasks.recorded_verdicts import import_verdicts

    show_imported("verdicts", import_verdicts(root_of(store), file))


@votes.command(name="import")
def import_votes(
    file: Annotated[Path, typer.Argument(help="CSV with the columns claim_id, yes, no.", show_default=False)],
    source: Annotated[
        str | None,
        typer.Option(help="Where the votes come from; the same source is replaced.", show_default="the file's name"),
    ] = None,
    store: StorePath = None,
) -> None:
    """Bring in the audience's votes; a wrong line is told, the rest is taken. The jury's states do not change."""
    from flows.jury_terminal import show_imported
    from tasks import audience

    show_imported("claims' votes", audience.import_votes(root_of(store), file, source))
