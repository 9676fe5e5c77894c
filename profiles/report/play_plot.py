"""Plots of the role-play: T against R by system, never added (R-8), and the counts of axis L as small multiples (R-7)."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from profiles.report.plot import GRID, INK, LINE, SOFT, for_page
from profiles.report.texts import Lang, text, typeset

LINE_HEIGHT = 7.0
"""Between labels of the scatter, in per cent of its height."""

PANELS = 4
"""Small multiples in a row."""


@dataclass(frozen=True)
class Point:
    """One system in one language: shares of T and R over its ranked runs."""

    system: str
    language: str
    sieve: float
    presence: float


@dataclass(frozen=True)
class Panel:
    """One count of axis L: its key, and by system the mean a run; None where nobody judged it."""

    metric: str
    values: Mapping[str, float | None]


def scatter(points: Sequence[Point], lang: Lang, slug: str) -> str:
    """T across, R up, both in per cent of their points; a dot is Czech, a square the English control round."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(_style(slug) | {"font.size": 10.5}):
        figure = Figure(figsize=(5.2, 3.6))
        axes = figure.add_axes((0.16, 0.15, 0.81, 0.81))
        for point in points:
            style: dict[str, Any] = (
                {"color": LINE, "ms": 5.5} if point.language == "cs" else {"color": SOFT, "ms": 8.5, "mfc": "none"}
            )
            axes.plot([100 * point.sieve], [100 * point.presence], "o" if point.language == "cs" else "s", **style)
        for label, x, y, is_right in labels(points):
            axes.text(
                x - 3 if is_right else x + 3, y, label, color=INK, ha="right" if is_right else "left", va="center"
            )
        axes.set_xlim(-4, 104)
        axes.set_ylim(-6, 106)
        _ticks(axes, lang)
        axes.set_xlabel(text("play.plot.sieve").of(lang), color=SOFT)
        axes.set_ylabel(text("play.plot.presence").of(lang), color=SOFT)
        return _drawn(figure, slug)


def labels(points: Sequence[Point]) -> list[tuple[str, float, float, bool]]:
    """Labels with their places in per cent and whether they stand left of their points; none lies over another one.

    Points that coincide share one label; a label that would touch another one moves down, or up where there is no room below.
    """
    at: dict[tuple[float, float], list[str]] = {}
    for point in points:
        key = (round(100 * point.sieve, 1), round(100 * point.presence, 1))
        at.setdefault(key, []).append(f"{point.system} ({point.language})")
    placed: list[tuple[str, float, float, bool]] = []
    for (x, y), some in sorted(at.items(), key=lambda one: (-one[0][1], one[0][0])):
        is_right = x > 55
        step = -1 if y > LINE_HEIGHT * len(at) else 1
        for label in _together(some):
            level = y
            while any(abs(level - other) < LINE_HEIGHT and is_right == side for _, _, other, side in placed):
                level += step * LINE_HEIGHT
            placed.append((label, x, level, is_right))
    return placed


def _together(some: Sequence[str]) -> list[str]:
    """Names of one point; a system that is there in both languages is named once.

    >>> _together(["a (cs)", "a (en)", "b (en)"])
    ['a (cs, en)', 'b (en)']
    """
    languages: dict[str, list[str]] = {}
    for told in some:
        system, _, language = told.rpartition(" ")
        languages.setdefault(system, []).append(language.strip("()"))
    return [f"{system} ({', '.join(found)})" for system, found in languages.items()]


def multiples(panels: Sequence[Panel], lang: Lang, slug: str) -> str:
    """A panel a count, a bar a system; the scale of each panel is its own, since counts are shown and never summed."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context(_style(slug)):
        systems = list(panels[0].values)
        rows = -(-len(panels) // PANELS)
        height = 0.5 + 0.24 * len(systems)
        figure = Figure(figsize=(7.4, rows * height))
        for at, panel in enumerate(panels):
            axes = figure.add_axes(_place(at, rows, height))
            _bars(axes, panel, systems, lang, is_named=at % PANELS == 0)
        return _drawn(figure, slug)


def _place(at: int, rows: int, height: float) -> tuple[float, float, float, float]:
    left, width = 0.16, 0.20
    row, column = divmod(at, PANELS)
    return (
        left + column * 0.21,
        1 - (row + 1) / rows + 0.06 / rows,
        width - 0.03,
        (1 - 0.32 / height) / rows - 0.06 / rows,
    )


def _bars(axes: Any, panel: Panel, systems: Sequence[str], lang: Lang, *, is_named: bool) -> None:
    most = max([v for v in panel.values.values() if v is not None], default=0.0) or 1.0
    for place, system in enumerate(systems):
        value = panel.values[system]
        if value is None:
            axes.text(0, -place, text("play.not_judged").of(lang), color=SOFT, va="center", fontsize=7)
            continue
        axes.barh([-place], [value], 0.6, color=LINE)
        number = f"{value:.1f}".removesuffix(".0")
        axes.text(
            value + 0.04 * most,
            -place,
            number.replace(".", ",") if lang == "cs" else number,
            color=INK,
            va="center",
            fontsize=8,
        )
    axes.set_xlim(0, 1.3 * most)
    axes.set_ylim(-len(systems) + 0.4, 0.6)
    axes.set_title(text(f"play.metric.{panel.metric}").of(lang), fontsize=8, color=INK, loc="left", pad=3)
    axes.set_xticks([])
    axes.set_yticks(
        [-n for n in range(len(systems))], list(systems) if is_named else [""] * len(systems), color=SOFT, fontsize=8
    )
    axes.tick_params(length=0)
    for side, spine in axes.spines.items():
        spine.set_visible(side == "left")
        spine.set_color(GRID)


def _ticks(axes: Any, lang: Lang) -> None:
    ticks = range(0, 101, 25)
    labels = [typeset(f"{t} %", lang) if lang == "cs" else f"{t}%" for t in ticks]
    axes.set_xticks(ticks, labels, color=SOFT)
    axes.set_yticks(ticks, labels, color=SOFT)
    axes.tick_params(length=0, pad=4)
    axes.grid(color=GRID, lw=0.7)
    axes.set_axisbelow(True)
    for side in axes.spines.values():
        side.set_visible(False)


def _style(slug: str) -> Any:
    return {"svg.fonttype": "none", "svg.hashsalt": slug, "font.size": 9, "font.family": "DejaVu Sans"}


def _drawn(figure: Any, slug: str) -> str:
    out = io.StringIO()
    figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return for_page(out.getvalue(), slug)
