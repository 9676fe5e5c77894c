"""What the suite `language_tax` measures: input tokens of the same content in six languages (D-18)."""

from typing import get_args

from schemas.exchange import Frozen, Language

BASE: Language = "en"
"""The language that all others are compared with."""

LANGUAGES: tuple[Language, ...] = get_args(Language)

ITEM = "tokens"
"""The one item of the atomic pass: whether the input tokens of a message were counted."""

OVERHEAD = "overhead"
"""Variant of the cases that measure what a message costs before its first word."""

NO_TEXT, FULL_STOP = "no_text", "full_stop"
"""Layouts of these cases: the empty message, and the smallest one that a gateway takes which refuses an empty one."""


class Truth(Frozen):
    """What was sent: the paragraph by its id in the corpus, None for a message that measures the overhead, and its length."""

    paragraph: str | None
    characters: int
