"""What a judge is asked, and what its reply came to."""

from typing import Any

from schemas.exchange import Attachment, Frozen, Language
from schemas.grade import Verdict


class Question(Frozen):
    """One question to a judge about one answer; it holds nothing that names who answered (G-6)."""

    item: str
    """What is judged: a rule, or `whole` where one reply grades several criteria."""
    order: str = ""
    """Which of two texts stands first, where a question is asked in both orders (L-8)."""
    prompt: str
    prompt_version: str
    answer_schema: dict[str, Any]
    language: Language
    attachments: tuple[Attachment, ...] = ()
    """What is judged beside the words: pictures and files of the evidence, without data until they are sent (A-1)."""


class Reading(Frozen):
    """The grades in a judge's reply; or, in `problem`, what the judge is told when it is asked once more."""

    verdicts: tuple[Verdict, ...] = ()
    problem: str | None = None
