"""The card of a run: transcript, grades and the quotes that they stand on, linked both ways; excerpts by the quotes (R-9, R-12)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from profiles.report import numbers
from profiles.report.material import Section, ShownRun
from profiles.report.texts import Both, name, same, text
from profiles.roleplay_contested import contested
from profiles.roleplay_scores import COUNTER, EVENTS_READ, Marks, marks_of
from schemas.grade import Grade
from schemas.roleplay import Scenario

MOST_EXCERPTS = 4
"""Places of one kind that a run shows at most."""


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
    """One run."""

    id: str
    system: str
    title: Both
    language: str
    facts: tuple[tuple[Both, Both], ...]
    turns: tuple[TurnView, ...]
    mentions: tuple[Mention, ...]
    disputed: tuple[tuple[Both, tuple[Mention, ...]], ...]
    is_compared: bool


def cards(section: Section) -> list[Card]:
    """The cards of all shown runs, in the order of system, case and trial."""
    scenarios = {c.case.case_id: Scenario.model_validate(c.case.to_truth()["scenario"]) for c in section.cases}
    names = item_names(section)
    return [
        _card(run, scenarios[run.profile.case_id], section, names)
        for run in section.runs
        if run.profile.case_id in scenarios
    ]


def item_names(section: Section) -> dict[tuple[str, str], str]:
    """Names of items by the language of the case and the item."""
    found: dict[tuple[str, str], str] = {}
    for shown in section.cases:
        for rubric in shown.case.to_truth()["rubrics"].values():
            for item in [*rubric["items"], *rubric["bonuses"]]:
                found[shown.case.language, item["id"]] = item["name"]
    return found


def _card(run: ShownRun, scenario: Scenario, section: Section, names: Mapping[tuple[str, str], str]) -> Card:
    profile = run.profile
    slug = f"run-{profile.system_id}-{profile.case_id}-{profile.trial}".replace(".", "_")
    judges = marks_of(run.grades)
    mentions = tuple(_mention(g, slug, scenario.language, names) for marks in judges for g in _shown(marks))
    by_grade = {(m.judge, m.item): m for m in mentions}
    disputed = tuple(
        (
            _item(c.item, scenario.language, names),
            tuple(m for g in c.grades if (m := by_grade.get((g.judge_id, g.item)))),
        )
        for c in contested(judges)
    )
    messages = (scenario.opening, *(m.text for m in scenario.messages))
    turns = tuple(_turn(n, slug, message, run, mentions) for n, message in enumerate(messages))
    title = text(
        "play.card", scenario=same(scenario.setting), language=name("language", scenario.language), trial=profile.trial
    )
    is_compared = profile.structure == "complete"
    system = section.systems[profile.system_id].name
    return Card(slug, system, title, scenario.language, _facts(run), turns, mentions, disputed, is_compared)


def _shown(marks: Marks) -> Iterator[Grade]:
    """Grades in the order of a card: T, bonuses, R, then labels of L."""
    yield from sorted(marks.points.values(), key=lambda g: ("TBR".find(g.item[0]), len(g.item), g.item))
    yield from (g for item, g in sorted(marks.labels.items()) if item != EVENTS_READ)


def _mention(grade: Grade, slug: str, language: str, names: Mapping[tuple[str, str], str]) -> Mention:
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
        named=_item(grade.item, language, names), value=value, mark=mark, quotes=tuple((grade.quote or "").split("\n")) if grade.quote else (),
        reason=grade.reason, places=places,
    )  # fmt: skip


def _item(item: str, language: str, names: Mapping[tuple[str, str], str]) -> Both:
    base, _, number = item.partition("@")
    told = names.get((language, base))
    label = f"{base}{f' / {int(number)}' if number else ''}"
    return same(f"{label} · {told}" if told else label)


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


def excerpts(found: Sequence[Card]) -> tuple[list[Excerpt], list[Excerpt]]:
    """The strongest and the most embarrassing places of compared runs, by the quotes (R-12).

    Strongest: full points of R, then kindness that softens no verdict, then full points of T. Most embarrassing: the user's character
    played, then no points of T, then of R.
    """
    strong = [e for card in found if card.is_compared for e in _best(card, ("R", "L7", "T"), "right")]
    weak = [e for card in found if card.is_compared for e in _best(card, ("L8", "T", "R"), "wrong")]
    return strong, weak


def _best(card: Card, order: Sequence[str], mark: str) -> list[Excerpt]:
    ranked: list[tuple[int, Excerpt]] = []
    for mention in card.mentions:
        place = next((n for n, axis in enumerate(order) if mention.item.startswith(axis)), None)
        if place is None or not mention.quotes:
            continue
        if mention.mark == ("event" if mention.item.startswith("L") else mark):
            ranked.append((place, Excerpt(card, mention, max(mention.quotes, key=len))))
    ranked.sort(key=lambda r: r[0])
    once = {e.quote: e for _, e in reversed(ranked)}
    return [e for _, e in ranked if once.get(e.quote) is e][:MOST_EXCERPTS]
