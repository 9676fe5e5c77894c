"""What both twins of a pair have in common: the situation, the persons, whose data stand where, what is beside them (D-1).

Nothing here has a language; values and words come later.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from random import Random
from typing import Any

from datasets.synth.pii_vocabulary import words
from schemas.pii import FIELD_OF, NOT_PERSONAL

CHANCES = {"email": 0.55, "phone": 0.55, "address": 0.5, "born": 0.5, "rc": 0.45, "account": 0.45}
"""How often the person whom a text is about has the attribute."""

BESIDE = {"email": 0.2, "phone": 0.25, "address": 0.12, "born": 0.12, "rc": 0.08, "account": 0.1}
"""The same for the second person; where the text is in the first person, only e-mail, telephone and address."""

DISTRACTORS = tuple(kind for kind in NOT_PERSONAL if kind not in ("order", "person_street"))
DISTRACTOR_CHANCE = 0.55
_SIGNER_CHANCE = 0.3
_ADULTS = (date(1944, 1, 1), date(2002, 12, 31))
_MOTHERS = (date(1984, 1, 1), date(2002, 12, 31))
_YOUNG = (date(2006, 1, 1), date(2009, 12, 31))
_WRITTEN = (date(2023, 1, 9), date(2025, 10, 31))


@dataclass(frozen=True)
class Role:
    """A person of the structure; called: how the text speaks of the person after the first mention (mister, child, student)."""

    is_woman: bool
    born: date
    called: str = "mister"


@dataclass(frozen=True)
class Structure:
    """The plan of a pair.

    roles: by letter (p subject, q other, r writer, v verifier, g addressee, e0… others present, h whom a hall is named after); labels and
    sentences: attributes as (letter, attribute), in order; distractors likewise by kind, `signed` those in the writer's signature.
    """

    variant: str
    situation: str
    voice: str
    roles: dict[str, Role]
    labels: tuple[tuple[str, str], ...]
    sentences: tuple[tuple[str, str], ...]
    signed: tuple[str, ...]
    distractor_labels: tuple[str, ...]
    distractor_sentences: tuple[str, ...]
    written: date
    others: int
    turns: tuple[float, ...]


def draw_structure(random: Random, variant: str, layout: str, situation: str) -> Structure:
    """Draw what the twins share; variant, layout and situation are dealt by the set."""
    entry = words("situations", "cs")[variant][situation]
    others = random.randint(1, 3) if variant == "minutes" else 0
    roles = {letter: _role(random) for letter in ("q", "r", "v", "g", "h", *(f"e{i}" for i in range(3)))}
    roles["p"] = _role(random, entry.get("p"))
    if entry.get("q"):
        roles["q"] = _role(random, entry["q"])
    labels, sentences = _attributes(random, entry, layout)
    kinds = [kind for kind in DISTRACTORS if random.random() < DISTRACTOR_CHANCE]
    random.shuffle(kinds)
    lines = _lines(random, len(kinds), layout)
    signed = tuple(a for a in ("email", "phone") if random.random() < _SIGNER_CHANCE)
    return Structure(
        variant=variant,
        situation=situation,
        voice=entry["voice"],
        roles=roles,
        labels=tuple(labels),
        sentences=tuple(sentences),
        signed=signed if entry["voice"] == "third" else (),
        distractor_labels=tuple(kinds[:lines]),
        distractor_sentences=tuple(kinds[lines:]),
        written=_WRITTEN[0] + timedelta(days=random.randrange((_WRITTEN[1] - _WRITTEN[0]).days)),
        others=others,
        turns=tuple(random.random() for _ in range(8)),
    )


def _role(random: Random, called: str | None = None) -> Role:
    """A person; `called`: woman, child or student, as the situation wants."""
    is_woman = random.random() < 0.5 or called == "woman"
    first, last = _YOUNG if called in ("child", "student") else _MOTHERS if called == "woman" else _ADULTS
    born = first + timedelta(days=random.randrange((last - first).days + 1))
    return Role(is_woman, born, called if called in ("child", "student") else "mister")


def _attributes(
    random: Random, entry: dict[str, Any], layout: str
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """The attributes in labelled lines and those in sentences; of the subject at least one."""
    own = [name for name in FIELD_OF if random.random() < CHANCES[name]] or [random.choice(list(FIELD_OF))]
    random.shuffle(own)
    lines = _lines(random, len(own), layout)
    near = [name for name in FIELD_OF if random.random() < BESIDE[name]]
    if entry["voice"] == "first":
        near = [name for name in near if name in ("email", "phone", "address")]
    if entry.get("q") == "child":
        near = [name for name in near if name not in ("phone", "account")]
    return [("p", name) for name in own[:lines]], [("p", name) for name in own[lines:]] + [("q", name) for name in near]


def _lines(random: Random, count: int, layout: str) -> int:
    """How many of `count` stand in labelled lines."""
    if layout == "mixed":
        return (count + (random.random() < 0.5)) // 2
    return count if layout == "lines" else 0
