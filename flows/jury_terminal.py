"""What the commands of the jury show in a terminal."""

from decimal import Decimal
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from schemas.errors import UsageError
from schemas.exchange import DocumentLanguage


def sit_in_terminal(root: str, claims: int, language: DocumentLanguage, budget_usd: Decimal | None) -> None:
    """One sitting, then the states; UsageError that says what is missing where the pool is too small."""
    from tasks.panel import why_no_jury
    from tasks.turns import writing

    if reason := why_no_jury():
        raise UsageError(f"{reason[0].upper()}{reason[1:]}.")
    with writing(root):
        from flows.jury import sit

        outcomes = sit(root, claims, language, budget_usd)
    counts = [outcome.counts for outcome in outcomes if outcome.table == "answers"]
    calls, checks = (sum(c.get(name, 0) for c in counts) for name in ("calls", "checks"))
    Console().print(f"{checks} checks made with {calls} calls.", highlight=False)
    show_overview(root)


def show_overview(root: str) -> None:
    """States, reversals, disagreements."""
    from tasks.jury_audit import read_overview

    console, view = Console(), read_overview(root)
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name in ("claim", "state", "share", "UMÍ", "NEUMÍ", "NEROZHODNUTO", "checks", "last", "since", "audience"):
        table.add_column(name, justify="left" if name in ("claim", "state", "last", "since") else "right")
    for claim in view.claims:
        if claim.checks or claim.audience.percent is not None:
            share, audience = (f"{p} %" if p is not None else "" for p in (claim.percent, claim.audience.percent))
            since = f"{claim.since.median} ({claim.since.earliest}–{claim.since.latest})" if claim.since else ""
            counts = map(str, (claim.able, claim.unable, claim.undecided, len(claim.checks)))
            mark = " ≠" if claim.is_disagreement else ""
            table.add_row(claim.id, claim.state, share, *counts, claim.last_checked or "", since, audience + mark)
    console.print(table)
    told = ", ".join(f"{state} {n}" for state, n in view.states["all"].items())
    _line(console, f"{view.n_verdicts} verdicts in {view.n_checks} checks of {len(view.claims)} claims: {told}.")
    if view.flips:
        _line(console, f"{len(view.flips)} changes of state, the last: {_flip(view.flips[0])}.")
    if view.disagreements:
        _line(console, f"Jury and audience differ (≠): {', '.join(view.disagreements)}.")
    if view.is_small_pool:
        _line(console, "The last panel was drawn from fewer than eight models: a juror could be guessed.")


def _flip(one: tuple[str, Any]) -> str:
    claim, flip = one
    return f"{claim} {flip.before} → {flip.after} on {flip.day}"


def show_audit(root: str, claim: str) -> None:
    """Every verdict on a claim with its juror."""
    from tasks.jury_audit import audit

    console = Console()
    lines = audit(root, claim)
    table = Table(title=f"{claim} (for the administrator, not for publication)", title_justify="left", box=SIMPLE_HEAD)
    for name in ("check", "day", "juror", "vendor", "place", "draw", "verdict", "since", "reason"):
        table.add_column(name, overflow="fold", no_wrap=name in ("juror", "verdict"))
    for line in lines:
        reason = f"{line.reason or ''}{' (withheld)' if line.is_withheld else ''}"
        cells = (line.check, line.day, line.juror, line.vendor, str(line.place), line.draw, line.verdict)
        table.add_row(*cells, line.since or "", reason.replace("[", "\\["))
    console.print(table if lines else f"{claim} was never checked.")


def show_imported(what: str, imported: Any) -> None:
    """How much was taken, and what was wrong with the rest."""
    console = Console()
    for problem in imported.problems:
        _line(console, problem)
    _line(console, f"{imported.taken} {what} were taken, {len(imported.problems)} lines were not.")


def _line(console: Console, text: str) -> None:
    console.print(text, highlight=False, soft_wrap=True, markup=False)
