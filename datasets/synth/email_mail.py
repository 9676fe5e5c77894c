"""How mail programs put messages together: headers, dates, quotations, forwards, signatures (D-9)."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from random import Random
from typing import Any

from datasets.synth.companies import Party, draw_person
from datasets.synth.email_body import bind, finish
from datasets.synth.formats import NBSP
from datasets.synth.grammar import Speech
from datasets.synth.phrasebook import Phrasebook
from datasets.synth.vocabulary import read


@dataclass(frozen=True)
class Writer:
    """Who writes: a person, for a company or for nobody but themselves."""

    name: str
    is_woman: bool
    email: str
    phone: str
    party: Party | None
    place: str
    street: str
    role: str

    @property
    def voice(self) -> str:
        """The voice of their sentences (`datasets.synth.grammar.VOICES`)."""
        return "we" if self.party else "woman" if self.is_woman else "man"

    @property
    def customer(self) -> str:
        """Who the customer is: the company, else the person (D-9)."""
        return self.party.name if self.party else self.name


@dataclass(frozen=True)
class Mail:
    """One message with its header; `from_` and `to` as the program shows them."""

    from_: str
    to: str
    sent: datetime
    subject: str
    text: str


def draw_writer(random: Random, book: Phrasebook, party: Party, *, for_company: bool, roles: str = "roles") -> Writer:
    """A person at a company, or one who lives where the party's address is and writes for themselves."""
    is_woman = random.random() < 0.5
    name = draw_person(random, book.language, woman=is_woman)
    local = _ascii(name).replace(" ", random.choice([".", ".", "_", "-"]))
    if for_company:
        local = random.choice([local, local, _ascii(name).split()[-1]])
        domain = domain_of(party)
    else:
        domain = random.choice(read("mailers")["mailboxes"][book.language])
        local += random.choice(["", "", str(random.randint(1, 99))])
    return Writer(
        name=name, is_woman=is_woman, email=f"{local}@{domain}", phone=party.phone, party=party if for_company else None,
        place=party.town, street=party.street, role=random.choice(book.frames[roles]["woman" if is_woman else "man"]),
    )  # fmt: skip


def domain_of(party: Party) -> str:
    """A company's `.example` domain: two words of its name at most, no legal form (D-5)."""
    forms = {"s", "r", "o", "a", "spol", "v", "inc", "llc", "llp", "corp"}
    words = re.findall(r"[a-z0-9]+", _ascii(party.name.replace("&", " ")))
    return "-".join([word for word in words if word not in forms][:2]) + ".example"


def _ascii(name: str) -> str:
    return unicodedata.normalize("NFD", name).encode("ascii", "ignore").decode().lower()


def address(random: Random, name: str, email: str, *, named: float = 0.6) -> str:
    """An address as a header shows it, with the name in some."""
    return f"{name} <{email}>" if random.random() < named else email


def sign(random: Random, book: Phrasebook, writer: Writer, kind: str) -> str:
    """A signature: `short`, `name` (of an older message), `ours` (of the supplier) or `long`."""
    if kind == "name":
        return writer.name
    who = "company" if writer.party else "person"
    key = {"short": who, "ours": "ours", "long": f"long_{who}"}[kind]
    patterns = book.frames["signatures"]
    slots = _signature_slots(writer, book.language)
    written = str(random.choice(patterns[key])).format_map(slots)
    if kind == "long":
        written = "\n".join([written, *_long_end(random, book, writer, slots)])
    return bind(written, book.language)


def _long_end(random: Random, book: Phrasebook, writer: Writer, slots: Mapping[str, str]) -> list[str]:
    """Contacts, and for a company further lines and a disclaimer."""
    end = [
        str(random.choice(book.frames["signatures"]["contacts" if writer.party else "contacts_person"])).format_map(
            slots
        )
    ]
    if writer.party:
        speech = Speech(slots, "we", "f")
        names = random.choice([("extra",), ("disclaimer",), ("extra", "disclaimer"), ("extra", "disclaimer")])
        for name in names:
            template = random.choice(book.lists[name])
            end += ["", finish([template.say(random, speech)], book.language)]
    return end


def _signature_slots(writer: Writer, language: str) -> dict[str, str]:
    party = writer.party
    place = writer.place
    town = place[7:] if language == "cs" else place.rsplit(" ", 1)[0]
    company = party.name if party else ""
    return {
        "name": writer.name, "role": writer.role, "company": company, "company_short": company, "phone": writer.phone.replace(" ", NBSP)
        if language == "cs" else writer.phone, "email": writer.email, "domain": writer.email.split("@")[1], "street": writer.street,
        "town": town, "place": place, "ico": party.company_id if party else "",
        "section": party.register[1] if party and party.register else "",
        "insert": party.register[2] if party and party.register else "",
    }  # fmt: skip


class Program:
    """One mail program in one language."""

    def __init__(self, book: Phrasebook, number: int) -> None:
        programs = read("mailers")[book.language]
        self._words: Mapping[str, Any] = programs[list(programs)[number]]
        self._frames = book.frames

    @property
    def re(self) -> str:
        """What stands before the subject of an answer."""
        return str(self._words["re"])

    @property
    def fw(self) -> str:
        """What stands before the subject of a forward."""
        return str(self._words["fw"])

    def document(self, mail: Mail, below: str = "") -> str:
        """The whole document: header, text, and what is quoted below."""
        return f"{self._header('head', mail)}\n\n{mail.text}\n{below}"

    def thread(self, older: Sequence[Mail]) -> str:
        """The older messages of a thread, the newest of them first, each quoted below the one that answers it."""
        if not older:
            return ""
        inner = f"{older[0].text}\n{self.thread(older[1:])}"
        return f"\n{self._header('reply', older[0])}\n{self._quoted(inner)}"

    def forwarded(self, mail: Mail) -> str:
        """A forwarded message, which no program indents."""
        return f"\n{self._header('forward', mail)}\n{mail.text}\n"

    def _quoted(self, text: str) -> str:
        mark = self._words["quote"]
        return (
            "".join(f"{mark}{line}".rstrip() + "\n" for line in text.removesuffix("\n").split("\n")) if mark else text
        )

    def _header(self, kind: str, mail: Mail) -> str:
        return str(self._words[kind]).format_map(
            {"from": mail.from_, "to": mail.to, "subject": mail.subject, "date": self._date(mail.sent)}
        )

    def _date(self, at: datetime) -> str:
        frames, weekday = self._frames, at.weekday()
        short = frames["months_short"]
        return str(self._words["date"]).format(
            wd=frames["weekdays"]["short"][weekday], weekday=frames["weekdays"]["nom"][weekday], d=at.day, m=at.month, y=at.year,
            month=frames["months"][at.month - 1], mon=short[at.month - 1] if short else "", H=at.hour, h=(at.hour - 1) % 12 + 1,
            M=f"{at.minute:02}", S=f"{at.second:02}", ampm="AM" if at.hour < 12 else "PM",
        )  # fmt: skip
