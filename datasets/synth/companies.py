"""Invented parties of an invoice: companies and self-employed persons (OSVČ), Czech and American (D-4, D-5)."""

import unicodedata
from dataclasses import dataclass
from datetime import date
from random import Random

from datasets.synth.vocabulary import read
from schemas.ids import aba, account, dic, ein, ico, rc

UNASSIGNED_PREFIX = "65"
"""Czech telephone numbers 65x xxx xxx: the numbering plan assigns none of them (D-5)."""


@dataclass(frozen=True)
class Party:
    """One side of an invoice; identifiers in canonical form, None where the party has none.

    company_id: IČO or EIN; tax_id: DIČ (Czech payers of VAT only); account: `prefix-number/bank` or `routing/account`;
    register: court, section and file of a Czech company in the public register; tax_rate: combined sales tax of an
    American town in per cent, as text.
    """

    name: str
    street: str
    town: str
    phone: str
    email: str
    company_id: str
    tax_id: str | None
    account: str
    register: tuple[str, str, str] | None = None
    tax_rate: str | None = None

    @property
    def is_person(self) -> bool:
        """Whether a Czech party stands in no register of companies, as a self-employed person."""
        return self.register is None


def draw_party(random: Random, language: str, trade: str, *, person: bool = False, payer: bool = True) -> Party:
    """Draw a party that carries on the trade; `payer` decides whether a Czech one has a DIČ.

    A Czech person's DIČ is `CZ` and a rodné číslo of the right sex (D-4).
    """
    return _draw_czech(random, trade, person, payer) if language == "cs" else _draw_american(random, trade, person)


def _draw_czech(random: Random, trade: str, person: bool, payer: bool) -> Party:
    places = read("places")["cs"]
    code, town, court = random.choice(places["towns"])
    woman = random.random() < 0.5
    name, section = (_draw_person(random, "cs", woman), None) if person else _draw_company(random, "cs", trade)
    number = ico.draw(random)
    tax_id = None
    if payer:
        born = date(random.randint(1955, 2000), random.randint(1, 12), random.randint(1, 28))
        tax_id = dic.from_rc(rc.draw(random, born=born, woman=woman)) if person else dic.from_ico(number)
    house = str(random.randint(1, 2400)) + (f"/{random.randint(1, 60)}" if random.random() < 0.6 else "")
    return Party(
        name=name,
        street=f"{random.choice(places['streets'])} {house}",
        town=f"{code} {town}",
        phone=f"+420 {UNASSIGNED_PREFIX}{random.randrange(10)} {random.randrange(1000):03} {random.randrange(1000):03}",
        email=_email(name, random.choice(["fakturace", "info", "ucetni", "kancelar"])),
        company_id=number,
        tax_id=tax_id,
        account=account.draw(random),
        register=None if section is None else (court, section, str(random.randint(1200, 399999))),
    )


def _draw_american(random: Random, trade: str, person: bool) -> Party:
    places = read("places")["en"]
    code, town, state, tax_rate = random.choice(places["towns"])
    name = _draw_person(random, "en", random.random() < 0.5) if person else _draw_company(random, "en", trade)[0]
    length = random.randint(8, 12)
    number = f"{random.randrange(10 ** (length - 1), 10**length)}"
    return Party(
        name=name,
        street=f"{random.randint(10, 9899)} {random.choice(places['streets'])}{random.choice(places['suites'])}",
        town=f"{town}, {state} {code}",
        phone=f"({places['area_codes'][state]}) 555-01{random.randrange(100):02}",
        email=_email(name, random.choice(["billing", "accounts", "office", "info"])),
        company_id=ein.draw(random),
        tax_id=None,
        account=f"{aba.draw(random)}/{number}",
        tax_rate=tax_rate,
    )


def draw_name(random: Random, language: str) -> str:
    """Draw the full name of an invented person, of either sex."""
    return _draw_person(random, language, random.random() < 0.5)


def draw_person(random: Random, language: str, *, woman: bool) -> str:
    """Draw the full name of an invented person of a sex."""
    return _draw_person(random, language, woman)


def _draw_surname(random: Random, language: str, woman: bool) -> str:
    parts = read("names")[language]["surnames"]
    end = random.choice(parts["end"])
    return str(random.choice(parts["begin"]) + (end if isinstance(end, str) else end[woman]))


def _draw_person(random: Random, language: str, woman: bool) -> str:
    given = random.choice(read("names")[language]["women" if woman else "men"])
    return f"{given} {_draw_surname(random, language, woman)}"


def _draw_company(random: Random, language: str, trade: str) -> tuple[str, str]:
    """Name with its legal form, and the section of the register."""
    names = read("names")[language]
    if random.random() < 0.08:
        pattern, section = names["partnership"]
        a, b = (_draw_surname(random, language, woman=False) for _ in range(2))
        return pattern.format(a=a, b=b), section
    word = random.choice(names["words"]["begin"]) + random.choice(names["words"]["end"])
    forms = names["forms"]
    form, section, _ = random.choices(forms, weights=[weight for *_, weight in forms])[0]
    business = random.choice(read("goods")[trade][language])
    name = random.choice(names["patterns"]).format(
        trade=business,
        trade_low=business[0].lower() + business[1:],
        word=word,
        form=form,
        comma=random.choice(["", ","]),
    )
    return name, section


def _email(name: str, mailbox: str) -> str:
    """An address in a `.example` domain made of two words of the name at most (D-5)."""
    plain = unicodedata.normalize("NFD", name.split(",")[0]).encode("ascii", "ignore").decode().lower()
    words = ["".join(c for c in word if c.isalnum()) for word in plain.split() if "." not in word and word != "llc"]
    return f"{mailbox}@{'-'.join([word for word in words if word][:2])}.example"
