"""Plots of the role-play: T against R by system, never added (R-8), and the counts of axis L as small multiples (R-7)."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from profiles.report.plot import GRID, INK, LINE, SOFT, for_page
from profiles.report.texts import Lang, text, typeset

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

    with mpl.rc_context(_style(slug)):
        figure = Figure(figsize=(5.2, 3.6))
        axes = figure.add_axes((0.15, 0.14, 0.82, 0.82))
        for point in points:
            x, y, is_czech = 100 * point.sieve, 100 * point.presence, point.language == "cs"
            axes.plot([x], [y], "o" if is_czech else "s", color=LINE if is_czech else SOFT, ms=7)
            is_right = x > 70
            label = f"{point.system} ({point.language})"
            axes.annotate(
                label,
                (x, y),
                (-8 if is_right else 8, 3 if is_czech else -10),
                textcoords="offset points",
                color=INK,
                ha="right" if is_right else "left",
            )
        axes.set_xlim(-4, 104)
        axes.set_ylim(-6, 106)
        _ticks(axes, lang)
        axes.set_xlabel(text("play.plot.sieve").of(lang), color=SOFT)
        axes.set_ylabel(text("play.plot.presence").of(lang), color=SOFT)
        return _drawn(figure, slug)


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
