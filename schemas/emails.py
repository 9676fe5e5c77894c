"""The nine fields of an e-mail to a supplier, the words that three of them may have, and the form of its truth (D-9).

Words and rules stand in `emails.yaml`, from which the prompt and the generator take them too. A truth is a dict from field name to the
right value, None where the message does not say it: words of the document's own language, customer as printed, numbers of order and
invoice as printed, the amount with two decimals and a point, currency as ISO 4217 code, deadline `YYYY-MM-DD`. Beside the fields it has
`other_dates` (`schemas.fields.OTHER_DATES`), further dates that stand in the document.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from schemas.fields import Field

WORDS: Mapping[str, Any] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
"""The content of `emails.yaml`; treat it as frozen."""

CATEGORIES: tuple[str, ...] = tuple(WORDS["categories"])
SENTIMENTS: tuple[str, ...] = tuple(WORDS["sentiments"])
PRIORITIES: tuple[str, ...] = tuple(WORDS["priorities"])

FORMS = ("single", "signature", "thread", "forward")
"""A single message, one with a long signature, a thread with older quoted messages, a message forwarded by a colleague (D-9)."""


def word(kind: str, key: str, language: str) -> str:
    """A category, sentiment or priority as it stands in an answer.

    >>> word("categories", "complaint", "cs"), word("priorities", "high", "en")
    ('reklamace', 'high')
    """
    return str(WORDS[kind][key][language][0])


def _choices(kind: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return tuple((lang, tuple(word(kind, key, lang) for key in WORDS[kind])) for lang in ("cs", "en"))


FIELDS: tuple[Field, ...] = (
    Field(name="category", kind="choice", choices=_choices("categories")),
    Field(name="priority", kind="choice", choices=_choices("priorities")),
    Field(name="sentiment", kind="choice", choices=_choices("sentiments")),
    Field(name="customer", kind="text"),
    Field(name="order_number", kind="identifier"),
    Field(name="invoice_number", kind="identifier"),
    Field(name="amount", kind="amount"),
    Field(name="currency", kind="currency"),
    Field(name="deadline", kind="date"),
)
