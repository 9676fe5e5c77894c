"""The little language of sentences: `{a|b}` is a choice, `<…>` a place for a value.

A template is parsed once into a tree and written many times. Places are filled by a function, so what stands in a text and what is
recorded as its truth are one act (D-3).
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from random import Random


class TemplateError(ValueError):
    """A template that cannot be read; its message is a clause that says what was expected."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place for a value, by the words between `<` and `>`."""

    name: str


@dataclass(frozen=True, slots=True)
class Choice:
    """Alternatives, one of which is written."""

    branches: tuple["Template", ...]


Template = tuple["str | Place | Choice", ...]

_TOKENS = re.compile(r"[{}|]|<[^<>]*>|[^{}|<>]+|[<>]")


@cache
def parse(text: str) -> Template:
    """The tree of a template; `TemplateError` for a brace or a place that is not closed, or a bar outside braces.

    >>> parse("{Hello|Hi}, <p>")
    (Choice(branches=(('Hello',), ('Hi',))), ', ', Place(name='p'))
    """
    stack: list[list[list[str | Place | Choice]]] = [[[]]]
    for token in _TOKENS.findall(text):
        if token == "{":
            stack.append([[]])
        elif token == "}":
            if len(stack) == 1:
                raise TemplateError("a closing brace with an opening one before it")
            branches = stack.pop()
            stack[-1][-1].append(Choice(tuple(tuple(branch) for branch in branches)))
        elif token == "|":
            if len(stack) == 1:
                raise TemplateError("a bar inside braces")
            stack[-1].append([])
        elif token in "<>":
            raise TemplateError("places as <name>, opened and closed")
        else:
            stack[-1][-1].append(Place(token[1:-1]) if token[0] == "<" else token)
    if len(stack) > 1:
        raise TemplateError("a closing brace for every opening one")
    return tuple(stack[0][0])


def write(template: Template, random: Random, fill: Callable[[str], str]) -> str:
    """The text of a template, choices drawn and places filled.

    >>> write(parse("Hello, <p>"), Random(1), lambda name: name.upper())
    'Hello, P'
    """
    parts = []
    for node in template:
        if isinstance(node, str):
            parts.append(node)
        elif isinstance(node, Place):
            parts.append(fill(node.name))
        else:
            parts.append(write(node.branches[int(random.random() * len(node.branches))], random, fill))
    return "".join(parts)


def places(template: Template) -> Iterator[str]:
    """All places of a template, in every branch."""
    for node in template:
        if isinstance(node, Place):
            yield node.name
        elif isinstance(node, Choice):
            for branch in node.branches:
                yield from places(branch)


def times(template: Template, counts: Callable[[str], bool]) -> tuple[int, int]:
    """How often at least and at most a text of the template has a place that counts.

    >>> times(parse("{<p>|nobody} and <p>"), lambda name: name == "p")
    (1, 2)
    """
    least = most = 0
    for node in template:
        if isinstance(node, Place):
            least, most = least + counts(node.name), most + counts(node.name)
        elif isinstance(node, Choice):
            inner = [times(branch, counts) for branch in node.branches]
            least, most = least + min(low for low, _ in inner), most + max(high for _, high in inner)
    return least, most
