"""How a value of an answer or a truth is shown in a verdict (G-2)."""

import json
from decimal import Decimal

LONGEST = 500
"""Characters; what is longer ends in `…`."""


def shown(value: object) -> str | None:
    """A value as text: strings as they are, everything else as JSON, None for null.

    Never raises: half a surrogate pair comes out as its escape, so that the text can be stored as UTF-8.

    >>> shown({"21": "210.00"}), shown("Hor\\u00e1k"), shown(None), shown("\\ud800")
    ('{"21": "210.00"}', 'Horák', None, '\\\\ud800')
    """
    if value is None:
        return None
    try:
        written = value if isinstance(value, str) else _json(value)
    except (ValueError, TypeError, RecursionError):
        written = "(a value that cannot be shown)"
    if len(written) > LONGEST:
        written = written[: LONGEST - 1] + "…"
    return written if written.isascii() else written.encode("utf-8", "backslashreplace").decode("utf-8")


def _json(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_json(key)}: {_json(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_json, value)) + "]"
    return str(value) if isinstance(value, Decimal) else json.dumps(value, ensure_ascii=False)
