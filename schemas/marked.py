"""YAML that people write becomes a model, or sentences that say file, line, what was expected and the nearest right thing.

Stricter than YAML where a slip would pass in silence: a key that stands twice, an alias, a number where a text belongs. All that is wrong
with a file is told at once, not its first fault alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar, get_args

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from schemas.errors import nearest

M = TypeVar("M", bound=BaseModel)
Loc = tuple[str | int, ...]

LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The parser in C where PyYAML was built with it: ten times faster, same marks."""

LONGEST = 60
"""Characters of a wrong value that a sentence quotes at most."""

WORDS = {
    "extra_forbidden": "there is no such key",
    "string_type": "one text was expected, not {found}",
    "string_too_short": "a text was expected, not an empty one",
    "string_pattern_mismatch": "{found} does not match {pattern}",
    "tuple_type": "a list was expected, not {found}",
    "dict_type": "keys with values were expected, not {found}",
    "model_type": "keys with values were expected, not {found}",
    "too_short": "at least {min_length} was expected, not {actual_length}",
    "bool_type": "true or false was expected, not {found}",
    "bool_parsing": "true or false was expected, not {found}",
    "greater_than": "a number above {gt:g} was expected, not {found}",
    "float_type": "a number was expected, not {found}",
    "float_parsing": "a number was expected, not {found}",
    "finite_number": "a number was expected, not {found}",
}
"""Our words for what pydantic finds."""


class Flaw(NamedTuple):
    """A fault: where (keys and positions from the top of the file) and the end of the sentence, without its full stop."""

    loc: Loc
    told: str


class FlawsError(ValueError):
    """Raised by the validators of a model for what its keys say against each other; locations count from that model."""

    def __init__(self, flaws: Sequence[Flaw]) -> None:
        super().__init__("; ".join(f"{_path(flaw.loc)}{flaw.told}" for flaw in flaws))
        self.flaws = tuple(flaws)


@dataclass(frozen=True)
class Marked(Generic[M]):
    """A file that was read: the model, or None, and what was wrong, a sentence each."""

    name: str
    model: M | None
    problems: tuple[str, ...] = ()
    lines: Mapping[Loc, int] = field(default_factory=dict)

    def tell(self, flaws: Iterable[Flaw]) -> tuple[str, ...]:
        """Faults that are found later, against other files, as sentences with their lines."""
        return tuple(_sentence(self.name, self.lines, flaw) for flaw in flaws)


def parse(model: type[M], written: bytes, name: str) -> Marked[M]:
    """Read the YAML of one file; name: the file as the sentences call it.

    >>> from schemas.legal import Reference
    >>> parse(Reference, b"id: R1\\nkind: norma\\ncite: x\\nshort: x", "a.yaml").problems
    ("a.yaml, line 2: kind: 'norma' is not one of the known words; did you mean 'norm'? Known: decision, doctrine, norm.",)
    """
    page = _Page()
    try:
        value = page.read(written)
    except FlawsError as problem:
        return Marked(name, None, tuple(_sentence(name, page.lines, flaw) for flaw in problem.flaws))
    try:
        found = model.model_validate(value)
    except ValidationError as problem:
        flaws = [flaw for error in problem.errors() for flaw in _flaws(model, error)]
        return Marked(name, None, tuple(_sentence(name, page.lines, flaw) for flaw in flaws), page.lines)
    return Marked(name, found, (), page.lines)


