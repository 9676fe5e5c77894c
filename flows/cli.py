"""The command `zkusebna`: its subcommands, and how an error is told and which exit code it has.

Nothing heavy is imported until a command needs it, so that `--help` answers at once.
"""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.exceptions import TyperException

from flows.card_commands import card
from flows.compare_command import compare, reproduce
from flows.deploy_command import deploy
from flows.doctor_command import doctor
from flows.errata_command import errata
from flows.jury_commands import jury, votes
from flows.keep_commands import compact, export, import_store, migrate, prune
from flows.options import StorePath, is_debug, root_of, usd_of
from flows.people_commands import grades, sign
from flows.views_command import views
from schemas.errors import UsageError, ZkusebnaError
from schemas.jury import SUITE
from tasks.settings import be_quiet

app = typer.Typer(
    help="Zkušebna measures how well AI systems do everyday and delicate work, and says how sure it is.",
    epilog="Every command takes `--debug`: tracebacks, and Prefect's log.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)

app.add_typer(jury, name=SUITE)
app.add_typer(votes, name="votes")
app.add_typer(grades, name="grades")
app.add_typer(errata, name="errata")
app.command()(sign)
app.command()(compare)
app.command()(reproduce)
app.command()(views)
app.command()(card)
app.command()(doctor)
app.command()(migrate)
app.command()(prune)
app.command()(export)
app.command(name="import")(import_store)
app.command()(compact)
app.command()(deploy)


def _words(text: str | None) -> list[str] | None:
    return [w.strip() for w in text.split(",") if w.strip()] if text is not None else None


def _recorded(pairs: list[str] | None) -> dict[str, str]:
    named = [p.split("=", 1) if "=" in p else ["recorded", p] for p in pairs or []]
    for name, file in named:
        if not Path(file).exists():
            raise UsageError(f"The recorded answers {file!r} for {name!r} are not there.")
    return {name: str(Path(file).resolve()) for name, file in named}


@app.command()
def run(
    suites: Annotated[
        str | None, typer.Option(help="Suites to run, by commas; default: all.", metavar="a,b", show_default=False)
    ] = None,
    systems: Annotated[
        str | None,
        typer.Option(
            help="Systems to ask, by commas; default: all that can run here.", metavar="x,y", show_default=False
        ),
    ] = None,
    size: Annotated[
        int | None,
        typer.Option(
            help="Documents or paragraphs a language; a third of a generated set is private. Default: the suite's own.",
            show_default=False,
        ),
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="The published sizes, where --size is not given.")] = False,
    seed: Annotated[int, typer.Option(help="Seed of the public part; the private part has a secret one.")] = 1,
    levels: Annotated[
        str | None, typer.Option(help="Only documents of these levels, e.g. text.", metavar="a,b", show_default=False)
    ] = None,
    store: StorePath = None,
    recorded: Annotated[
        list[str] | None,
        typer.Option(
            help="Answers made elsewhere: a JSON Lines file with case_id and text, or a folder of HTML files; repeatable.",
            metavar="[NAME=]FILE",
            show_default=False,
        ),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            help="What the run may spend at most; it stops cleanly and can be resumed.",
            metavar="USD",
            show_default=False,
        ),
    ] = None,
    judges: Annotated[
        str | None,
        typer.Option(
            help="Judges of the suites that have them, by commas; default: all that can run here.",
            metavar="x,y",
            show_default=False,
        ),
    ] = None,
    retry_status: Annotated[
        str | None,
        typer.Option(
            help="Ask again also what ended so, by commas, e.g. filtered; errors and time-outs are asked again anyway.",
            metavar="STATUS,…",
            show_default=False,
        ),
    ] = None,
    trials: Annotated[
        int | None,
        typer.Option(
            help="How often each case is asked, in artifacts and roleplay; default: as often as the last time, else the suite's own.",
            show_default=False,
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would be asked and what it would cost; do nothing.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Show the run's own log too: calls in flight, waits.")
    ] = False,
) -> None:
    """Make the documents, ask the systems, grade, profile, aggregate, and write the report.

    What the store holds already is not done again: the same command twice does nothing the second time, and a run that was stopped
    goes on where it was.
    """
    be_quiet(debug=is_debug())
    from flows.terminal import run_in_terminal

    order: dict[str, Any] = {
        "root": root_of(store),
        "suites": _words(suites),
        "systems": _words(systems),
        "size": size,
        "seed": seed,
        "levels": tuple(_words(levels) or ()),
        "recorded": _recorded(recorded),
        "budget_usd": usd_of(budget),
        "is_full": full,
        "judges": _words(judges),
        "retry_status": tuple(_words(retry_status) or ()),
        "trials": trials,
    }
    run_in_terminal(order, is_dry=dry_run, is_verbose=verbose or is_debug())


@app.command(name="systems")
def list_systems(
    recorded: Annotated[
        list[str] | None, typer.Option(metavar="[NAME=]FILE", help="Files of recorded answers.", show_default=False)
    ] = None,
) -> None:
    """Which systems there are, and which can run here and why not."""
    from flows.terminal import show_systems

    show_systems(_recorded(recorded))


@app.command()
def describe(
    table: Annotated[str | None, typer.Argument(help="One table or view; default: all.", show_default=False)] = None,
) -> None:
    """The data dictionary: tables and views, columns, types, units, descriptions."""
    from flows.terminal import show_dictionary

    show_dictionary(table)


@app.command()
def report(
    store: StorePath = None,
) -> None:
    """Write the report again from the store; no system and no judge is called (G-12)."""
    from flows.terminal import write_report

    write_report(root_of(store))


def main() -> None:
    """Entry point: an error is one sentence on standard error; 2 for what a person gave, 1 for what a run could not do."""
    try:
        code = app(args=[a for a in sys.argv[1:] if a != "--debug"], standalone_mode=False)
        if isinstance(code, int):  # what a command ended with by `typer.Exit`
            sys.exit(code)
    except ZkusebnaError as problem:
        _tell(problem)
        sys.exit(problem.exit_code)
    except typer.Exit as end:
        sys.exit(end.exit_code)
    except (typer.Abort, KeyboardInterrupt):
        sys.exit(130)
    except TyperException as problem:  # a wrong option or value; its words are a sentence already
        words = problem.format_message() if hasattr(problem, "format_message") else str(problem)
        sys.stderr.write(f"zkusebna: {words}\n" if words else "")  # without words the help has been shown
        sys.exit(2)
    except Exception as problem:  # noqa: BLE001 - the last place: whatever comes is told in a sentence
        _tell(problem)
        sys.exit(1)


def _tell(problem: Exception) -> None:
    if is_debug():
        raise problem
    words = (
        str(problem)
        if isinstance(problem, ZkusebnaError)
        else f"{type(problem).__name__}: {problem} (--debug shows where)"
    )
    sys.stderr.write(f"zkusebna: {words}\n")


if __name__ == "__main__":
    main()
