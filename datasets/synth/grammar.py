"""Templates of sentences: alternatives, voices, agreement and slots, compiled once and expanded from a stream.

| written            | becomes                                                                                     |
|--------------------|---------------------------------------------------------------------------------------------|
| `[a\\|b\\|]`         | one of the alternatives, nothing among them                                                 |
| `<a\\|b>`, `<a\\|b\\|c>` | by who writes: one person, several; in Czech also a man, a woman, several           |
| `{g:a\\|b}`          | by the goods, in Czech: an ending of masculines and feminines in the plural, one of neuters   |
| `{goods.acc}`      | a value, by its name and case                                                               |

All of them nest. A value that a field is read from stands outside of alternatives, so that a template always or never says it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from schemas.errors import UsageError

FIELD_SLOTS = ("order", "invoice", "amount", "by", "day")
"""Slots whose value is the value of a field, or tells it."""

VOICES = ("man", "woman", "we")

_Part = str | tuple[str, "str | tuple[_Parts, ...]"]
_Parts = tuple[_Part, ...]


@dataclass(frozen=True)
class Noun:
    """A value with forms: by case, each form a choice of ways to say it, in which `{n}` stands for the name."""

    forms: Mapping[str, Sequence[str]]
    name: str = ""

    def say(self, case: str, random: Random) -> str:
        """One way to say the value in a case."""
        return random.choice(self.forms[case]).replace("{n}", self.name)


Value = str | Noun


@dataclass(frozen=True)
class Speech:
    """What decides how a template is said: values by slot, who writes (`VOICES`), and the ending of the goods (`f`, `n`)."""

    values: Mapping[str, Value]
    voice: str
    gender: str


@dataclass(frozen=True)
class Template:
    """A compiled template; slots: the field slots that it says."""

    parts: _Parts
    slots: frozenset[str]

    def say(self, random: Random, speech: Speech) -> str:
        """One sentence or phrase."""
        return _say(self.parts, random, speech)


@cache
def compile_template(written: str, language: str, slots: frozenset[str], where: str) -> Template:
    """Compile a template; `UsageError` that says where it stands, what is wrong in it and what was expected.

    slots: the names that a value may have, `name` or `name.case`.
    """
    try:
        parts, rest = _parse(written, 0, "", language)
        if rest != len(written):
            raise ValueError(f"{written[rest]!r} closes nothing")
        found = set(_slots(parts))
        if stranger := sorted(found - slots):
            raise ValueError(f"there is no value {stranger[0]!r}, expected one of {', '.join(sorted(slots))}")
        inside = {name.partition(".")[0] for part in parts if not isinstance(part, str) for name in _inside(part)}
        if hidden := sorted(inside & set(FIELD_SLOTS)):
            raise ValueError(f"the value {hidden[0]!r} stands in an alternative, expected outside of all brackets")
    except ValueError as problem:
        raise UsageError(f"{where}: {problem}.") from None
    return Template(parts, frozenset(name.partition(".")[0] for name in found) & frozenset(FIELD_SLOTS))


def _parse(written: str, at: int, end: str, language: str) -> tuple[_Parts, int]:
    """The parts up to one of the characters `end`, and where it stands."""
    parts: list[_Part] = []
    text = ""
    while at < len(written) and written[at] not in (end or "]>}"):
        char = written[at]
        if char not in "[<{":
            text, at = text + char, at + 1
            continue
        if text:
            parts.append(text)
            text = ""
        part, at = _bracket(written, at, language)
        parts.append(part)
    if text:
        parts.append(text)
    return tuple(parts), at


def _bracket(written: str, at: int, language: str) -> tuple[_Part, int]:
    """One bracket and what comes after it."""
    char = written[at]
    is_agreement = written.startswith("{g:", at)
    if char == "{" and not is_agreement:
        close = written.find("}", at)
        if close < 0:
            raise ValueError(f"a '{{' is not closed in {written!r}, expected '}}'")
        return ("slot", written[at + 1 : close]), close + 1
    close_with = {"[": "]", "<": ">", "{": "}"}[char]
    kind = {"[": "any", "<": "voice", "{": "gender"}[char]
    options: list[_Parts] = []
    at += 3 if is_agreement else 1
    while True:
        option, at = _parse(written, at, "|" + close_with, language)
        if at >= len(written):
            raise ValueError(f"a {char!r} is not closed in {written!r}, expected {close_with!r}")
        options.append(option)
        at += 1
        if written[at - 1] == close_with:
            break
    wanted = {"voice": (2, 3) if language == "cs" else (2,), "gender": (2,), "any": ()}[kind]
    if wanted and len(options) not in wanted:
        raise ValueError(f"{len(options)} forms stand in {char!r}, expected {' or '.join(map(str, wanted))}")
    return (kind, tuple(options)), at


def _slots(parts: _Parts) -> list[str]:
    found: list[str] = []
    for part in parts:
        if not isinstance(part, str):
            found += [str(part[1])] if part[0] == "slot" else _inside(part)
    return found


def _inside(part: _Part) -> list[str]:
    """The slots inside a bracket."""
    if isinstance(part, str) or isinstance(part[1], str):
        return []
    return [name for option in part[1] for name in _slots(option)]


def _say(parts: _Parts, random: Random, speech: Speech) -> str:
    said = []
    for part in parts:
        if isinstance(part, str):
            said.append(part)
            continue
        kind, content = part
        if isinstance(content, str):
            root, _, case = content.partition(".")
            value = speech.values[root]
            said.append(value if isinstance(value, str) else value.say(case or "nom", random))
        elif kind == "any":
            said.append(_say(content[int(random.random() * len(content))], random, speech))
        elif kind == "voice":
            place = VOICES.index(speech.voice)
            said.append(_say(content[place if len(content) == 3 else place // 2], random, speech))
        else:
            said.append(_say(content[int(speech.gender == "n")], random, speech))
    return "".join(said)