class _Page:
    """A YAML text as plain values, with the line where each begins."""

    def __init__(self) -> None:
        self.lines: dict[Loc, int] = {(): 1}
        self._seen: set[int] = set()

    def read(self, written: bytes) -> Any:
        """The whole text as a value; FlawsError for what is no single YAML document."""
        try:
            loader = LOADER(written.decode("utf-8-sig"))
            node = loader.get_single_node()
            return None if node is None else self._value(loader, node, ())
        except UnicodeDecodeError as problem:
            self.lines[()] = written.count(b"\n", 0, problem.start) + 1
            raise FlawsError([Flaw((), "text in UTF-8 was expected")]) from problem
        except yaml.YAMLError as problem:
            mark = getattr(problem, "problem_mark", None)
            self.lines[()] = min(mark.line, len(written.splitlines()) - 1) + 1 if mark else 1  # never behind the end
            found = [getattr(problem, name, None) for name in ("context", "problem", "reason")]
            words = ", ".join(" ".join(str(part).split()) for part in found if part)
            raise FlawsError([Flaw((), f"it is no YAML: {words or 'it cannot be read'}")]) from problem
        except RecursionError as problem:
            raise FlawsError([Flaw((), "it is nested too deeply")]) from problem

    def _value(self, loader: Any, node: yaml.Node, loc: Loc) -> Any:
        self.lines[loc] = node.start_mark.line + 1
        if id(node) in self._seen:
            raise FlawsError([Flaw(loc, "the text itself was expected, not an alias of another place")])
        self._seen.add(id(node))
        if isinstance(node, yaml.MappingNode):
            return self._mapping(loader, node, loc)
        if isinstance(node, yaml.SequenceNode):
            return [self._value(loader, item, (*loc, at)) for at, item in enumerate(node.value)]
        try:
            return loader.construct_object(node)
        except ValueError:  # a day that no calendar has: the model says what was expected
            return node.value

    def _mapping(self, loader: Any, node: yaml.MappingNode, loc: Loc) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for key, value in node.value:
            place = (*loc, str(key.value)) if isinstance(key, yaml.ScalarNode) else loc
            if place == loc:
                self.lines[loc] = key.start_mark.line + 1
                raise FlawsError([Flaw(loc, "a word was expected as a key, not a list or another mapping")])
            if place[-1] in found:
                first, self.lines[place] = self.lines[place], key.start_mark.line + 1
                raise FlawsError(
                    [Flaw(place, f"the key stood there before, in line {first}; exactly one was expected")]
                )
            found[str(key.value)] = self._value(loader, value, place)
            self.lines[place] = key.start_mark.line + 1
        return found


def _sentence(name: str, lines: Mapping[Loc, int], flaw: Flaw) -> str:
    loc = flaw.loc
    while loc not in lines and loc:
        loc = loc[:-1]
    told = f"{name}, line {lines.get(loc, 1)}: {_path(flaw.loc)}{flaw.told}"
    return told if told.endswith((".", "?")) else f"{told}."


def _path(loc: Loc) -> str:
    return f"{'.'.join(map(str, loc))}: " if loc else ""


def _flaws(model: type[BaseModel], error: ErrorDetails) -> Iterable[Flaw]:
    """What pydantic found in our words."""
    loc, kind, found = error["loc"], error["type"], error["input"]
    context = error.get("ctx", {})
    problem = context.get("error")
    if isinstance(problem, FlawsError):
        return [Flaw((*loc, *flaw.loc), flaw.told) for flaw in problem.flaws]
    if kind == "value_error":
        return [Flaw(loc, str(problem))]
    if kind == "missing":
        above = _model_at(model, loc[:-1])
        wanted = above.model_fields[str(loc[-1])].description if above else None
        return [Flaw(loc, f"it is missing; expected: {wanted[0].lower()}{wanted[1:]}" if wanted else "it is missing")]
    if kind == "literal_error":
        words = str(context["expected"]).replace("'", "").replace(" or ", ", ").split(", ")
        return [Flaw(loc, f"{quoted(found)} is not one of the known words{nearest(str(found), words)}")]
    if kind == "extra_forbidden":
        above = _model_at(model, loc[:-1])
        return [Flaw(loc, f"{WORDS[kind]}{nearest(str(loc[-1]), above.model_fields if above else ())}")]
    words_of = WORDS.get(kind, f"{error['msg'][0].lower()}{error['msg'][1:]}, not {{found}}")
    return [Flaw(loc, words_of.format_map({**context, "found": quoted(found)}))]


def quoted(value: object) -> str:
    """A wrong value as a sentence shows it: quoted and cut, a list by its length.

    >>> quoted(["a", "b"]), quoted(None), quoted("x" * 100)[-4:]
    ('a list of 2', 'nothing', "xx…'")
    """
    if value is None:
        return "nothing"
    if isinstance(value, list | tuple):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return f"the keys {', '.join(map(str, value))}"[:LONGEST]
    return repr(f"{value[:LONGEST]}…" if isinstance(value, str) and len(value) > LONGEST else value)


def _model_at(model: type[BaseModel], loc: Loc) -> type[BaseModel] | None:
    """The model that a location leads to; None where it leads to none."""
    here: Any = model
    for step in loc:
        if isinstance(here, type) and issubclass(here, BaseModel):
            here = here.model_fields[str(step)].annotation if str(step) in here.model_fields else None
        else:  # a list or a mapping: its last argument is what it holds
            here = next((a for a in reversed(get_args(here)) if a is not Ellipsis), None)
    return here if isinstance(here, type) and issubclass(here, BaseModel) else None
