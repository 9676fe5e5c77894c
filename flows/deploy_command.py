"""The command `zkusebna deploy`: pool, deployments, limits and automations on a Prefect server in one go."""

from typing import Annotated

import typer

from flows.options import StorePath, is_debug, root_of
from tasks.settings import be_quiet


def deploy(
    store: StorePath = None,
    at_once: Annotated[
        int | None,
        typer.Option(
            min=1, help="Runs of the pool side by side; default: what the pool has, 4 in a new one.", show_default=False
        ),
    ] = None,
) -> None:
    """Set up the Prefect server that PREFECT_API_URL names, an empty one or one that was set up before."""
    be_quiet(debug=is_debug())
    from tasks.server_setup import POOL, deploy

    done = deploy(root_of(store), at_once)
    typer.echo(f"{done.url} is set up:")
    typer.echo(f"  work pool {POOL}: processes, {done.at_once or 'any number of'} runs at once")
    typer.echo(f"  deployments: {', '.join(done.deployments)}")
    typer.echo(f"  automations: {', '.join(done.automations)}")
    typer.echo(
        f"  failures and regressions are sent by {done.notified_by}"
        if done.notified_by
        else "  failures and regressions are not sent anywhere; name a notification block by ZKUSEBNA_NOTIFY"
    )
    typer.echo(f"Next: prefect worker start --pool {POOL}")
