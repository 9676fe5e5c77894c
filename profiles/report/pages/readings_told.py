"""Our readings of the rules as the page on method tells them: rules, words in both languages, and the switch as it stands (G-14)."""

import ast
import inspect
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from profiles.report.texts import Both, text
from schemas import readings

ORDER = "GDMLARJS"
"""Groups of rules in the order of METHODOLOGY."""

_RULE = re.compile(rf"\b[{ORDER}]-\d+\b")


@dataclass(frozen=True)
class ReadingTold:
    """One reading: its rules, what it says, and the constants that it stands in with their values."""

    rules: str
    told: Both
    switches: Sequence[str]


def switches() -> Iterator[tuple[str, list[str]]]:
    """Every docstring of a constant in `schemas.readings` with the constants before it that have none of their own."""
    names: list[str] = []
    for node in ast.parse(inspect.getsource(readings)).body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            names.append(ast.unparse(target))
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and names:
            yield str(node.value.value), names
            names = []


def groups() -> list[tuple[Both, list[ReadingTold]]]:
    """All readings by the group of their first rule."""
    found: dict[str, list[ReadingTold]] = {}
    for words, names in switches():
        rules = _RULE.findall(re.split(r"\. |\.\n", words, maxsplit=1)[0])
        values = [f"{name} = {getattr(readings, name)!r}" for name in names]
        found.setdefault(rules[0][0], []).append(ReadingTold(", ".join(rules), text(f"readings.{names[0]}"), values))
    return [(text(f"readings.group.{letter}"), found[letter]) for letter in ORDER if letter in found]
