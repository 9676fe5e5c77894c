"""Puts a text together: personnel record, ticket, minutes of a meeting or e-mail, from the shared structure (D-10).

Who a pronoun or a surname means is always clear: a person is named in full, once, before anything is said of them.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random
from typing import Any

from datasets.synth.pii_structure import Structure
from datasets.synth.pii_vocabulary import words
from datasets.synth.pii_writer import Writer, typeset

_EVEN = 0.5


@dataclass
class _Page:
    """The parts of one text, each written when it is asked for."""

    structure: Structure
    random: Random
    language: str
    writer: Writer

    def __post_init__(self) -> None:
        self.entry: Any = words("situations", self.language)[self.structure.variant][self.structure.situation]
        self.layout: Any = words("layout", self.language)[self.structure.variant]
        self._frames: Any = words("frames", self.language)

    def one(self, texts: list[str], owner: str = "p", *, is_start: bool = True) -> str:
        """One of the texts, written."""
        return self.writer.write(self.random.choice(texts), owner, is_start=is_start)

    def title(self) -> str:
        return self.one(self.entry["title"])

    def lead(self) -> list[str]:
        """The sentences that name the subject and the other person; an e-mail in Czech begins small, after the greeting's comma."""
        small = self.structure.variant == "email" and self.language == "cs"
        return [self.one(self.entry["lead"], is_start=not small), self.one(self.entry["body"][0])]

    def body(self) -> list[str]:
        return [self.one(group) for group in self.entry["body"][1:]]

    def attributes(self) -> list[str]:
        """Sentences on the persons' data, in the voice of the text; a letter speaks of the other person in the third."""
        styles = {"p": "first", "q": "near"} if self.structure.voice == "first" else {"p": "third", "q": "third"}
        frames = self._frames["attributes"]
        return [self.one(frames[name][styles[who]], who) for who, name in self.structure.sentences]

    def distractors(self) -> list[str]:
        return [self.one(self._frames["distractors"][kind]["third"]) for kind in self.structure.distractor_sentences]

    def persons(self) -> str:
        """The block of labelled lines on the subject; empty where the text has none."""
        lines = [self.one(self._labels(name), who) for who, name in self.structure.labels]
        return "\n".join([self.one(self._heads("persons")), *lines]) if lines else ""

    def _labels(self, name: str) -> list[str]:
        """The labels of an attribute; personnel records have some of their own."""
        frames: dict[str, list[str]] = self._frames["attributes"][name]
        return [*frames["labels"], *(frames.get("record", []) if self.structure.variant == "record" else [])]

    def _heads(self, of: str) -> list[str]:
        """The heads of a block, in the voice of the text where it matters."""
        heads: list[str] | dict[str, list[str]] = self.layout[of]
        return heads[self.structure.voice] if isinstance(heads, dict) else heads

    def organization(self) -> str:
        """The block of labelled lines on the organisation, under its own head; empty where the text has none."""
        lines = [self.one(self._frames["distractors"][kind]["labels"]) for kind in self.structure.distractor_labels]
        return "\n".join([self.one(self._heads("organizations")), *lines]) if lines else ""

    def signature(self) -> list[str]:
        signature = words("layout", self.language)["signature"]
        return [self.one(signature[name], "r", is_start=False) for name in self.structure.signed]

    def mixed(self, *groups: list[str]) -> str:
        """Groups of sentences as one paragraph, in an order that both twins share; what belongs together stays together."""
        whole = [" ".join(group) for group in groups if group]
        return " ".join(Random(round(self.structure.turns[0] * 1e9)).sample(whole, len(whole)))

    def facts(self) -> tuple[list[str], ...]:
        """The sentences on the subject, then those on the other person."""
        said = self.attributes()
        own = sum(who == "p" for who, _ in self.structure.sentences)
        return said[:own], said[own:]

    def asides(self) -> list[list[str]]:
        """The sentences on what is not personal, each apart from the others."""
        return [[sentence] for sentence in self.distractors()]

    def turn(self, number: int) -> bool:
        """A choice that both twins share."""
        return self.structure.turns[number] < _EVEN


def compose(structure: Structure, random: Random, language: str) -> tuple[str, dict[str, Any]]:
    """The finished text and its truth (`schemas.pii`)."""
    author = "p" if structure.voice == "first" else "r"
    page = _Page(structure, random, language, Writer(random, language, structure, author))
    blocks = _KINDS[structure.variant](page)
    text = typeset("\n\n".join(block for block in blocks if block), language)
    return text + "\n", page.writer.to_truth()


