"""The page on method: stages, statistics, readings of rules, limits, independence, prompts and instructions word for word, errata (G-10, G-13)."""

from collections.abc import Sequence

from profiles.intervals import unseen
from profiles.report import numbers
from profiles.report.cards import blocks_of
from profiles.report.pages import METHOD, Site, show, suite_path
from profiles.report.pages.readings_told import groups
from profiles.report.texts import LANGS, Both, name, same, text

STATISTICS = ("intervals", "pairs", "rank", "out", "private", "judges")


def page(site: Site) -> str:
    """The page `method.html`."""
    limits = {s.suite: site.chapters[s.suite].limits for s in site.sections}
    return show(
        "site_method.html.j2", site, METHOD, text("site.method.title"),
        statistics=[*(text(f"site.method.statistics_{key}") for key in STATISTICS), _unseen()],
        readings=groups(),
        limits=[(name("suite", suite), suite_path(suite), [text(f"limits.{k}") for k in keys]) for suite, keys in limits.items() if keys],
        prompts=[(name("suite", suite), list(of.items())) for suite, of in site.prompts.items() if of],
        rubrics=[(name("suite", s.suite), list(s.prompts.items())) for s in site.sections if s.prompts],
        told=[(name("suite", s.suite), {lang: blocks_of(s.method.get(lang, ""), lang) for lang in LANGS}) for s in site.sections if s.method],
        errata=_errata(site),
        cards=[(title, path) for title, path in site.files if path.cs.startswith("sets/")],
    )  # fmt: skip


def _unseen() -> Both:
    """How much may fail that no document of a set shows, for sets of three sizes."""
    told = {f"of_{n}": numbers.percent(unseen(n)) for n in (20, 60, 150)}
    return text("site.method.statistics_unseen", **told)


def _errata(site: Site) -> list[Sequence[Both]]:
    return [
        [
            numbers.day(e.date.isoformat()),
            name("suite", e.suite),
            text(f"card.part.{e.part}"),
            Both(e.wrong.cs, e.wrong.en),
            Both(e.changed.cs, e.changed.en),
            same(f"{e.version_from} → {e.version_to}"),
        ]
        for e in site.errata
    ]
