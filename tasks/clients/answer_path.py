"""Where something stands in a JSON document: a dotted path of names and list indexes."""

import json
from decimal import Decimal, InvalidOperation
from typing import Any


class PathError(ValueError):
    """The document has nothing there; the message says how far the path led."""


def follow(document: Any, path: str) -> Any:
    """The value at a path; an empty path is the whole document; PathError where nothing stands there.

    >>> follow({"choices": [{"text": "ano"}]}, "choices.0.text")
    'ano'
    """
    here = document
    for step in filter(None, path.split(".")):
        try:
            here = here[int(step)] if isinstance(here, list) else here[step]
        except (KeyError, IndexError, ValueError, TypeError) as problem:
            raise PathError(f"the JSON holds nothing at {path!r}: no {step!r} there") from problem
    return here


def text_at(document: Any, path: str) -> str:
    """The answer at a path: a string as it is, null as no words, anything else as JSON.

    >>> text_at({"answer": {"město": "Plzeň"}}, "answer"), text_at({"answer": None}, "answer")
    ('{"město": "Plzeň"}', '')
    """
    value = follow(document, path)
    if value is None:
        return ""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text.encode(errors="replace").decode()  # half of a surrogate pair is no text that could be stored


def cost_at(document: Any, path: str) -> Decimal:
    """USD at a path, from a number or a numeral, to nine decimals; PathError for anything else.

    >>> cost_at({"usage": {"usd": "0.00012"}}, "usage.usd")
    Decimal('0.000120000')
    """
    value = follow(document, path)
    try:
        cost = Decimal(str(value)).quantize(Decimal("1e-9"))
    except InvalidOperation as problem:
        raise PathError(f"a cost in USD was expected at {path!r}, not {value!r}") from problem
    if not cost.is_finite() or cost < 0:
        raise PathError(f"a cost in USD was expected at {path!r}, not {value!r}")
    return cost
