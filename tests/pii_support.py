"""Texts of the set `pii` as a reader sees them: finished documents with their truth, and how a value of the truth is printed."""

import re
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from printed_support import CS_MONTHS

from datasets import pii
from schemas.case import Case
from schemas.edition import Edition

SECRET = "the-secret-seed-of-this-test"
NBSP = "\u00a0"
MONTHS = {
    "cs": CS_MONTHS,
    "en": [
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ],
}
_TITLES = [
    "Ms.",
    "Mr.",
    "Dr.",
    "Prof.",
    "Ing.",
    "Mgr.",
    "Bc.",
    "MUDr.",
    "JUDr.",
    "RNDr.",
    "arch.",
    "acct.",
    "no.",
    "Soc.",
    "Tel.",
    "Č.",
]
_NO_END = "".join(rf"(?<!\b{re.escape(title)})" for title in _TITLES)
SENTENCE_END = re.compile(_NO_END + r"(?<!\b[A-Z]\.)(?<=[.?!]) (?=[A-ZÁ-Ž\"„(0-9])")


@dataclass(frozen=True)
class Text:
    """One finished text; plain: with plain spaces, as the truth has them."""

    case: Case
    truth: dict[str, Any]

    @property
    def text(self) -> str:
        assert self.case.text is not None
        return self.case.text

    @property
    def plain(self) -> str:
        return self.text.replace(NBSP, " ")

    @property
    def sentences(self) -> list[str]:
        """The sentences: a Czech date or number does not end one, since its space does not break."""
        parts = [part for line in self.text.splitlines() for part in SENTENCE_END.split(line)]
        return [part for part in parts if re.search(r"[.?!][\"“]?$", part) and len(part.split()) > 1]


def edition(size: int, seed: int = 7, version: str = pii.SET_VERSION) -> Edition:
    return Edition(suite="pii", id="test-1", set_version=version, seed=seed, size=size, private_hash="0" * 64)


@cache
def texts(size: int, seed: int = 7, language: str | None = None) -> tuple[Text, ...]:
    """All texts of a set, or those of one language."""
    made = pii.make_cases(edition(size, seed), SECRET, 0, size)
    cases = [m.case for m in made]
    return tuple(Text(case, case.to_truth()) for case in cases if language in (None, case.language))


def printed_date(value: str, language: str) -> list[str]:
    """The forms in which a text may print a day."""
    day = date.fromisoformat(value)
    month = MONTHS[language][day.month - 1]
    if language == "cs":
        return [
            f"{day.day}. {month} {day.year}",
            f"{day.day}. {day.month}. {day.year}",
            f"{day.day:02}.{day.month:02}.{day.year}",
        ]
    return [
        f"{month} {day.day}, {day.year}",
        f"{day.month:02}/{day.day:02}/{day.year}",
        f"{day.month}/{day.day}/{day.year}",
    ]


def printed_account(value: str, language: str) -> list[str]:
    """The forms in which a text may print an account."""
    if language == "cs":
        return [" ".join(value[i : i + 4] for i in range(0, 24, 4))] if value.startswith("CZ") else [value]
    routing, number = value.split("/")
    return [value, f"{number} (routing {routing})", f"{number} (ABA {routing})", f"{number}, routing number {routing}"]


def printed(field: str, value: str, language: str) -> list[str]:
    """The forms in which a text may print a value of a field of the truth."""
    if field == "birth_dates":
        return printed_date(value, language)
    return printed_account(value, language) if field == "accounts" else [value]


def whole(value: str) -> str:
    """A pattern for a value that is not part of a longer one."""
    return rf"(?<![\w@-]){re.escape(value)}(?![\w@])"
