"""What the commands show in a terminal: bars while a run works, tables when it is done."""

import contextlib
import logging
from collections.abc import Iterator, Sequence
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table

from schemas.errors import StageError
from tasks.progress import Step, listen

LABELS = {
    "synthesize": "build: documents",
    "test": "test: answers",
    "collect": "test: evidence",
    "grade": "grade: two passes",
    "profile": "profile: diagnoses",
    "tendency": "tendency: aggregates",
}


def run_in_terminal(order: dict[str, Any], *, is_dry: bool, is_verbose: bool = False) -> None:
    """Run (or only estimate) an order and show what comes of it; StageError that lists the answers that could not be had."""
    from tasks.retries import statuses
    from tasks.runs import Order, open_order

    console = Console()
    statuses(order["retry_status"])
    wanted = {k: order[k] for k in ("suites", "systems", "size", "seed", "recorded", "is_full", "trials")}
    if is_dry:
        _show_estimate(console, order, wanted)
        return
    checked: Order = open_order(order["root"], **wanted)
    for part in checked.parts:
        for name, why in part.left_out.items():
            console.print(f"[yellow]left out[/] {part.suite}: {name} ({why})", highlight=False, soft_wrap=True)
    _run(console, order, checked, is_verbose=is_verbose)


def _run(console: Console, order: dict[str, Any], checked: Any, *, is_verbose: bool) -> None:
    from flows.nightly import nightly
    from flows.runner import embedded, reach_runner
    from tasks.costs import spent, told
    from tasks.runs import problems_of, unanswered
    from tasks.turns import writing

    bars = Bars(console)
    reach_runner()
    with writing(order["root"]), bars.progress, _heard(console, is_verbose=is_verbose):
        listen(bars.step)
        with embedded():
            outcomes = nightly(**order, run_id=checked.run_id)
    _show_outcomes(console, outcomes)
    if sums := spent(order["root"], checked.run_id):
        console.print(told(sums), highlight=False)
    for line in problems_of(order["root"], checked, outcomes, order["recorded"]):
        console.print(f"[yellow]recorded answers[/] {line}", highlight=False, soft_wrap=True)
    _show_standing(console, order["root"], outcomes)
    again, refused = unanswered(order["root"], outcomes)
    for line in refused:
        console.print(f"[yellow]refused[/] {_plain(line)}", highlight=False, soft_wrap=True)
    if again:
        raise StageError(f"Some answers could not be had; the next run asks again: {'; '.join(again)}.")


class _Lines(logging.Handler):
    """Lines of the log above the bars."""

    def __init__(self, console: Console) -> None:
        super().__init__()
        self.console = console

    def emit(self, record: logging.LogRecord) -> None:
        """Print one line."""
        self.console.print(record.getMessage(), style="dim", markup=False, highlight=False, soft_wrap=True)


@contextlib.contextmanager
def _heard(console: Console, *, is_verbose: bool) -> Iterator[None]:
    """Our own log on the terminal where it is wanted, else its warnings alone; all of it goes to the log of Prefect's run."""
    log, lines = logging.getLogger("zkusebna"), _Lines(console)
    before, log.propagate = log.propagate, False
    lines.setLevel(logging.NOTSET if is_verbose else logging.WARNING)
    log.addHandler(lines)
    try:
        yield
    finally:
        log.removeHandler(lines)
        log.propagate = before


