"""The sentences of e-mails in one language: the vocabulary files, checked and compiled once."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from datasets.synth.deadline import DAYS, KINDS
from datasets.synth.grammar import Noun, Template, compile_template
from datasets.synth.vocabulary import FOLDER
from schemas.emails import CATEGORIES
from schemas.errors import UsageError, nearest

_ROLES = ("subject", "opening", "order", "invoice", "amount", "detail", "positive", "negative", "request", "request_by")
_MAY_BE_EMPTY = ("positive", "negative")
_LISTS = ("deadline", "closing", "thread_opening", "reply", "reply_more", "note", "note_by", "extra", "disclaimer")
_GROUPS = ("facts", "distractors")
_PLAIN = (
    "qty",
    "old_order",
    "old_invoice",
    "price",
    "past",
    "promise_by",
    "phone",
    "email",
    "domain",
    "company_short",
    "section",
    "insert",
)


@dataclass(frozen=True)
class Phrasebook:
    """All templates of a language.

    situations: by category and role; lists: by name, groups as `facts.order`; frames: the file of frames as it is, for what is no
    template (deadlines, dates, names of weekdays, signatures); goods: by trade.
    """

    language: str
    situations: Mapping[str, Mapping[str, tuple[Template, ...]]]
    lists: Mapping[str, tuple[Template, ...]]
    frames: Mapping[str, Any]
    goods: Mapping[str, tuple[tuple[Noun, str], ...]]


@cache
def read_phrasebook(language: str, folder: Path = FOLDER) -> Phrasebook:
    """The phrasebook of a language; `UsageError` that names file and entry and says what was expected for a broken one."""
    frames_file, situations_file = f"email_frames.{language}.yaml", f"email_situations.{language}.yaml"
    frames, situations = _read(folder / frames_file), _read(folder / situations_file)
    goods_file = _read(folder / "email_goods.yaml")
    try:
        goods = {trade: tuple(_goods(entry[language], language) for entry in goods_file[trade]) for trade in goods_file}
        slots = _slots(frames, language)
    except (KeyError, TypeError, AttributeError) as problem:
        raise UsageError(
            f"email_goods.yaml or {frames_file}: the entry {problem} is missing or broken, expected the forms of a noun."
        ) from None
    _check_deadlines(frames_file, frames)
    _check_keys(situations_file, situations, CATEGORIES)
    compiled = {}
    for category in CATEGORIES:
        _check_keys(f"{situations_file}, {category}", situations[category], _ROLES)
        compiled[category] = {
            role: _compile(
                situations[category][role],
                language,
                slots,
                f"{situations_file}, {category}.{role}",
                role not in _MAY_BE_EMPTY,
            )
            for role in _ROLES
        }
        _check_roles(f"{situations_file}, {category}", compiled[category])
    lists = {
        name: _compile(entry, language, slots, f"{frames_file}, {name}") for name, entry in _lists(frames_file, frames)
    }
    return Phrasebook(language, compiled, lists, frames, goods)


def _read(path: Path) -> dict[str, Any]:
    try:
        found = yaml.safe_load(path.read_text(encoding="utf-8"))
    except yaml.YAMLError as problem:
        told = " ".join(str(problem).split())
        raise UsageError(f"{path.name} is no YAML file: {told}.") from None
    if not isinstance(found, dict):
        raise UsageError(f"{path.name}: expected a map, found {type(found).__name__}.")
    return found


def _check_keys(where: str, entry: object, wanted: tuple[str, ...]) -> None:
    if not isinstance(entry, dict):
        raise UsageError(f"{where}: expected a map with the keys {', '.join(wanted)}, found {entry!r}.")
    if missing := [key for key in wanted if key not in entry]:
        raise UsageError(f"{where}: the key {missing[0]!r} is missing, expected {', '.join(wanted)}.")
    if strangers := [key for key in entry if key not in wanted]:
        raise UsageError(f"{where}: unknown key {strangers[0]!r}{nearest(str(strangers[0]), wanted)}")


def _check_deadlines(file: str, frames: Mapping[str, Any]) -> None:
    kinds = [kind for kind in KINDS if kind != "in_days"] + [f"in_days_{days}" for days in DAYS]
    _check_keys(f"{file}, deadlines", frames.get("deadlines"), tuple(kinds))
    for kind in kinds:
        if not frames["deadlines"][kind].get("by"):
            raise UsageError(f"{file}, deadlines.{kind}: expected a list `by` of one phrase or more.")


def _check_roles(where: str, roles: Mapping[str, tuple[Template, ...]]) -> None:
    """A sentence that begins without any field, and in each role that is about a field one that says it alone."""
    for role, wanted in (("opening", frozenset()), ("request", frozenset()), ("request_by", frozenset({"by"}))):
        if not any(template.slots == wanted for template in roles[role]):
            told = "no field" if not wanted else f"no field but {', '.join(wanted)}"
            raise UsageError(f"{where}.{role}: expected at least one sentence that says {told}.")
    for role in ("order", "invoice", "amount"):
        if any(template.slots != {role} for template in roles[role]):
            raise UsageError(f"{where}.{role}: expected that every sentence says {{{role}}} and no other field.")


def _lists(file: str, frames: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    for name in (*_LISTS, *_GROUPS):
        if name not in frames:
            raise UsageError(f"{file}: the key {name!r} is missing.")
    yield from ((name, frames[name]) for name in _LISTS)
    for group in _GROUPS:
        yield from ((f"{group}.{name}", entry) for name, entry in frames[group].items())


def _compile(
    entry: object, language: str, slots: frozenset[str], where: str, must_be: bool = True
) -> tuple[Template, ...]:
    if not isinstance(entry, list) or not all(isinstance(line, str) and line.strip() for line in entry):
        wrong = next((line for line in entry if not isinstance(line, str)), "") if isinstance(entry, list) else entry
        raise UsageError(f"{where}: expected a list of sentences, found {wrong!r}.")
    if must_be and not entry:
        raise UsageError(f"{where}: the list is empty, expected one sentence or more.")
    return tuple(compile_template(line, language, slots, f"{where}[{number}]") for number, line in enumerate(entry))


def _slots(frames: Mapping[str, Any], language: str) -> frozenset[str]:
    cases = ["goods.nom", "goods.gen", "goods.acc", "goods.with"] if language == "cs" else ["goods"]
    for name in ("order", "invoice"):
        cases += [f"{name}.{case}" for case in frames["refs"][name]] + ([name] if language == "en" else [])
    return frozenset([*cases, *_PLAIN, "amount", "by", "day"])


def _goods(entry: Any, language: str) -> tuple[Noun, str]:
    """A kind of goods with its forms, and the ending that it asks for."""
    if language == "en":
        return Noun({"nom": (str(entry),)}), "f"
    return Noun({case: (entry[case],) for case in ("nom", "gen", "acc", "with")}), entry["gender"]
