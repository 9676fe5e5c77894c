"""The one JSON object in a reply: who asks once more (M-2) and who grades (D-13, D-16) read replies by the same rule.

What counts, as JSON itself has it (RFC 8259), and what we decided:

- An object that breaks the grammar is no object: `NaN`, `Infinity`, a trailing comma, a raw line break in a string, a cut-off.
  Neither is one with the same key twice, one nested deeper than `MAX_DEPTH`, or one with a number out of the range of `Decimal`.
- Objects are looked for from the outside in: the object inside a broken one is never taken for the answer.
- A broken but closed object beside a valid one does not count (`{"total": …}` as an illustration); a cut-off one spoils the reply.
- Two different valid objects are ambiguous: none. The same object twice is one.
- A list or a scalar at the top is none, except a list of exactly one object: nothing else can be meant by it (`embedded`).
- White space of any kind, a BOM and spaces of no width around the object are tolerated, inside it only what JSON allows.

Integers come back as `int`, other numbers as `Decimal` with the digits as written; an integer too long for `int` as `Decimal`.
Time is linear in the length of the reply.
"""

import functools
import json
import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any, Literal

Structure = Literal["json", "fenced", "embedded", "none"]

MAX_DEPTH = 64
MAX_CANDIDATES = 100

_BLANK = "".join(filter(str.isspace, map(chr, range(0x3001)))) + "\u200b\u2060\ufeff"
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[][{}]', re.DOTALL)
_FENCE = re.compile(r"(`{3,}|~{3,})[ \t]*[A-Za-z0-9_+-]*")


@dataclass(frozen=True, slots=True)
class Found:
    """What was found in a reply.

    structure: `json` the whole reply is the object, `fenced` nothing but a Markdown fence around it, `embedded` anything else around
    it, `none`. problem: why there is no object, one sentence that quotes nothing of the reply; None where there is one.
    """

    value: dict[str, Any] | None
    structure: Structure
    problem: str | None = None


class _BrokenError(Exception):
    """A sentence on why something is no JSON object."""


class _HopelessError(_BrokenError):
    """The same, where nothing behind it can be looked at."""


def find_json(text: str) -> Found:
    """Return the one JSON object of a reply, or say why there is none; never raises.

    >>> find_json('```json\\n{"total": 1210.00}\\n```')
    Found(value={'total': Decimal('1210.00')}, structure='fenced', problem=None)
    >>> find_json('{"base": {"21": "1000.00"}, "total": "121').problem
    'An object in the reply is cut off.'
    """
    text = text.strip(_BLANK)
    try:
        _refuse_other_values(text)
        value, start, end = _only(text)
    except _BrokenError as broken:
        return Found(None, "none", str(broken))
    return Found(value, _structure(text[:start].strip(_BLANK), text[end:].strip(_BLANK)))


@functools.lru_cache(maxsize=256)
def has_object(text: str) -> bool:
    """Whether `find_json` finds an object in a reply; who asks once more (M-2) and who records the answer look at the same reply."""
    return find_json(text).value is not None


def _structure(before: str, after: str) -> Structure:
    if not before and not after:
        return "json"
    fence = _FENCE.fullmatch(before)
    return "fenced" if fence and after in ("", fence[1]) else "embedded"


def _refuse_other_values(text: str) -> None:
    """Raise where the whole reply is a JSON value, but neither an object nor a list of one."""
    if not text:
        raise _BrokenError("The reply is empty.")
    if text[0] not in '["' or (text[0] == "[" and not _end(text, 0)):
        return
    try:
        value, end = _DECODER.raw_decode(text)
    except ValueError:
        return
    if end == len(text) and not (isinstance(value, list) and len(value) == 1 and isinstance(value[0], dict)):
        raise _BrokenError(
            "The reply is a JSON " + ("list" if isinstance(value, list) else "string") + ", not one object."
        )


def _only(text: str) -> tuple[dict[str, Any], int, int]:
    """The one object of a text and where it starts and ends."""
    found: tuple[dict[str, Any], int, int] | None = None
    problem = _BrokenError("The reply holds no JSON object.")
    start, candidates = text.find("{"), 0
    while start >= 0:
        end, candidates = _end(text, start), candidates + 1
        if not end:
            raise _BrokenError("An object in the reply is cut off.")
        if candidates > MAX_CANDIDATES:
            raise _BrokenError(f"The reply holds more than {MAX_CANDIDATES} objects.")
        try:
            value = _decode(text, start)
            if found and _written(found[0]) != _written(value):
                raise _HopelessError("The reply holds different objects.")
            found = found or (value, start, end)
        except _HopelessError:
            raise
        except _BrokenError as broken:
            problem = broken if candidates == 1 else problem
        start = text.find("{", end)
    if not found:
        raise problem
    return found


def _end(text: str, start: int) -> int:
    """Where the object or list that opens at `start` closes (exclusive), 0 where it does not; strings are stepped over."""
    opening = text[start]
    closing = "}" if opening == "{" else "]"
    own = depth = 0
    for match in _TOKEN.finditer(text, start):
        token = match[0]
        own += (token == opening) - (token == closing)
        depth += (token in "{[") - (token in "}]")
        if depth > MAX_DEPTH:
            raise _HopelessError(f"The reply is nested deeper than {MAX_DEPTH} levels.")
        if not own:
            return match.end()
    return 0


def _decode(text: str, start: int) -> dict[str, Any]:
    try:
        value: dict[str, Any] = _DECODER.raw_decode(text, start)[0]
    except json.JSONDecodeError as e:
        raise _BrokenError(f"The object is no valid JSON: {e.msg} at line {e.lineno}, column {e.colno}.") from None
    except ValueError as e:
        raise _BrokenError(f"The object is no valid JSON: {e}.") from None
    return value


def _written(value: dict[str, Any]) -> str:
    return json.dumps(value, sort_keys=True, default=str)


def _integer(digits: str) -> int | Decimal:
    return int(digits) if len(digits) < 4000 else Decimal(digits)


def _decimal(digits: str) -> Decimal:
    try:
        return Decimal(digits)
    except InvalidOperation:
        raise ValueError("a number is out of range") from None


def _constant(_: str) -> None:
    raise ValueError("NaN and Infinity are no JSON")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a key stands twice in an object")
    return value


_DECODER = json.JSONDecoder(
    parse_float=_decimal, parse_int=_integer, parse_constant=_constant, object_pairs_hook=_unique
)
