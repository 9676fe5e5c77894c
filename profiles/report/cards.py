"""The card of a set: what is in it, what it was made from, what it does not measure, and what had to be mended (G-8, G-10, G-13, D-20)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from profiles.report import numbers
from profiles.report.texts import LANGS, Both, Lang, count, name, order_of, same, text, typeset
from schemas.edition import Edition
from schemas.errata import Erratum

DIMENSIONS = ("level", "variant", "layout", "area", "category", "meta_task", "state")
"""What the cases of a set are counted by, beside language and split."""

FOLDER = Path(__file__).parent

Key = tuple[str, str, str, str]
"""Dimension, group, split, language."""


@dataclass(frozen=True)
class SetCard:
    """What is known of a set in one edition.

    counts: cases by `Key`; a dimension that the suite does not have has none. Counts of the private part follow from the recipe, which is
    public, so they tell nothing of a document. recipe_hash, cases_digest: SHA-256 of the edition's recipe and of all its cases; the
    latter covers canaries, so no private case can be guessed from it. limits: keys of the texts `limits.…`.
    """

    edition: Edition
    is_generated: bool
    counts: Mapping[Key, int]
    recipe_hash: str
    cases_digest: str
    versions: Mapping[str, str]
    limits: Sequence[str]
    errata: Sequence[Erratum] = ()
    about: Mapping[str, str] = field(default_factory=dict)

    @property
    def suite(self) -> str:
        """The suite's word."""
        return self.edition.suite

    @property
    def n_cases(self) -> int:
        """All cases."""
        return sum(n for (dimension, *_), n in self.counts.items() if dimension == "all")


@dataclass(frozen=True)
class CountTable:
    """Cases by the groups of one dimension: columns are the splits and languages that there are, then their sum."""

    dimension: str
    caption: Both
    columns: Sequence[Both]
    lines: Sequence[tuple[Both, Sequence[int]]]


def tables(card: SetCard) -> list[CountTable]:
    """One table a dimension that the set has, the whole in the last line; one that has a single group only where it is the state.

    Questions that have an area have no form of a document worth counting.
    """
    found = Counter(card.counts)
    columns = sorted({(split, lang) for _, _, split, lang in found}, key=lambda c: (c[0] != "public", c[1]))
    made = []
    is_of_law = any(dimension == "area" for dimension, *_ in found)
    for dimension in DIMENSIONS[3:] if is_of_law else DIMENSIONS:
        groups = order_of(dimension, [g for d, g, _, _ in found if d == dimension])
        if len(groups) < 2 and not (dimension == "state" and groups):
            continue
        lines = [(name(dimension, g), _line(found, dimension, g, columns)) for g in groups]
        made.append(_table(dimension, columns, [*lines, _whole(found, columns)]))
    return made or [_table("all", columns, [_whole(found, columns)])]


def facts(card: SetCard) -> list[tuple[Both, str]]:
    """What the set was made from, by the name of each fact."""
    edition = card.edition
    known: list[tuple[str, str]] = [
        ("edition", edition.id),
        ("set_version" if card.is_generated else "authored_version", edition.set_version),
        ("seed", str(edition.seed)),
        ("size", str(edition.size)),
        ("levels", ", ".join(edition.levels)),
        ("versions", ", ".join(f"{key} {value}" for key, value in sorted(card.versions.items()))),
        ("recipe", card.recipe_hash),
        ("cases", card.cases_digest),
        ("private_seed", edition.private_hash if card.is_generated else ""),
    ]
    kept = known if card.is_generated else [one for one in known if one[0] != "seed"]
    return [(text(f"card.{key}"), value) for key, value in kept if value]


class Told(NamedTuple):
    """A card in plain words of one language: facts by name, tables of words, lists of sentences under a heading."""

    title: str
    facts: Sequence[tuple[str, str]]
    tables: Sequence[tuple[str, Sequence[str], Sequence[Sequence[str]]]]
    lists: Sequence[tuple[str, Sequence[str]]]


