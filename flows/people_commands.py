"""`zkusebna grades`: what people grade, and what judges said elsewhere, is brought in as grades of a judge like any other."""

from pathlib import Path
from typing import Annotated

import typer

from flows.options import StorePath, is_debug, root_of
from tasks.settings import be_quiet

grades = typer.Typer(help="Grades that people gave, or judges that were asked elsewhere.", no_args_is_help=True)


@grades.command(name="import")
def import_grades(
    file: Annotated[
        Path,
        typer.Argument(help="CSV with the columns case, system, item, points, who, when, reason.", show_default=False),
    ],
    suite: Annotated[str, typer.Option(help="The suite whose answers were graded.", show_default=False)],
    edition: Annotated[
        str | None, typer.Option(help="Its edition; default: the one asked last.", show_default=False)
    ] = None,
    store: StorePath = None,
) -> None:
    """Bring in people's grades; a wrong line is told, the rest is taken. The next run counts them."""
    be_quiet(debug=is_debug())
    from flows.jury_terminal import show_imported
    from tasks import people

    show_imported("grades", people.import_grades(root_of(store), file, suite, edition))


@grades.command()
def record(
    file: Annotated[
        Path,
        typer.Argument(help="JSON Lines: case, system, item, judge, vendor, date, text.", show_default=False),
    ],
    suite: Annotated[str, typer.Option(help="The suite whose answers were judged.", show_default=False)],
    edition: Annotated[
        str | None, typer.Option(help="Its edition; default: the one asked last.", show_default=False)
    ] = None,
    store: StorePath = None,
) -> None:
    """Bring in replies of judges that were asked elsewhere; a wrong line is told, the rest is taken. The next run counts them."""
    be_quiet(debug=is_debug())
    from flows.jury_terminal import show_imported
    from tasks.recorded_grades import import_judged

    show_imported("replies", import_judged(root_of(store), file, suite, edition))


def sign(
    who: Annotated[str, typer.Argument(help="Who signs, e.g. the full name.", show_default=False)],
    suite: Annotated[str, typer.Option(help="The suite whose ranking is signed.", show_default=False)],
    edition: Annotated[
        str | None, typer.Option(help="Its edition; default: the one asked last.", show_default=False)
    ] = None,
    store: StorePath = None,
) -> None:
    """Sign the ranking of a suite: who, when, and over which grades; the report shows it as long as no grade changes."""
    be_quiet(debug=is_debug())
    from flows.terminal import show_signed
    from tasks.sign import sign as sign_grades

    show_signed(sign_grades(root_of(store), suite, who, edition))
