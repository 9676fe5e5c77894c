"""Reading a judge's reply about a run of role-play: points with quotes, states of messages, events; each quote by who said it (R-9, G-7).

A quote counts where it stands literally in an answer of the model. One that only the player said is no quote. What cannot be used is told
by item, and asked for once more; what is still wrong then is recorded as `ungrounded` or `unread` and left out of every count.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grading.judged import UNGROUNDED, UNREAD, Reply
from grading.questions import again
from grading.quotes import find_quote, find_quote_of, fold
from schemas.exchange import Language, Message
from schemas.grade import Exam

ORDER = ("missing", "off_scale", "wrong_speaker", "not_found", "no_quote")
"""Which problem is told first, where a reply has several."""

TOO_EARLY = "too_early"
"""Error of an event in an answer before the first one in which its type counts (R-7)."""


@dataclass(frozen=True)
class Run:
    """The transcript as it was judged: messages of the player and answers of the model, by turn."""

    messages: tuple[str, ...]
    answers: tuple[str, ...]

    @property
    def turns(self) -> list[dict[str, str]]:
        """By turn what was said, as the prompts show it."""
        return [{"message": m, "answer": a} for m, a in zip(self.messages, self.answers, strict=False)]

    @property
    def said(self) -> list[Message]:
        """The transcript turn by turn."""
        found = []
        for message, answer in zip(self.messages, self.answers, strict=False):
            found += [Message(role="user", text=message), Message(role="assistant", text=answer)]
        return found

    def is_answered(self, message: int) -> bool:
        """Whether a message was reached: it has an answer with words in it."""
        return message < len(self.answers) and bool(self.answers[message].strip())

    def place(self, quote: str, first: int | None = None) -> int | None:
        """The answer in which a quote stands, that of `first` before all others; None where it stands in none."""
        order = sorted(range(len(self.answers)), key=lambda turn: (turn != first, turn))
        return next((turn for turn in order if find_quote(quote, self.answers[turn])), None)


def run_of(exam: Exam) -> Run:
    """The run of an exam, from its truth and its blind answer."""
    scenario = exam.truth["scenario"]
    messages = (scenario["opening"], *(message["text"] for message in scenario["messages"]))
    return Run(messages, exam.answer.replies)


@dataclass(frozen=True)
class Marked:
    """One usable or unusable part of a reply: its value, quotes, the answers in which they stand, and what is wrong with it."""

    value: Any = None
    quotes: tuple[str, ...] = ()
    places: tuple[int, ...] = ()
    reason: str | None = None
    error: str | None = None
    is_off_scale: bool = False


@dataclass
class Read:
    """What a reply holds, and by kind of problem the items that have it."""

    run: Run
    language: Language
    problems: dict[str, list[str]] = field(default_factory=dict)

    def complain(self, kind: str, item: str) -> None:
        """Keep what is wrong with an item."""
        self.problems.setdefault(kind, []).append(item)

    @property
    def problem(self) -> str | None:
        """What the judge is told so that it answers once more."""
        for kind in ORDER:
            if kind in self.problems:
                return again(f"items_{kind}", self.language, items=", ".join(self.problems[kind]))
        return None

    def grounded(self, item: str, entry: Reply, *, is_wanted: bool, at: int | None = None, **more: Any) -> Marked:
        """A part with its quotes looked up; at: the answer that it is about."""
        quotes = tuple(_texts(entry.value.get("quotes", entry.value.get("quote"))))
        said = self.run.said
        whose = [find_quote_of(quote, said, "assistant") for quote in quotes]
        for kind in ("wrong_speaker", "absent"):
            if kind in whose:
                self.complain("not_found" if kind == "absent" else kind, item)
        if not quotes and is_wanted:
            self.complain("no_quote", item)
        is_grounded = all(w == "found" for w in whose) and (bool(quotes) or not is_wanted)
        places = tuple(p for quote in quotes if (p := self.run.place(quote, at)) is not None)
        return Marked(
            quotes=quotes, places=places, reason=entry.reason(), error=None if is_grounded else UNGROUNDED, **more
        )

    def points(
        self, item: str, entry: Mapping[str, Any] | None, scale: Sequence[float], *, at: int | None, is_bonus: bool
    ) -> Marked:
        """One grade of T or R; a bonus that is not given needs no quote."""
        reply = Reply(value=dict(entry or {}), language=self.language)
        value = reply.number("points", scale) if entry is not None else None
        if value is None:
            self.complain("missing", item)
            return Marked(error=UNREAD)
        if "points" in reply.flags:
            self.complain("off_scale", item)
        is_wanted = not (is_bonus and value == 0)
        return self.grounded(item, reply, is_wanted=is_wanted, at=at, value=value, is_off_scale="points" in reply.flags)

    def state(self, message: int, entry: Mapping[str, Any] | None, states: Sequence[str]) -> Marked:
        """What became of one message that was answered (L1); `not_reached` needs no quote."""
        reply = Reply(value=dict(entry or {}), language=self.language)
        word = reply.word("state", states)
        if word is None:
            self.complain("missing", f"L1/{message}")
            return Marked(error=UNREAD)
        return self.grounded(f"L1/{message}", reply, is_wanted=word != "not_reached", at=message, value=word)

    def events(self, given: Any, from_answer: Mapping[str, int]) -> list[Marked] | None:
        """The events of a reply, each once; None where there is no list of them. from_answer: by type, where it begins to count."""
        if not isinstance(given, list):
            self.complain("missing", "events")
            return None
        found: dict[tuple[str, str], Marked] = {}
        for number, entry in enumerate(given, start=1):
            name = f"events/{number}"
            reply = Reply(value=dict(entry) if isinstance(entry, dict) else {}, language=self.language)
            word = reply.word("type", tuple(from_answer))
            if word is None:
                self.complain("off_scale", name)
                found["", name] = Marked(error=UNREAD)
                continue
            at = reply.number("answer", range(len(self.run.answers)))
            marked = self.grounded(name, reply, is_wanted=True, at=None if at is None else int(at), value=word)
            if marked.error is None and marked.places[0] < from_answer[word]:
                marked = Marked(word, marked.quotes, marked.places, marked.reason, TOO_EARLY)
            found.setdefault((word, fold(" ".join(marked.quotes)) or name), marked)
        return list(found.values())


def entries_by(name: str, given: Any) -> dict[str, Mapping[str, Any]]:
    """Objects of a list by one of their fields, as text; the first of several counts."""
    found: dict[str, Mapping[str, Any]] = {}
    for entry in _dicts(given):
        key = str(entry.get(name, "")).strip().upper()
        found.setdefault(key, entry)
    return found


def _dicts(given: Any) -> Iterator[Mapping[str, Any]]:
    yield from (entry for entry in given if isinstance(entry, dict)) if isinstance(given, list) else ()


def _texts(given: Any) -> Iterable[str]:
    """Quotes as a list of texts, also where one text stands alone; empty ones are none."""
    listed = given if isinstance(given, list) else [given]
    return [text.strip() for text in listed if isinstance(text, str) and text.strip()]