def told(card: SetCard, lang: Lang) -> Told:
    """The card for a terminal, with the same numbers and sentences as the page."""

    def row(heading: Both, cells: Sequence[int]) -> list[str]:
        return [heading.of(lang), *(numbers.integer(n).of(lang) for n in cells)]

    columns = {t.dimension: [text("card.group").of(lang), *(c.of(lang) for c in t.columns)] for t in tables(card)}
    errata = [
        f"{e.date.isoformat()}, {text(f'card.part.{e.part}').of(lang)} {e.version_from} → {e.version_to}: "
        f"{getattr(e.wrong, lang)} {getattr(e.changed, lang)}"
        for e in card.errata
    ]
    return Told(
        title=text("card.title", suite=name("suite", card.suite)).of(lang),
        facts=[(key.of(lang), value) for key, value in facts(card)],
        tables=[(t.caption.of(lang), columns[t.dimension], [row(*line) for line in t.lines]) for t in tables(card)],
        lists=[
            (text("card.limits").of(lang), [text(f"limits.{key}").of(lang) for key in card.limits]),
            (text("card.errata").of(lang), errata or [text("card.no_errata").of(lang)]),
        ],
    )


def render_card(card: SetCard, lang: Lang) -> str:
    """The card as a page in one language, with everything in it."""
    from profiles.report.page import environment

    shown: str = (
        environment()
        .get_template("card.html.j2")
        .render(
            card=card, lang=lang, other="en" if lang == "cs" else "cs", tables=tables(card), facts=facts(card),
            title=name("suite", card.suite), days=[numbers.day(e.date.isoformat()) for e in card.errata],
            cases=count("card.counted", card.n_cases), about=blocks_of(card.about.get(lang, ""), lang),
            style=Markup((FOLDER / "style.css").read_text(encoding="utf-8")), integer=numbers.integer,
        )
    )  # fmt: skip
    return shown


def links(cards: Sequence[SetCard], stems: Sequence[str]) -> list[tuple[Both, Both]]:
    """What stands beside the report's page, by its name and its path, both in both languages."""
    told = [(c.suite, text("downloads.card", suite=name("suite", c.suite))) for c in cards]
    found = [(title, Both(*(f"sets/{suite}.{lang}.html" for lang in LANGS))) for suite, title in told]
    found.append((text("downloads.readme"), same("downloads/README.md")))
    return found + [
        (text("downloads.file", file=file, what=text(f"downloads.{stem}")), same(f"downloads/{file}"))
        for stem in stems
        for file in (f"{stem}.csv", f"{stem}.parquet")
    ]


def blocks_of(markdown: str, lang: Lang) -> list[list[tuple[str, bool]]]:
    """The paragraphs of a text in Markdown without its headings and marks of code, in pieces that are strong or not.

    >>> blocks_of("## Sada\\n\\n**Náhodné.** A platné.", "cs")
    [[('Náhodné.', True), (' A\\xa0platné.', False)]]
    """
    blocks = [" ".join(block.split()) for block in markdown.split("\n\n")]
    return [
        [(piece, at % 2 == 1) for at, piece in enumerate(typeset(block.replace("`", ""), lang).split("**")) if piece]
        for block in blocks
        if block and not block.startswith("#")
    ]


def _line(found: Mapping[Key, int], dimension: str, group: str, columns: Sequence[tuple[str, str]]) -> list[int]:
    cells = [found.get((dimension, group, split, lang), 0) for split, lang in columns]
    return [*cells, sum(cells)]


def _whole(found: Mapping[Key, int], columns: Sequence[tuple[str, str]]) -> tuple[Both, list[int]]:
    return text("card.total"), _line(found, "all", "all", columns)


def _table(
    dimension: str, columns: Sequence[tuple[str, str]], lines: Sequence[tuple[Both, Sequence[int]]]
) -> CountTable:
    headings = [text(f"card.{split}", language=name("language", lang)) for split, lang in columns]
    return CountTable(dimension, text(f"card.by_{dimension}"), [*headings, text("card.total")], lines)
