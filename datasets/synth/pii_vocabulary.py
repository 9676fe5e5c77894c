"""The vocabularies of PII texts: read once and checked whole, so a broken entry is told before anything is made.

Files `vocab/pii/<name>.<language>.yaml`: people (names in all cases), situations, frames (sentences around one value), layout.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import yaml

from datasets.synth import vocabulary
from datasets.synth.pii_templates import TemplateError, parse, places, times
from schemas.errors import UsageError, nearest
from schemas.pii import FIELD_OF, NOT_PERSONAL, VARIANTS

FOLDER = vocabulary.FOLDER / "pii"
STYLES = ("labels", "record", "third", "near", "first")
CASES = 7
_PERSON = re.compile(
    r"[pqrgveahx](?:\.[1-7]|\.sig|\.pan(?:\.[1-7])?|\.mr|\.(?:email|phone|address|born|rc|account)|:[^/]+/[^/]+)?"
)
_ORGANIZATION = re.compile(r"[ck](?:\.(?:id|email|phone|address|account))?")
_OTHER = re.compile(r"day|shape|money|fee|order|n:[0-9]+-[0-9]+")
_FULL = re.compile(r"[pqx](?:\.[1-7]|\.sig)?")


@cache
def words(name: str, language: str, folder: Path = FOLDER) -> Any:
    """The checked content of `<name>.<language>.yaml`; treat it as frozen.

    `UsageError` names the file, the entry and what was expected.
    """
    file = f"{name}.{language}.yaml"
    try:
        content = yaml.safe_load((folder / file).read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as problem:
        where = " ".join(str(problem).split())
        raise UsageError(f"The vocabulary {file} is not YAML in UTF-8: {where}.") from None
    try:
        _CHECKS[name](file, content)
    except (KeyError, TypeError, AttributeError) as problem:
        raise UsageError(
            f"The vocabulary {file} has not the parts of its kind: {problem} is missing or of another form."
        ) from None
    return content


def broken(file: str, entry: str, expected: str) -> UsageError:
    """What is wrong with one entry of a vocabulary."""
    return UsageError(f"The vocabulary {file} has a broken entry {entry!r}: expected {expected}.")


def _check_template(file: str, text: object, named: str | None = None) -> None:
    """A template with known places only; `named`: the person that every text of it names in full exactly once."""
    if not isinstance(text, str):
        raise broken(file, str(text), "a sentence in quotation marks")
    try:
        template = parse(text)
    except TemplateError as problem:
        raise broken(file, text, str(problem)) from None
    for place in places(template):
        if not any(shape.fullmatch(place) for shape in (_PERSON, _ORGANIZATION, _OTHER)):
            raise broken(file, text, f"a known place instead of <{place}>")
    for person in "pq":
        wanted = (1, 1) if person == named else (0, 0)
        found = times(template, partial(_names, person))
        if named is not None and found != wanted:
            how = "exactly once" if person == named else "nowhere"
            raise broken(file, text, f"the full name <{person}> {how}, in every choice")


def _names(person: str, place: str) -> bool:
    """Whether a place is the full name of a person, in any case."""
    return bool(_FULL.fullmatch(place)) and place[0] == person


def _check_situations(file: str, content: Mapping[str, Any]) -> None:
    if tuple(content) != VARIANTS:
        raise broken(file, ", ".join(content), f"the kinds of text {', '.join(VARIANTS)}")
    for situations in content.values():
        for word, situation in situations.items():
            if situation.get("voice") not in ("third", "first"):
                raise broken(file, word, "voice: third or first")
            if len(situation.get("body", ())) != 3:
                raise broken(file, word, "three groups of sentences under body")
            for text in situation["lead"]:
                _check_template(file, text, "p" if situation["voice"] == "third" else "")
            for number, group in enumerate(situation["body"]):
                for text in group:
                    _check_template(file, text, "" if number else "q")
            for text in (*situation["title"], *situation["close"]):
                _check_template(file, text, "")


def _check_frames(file: str, content: Mapping[str, Any]) -> None:
    for part, known in (("attributes", FIELD_OF), ("distractors", NOT_PERSONAL)):
        for name, styles in content[part].items():
            if name not in known:
                raise broken(file, name, f"one of its {part}{nearest(name, known)}".rstrip("."))
            for style, texts in styles.items():
                if style not in STYLES:
                    raise broken(file, f"{name}: {style}", f"one of {', '.join(STYLES)}")
                for text in texts:
                    _check_template(file, text)
                    if part == "attributes" and times(parse(text), f"x.{name}".__eq__) != (1, 1):
                        raise broken(file, text, f"the place <x.{name}> exactly once, in every choice")


def _check_people(file: str, content: Mapping[str, Any]) -> None:
    language = file.split(".")[-2]
    for group in ("men", "women", "surnames"):
        for entry in content[group]:
            forms = (entry if group == "surnames" else [entry]) if language == "cs" else [[entry] * CASES]
            for form in forms:
                if not isinstance(form, list) or len(form) != CASES or not all(isinstance(f, str) and f for f in form):
                    raise broken(file, str(entry), f"all {CASES} cases of a name, in their order")
            if language == "cs" and group == "surnames" and len(entry) != 2:
                raise broken(file, str(entry), "the forms of a man and of a woman")


def _check_layout(file: str, content: Any) -> None:
    for kind in VARIANTS:
        for text in _texts(content[kind]):
            _check_template(file, text)


def _texts(content: Any) -> Iterator[object]:
    if isinstance(content, Mapping):
        for inner in content.values():
            yield from _texts(inner)
    elif isinstance(content, list):
        for inner in content:
            yield from _texts(inner)
    else:
        yield content


_CHECKS = {"situations": _check_situations, "frames": _check_frames, "people": _check_people, "layout": _check_layout}