class Bars:
    """One bar a stage; a stage that comes again (another suite, the second pass) makes its bar longer."""

    def __init__(self, console: Console) -> None:
        columns = (TextColumn("{task.description:<22}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self.progress = Progress(*columns, console=console, transient=False)
        self._bars: dict[str, TaskID] = {}

    def step(self, step: Step) -> None:
        """Take a step of a stage."""
        if step.stage not in self._bars:
            self._bars[step.stage] = self.progress.add_task(LABELS.get(step.stage, step.stage), total=0)
        bar = self._bars[step.stage]
        if step.kind == "begin":
            total = self.progress.tasks[bar].total or 0
            self.progress.update(bar, total=total + step.items)
        else:
            self.progress.advance(bar, step.items)


def _show_outcomes(console: Console, outcomes: Sequence[Any]) -> None:
    counts: dict[str, int] = {}
    for outcome in outcomes:
        for name, count in outcome.counts.items():
            counts[name] = counts.get(name, 0) + count
    counts.pop("unanswered", 0)
    made = {name: count for name, count in counts.items() if count}
    if made:
        console.print(
            "Made anew: " + ", ".join(f"{count} {name}" for name, count in made.items()) + ".", highlight=False
        )
    else:
        shards = sum(o.shards for o in outcomes)
        console.print(f"Nothing was made anew: all {shards} shards were in the store already.", highlight=False)


def _show_standing(console: Console, root: str, outcomes: Sequence[Any]) -> None:
    from tasks.publish import leaderboard, page_of

    for suite, edition in dict.fromkeys((o.place.suite, o.place.edition) for o in outcomes):
        systems = [o.place.system for o in outcomes if o.table == "tendencies" and o.place.suite == suite]
        found = leaderboard(root, suite, edition, systems)
        table = Table(
            title=f"{suite} {edition}",
            title_justify="left",
            caption=found.caption,
            caption_justify="left",
            box=SIMPLE_HEAD,
            pad_edge=False,
            padding=(0, 1, 0, 0),
        )
        for parts in found.shown:
            table.add_column(
                "\n".join(parts), justify="left" if parts[0] in ("system", "part", "language") else "right"
            )
        for row in found.rows:
            cells = ("\n".join(row[name] for name in parts) for parts in found.shown)
            table.add_row(*(cell.replace(" (", "\n(").replace("_", " ") for cell in cells))
        console.print(table)
        _show_filters(console, root, suite, edition, systems)
    console.print(f"Report: {page_of(root)}", highlight=False, soft_wrap=True)


def _show_filters(console: Console, root: str, suite: str, edition: str, systems: Sequence[str]) -> None:
    """Where filters stopped, only when one did (M-6)."""
    from tasks.filters import filter_table

    lines = filter_table(root, suite, edition, systems)
    if not lines:
        return
    table = Table(
        title="Stopped by a provider's filter, public cases", title_justify="left", box=SIMPLE_HEAD, pad_edge=False
    )
    for name in ("system", "provider", "message", "filtered", "passed", "not measured"):
        table.add_column(name, justify="left" if name in ("system", "provider") else "right")
    for one in lines:
        counts = (one.turn, one.filtered, one.passed, one.not_measured)
        table.add_row(one.system_id, _plain(one.provider), *map(str, counts))
    console.print(table)


def _show_estimate(console: Console, order: dict[str, Any], wanted: dict[str, Any]) -> None:
    from tasks.estimate import estimate, totals

    lines = estimate(
        order["root"], levels=order["levels"], retry_status=order["retry_status"], judges=order["judges"], **wanted
    )
    table = Table(
        title="What a run would ask, and its price in USD", title_justify="left", box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0)
    )  # fmt: skip
    for name in ("suite", "system", "role", "cases", "cached", "to ask", "low", "expected", "at most"):
        table.add_column(name, justify="left" if name in ("suite", "system", "role") else "right", overflow="fold")
    for line in lines:
        usd = map(_usd, (line.low_usd, line.expected_usd, line.most_usd))
        cases = f"{line.cases} × {line.trials}" if line.trials > 1 else str(line.cases)
        table.add_row(line.suite, line.system, line.role, cases, str(line.cached), str(line.to_ask), *usd)
    if len(lines) > 1:
        table.add_section()
        apart = totals(lines)
        for one in apart if len(apart) > 2 else apart[-1:]:
            sums = map(_usd, (one.low_usd, one.expected_usd, one.most_usd), one.unknown)
            table.add_row("total", "", one.role, str(one.cases), str(one.cached), str(one.to_ask), *sums)
    console.print(table)
    origins = "; ".join(dict.fromkeys(f"{line.system}: {line.price_from}" for line in lines))
    if any(line.trials > 1 for line in lines):
        console.print("cases × trials: how often each of them is asked (--trials).", highlight=False)
    console.print(f"cached: calls whose answers are known. Prices: {origins}.", highlight=False, soft_wrap=True)
    if any(line.is_sampled for line in lines):
        console.print("A set is not built yet: all its cases are counted, prices are from a sample.", highlight=False)


def _usd(amount: Any, unknown: int = 0) -> str:
    """An amount with all its digits; an unknown one, or how many unknown ones a sum leaves out."""
    told = "unknown" if amount is None else f"{amount.normalize():f}"
    return f"{told} + {unknown} unknown" if unknown else told


def show_systems(recorded: dict[str, str]) -> None:
    """All systems, the suites they are for, and whether they can run here."""
    from tasks.ask import why_missing
    from tasks.choose import known_systems

    console = Console()
    table = Table(box=None)
    for name in ("system", "vendor", "takes", "suites", "can run here"):
        table.add_column(name, no_wrap=name == "system")
    for system in known_systems(recorded).values():
        why = why_missing(system)
        state = "[green]yes[/]" if why is None else f"[yellow]no[/]: {why}"
        table.add_row(system.id, system.vendor, ", ".join(system.inputs), ", ".join(system.suites) or "all", state)
    console.print(table)


def show_dictionary(wanted: str | None) -> None:
    """The data dictionary of one table or view, or of all."""
    from schemas.dictionary import entries
    from schemas.errors import unknown
    from schemas.tables import TABLES
    from tasks.views import ORDER, describe_views

    if wanted is not None and wanted not in (*TABLES, *ORDER):
        raise unknown("table", wanted, (*TABLES, *ORDER))
    console = Console()
    for name in [n for n in TABLES if wanted in (None, n)]:
        model = TABLES[name]
        title = f"{name} (version {model.version}): {(model.__doc__ or '').splitlines()[0]}"
        table = Table(
            title=title, title_justify="left", caption="key: *   from the path: /   differs from run to run: ~"
        )
        for column in ("column", "type", "unit", "null", "description"):
            table.add_column(column, overflow="fold")
        for entry in entries(model):
            marks = "*" * entry.is_key + "/" * (entry.place == "path") + "~" * entry.is_volatile
            words = f"{entry.description} [{entry.allowed}]" if entry.allowed else entry.description
            null = "yes" if entry.nullable else ""
            table.add_row(f"{entry.column} {marks}".strip(), entry.type, entry.unit, null, _plain(words))
        console.print(table)
    for view in describe_views([n for n in ORDER if wanted in (None, n)]):
        table = Table(title=_plain(f"{view.view} (view): {view.description}"), title_justify="left")
        for column in ("column", "type"):
            table.add_column(column, overflow="fold")
        for column, kind in view.columns:
            table.add_row(column, kind)
        console.print(table)


def _plain(text: str) -> str:
    from rich.markup import escape

    return escape(text)


def write_report(root: str) -> None:
    """Write the report again and say where it is."""
    from tasks.publish import publish_report
    from tasks.turns import writing

    with writing(root, create=False):
        path = publish_report(root)
    Console().print(f"Report: {path}", highlight=False, soft_wrap=True)


def show_signed(signed: Any) -> None:
    """Say what was signed."""
    words = f"{signed.who} signed {signed.n_grades} grades of {signed.suite} {signed.edition} on {signed.when}"
    Console().print(f"{words} ({signed.grades_hash[:16]}).", highlight=False, soft_wrap=True)
