"""Fills the places of sentences and records in the same act what was written: personal data, and what only looks like it (D-3, D-10)."""

import re
from datetime import date, timedelta
from random import Random
from typing import Any

from datasets.synth.formats import NBSP, print_date
from datasets.synth.pii_people import Person, Registry
from datasets.synth.pii_structure import Structure
from datasets.synth.pii_templates import parse, write
from datasets.synth.pii_vocabulary import words
from schemas.ids import ssn
from schemas.pii import FIELD_OF, FIELDS

_LONE = re.compile(r"(?<![\w/.@-])([ksvzouaiKSVZOUAI]) (?=[\w„])")
_ABBREVIATION = re.compile(
    r"\b(č\.|s\.|r\.|a\.|spol\.|v\.|o\.|j\.|ú\.|Ing\.|Mgr\.|Bc\.|MUDr\.|JUDr\.|RNDr\.|arch\.) (?=\w)"
)
_UNIT = re.compile(r"(?<=[0-9]) (?=(?:Kč|kg|dní|dnů|hodin|hodiny|týdnů|měsíců|nocí)\b|%)")
_GROUP = re.compile(r"(?<=[0-9]) (?=[0-9]{2,3}\b)")
_FIRM = re.compile(r"(, (?:spol\. s r\. o\.|s\. r\. o\.|a\. s\.|v\. o\. s\.|Inc\.|LLP)) (?=[a-zá-ž])")
_WITH = re.compile(r"\b([Ss]) (?=[SŠZŽsšzž])")


