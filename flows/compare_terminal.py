"""How a comparison, and a run made again, are shown in a terminal."""

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from tasks.compare import COUNTS, Line, Paired, compare_sides
from tasks.reproduce import reproduce

MARKS = {"better": "[green]▲ better[/]", "worse": "[red]▼ worse[/]", "open": "≈"}
MOST_CASES = 12
"""So many case ids are listed in full."""


def show_comparison(root: str, left: str, right: str, suites: Sequence[str] | None, *, has_groups: bool) -> bool:
    """Compare and show; whether B is decisively worse in anything."""
    console = Console()
    found = compare_sides(root, left, right, suites)
    for one in found:
        console.print(
            f"[bold]{one.suite}[/]  A = {one.left} ({one.editions[0]})  B = {one.right} ({one.editions[1]})",
            highlight=False,
        )
        if one.found is None:
            console.print(f"  {one.problem}", highlight=False, soft_wrap=True)
            continue
        _show(console, one.found, has_groups=has_groups)
    worse = [line for one in found for line in one.regressions]
    told = f"{len(worse)} decisive regression{'s' if len(worse) != 1 else ''}." if worse else "No decisive regression."
    console.print(told, highlight=False)
    return bool(worse)


def _show(console: Console, found: Paired, *, has_groups: bool) -> None:
    whole = [line for line in found.lines if line.dimension == "overall"]
    groups = [line for line in found.lines if line.dimension != "overall" and (has_groups or line.verdict != "open")]
    n_groups = len(found.lines) - len(whole)
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for name in ("number", "A", "B", "B − A", "95 %", "p (Holm)", "cases", ""):
        table.add_column(name, justify="left" if name in ("number", "") else "right")
    for line in (*whole, *groups):
        table.add_row(*_cells(line))
    console.print(table)
    hidden = n_groups - len(groups)
    if hidden:
        console.print(f"  {hidden} groups and fields are not told apart; --groups shows them.", highlight=False)
    console.print(
        f"  {found.n_shared} cases on both sides (A {found.n_left}, B {found.n_right}).{_smallest(whole)}",
        highlight=False,
        soft_wrap=True,
    )
    for what, cases, n_private in (
        ("newly failing", found.newly_failing, found.n_private_failing),
        ("newly passing", found.newly_passing, found.n_private_passing),
    ):
        if cases or n_private:
            console.print(f"  {what}: {_listed(cases)}{_private(cases, n_private)}", highlight=False, soft_wrap=True)


def _cells(line: Line) -> tuple[str, ...]:
    d, is_count = line.found, line.metric in COUNTS
    value, difference = (_number, _more) if is_count else (_percent, _points)
    ends = f"{difference(d.low)} … {difference(d.high)}" if d.low is not None and d.high is not None else "–"
    mark = MARKS[line.verdict] if line.is_fit else "≈ judge not fit"
    return (
        _what(line),
        value(d.left),
        value(d.right),
        difference(d.value),
        ends,
        f"{d.p_holm:.3f}",
        str(d.n_clusters),
        mark,
    )


def _percent(value: float) -> str:
    return f"{value:.1%}"


def _number(value: float) -> str:
    """A count an answer, on average."""
    return f"{value:.2f}"


def _more(value: float | None) -> str:
    """A difference of counts."""
    return "–" if value is None else f"{value:+.2f}".replace("-", "−")


def _what(line: Line) -> str:
    told = line.metric.replace("_", " ")
    if line.judge_id:
        told += f" by {line.judge_id}"
    if line.dimension == "overall":
        return told if line.group == "all" else f"{told}, private part"
    return f"{told}, {line.dimension.replace('_', ' ')} {line.group}"


def _points(value: float | None) -> str:
    """A difference in percentage points."""
    return "–" if value is None else f"{100 * value:+.1f}".replace("-", "−")


def _smallest(whole: Sequence[Line]) -> str:
    some = [line for line in whole if line.group == "all" and line.found.smallest is not None]
    if not some:
        return ""
    line = some[0]
    return (
        f" Such a set shows differences of {_what(line)} from about {100 * (line.found.smallest or 0):.1f} points on."
    )


def _listed(cases: Sequence[str]) -> str:
    rest = f" and {len(cases) - MOST_CASES} more" if len(cases) > MOST_CASES else ""
    return ", ".join(cases[:MOST_CASES]) + rest


def _private(cases: Sequence[str], n: int | None) -> str:
    if not n:
        return ""
    return f"{'; ' if cases else ''}{n} private"


def show_reproduction(root: str, run: str) -> bool:
    """Make a run again and show what came of it; whether all of it is equal."""
    console = Console()
    found = reproduce(root, run)
    table = Table(
        title=f"Run {found.run_id}", title_justify="left", box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0)
    )
    for name in ("suite", "system", "table", "rows", "now", "different", "columns"):
        table.add_column(name, justify="right" if name in ("rows", "now", "different") else "left")
    for one in found.tables:
        table.add_row(
            one.suite, one.system, one.table, str(one.n_before), str(one.n_now), str(one.n_different), ", ".join(one.columns)
        )  # fmt: skip
    console.print(table)
    for line in found.problems:
        console.print(f"[yellow]not made[/] {line}", highlight=False, soft_wrap=True)
    for line in found.changed:
        console.print(f"[dim]changed since[/] {line}", highlight=False, soft_wrap=True)
    told = "Equal to the last digit." if found.is_equal else "Not equal."
    console.print(told, highlight=False)
    return found.is_equal
