"""The card of a run: transcript, grades and the quotes that they stand on, linked both ways; excerpts by the quotes (R-9, R-12)."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from profiles.report import numbers
from profiles.report.material import Section, ShownRun
from profiles.report.texts import Both, both, name, same, text
from profiles.roleplay_contested import contested
from profiles.roleplay_scores import COUNTER, EVENTS_READ, marks_of
from schemas.grade import Grade
from schemas.roleplay import Scenario

MOST_EXCERPTS = 4
"""Places of one kind that are shown of a system at most."""


@dataclass(frozen=True)
class Mention:
    """A grade as the card shows it: its anchor, whose it is, its item and value in words, quote, reason, and answers that it stands in."""

    id: str
    judge: str
    item: str
    named: Both
    value: Both
    mark: str
    quotes: tuple[str, ...]
    reason: str | None
    places: tuple[int, ...]

    @property
    def short(self) -> str:
        """Its item without the name, as `T3` or `L1 / 4`."""
        base, _, number = self.item.partition("@")
        return f"{base} / {int(number)}" if number else base


@dataclass(frozen=True)
class Piece:
    """A part of an answer; where it is a quote, the anchor of the grade that stands on it."""

    text: str
    target: str | None = None


@dataclass(frozen=True)
class TurnView:
    """One message and its answer, cut at its quotes, with the grades that stand in it."""

    number: int
    id: str
    message: str
    pieces: tuple[Piece, ...] | None
    mentions: tuple[Mention, ...]
    is_cut: bool


@dataclass(frozen=True)
class Card:
    """One run; points: grades of T, bonuses and R, item by item, so that judges stand beside each other; labels: axis L, judge by judge."""

    id: str
    system: str
    title: Both
    language: str
    facts: tuple[tuple[Both, Both], ...]
    turns: tuple[TurnView, ...]
    points: tuple[Mention, ...]
    labels: tuple[Mention, ...]
    disputed: tuple[tuple[Both, tuple[Mention, ...]], ...]
    is_compared: bool

    @property
    def mentions(self) -> tuple[Mention, ...]:
        """All grades and labels."""
        return (*self.points, *self.labels)


Names = Mapping[str, Mapping[str, str]]
"""Names of items by item and language."""


def cards(section: Section, runs: Sequence[ShownRun] | None = None) -> list[Card]:
    """The cards of all shown runs, or of some, in the order of system, case and trial."""
    scenarios = {c.case.case_id: Scenario.model_validate(c.case.to_truth()["scenario"]) for c in section.cases}
    names = item_names(section)
    return [
        _card(run, scenarios[run.profile.case_id], section, names)
        for run in (section.runs if runs is None else runs)
        if run.profile.case_id in scenarios
    ]


def item_names(section: Section) -> Names:
    """Names of items by item and language, as far as there are rubrics in it."""
    found: dict[str, dict[str, str]] = {}
    for shown in section.cases:
        for rubric in shown.case.to_truth()["rubrics"].values():
            for item in [*rubric["items"], *rubric["bonuses"]]:
                found.setdefault(item["id"], {})[shown.case.language] = item["name"]
    return found


def _card(run: ShownRun, scenario: Scenario, section: Section, names: Names) -> Card:
    profile = run.profile
    slug = f"run-{profile.system_id}-{profile.case_id}-{profile.trial}".replace(".", "_")
    judges = marks_of(run.grades)
    points = sorted((g for marks in judges for g in marks.points.values()), key=_place)
    labels = (g for marks in judges for item, g in sorted(marks.labels.items()) if item != EVENTS_READ)
    graded, labelled = (tuple(_mention(g, slug, names) for g in grades) for grades in (points, labels))
    mentions = (*graded, *labelled)
    by_grade = {(m.judge, m.item): m for m in mentions}
    disputed = tuple(
        (_item(c.item, names), tuple(m for g in c.grades if (m := by_grade.get((g.judge_id, g.item)))))
        for c in contested(judges)
    )
    messages = (scenario.opening, *(m.text for m in scenario.messages))
    turns = tuple(_turn(n, slug, message, run, mentions) for n, message in enumerate(messages))
    title = text(
        "play.card", scenario=same(scenario.setting), language=name("language", scenario.language), trial=profile.trial
    )
    return Card(
        id=slug, system=section.systems[profile.system_id].name, title=title, language=scenario.language, facts=_facts(run), turns=turns,
        points=graded, labels=labelled, disputed=disputed, is_compared=profile.structure == "complete",
    )  # fmt: skip


def _place(grade: Grade) -> tuple[int, int, str, str]:
    """Where a grade stands on a card: T, bonuses, R, each item with all its judges."""
    return "TBR".find(grade.item[0]), len(grade.item), grade.item, grade.judge_id


def _mention(grade: Grade, slug: str, names: Names) -> Mention:
    is_label = "@" in grade.item
    value = name("play_label", grade.label) if is_label or grade.max_points == 0 else _points(grade)
    is_event = is_label and grade.error is None
    mark = (
        "event"
        if is_event
        else "none"
        if grade.max_points == 0
        else "right"
        if grade.points == grade.max_points
        else "wrong"
        if grade.points == 0
        else "partly"
    )
    places = tuple(int(p) for p in (grade.given or "").split(",") if p.strip().isdigit())
    if not places and grade.item.startswith("L1@"):
        places = (int(grade.item[3:]),)
    return Mention(
        id=f"{slug}-{grade.judge_id}-{grade.item.replace('@', '-')}".replace(".", "_"), judge=grade.judge_id, item=grade.item,
        named=_item(grade.item, names), value=value, mark=mark, quotes=tuple((grade.quote or "").split("\n")) if grade.quote else (),
        reason=grade.reason, places=places,
    )  # fmt: skip


def _item(item: str, names: Names) -> Both:
    """An item by its number and name; a name that a language lacks is told in another one."""
    base, _, number = item.partition("@")
    told = names.get(base, {})
    label = f"{base} / {int(number)}" if number else base
    return both(lambda lang: " · ".join([label, *([told.get(lang) or next(iter(told.values()))] if told else [])]))


def _points(grade: Grade) -> Both:
    return text("play.of", points=numbers.integer(grade.points), most=numbers.integer(grade.max_points))


def _turn(number: int, slug: str, message: str, run: ShownRun, mentions: Sequence[Mention]) -> TurnView:
    here = tuple(m for m in mentions if number in m.places)
    answer = run.replies[number] if number < len(run.replies) else None
    pieces = None if answer is None else tuple(cut(answer, here))
    return TurnView(number, f"{slug}-a{number}", message, pieces, here, number + 1 in run.truncated_turns)


def cut(answer: str, mentions: Sequence[Mention]) -> Iterator[Piece]:
    """An answer cut at the literal quotes of grades; a quote inside another one is no piece of its own.

    Quotes that differ from the answer in marks or spaces (G-7) are linked to the whole answer alone.
    """
    spans = []
    for mention in mentions:
        for quote in mention.quotes:
            if (at := answer.find(quote)) >= 0:
                spans.append((at, at + len(quote), mention.id))
    position = 0
    for start, end, target in sorted(spans, key=lambda s: (s[0], -s[1])):
        if start < position:
            continue
        if start > position:
            yield Piece(answer[position:start])
        yield Piece(answer[start:end], target)
        position = end
    if position < len(answer):
        yield Piece(answer[position:])


def _facts(run: ShownRun) -> tuple[tuple[Both, Both], ...]:
    """What the program counted, and what the run cost (R-12)."""
    counted = {g.item: g for g in run.grades if g.judge_id == COUNTER}
    facts = [(text("play.fact.outcome"), name("play_outcome", run.profile.structure))]
    for item in ("turns", "cut_off", "L5", "coins"):
        if (grade := counted.get(item)) is not None:
            value = numbers.integer(grade.points) if item != "coins" else name("play_coins", grade.label)
            facts.append(
                (
                    text(f"play.fact.{item}"),
                    value if not grade.given else text("play.at", what=value, where=grade.given),
                )
            )
    return (*facts, (text("play.fact.cost"), numbers.usd(float(run.profile.cost_usd))))


@dataclass(frozen=True)
class Excerpt:
    """A place of a run with the grade that stands on it."""

    card: Card
    mention: Mention
    quote: str


def excerpts(found: Sequence[Card], decisive: Collection[str] = ()) -> tuple[list[Excerpt], list[Excerpt]]:
    """The strongest and the most embarrassing places of every system's compared runs, by the quotes (R-12).

    Strongest: full points of R, then kindness that softens no verdict, then full points of T. Most embarrassing: the user's character
    played, then no points of T, then of R. Contested grades are left out, and where any judges are decisive (S-5), all others.
    """
    of_system: dict[str, list[Card]] = {}
    for card in found:
        if card.is_compared:
            of_system.setdefault(card.system, []).append(card)
    strong = [e for some in of_system.values() for e in _best(some, ("R", "L7", "T"), "right", decisive)]
    weak = [e for some in of_system.values() for e in _best(some, ("L8", "T", "R"), "wrong", decisive)]
    return strong, weak


def _said(card: Card, decisive: Collection[str]) -> dict[str, set[str]]:
    """What judges that count say of contested items, by item."""
    said: dict[str, set[str]] = {}
    for mention in (m for _, mentions in card.disputed for m in mentions):
        if not decisive or mention.judge in decisive:
            said.setdefault(mention.item, set()).add(mention.value.en)
    return said


def _best(some: Sequence[Card], order: Sequence[str], mark: str, decisive: Collection[str]) -> list[Excerpt]:
    """At most `MOST_EXCERPTS` places: every time the item and the run that had the fewest, in the order of the axes."""
    ranked: list[tuple[int, Excerpt]] = []
    for card in some:
        disputed = {item for item, values in _said(card, decisive).items() if len(values) > 1}
        for mention in card.mentions:
            place = next((n for n, axis in enumerate(order) if mention.item.startswith(axis)), None)
            is_wanted = mention.mark == ("event" if mention.item.startswith("L") else mark)
            is_sure = mention.item not in disputed and (not decisive or mention.judge in decisive)
            if place is not None and mention.quotes and is_wanted and is_sure:
                ranked.append((place, Excerpt(card, mention, max(mention.quotes, key=len))))
    left = list({e.quote: (place, e) for place, e in reversed(ranked)}.values())[::-1]
    chosen: list[Excerpt] = []
    while left and len(chosen) < MOST_EXCERPTS:

        def taken(ranked: tuple[int, Excerpt]) -> tuple[int, int, int]:
            base = ranked[1].mention.item.partition("@")[0]
            items = [e.mention.item.partition("@")[0] for e in chosen]
            return items.count(base), [e.card.id for e in chosen].count(ranked[1].card.id), ranked[0]

        best = min(left, key=taken)
        left.remove(best)
        chosen.append(best[1])
    return chosen
