"""`zkusebna compare A B`: two systems, versions of one, or runs, case by case (G-3, S-2); `zkusebna reproduce`: a run made again (S-4)."""

from typing import Annotated

import typer

from flows.options import StorePath, is_debug, root_of
from tasks.settings import be_quiet


def compare(
    left: Annotated[
        str,
        typer.Argument(
            metavar="A", help="SYSTEM, RUN or SYSTEM@RUN; `latest` and `previous` are runs.", show_default=False
        ),
    ],
    right: Annotated[
        str, typer.Argument(metavar="B", help="The other side; differences are B minus A.", show_default=False)
    ],
    suites: Annotated[
        str | None,
        typer.Option(
            help="Suites to compare, by commas; default: all that both have.", metavar="a,b", show_default=False
        ),
    ] = None,
    groups: Annotated[
        bool, typer.Option("--groups", help="Show every group and field, not only what is decisive there.")
    ] = False,
    fail_on_regression: Annotated[
        bool, typer.Option("--fail-on-regression", help="Exit code 1 where B is decisively worse in anything.")
    ] = False,
    store: StorePath = None,
) -> None:
    """Put B beside A on the cases that both have: what is decisive, which cases newly fail and newly pass.

    No system and no judge is called. Differences are paired by case, tested by permutation and corrected by Holm; what cannot be told
    apart is marked ≈.
    """
    be_quiet(debug=is_debug())
    from flows.compare_terminal import show_comparison

    wanted = [w.strip() for w in suites.split(",") if w.strip()] if suites else None
    if show_comparison(root_of(store), left, right, wanted, has_groups=groups) and fail_on_regression:
        raise typer.Exit(1)


def reproduce(
    run: Annotated[str, typer.Argument(help="Id of a run, `latest` or `previous`.")] = "latest",
    store: StorePath = None,
) -> None:
    """Make the numbers of a run again from what it ended with, and say whether they are equal to the last digit; exit code 1 where not.

    No system and no judge is called.
    """
    be_quiet(debug=is_debug())
    from flows.compare_terminal import show_reproduction

    if not show_reproduction(root_of(store), run):
        raise typer.Exit(1)