def _record(page: _Page) -> Iterable[str]:
    yield "\n".join([page.title(), *([page.one(page.layout["heads"])] if page.turn(1) else [])])
    early = page.turn(2)
    if early:
        yield page.organization()
    yield " ".join(page.lead())
    if page.turn(3):
        yield page.persons()
        yield _under(page.one(page.layout["notes"]), page.mixed(*page.facts(), page.body(), *page.asides()))
    else:
        yield page.mixed(*page.facts(), page.body(), *page.asides())
        yield page.persons()
    if not early:
        yield page.organization()
    yield f"{page.one(page.entry['close'])}\n{_signed(page)}"


def _signed(page: _Page) -> str:
    return "\n".join([page.one(page.layout["signs"], "r"), *page.signature()])


def _ticket(page: _Page) -> Iterable[str]:
    head = [page.one(words("layout", page.language)["order_lines"])] if page.turn(1) else []
    head += [page.one(page.layout["heads"])]
    named = [page.one(page.layout["names"])] if page.turn(2) else []
    yield "\n".join([page.title(), *head, *named])
    if page.turn(3):
        yield page.persons()
    intro = [] if named else [page.one(page.layout["intros"]) if page.turn(4) else page.writer.write("<p>")]
    yield " ".join([*(intro if page.turn(4) else []), *page.lead()])
    yield f"{page.mixed(*page.facts(), page.body())} {page.one(page.entry['close'])}"
    if intro and not page.turn(4):
        yield intro[0]
    if not page.turn(3):
        yield page.persons()
    said = page.asides()
    if said:
        yield _under(page.one(page.layout["notes"]), page.mixed(*said))
    yield page.organization()
    if page.turn(5):
        yield page.one(page.layout["signs"], "r")


def _minutes(page: _Page) -> Iterable[str]:
    yield "\n".join([page.title(), page.one(page.layout["heads"])])
    if page.turn(2):
        yield page.organization()
    if page.turn(1):
        present = [page.writer.write(f"<{who}>") for who in ("r", *(f"e{i}" for i in range(page.structure.others)))]
        yield page.one(page.layout["present"]) + ", ".join(present)
    yield " ".join(page.lead())
    if page.turn(3):
        yield page.persons()
    yield page.mixed(*page.facts(), page.body()[:1])
    if not page.turn(3):
        yield page.persons()
    yield _under(page.one(page.layout["notes"]), page.mixed(*page.asides(), page.body()[1:]))
    if not page.turn(2):
        yield page.organization()
    yield page.one(page.entry["close"])
    yield page.one(page.layout["signs"], "r")


def _email(page: _Page) -> Iterable[str]:
    layout, first = page.layout, page.structure.voice == "first"
    has_head = page.turn(1)
    if has_head:
        to = [page.one(layout["to"])] if page.turn(2) else []
        dated = [page.one(layout["dated"])] if page.turn(3) else []
        yield "\n".join([page.one(layout["from"]), *to, *dated, page.one(layout["subject"]) + page.title()])
    else:
        yield page.one(layout["subject"]) + page.title() if page.turn(2) else ""
    greetings = layout["greetings"]
    yield page.one(greetings["named"] if has_head and page.turn(2) else greetings[page.structure.voice])
    yield " ".join(page.lead())
    said = page.asides()
    if page.turn(4):
        yield page.persons()
    yield page.mixed(*page.facts(), page.body(), *([] if first else said))
    if not page.turn(4):
        yield page.persons()
    if first and said:
        marks = "„“" if page.language == "cs" else '""'
        yield f"{page.one(layout['quotes'])} {marks[0]}{page.mixed(*said)}{marks[1]}"
    yield page.one(page.entry["close"])
    yield "\n".join([page.one(layout["partings"]), page.writer.write("<a.sig>"), *page.signature()])
    yield page.organization()


def _under(head: str, text: str) -> str:
    """A paragraph under its head, where it has one."""
    return f"{head}\n{text}" if head else text


_KINDS: dict[str, Callable[[_Page], Iterable[str]]] = {
    "record": _record, "ticket": _ticket, "minutes": _minutes, "email": _email,
}  # fmt: skip
