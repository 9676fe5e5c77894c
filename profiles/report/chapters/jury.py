"""The chapter of `jury`: states by field, claim by claim, where the audience differs, flips, the method word for word (J-3 to J-7).

All of it comes from the public view of the jury (`profiles.claims`), which knows no juror (J-6); of the section's rows only the version of the
graders is told.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from profiles.claims import Overview, PublicClaim
from profiles.report import numbers
from profiles.report.chapters import Chapter
from profiles.report.jury_claims import (
    CLASSES,
    ClaimView,
    FlipLine,
    anchor,
    class_of,
    flip_line,
    place_of,
    view,
    words_of,
    yes_interval,
)
from profiles.report.jury_log import STATES
from profiles.report.material import Section
from profiles.report.tables import Cell, Line, Table
from profiles.report.texts import LANGS, Both, Lang, both, count, name, text, typeset
from schemas import readings

LIMITS = ("jury_opinion", "jury_percent", "jury_time", "jury_since", "jury_set")

MOST_FLIPS = 50
"""Newest flips in the list of all; every claim has its own in full."""

Paragraph = Sequence[tuple[str, bool]]
"""Pieces of a paragraph, each with whether it is strong."""


@dataclass(frozen=True)
class Field:
    """One field with its claims."""

    id: str
    title: Both
    claims: Sequence[ClaimView]


@dataclass(frozen=True)
class Differing:
    """A claim where jury and audience differ (J-5)."""

    id: str
    words: Both
    state: str
    told: Both
    percent: Both
    verdicts: Both
    yes: Both
    interval: Both
    votes: Both


@dataclass(frozen=True)
class View:
    """All that the template needs; filters: class, word and number of claims; flips: anchor and words of the claim with each."""

    section: Section
    title: Both
    lead: Both
    measured: Both
    is_small_pool: bool
    notes: Sequence[Both]
    states: Table
    fields: Sequence[Field]
    filters: Sequence[tuple[str, Both, int]]
    n_claims: int
    differing: Sequence[Differing]
    is_heard: bool
    disputed_differ: bool
    flips: Sequence[tuple[str, Both, FlipLine]]
    n_more_flips: int
    method: Mapping[Lang, Sequence[Paragraph]]
    stamp: Both


def chapter(section: Section) -> Chapter:
    """A section of claims; ValueError for one without the public view of the jury."""
    found = section.overview
    if found is None:
        raise ValueError(f"section {section.suite!r}: the overview of the jury was expected, it holds None")
    is_heard = any(claim.audience.percent is not None for claim in found.claims)
    return Chapter(
        section=section,
        template="jury.html.j2",
        view=_view(section, found, is_heard),
        parts=("jury_states", "jury_claims", "jury_audience", "jury_flips", "jury_method"),
        limits=(*LIMITS, *(["jury_audience"] if is_heard else [])),
    )


def _view(section: Section, found: Overview, is_heard: bool) -> View:
    of = {claim.id: claim for claim in found.claims}
    flips = [(anchor(id_), words_of(of[id_]), flip_line(flip)) for id_, flip in found.flips]
    classes = [class_of(claim) for claim in found.claims]
    return View(
        section=section,
        title=name("suite", section.suite),
        lead=name("lead", section.suite),
        measured=_measured(found),
        is_small_pool=found.is_small_pool,
        notes=list(_notes(found)),
        states=_states(section.suite, found),
        fields=[_field(found, field) for field in found.fields if any(c.field == field for c in found.claims)],
        filters=[
            (word, text(f"jury.state.{word}"), classes.count(word))
            for word in CLASSES
            if word in (*STATES.values(), *classes)
        ],
        n_claims=len(found.claims),
        differing=[_differing(of[id_]) for id_ in found.disagreements],
        is_heard=is_heard,
        disputed_differ=readings.AUDIENCE_DIFFERS_FROM_DISPUTED,
        flips=flips[:MOST_FLIPS],
        n_more_flips=max(0, len(flips) - MOST_FLIPS),
        method={lang: method_of(section.method.get(lang, ""), lang) for lang in LANGS},
        stamp=_stamp(section, found),
    )


def _measured(found: Overview) -> Both:
    return text(
        "jury.measured",
        claims=count("counted.claims", len(found.claims)),
        checked=numbers.integer(sum(bool(claim.checks) for claim in found.claims)),
        checks=count("counted.checks", found.n_checks),
        verdicts=count("counted.verdicts", found.n_verdicts),
    )


def _notes(found: Overview) -> Sequence[Both]:
    """What the numbers leave out, each where there is any (G-11)."""
    never = sum(not claim.checks for claim in found.claims)
    told = (
        (never, text("jury.never", claims=count("counted.claims", never))),
        (found.n_withheld, text("jury.withheld", n=numbers.integer(found.n_withheld))),
        (found.other_verdicts, text("jury.gone", verdicts=count("counted.verdicts", found.other_verdicts))),
    )
    return [words for n, words in told if n]


def _states(suite: str, found: Overview) -> Table:
    """A line for all claims and one a field: claims in each state, verdicts, the last check."""
    groups = [(text("jury.all"), list(found.claims))]
    groups += [(_name(found, field), [c for c in found.claims if c.field == field]) for field in found.fields]
    columns = [text(f"jury.state.{word}") for word in CLASSES[:-1]]
    lines = [Line(heading, _cells(claims), is_apart=at == 1) for at, (heading, claims) in enumerate(groups) if claims]
    return Table(
        id=f"{suite}-states",
        caption=text("jury.states_caption"),
        first=text("jury.field"),
        columns=(*columns, text("jury.never_heading"), text("jury.verdicts"), text("jury.last_check")),
        lines=tuple(lines),
    )


def _cells(claims: Sequence[PublicClaim]) -> tuple[Cell, ...]:
    classes = [class_of(claim) for claim in claims]
    verdicts = sum(claim.able + claim.unable + claim.undecided for claim in claims)
    last = max((claim.last_checked for claim in claims if claim.last_checked), default=None)
    counts = [*(classes.count(word) for word in CLASSES), verdicts]
    return (
        *(Cell(numbers.integer(n)) for n in counts),
        Cell(numbers.day(last)) if last else Cell(why=text("cell.none")),
    )


def _name(found: Overview, field: str) -> Both:
    return both(lambda lang: typeset(found.fields[field][lang], lang))


def _field(found: Overview, field: str) -> Field:
    claims = sorted((claim for claim in found.claims if claim.field == field), key=place_of)
    return Field(field, _name(found, field), [view(claim) for claim in claims])


def _differing(claim: PublicClaim) -> Differing:
    shown, interval = view(claim), yes_interval(claim)
    heard = claim.audience
    if shown.percent is None or heard.percent is None or interval is None:
        raise ValueError(f"claim {claim.id!r}: verdicts and votes were expected where jury and audience differ")
    return Differing(
        id=shown.id,
        words=shown.words,
        state=shown.state,
        told=shown.told,
        percent=shown.percent,
        verdicts=shown.verdicts,
        yes=text("jury.yes_share", percent=numbers.whole_percent(heard.percent)),
        interval=interval,
        votes=text("jury.of_votes", yes=numbers.integer(heard.yes), n=numbers.integer(heard.yes + heard.no)),
    )


def method_of(markdown: str, lang: Lang) -> list[Paragraph]:
    """The paragraphs of the method's page without its heading, for which the chapter has one; strong words as pieces.

    >>> method_of("## Porota\\n\\n**Los.** Tajně.", "cs")
    [[('Los.', True), (' Tajně.', False)]]
    """
    blocks = [" ".join(block.split()) for block in markdown.split("\n\n")]
    return [_pieces(typeset(block, lang)) for block in blocks if block and not block.startswith("#")]


def _pieces(block: str) -> Paragraph:
    return [(piece, at % 2 == 1) for at, piece in enumerate(block.split("**")) if piece]


def _stamp(section: Section, found: Overview) -> Both:
    """Days of the first and the last check, versions of set, prompts and graders; of a record without a run no graders (G-9)."""
    checks = [check for claim in found.claims for check in claim.checks]
    days: Both = text("jury.no_checks")
    if found.first_day is not None and found.last_day is not None:
        first, last = numbers.day(found.first_day), numbers.day(found.last_day)
        days = first if first == last else text("stamp.between", first=first, last=last)
    return text(
        "jury.stamp" if section.rows else "jury.stamp_record",
        days=days,
        edition=section.edition,
        set=", ".join(sorted({check.set_version for check in checks} or {found.set_version})),
        prompt=", ".join(sorted({check.prompt_version for check in checks})) or "–",
        graders=", ".join(sorted({row.rubric_version for row in section.rows})),
    )
