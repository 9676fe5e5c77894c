"""The chapter of `roleplay`: T against R, the counts of L, runs with transcript, grades and quotes, rubrics word for word (R-7 to R-13)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from profiles.fitness import is_fit
from profiles.report import board, numbers, play_plot
from profiles.report.chapters import Chapter
from profiles.report.material import Section
from profiles.report.play_cards import Card, Excerpt, cards, excerpts
from profiles.report.play_tables import PlayTable, PlayTables
from profiles.report.play_together import together_tables
from profiles.report.stamps import stamp
from profiles.report.texts import Both, Lang, both, count, name, text
from profiles.roleplay_found import judges_of, tested

LIMITS = ("play_long", "play_run", "play_judges", "play_taste")


@dataclass(frozen=True)
class ByJudge:
    """What one judge says: its tables by language, its plot of T against R, its small multiples of L."""

    id: str
    name: str
    is_decisive: bool
    standings: Sequence[PlayTable]
    axes: Sequence[PlayTable]
    plot: Both | None
    multiples: Both | None


@dataclass(frozen=True)
class View:
    """All that the template needs."""

    section: Section
    title: Both
    lead: Both
    measured: Both
    fit: PlayTable | None
    controls: PlayTable | None
    together: Sequence[PlayTable]
    judges: Sequence[ByJudge]
    counted: PlayTable | None
    languages: PlayTable | None
    filters: PlayTable | None
    cards: Sequence[Card]
    strong: Sequence[Excerpt]
    weak: Sequence[Excerpt]
    disputed: Sequence[Card]
    sheets: Sequence[board.Sheet]
    published: Sequence[Mapping[str, Any]]
    prompts: Mapping[str, str]
    stamp: Both


def chapter(section: Section) -> Chapter:
    """A section of role-play; control transcripts are no system of the standing."""
    systems = tested(section.rows, list(section.systems))
    judges = judges_of(section.rows, systems)
    tables = PlayTables(section, systems, judges)
    found = cards(section)
    decisive = [j for j in judges if all(is_fit(tables.fitness.rows.get((j, p))) for p in ("atomic", "holistic"))]
    strong, weak = excerpts(found, decisive)
    total = float(sum(run.profile.cost_usd for run in section.runs))
    view = View(
        section=section,
        title=name("suite", section.suite),
        lead=name("lead", section.suite),
        measured=text(
            "play.measured", scenarios=count("counted.play_scenarios", section.n_public), edition=section.edition,
            runs=count("counted.play_runs", len(section.runs)), usd=numbers.usd(total),
        ),
        fit=tables.fit(),
        controls=tables.controls(),
        together=[table for language in tables.languages for table in together_tables(tables, language)],
        judges=[_by_judge(tables, judge) for judge in judges],
        counted=tables.counted(),
        languages=tables.languages_apart(),
        filters=tables.filters(),
        cards=found,
        strong=strong,
        weak=weak,
        disputed=[card for card in found if card.disputed],
        sheets=[board.sheet(section, s) for s in systems],
        published=[shown.case.to_truth() for shown in section.cases],
        prompts=section.prompts,
        stamp=stamp(section),
    )  # fmt: skip
    return Chapter(
        section=section, template="roleplay.html.j2", view=view, parts=_parts(view), limits=LIMITS, has_filters=True
    )


def _parts(view: View) -> list[str]:
    there = {
        "play_language": view.languages, "play_filters": view.filters, "play_excerpts": [*view.strong, *view.weak],
        "play_disputed": view.disputed, "play_runs": view.cards,
    }  # fmt: skip
    return [
        "play_fit", "play_standing", "play_counted", *(key for key, value in there.items() if value), "play_words", "sheets",
    ]  # fmt: skip


def _by_judge(tables: PlayTables, judge: str) -> ByJudge:
    slug = f"{tables.section.suite}-{judge}".replace(".", "_")
    points, panels = tables.points(judge), tables.panels(judge)
    right = [tables.fitness.rows.get((judge, p)) for p in ("atomic", "holistic")]
    return ByJudge(
        id=slug,
        name=judge,
        is_decisive=all(map(is_fit, right)),
        standings=[t for language in tables.languages if (t := tables.standing(judge, language))],
        axes=[t for language in tables.languages if (t := tables.axis(judge, language))],
        plot=_picture(slug, "t", lambda lang, of: play_plot.scatter(points, lang, of)) if points else None,
        multiples=_picture(slug, "l", lambda lang, of: play_plot.multiples(panels, lang, of))
        if tables.systems
        else None,
    )


def _picture(slug: str, kind: str, draw: Callable[[Lang, str], str]) -> Both:
    """A plot in both languages; ids of its elements begin with a slug of its own."""
    return both(lambda lang: Markup(draw(lang, f"{slug}-{kind}-{lang}")))
