"""`zkusebna views`: the store as views for DuckDB."""

import typer

from flows.options import StorePath, is_debug, root_of
from tasks.settings import be_quiet


def views(store: StorePath = None) -> None:
    """Make `analysis.duckdb` anew: every table as a view, and the report's aggregates as SQL; each run does it too."""
    be_quiet(debug=is_debug())
    from tasks.views import build_views

    typer.echo(f"Views: {build_views(root_of(store))}")