class Writer:
    """Writes the sentences of one text in one language; author: the letter of who writes it."""

    def __init__(self, random: Random, language: str, structure: Structure, author: str) -> None:
        self.random, self.language = random, language
        self._registry = Registry(random, language, structure)
        self._layout = words("layout", language)
        self._called = words("people", language)
        self._written, self._letters = structure.written, {"x": "p", "a": author}
        self.truth: dict[str, list[str]] = {field.name: [] for field in FIELDS}
        self.base_forms: dict[str, str] = {}
        self.not_personal: dict[str, list[str]] = {}

    def write(self, text: str, owner: str = "p", *, is_start: bool = True) -> str:
        """The text of a template; `owner`: whom <x> stands for; is_start: whether it begins a sentence, with a capital.

        A dot after an abbreviation that closes the sentence is not doubled.
        """
        self._letters["x"] = owner
        written = _polish(write(parse(text), self.random, self._fill), self.language)
        is_small = not is_start or not written or "@" in written.split(" ", 1)[0]
        return written if is_small else written[0].upper() + written[1:]

    def _fill(self, place: str) -> str:
        name, mark, forms = place.partition(":")
        if mark and name != "n":
            man, woman = forms.split("/")
            return woman if self._person(name).role.is_woman else man
        if name == "n":
            low, high = forms.split("-")
            return str(self.random.randint(int(low), int(high)))
        letter, _, what = name.partition(".")
        if letter in ("c", "k"):
            return self._of_organization(letter, what)
        if letter in ("day", "shape", "money", "fee", "order"):
            return str(getattr(self, f"_{letter}")())
        return self._of_person(letter, what)

    def _person(self, letter: str) -> Person:
        return self._registry.person(self._letters.get(letter, letter))

    def _of_person(self, letter: str, what: str) -> str:
        person = self._person(letter)
        if letter == "h":
            return self._note("named_after", person.names[int(what or 1) - 1 if self.language == "cs" else 0])
        if what.startswith(("pan", "mr")):
            return self._call(person, int(what[4:] or 1) if what.startswith("pan") else 1)
        if what in FIELD_OF:
            return self._attribute(person, what)
        case = int(what) if what.isdigit() else 1
        name = person.names[case - 1 if self.language == "cs" else 0]
        self._add("names", name)
        if name != person.names[0]:
            self.base_forms[name] = person.names[0]
        title = f"{person.title} " if person.title else ""
        return f"{title}{name}, {person.degree}" if what == "sig" and person.degree else f"{title}{name}"

    def _call(self, person: Person, case: int) -> str:
        """How a person is spoken of after the first mention: never by the full name."""
        called = self._called[person.role.called]["woman" if person.role.is_woman else "man"]
        if self.language == "en":
            return f"{person.title or called} {person.surnames[0]}" if person.role.called == "mister" else str(called)
        return (
            f"{called[case - 1]} {person.surnames[case - 1]}"
            if person.role.called == "mister"
            else str(called[case - 1])
        )

    def _attribute(self, person: Person, what: str) -> str:
        """One attribute of a person as printed; its value joins the truth."""
        if what == "born":
            self._add("birth_dates", person.role.born.isoformat())
            return self._print(person.role.born)
        if what == "address":
            return self._place(*person.address, "addresses")
        value = str(getattr(person, what))
        self._add(FIELD_OF[what], person.account_id if what == "account" else value)
        return value

    def _of_organization(self, letter: str, what: str) -> str:
        organization = self._registry.organization(letter)
        if not what:
            return self._note("company_name", organization.name)
        if what == "address":
            written, street = organization.address
            if street:
                self._note("person_street", street)
            return self._note("company_address", written)
        if what == "account":
            self._note("company_account", organization.account_id)
            return organization.account
        kinds = {"id": "company_id", "email": "general_email", "phone": "switchboard"}
        return self._note(kinds[what], str(getattr(organization, what)))

    def _place(self, written: str, street: str | None, field: str) -> str:
        self._add(field, written)
        if street:
            self._note("person_street", street)
        return written

    def _day(self) -> str:
        """A day near the one on which the text was written."""
        day = self._written + timedelta(days=self.random.randint(-60, 60))
        self._note("other_date", day.isoformat())
        return self._print(day)

    def _print(self, day: date) -> str:
        written = print_date(day, self.random.choice(self._layout["dates"]), self._layout["months"])
        return written if self.language == "cs" else written.replace(NBSP, " ")

    def _shape(self) -> str:
        """A number in the shape of a rodné číslo or an SSN, which is none (D-10); the latter in a never assigned area (D-5)."""
        if self.language == "en":
            return self._note("reference", ssn.format(ssn.draw(self.random)))
        month = self.random.randint(1, 12) + 50 * self.random.randint(0, 1)
        year, day = self.random.choice([*range(55, 100), *range(10)]), self.random.randint(1, 28)
        return self._note("reference", f"{year:02}{month:02}{day:02}/{self.random.randrange(1, 10000):04}")

    def _money(self) -> str:
        return self._amount(self.random.randint(11, 189) * (100 if self.language == "cs" else 5))

    def _fee(self) -> str:
        return self._amount(self.random.randint(14, 48) * (10 if self.language == "cs" else 1))

    def _amount(self, amount: int) -> str:
        written = f"{amount:,}" if self.language == "en" else f"{amount:,}".replace(",", " ")
        return str(self._layout["money"].format(n=written))

    def _order(self) -> str:
        form = self.random.choice(self._layout["orders"])
        return self._note("order", form.format(y=self._written.year, n=f"{self.random.randint(1, 9999):04}"))

    def _add(self, field: str, value: str) -> None:
        if value not in self.truth[field]:
            self.truth[field].append(value)

    def _note(self, kind: str, value: str) -> str:
        found = self.not_personal.setdefault(kind, [])
        if value not in found:
            found.append(value)
        return value

    def to_truth(self) -> dict[str, Any]:
        """The truth of the text so far, in the form of `schemas.pii`."""
        return {**self.truth, "base_forms": self.base_forms, "not_personal": self.not_personal}


def _polish(text: str, language: str) -> str:
    """A sentence as it is written once its places are filled: a comma behind the legal form of a firm, one dot at the end, „se“ before s."""
    text = _FIRM.sub(r"\1, ", text.replace("  ", " ")).replace("..", ".")
    return _WITH.sub(r"\1e ", text) if language == "cs" else text


def typeset(text: str, language: str) -> str:
    """A text with the spaces that do not break where its language wants them (Czech alone; American texts are typed plainly).

    >>> typeset("v domě č. 5 za 100 Kč", "cs")
    'v\\xa0domě č.\\xa05 za 100\\xa0Kč'
    """
    if language != "cs":
        return text
    for pattern in (_LONE, _ABBREVIATION):
        text = pattern.sub(lambda match: f"{match[1]}{NBSP}", text)
    return _GROUP.sub(NBSP, _UNIT.sub(NBSP, text))
