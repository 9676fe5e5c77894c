"""The words of one message: sentences by role, from the purpose to the request, each field said where it belongs (D-9)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from random import Random

from datasets.synth.deadline import Deadline
from datasets.synth.formats import NBSP
from datasets.synth.grammar import FIELD_SLOTS, Noun, Speech, Template, Value
from datasets.synth.phrasebook import Phrasebook

_SHORT_WORD = re.compile(r"(?<![^\s(„])([ksvzouiaKSVZOUIA]) (?=\S)")
_AFTER_QUESTION = re.compile(r"(?<=\? )\w")
_AMERICAN_YEAR = re.compile(r"(?<=[a-z] )(\d{1,2}, \d{4})(?= [a-z])")
_QUOTED = re.compile(r"”([.,])")
_BOUND = re.compile(r"(?<=\d) (?=Kč|korun|EUR|eur|€|USD|CZK|\$|kus|dn|\d{3}\b)|(?<=č\.) (?=\S)|(?<=tel\.) (?=\S)")


@dataclass(frozen=True)
class Content:
    """What one message says.

    values: by slot, without those of deadlines; present: the fields among them that the message says; deadline: its own.
    """

    category: str
    sentiment: str
    voice: str
    gender: str
    values: Mapping[str, Value]
    present: frozenset[str]
    deadline: Deadline | None
    distractors: Sequence[str]
    n_details: int


def write_body(random: Random, book: Phrasebook, content: Content, lead: Sequence[Template] = ()) -> list[str]:
    """The paragraphs of a message, without salutation and signature. lead: sentences of which one comes first."""
    roles = book.situations[content.category]
    say = _Sayer(random, book, content)
    opening = _pick(random, [t for t in roles["opening"] if t.slots <= content.present])
    purpose = [say(opening)]
    remaining = [name for name in ("order", "invoice", "amount") if name in content.present - opening.slots]
    random.shuffle(remaining)
    for name in remaining:
        purpose.append(say(_pick(random, [*roles[name], *roles[name], *book.lists[f"facts.{name}"]])))
    story = [say(template) for template in random.sample(roles["detail"], content.n_details)]
    for kind in content.distractors:
        part = purpose if random.random() < 0.35 else story
        part.insert(random.randint(part is purpose, len(part)), say(_pick(random, book.lists[f"distractors.{kind}"])))
    if content.sentiment != "neutral":
        story.insert(random.choice([len(story), len(story), 0]), say(_pick(random, roles[content.sentiment])))
    wishes = _wishes(random, book, content, say)
    if random.random() < 0.5:
        wishes.append(say(_pick(random, book.lists["closing"])))
    parts = [[say(_pick(random, lead))], purpose] if lead else [purpose]
    if story and random.random() < 0.3:
        parts[-1] += story
    elif story:
        parts.append(story)
    return [finish(part, book.language) for part in [*parts, wishes]]


def _wishes(random: Random, book: Phrasebook, content: Content, say: "_Sayer") -> list[str]:
    """The request, with the deadline in it or in a sentence of its own."""
    roles = book.situations[content.category]
    if content.deadline is None:
        return [say(_pick(random, roles["request"]))]
    if content.category == "praise" or random.random() < 0.6:  # whoever praises wants nothing settled
        return [say(_pick(random, roles["request_by"]))]
    has_day = "day" in say.deadline
    own = [t for t in book.lists["deadline"] if has_day or "day" not in t.slots]
    return [say(_pick(random, roles["request"])), say(_pick(random, own))]


class _Sayer:
    """Says templates of one message; a template that was said is not said again."""

    def __init__(self, random: Random, book: Phrasebook, content: Content) -> None:
        self.random = random
        self.deadline = {} if content.deadline is None else deadline_values(random, book, content.deadline)
        self.speech = Speech({**content.values, **self.deadline}, content.voice, content.gender)

    def __call__(self, template: Template) -> str:
        return template.say(self.random, self.speech)


def deadline_values(random: Random, book: Phrasebook, deadline: Deadline) -> dict[str, Value]:
    """How a deadline is said: `by` as an adverb, `day` as a noun where the language has one."""
    key = f"in_days_{deadline.number}" if deadline.kind == "in_days" else deadline.kind
    phrases = book.frames["deadlines"][key]
    return {
        slot: _fill(random, book, random.choice(phrases[slot]), deadline.day)
        for slot in ("by", "day")
        if slot in phrases
    }


def _fill(random: Random, book: Phrasebook, phrase: str, day: date) -> str:
    """A phrase with the date and the names of the weekday in it."""
    for case, names in book.frames["weekdays"].items():
        phrase = phrase.replace(f"{{weekday.{case}}}", names[day.weekday()])
    for slot, forms in (("{date}", "dates"), ("{short}", "dates_short")):
        if slot in phrase:
            phrase = phrase.replace(slot, print_day(random.choice(book.frames[forms]), day, book.frames))
    return phrase


def print_day(form: str, day: date, frames: Mapping[str, Sequence[str]]) -> str:
    """A date in one of the forms of a language, with no-break spaces in Czech."""
    short = frames["months_short"]
    written = form.format(
        d=day.day, dd=f"{day.day:02}", m=day.month, mm=f"{day.month:02}", y=day.year, month=frames["months"][day.month - 1],
        mon=short[day.month - 1] if short else "",
    )  # fmt: skip
    return written if short else written.replace(" ", NBSP)


def finish(sentences: Sequence[str], language: str) -> str:
    """A paragraph: capitals, full stops, no-break spaces."""
    return bind(" ".join(_sentence(sentence) for sentence in sentences), language)


def _sentence(written: str) -> str:
    whole = written[0].upper() + written[1:] + ("" if written[-1] in ".?!" else ".")
    whole = _AFTER_QUESTION.sub(lambda match: match[0].upper(), whole)
    return whole.replace("..", ".")  # a date or a legal form has its own full stop


def bind(text: str, language: str) -> str:
    """A text as the typography of its language wants it.

    Czech has no-break spaces; American English a comma after the year of a date, and points and commas inside of quotation marks.

    >>> bind("s dodávkou za 1 200 Kč", "cs")
    's\\xa0dodávkou za 1\\xa0200\\xa0Kč'
    >>> bind("please fix the line “flyers”, by March 3, 2026 at the latest", "en")
    'please fix the line “flyers,” by March 3, 2026, at the latest'
    """
    if language == "en":
        return _QUOTED.sub(r"\1”", _AMERICAN_YEAR.sub(r"\1,", text))
    return _SHORT_WORD.sub(f"\\1{NBSP}", _BOUND.sub(NBSP, text))


def number_noun(book: Phrasebook, name: str, number: str) -> Noun:
    """A number of an order or invoice as a noun with its ways to be referred to."""
    return Noun(book.frames["refs"][name], number)


def _pick(random: Random, templates: Sequence[Template]) -> Template:
    return templates[int(random.random() * len(templates))]


__all__ = ["FIELD_SLOTS", "Content", "bind", "deadline_values", "finish", "number_noun", "print_day", "write_body"]
