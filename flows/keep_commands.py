"""`zkusebna migrate`, `prune`, `export`, `import`, `compact`: keeping a store for years."""

from pathlib import Path
from typing import Annotated

import typer

from flows.options import StorePath, is_debug, root_of
from tasks.settings import be_quiet

DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be done; do nothing.")]


def migrate(store: StorePath = None, dry_run: DryRun = False) -> None:
    """Bring a store to this version's format, and tidy what earlier versions left; nothing happens where it is there already."""
    be_quiet(debug=is_debug())
    from flows.keep_terminal import show_migrated
    from tasks.keep import migrate_store

    show_migrated(migrate_store(root_of(store), is_dry=dry_run), is_dry=dry_run)


def prune(
    keep: Annotated[
        int,
        typer.Option(
            help="So many of the newest runs stay comparable; of older ones only the results stay.", show_default=False
        ),
    ],
    older_than: Annotated[
        float, typer.Option(help="Age in days of quarantine to remove and of journals to file.", metavar="DAYS")
    ] = 90,
    store: StorePath = None,
    dry_run: DryRun = False,
) -> None:
    """Remove what runs long past left, and blobs and evidence to which nothing refers; calls, votes and checks are never touched.

    What a `compare` or `reproduce` of an older run needs is gone afterwards; every table stays as it is.
    """
    be_quiet(debug=is_debug())
    from flows.keep_terminal import show_pruned
    from tasks.prune import prune as prune_store

    show_pruned(prune_store(root_of(store), keep, older_than, is_dry=dry_run), is_dry=dry_run)


def export(
    file: Annotated[Path, typer.Argument(help="The archive to write, e.g. store.tar.", show_default=False)],
    with_secrets: Annotated[
        bool,
        typer.Option(
            "--with-secrets", help="With the secret seed and the jury's key, which a store needs to be continued."
        ),
    ] = False,
    store: StorePath = None,
) -> None:
    """Write a store into one file with a checksum for each of its files; it holds private cases, so keep it inside the house."""
    be_quiet(debug=is_debug())
    from flows.keep_terminal import show_exported
    from tasks.keep import export_store

    show_exported(export_store(root_of(store), file, with_secrets=with_secrets), file)


def import_store(
    file: Annotated[Path, typer.Argument(help="An archive that `zkusebna export` wrote.", show_default=False)],
    store: StorePath = None,
) -> None:
    """Make a store of an archive, in a new or empty folder; every file is verified before the store is there."""
    be_quiet(debug=is_debug())
    from flows.keep_terminal import show_imported
    from tasks.keep import import_store as bring

    root = root_of(store)
    show_imported(bring(file, root), root)


def compact(store: StorePath = None) -> None:
    """Merge the many small files of calls, votes and checks into few large ones; rows stay as they are, readers go on."""
    be_quiet(debug=is_debug())
    import typer as terminal

    from tasks.compact import compact_tables, told_compacted
    from tasks.turns import writing

    root = root_of(store)
    with writing(root, create=False):
        terminal.echo(told_compacted(compact_tables.fn(root)))
