"""`zkusebna doctor`: what this machine has and lacks for a run, and how to mend it."""

import json
from typing import Annotated

import typer

from flows.options import StorePath, is_debug, root_of
from tasks.settings import be_quiet

_MARKS = {"ok": "ok", "note": "note", "broken": "BROKEN"}


def doctor(
    store: StorePath = None,
    as_json: Annotated[bool, typer.Option("--json", help="Tell it as JSON, for a monitor.")] = False,
) -> None:
    """Look at browser, fonts, OCR, local model, server, worker, store, keys, disk and clock; exit code 1 where something needed is broken."""
    be_quiet(debug=is_debug())
    from tasks.doctor import examine

    findings = examine(root_of(store))
    if as_json:
        typer.echo(json.dumps([f.model_dump() for f in findings], indent=1, ensure_ascii=False))
    else:
        wide = max(len(f.name) for f in findings)
        for finding in findings:
            typer.echo(f"{_MARKS[finding.state]:6}  {finding.name:{wide}}  {finding.told}")
            if finding.mend:
                typer.echo(f"{'':6}  {'':{wide}}  → {finding.mend}")
    if any(f.state == "broken" for f in findings):
        raise typer.Exit(1)
