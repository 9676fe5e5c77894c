"""The plot of the standing: the share of right fields with its interval, against the bar, drawn by matplotlib as SVG.

The text of the plot stays text. Colours are those of the page: matplotlib gets placeholders, and the page's variables take their place.
"""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from profiles.report.standing import BAR
from profiles.report.texts import Both, Lang, same, text, typeset
from schemas.tendency import Tendency

INK, SOFT, GRID, LINE = "#010101", "#020202", "#030303", "#040404"
_VARIABLES = {INK: "var(--ink)", SOFT: "var(--soft)", GRID: "var(--rule)", LINE: "var(--accent)"}
MARKERS = ("o", "s", "D")
MOST_IN_FULL = 4
"""Systems up to which the plot shows the languages too; with more it has one line a system."""


@dataclass(frozen=True)
class Dot:
    """One mark of the plot: what it is of, its row."""

    label: Both
    row: Tendency


@dataclass(frozen=True)
class Band:
    """All marks of one system, the first of them the overall share."""

    system: str
    dots: tuple[Dot, ...]


def draw(bands: Sequence[Band], lang: Lang, slug: str) -> str:
    """The plot as an `svg` element without a size of its own; ids begin with `slug`, so that several plots fit one page."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": slug, "font.size": 9, "font.family": "DejaVu Sans"}):
        if len(bands) > MOST_IN_FULL:
            bands = [Band("", (Dot(same(b.system), b.dots[0].row),)) for b in bands]
        rows = sum(len(b.dots) + bool(b.system) for b in bands) + (not bands[0].system)
        figure = Figure(figsize=(5.2, 0.55 + 0.235 * rows))
        axes = figure.add_axes((0.02, 0.40 / figure.get_figheight(), 0.96, 1 - 0.48 / figure.get_figheight()))
        _marks(axes, bands, lang)
        _frame(axes, bands, lang)
        out = io.StringIO()
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    return for_page(out.getvalue(), slug)


def _marks(axes: Any, bands: Sequence[Band], lang: Lang) -> None:
    from profiles.report.numbers import percent

    y = 0.0 if bands[0].system else -0.5
    start = _start(bands)
    for band in bands:
        if band.system:
            y -= 1
            axes.text(start, y - 0.1, band.system, color=INK, weight="bold", va="center", ha="left")
        for place, dot in enumerate(band.dots):
            y -= 1
            row, main = dot.row, place == 0
            if row.value is None:
                continue
            colour = INK if main else SOFT
            if row.low is not None and row.high is not None:
                axes.plot([100 * row.low, 100 * row.high], [y, y], color=colour, lw=2.2 if main else 1.2)
            axes.plot([100 * row.value], [y], MARKERS[min(place, 2)], color=colour, ms=6 if main else 4)
            label = INK if not band.system else SOFT
            axes.text(start, y, dot.label.of(lang), color=label, va="center", ha="left")
            axes.text(101.2, y, percent(row.value).of(lang), color=colour, va="center", ha="left")
    axes.set_ylim(y - 0.7, -0.3)


def _start(bands: Sequence[Band]) -> float:
    """Where the axis begins: a multiple of 10 that leaves a third of the width to the labels."""
    lows = [d.row.low if d.row.low is not None else d.row.value for b in bands for d in b.dots]
    lowest = 100 * min((x for x in lows if x is not None), default=0.0)
    return min(60.0, 10 * ((lowest - (100 - lowest) * 0.45) // 10))


def _frame(axes: Any, bands: Sequence[Band], lang: Lang) -> None:
    start = _start(bands)
    axes.set_xlim(start, 112)
    ticks = [t for t in range(0, 101, 10 if start >= 40 else 20) if t >= start + 0.28 * (100 - start)]
    axes.set_xticks(ticks, [typeset(f"{t} %", lang) if lang == "cs" else f"{t}%" for t in ticks], color=SOFT)
    axes.set_yticks([])
    axes.tick_params(length=0, pad=4)
    for t in ticks:
        axes.axvline(t, color=GRID, lw=0.7, zorder=0)
    axes.axvline(100 * BAR, color=LINE, lw=1.2, ls=(0, (4, 2)), zorder=1)
    axes.text(100 * BAR - 0.6, axes.get_ylim()[1], text("plot.bar").of(lang), color=LINE, ha="right", va="top")
    for side in axes.spines.values():
        side.set_visible(False)


def for_page(svg: str, slug: str) -> str:
    """An SVG of matplotlib as an element of the page: its colours, its fonts, ids of its own."""
    svg = svg[svg.index("<svg") :]
    for colour, variable in _VARIABLES.items():
        svg = svg.replace(colour, variable)
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{slug}-", svg)
    svg = re.sub(r"font: (bold )?([\d.]+)px [^;\"]*", r"font: \g<1>\2px var(--sans)", svg)
    return re.sub(
        r'<svg [^>]*?viewBox="([^"]+)"[^>]*>', r'<svg viewBox="\1" aria-hidden="true" focusable="false">', svg, count=1
    )
