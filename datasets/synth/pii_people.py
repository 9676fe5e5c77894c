"""Invented persons and organisations with all that a text may say of them, in one language (D-4, D-5).

Within one text no two persons share a surname or a telephone.
"""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from datasets.synth import vocabulary
from datasets.synth.companies import UNASSIGNED_PREFIX
from datasets.synth.pii_structure import Role, Structure
from datasets.synth.pii_vocabulary import words
from schemas.ids import aba, account, ein, iban, ico, rc, ssn

_IBAN_SHARE = 0.2
_TITLE_SHARE = 0.12
_NICKNAME_SHARE = 0.15
_PERSON_STREET_SHARE = 0.25
_INITIAL_SHARE = 0.12
Address = tuple[str, str | None]
"""An address as written, and its street where that bears a person's name."""


@dataclass(frozen=True)
class Person:
    """A person: names in all cases (English ones repeat their one form), attributes as they are printed.

    account: as printed; account_id: canonical, in its printed kind (account or IBAN).
    """

    role: Role
    names: tuple[str, ...]
    surnames: tuple[str, ...]
    title: str
    degree: str
    email: str
    phone: str
    address: Address
    rc: str
    account: str
    account_id: str


@dataclass(frozen=True)
class Organization:
    """An organisation; attributes as they are printed."""

    name: str
    id: str
    email: str
    phone: str
    address: Address
    account: str
    account_id: str


class Registry:
    """Draws the persons and organisations of one text, each letter once."""

    def __init__(self, random: Random, language: str, structure: Structure) -> None:
        self._random, self.language, self._roles = random, language, structure.roles
        self._is_record = structure.variant == "record"
        self._people: dict[str, Person] = {}
        self._organizations: dict[str, Organization] = {}
        self._vocabulary = words("people", language)
        self._surnames = self._distinct(self._vocabulary["surnames"])
        self._phones = self._distinct(range(100))

    def person(self, letter: str) -> Person:
        """The person behind a letter."""
        if letter not in self._people:
            self._people[letter] = self._draw_person(self._roles[letter])
        return self._people[letter]

    def organization(self, letter: str) -> Organization:
        """The organisation behind a letter."""
        if letter not in self._organizations:
            self._organizations[letter] = self._draw_organization(
                "firms" if letter == "c" and self._is_record else "partners"
            )
        return self._organizations[letter]

    def _distinct(self, values: Sequence[Any]) -> Iterator[Any]:
        return iter(self._random.sample(values, 20))

    def _draw_person(self, role: Role) -> Person:
        random, language, vocabulary_ = self._random, self.language, self._vocabulary
        given = random.choice(vocabulary_["women" if role.is_woman else "men"])
        surname = next(self._surnames)
        if language == "cs":
            surnames = tuple(surname[role.is_woman])
            names = tuple(f"{g} {s}" for g, s in zip(given, surnames, strict=True))
            given = given[0]
        else:
            surnames = (surname,)
            middle = f" {random.choice(vocabulary_['initials'])}" if random.random() < _INITIAL_SHARE else ""
            names = (f"{given}{middle} {surname}",)
        adult = role.called == "mister"
        printed, canonical = self._account()
        return Person(
            role=role,
            names=names,
            surnames=surnames,
            title=random.choice(vocabulary_["titles"]) if adult and random.random() < _TITLE_SHARE else "",
            degree=random.choice(vocabulary_["degrees"]) if adult and random.random() < _TITLE_SHARE else "",
            email=self._email(given, surnames[0], role),
            phone=self._phone(),
            address=self._address(),
            rc=rc.format(rc.draw(random, role.born, role.is_woman))
            if language == "cs"
            else ssn.format(ssn.draw(random)),
            account=printed,
            account_id=canonical,
        )

    def _email(self, given: str, surname: str, role: Role) -> str:
        random = self._random
        host = random.choice(self._vocabulary["mail_hosts"])
        if random.random() < _NICKNAME_SHARE:
            return f"{random.choice(self._vocabulary['nicknames'])}{random.choice(['', str(random.randint(2, 99))])}@{host}"
        first, last = plain(given), plain(surname)
        form = random.choice(["{a}.{b}", "{b}.{a}", "{i}{b}", "{a}{b}", "{b}{y}", "{a}.{b}{y}", "{i}.{b}", "{b}-{a}"])
        return f"{form.format(a=first, b=last, i=first[0], y=f'{role.born.year % 100:02}')}@{host}"

    def _phone(self) -> str:
        random, form = self._random, self._random.choice(words("layout", self.language)["phones"])
        if self.language == "cs":
            a, b, c = (
                f"{UNASSIGNED_PREFIX}{random.randrange(10)}",
                f"{random.randrange(1000):03}",
                f"{next(self._phones)}{random.randrange(10)}",
            )
            return str(form.format(a=a, b=b, c=f"{int(c):03}"))
        codes = vocabulary.read("places")["en"]["area_codes"]
        return str(form.format(a=random.choice(list(codes.values())), c=f"01{next(self._phones):02}"))

    def _address(self) -> Address:
        random, places = self._random, vocabulary.read("places")[self.language]
        own = vocabulary.read("pii/organizations")[self.language]
        is_named = random.random() < _PERSON_STREET_SHARE
        street = random.choice(own["person_streets"] if is_named else places["streets"])
        flat = random.choice(own["flats"]).format(n=random.randint(2, 48))
        if self.language == "cs":
            code, town, _ = random.choice(places["towns"])
            return f"{street} {random.randint(1, 1490)}{flat}, {code} {town}", street if is_named else None
        code, town, state, _ = random.choice(places["towns"])
        return f"{random.randint(10, 9899)} {street}{flat}, {town}, {state} {code}", street if is_named else None

    def _account(self) -> tuple[str, str]:
        """An account as printed and in canonical form."""
        random = self._random
        if self.language == "cs":
            number = account.draw(random)
            if random.random() < _IBAN_SHARE:
                written = iban.from_account(number)
                return iban.format(written), written
            return number, number
        routing, length = aba.draw(random), random.randint(8, 12)
        number = str(random.randrange(10 ** (length - 1), 10**length))
        forms = ("{r}/{n}", "{n} (routing {r})", "{n} (ABA {r})", "{n}, routing number {r}")
        return random.choice(forms).format(r=routing, n=number), f"{routing}/{number}"

    def _draw_organization(self, trades: str) -> Organization:
        random, own = self._random, vocabulary.read("pii/organizations")[self.language]
        first, second = (
            s[0][0] if self.language == "cs" else s for s in random.sample(self._vocabulary["surnames"], 2)
        )
        name = random.choice(own[trades]).format(s=first, s2=second)
        domain = plain(
            random.choice([first, f"{first}-{random.choice(['group', 'plus'])}", *random.sample(own["words"], 2)])
        )
        printed, canonical = self._account()
        return Organization(
            name=name,
            id=ico.draw(random) if self.language == "cs" else ein.format(ein.draw(random)),
            email=f"{random.choice(own['mailboxes'])}@{domain}.example",
            phone=self._phone(),
            address=self._address(),
            account=printed,
            account_id=canonical,
        )


@cache
def plain(name: str) -> str:
    """A name in the letters of addresses of e-mail.

    >>> plain("Řezníček"), plain("O'Connell"), plain("Zelený vrch")
    ('reznicek', 'oconnell', 'zeleny-vrch')
    """
    letters = unicodedata.normalize("NFD", name).encode("ascii", "ignore").decode().lower().replace(" ", "-")
    return "".join(c for c in letters if c.isalnum() or c == "-")
