"""Reading a judge's reply, in one place for all suites: the object, the scale, the quote (A-5, G-7, M-2).

A reply may be fenced or wrapped in prose. A value off its scale is asked for once more, then snapped down and flagged `off_scale`. A
quote that does not stand in the text is asked for once more, then the grade is recorded as `ungrounded` and left out of the score.
A reply that still cannot be read is recorded as `unread`.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from grading.questions import again
from grading.quotes import find_quote
from schemas.exchange import Language
from schemas.replies import find_json

OFF_SCALE, UNGROUNDED, UNREAD = "off_scale", "ungrounded", "unread"

HALVES = (0.0, 0.5, 1.0)
QUARTERS = (0.0, 0.25, 0.5, 0.75, 1.0)
YES_NO = (0.0, 1.0)


@dataclass
class Reply:
    """A judge's reply on its way to grades; `problem` is the first thing that made it unusable, in the words that the judge is told.

    flags: by field, what was wrong and was mended (`off_scale`).
    """

    value: dict[str, Any]
    language: Language
    problem: str | None = None
    flags: dict[str, str] = field(default_factory=dict)

    def complain(self, problem: str, **words: Any) -> None:
        """Keep a problem, unless there is one already."""
        self.problem = self.problem or again(problem, self.language, **words)

    def number(self, name: str, scale: Sequence[float] | None) -> float | None:
        """A field pinned to its scale, snapped down where it is off it; None where there is none. Without a scale any number from 0 to 1."""
        given = self.value.get(name)
        value = _number(given)
        if value is None:
            self.complain("missing", field=name)
            return None
        allowed = scale or (0.0, 1.0)
        if (scale and value in scale) or (not scale and 0 <= value <= 1):
            return value
        self.complain("off_scale", field=name, value=given, allowed=_list(allowed, between=not scale))
        self.flags[name] = OFF_SCALE
        return max([a for a in allowed if a <= value], default=min(allowed))

    def word(self, name: str, allowed: Sequence[str]) -> str | None:
        """A field that is one of some words, in any case of letters."""
        given = self.value.get(name)
        word = given.strip().casefold() if isinstance(given, str) else ""
        if word in allowed:
            return word
        self.complain(
            "off_scale" if given is not None else "missing", field=name, value=given, allowed=", ".join(allowed)
        )
        return None

    def yes(self, name: str) -> bool | None:
        """A field that is true or false; 0 and 1 and their words count."""
        given = self.value.get(name)
        if isinstance(given, bool):
            return given
        if _number(given) in YES_NO:
            return bool(_number(given))
        self.complain("missing" if given is None else "off_scale", field=name, value=given, allowed="true, false")
        return None

    def quote(self, text: str, *, is_wanted: bool) -> tuple[str | None, bool]:
        """The quote as given, and whether the grade is grounded: it stands literally in the text, or none was wanted and none given."""
        given = self.value.get("quote")
        quote = given.strip() if isinstance(given, str) else ""
        if not quote:
            if is_wanted:
                self.complain("no_quote")
            return None, not is_wanted
        if find_quote(quote, text):
            return quote, True
        if is_wanted:
            self.complain("not_found")
        return quote, not is_wanted

    def reason(self) -> str | None:
        """The reason in a sentence, as given."""
        given = self.value.get("reason")
        return " ".join(given.split())[:500] or None if isinstance(given, str) else None


def open_reply(text: str, language: Language) -> Reply:
    """The object in a judge's reply, whatever stands around it."""
    found = find_json(text)
    reply = Reply(value=found.value or {}, language=language)
    if found.value is None:
        reply.complain("no_object")
    return reply


def _number(given: Any) -> float | None:
    """A finite number, also one written as a string with a comma or a point."""
    if isinstance(given, bool) or not isinstance(given, int | float | Decimal | str):
        return None
    try:
        value = float(given.strip().replace(",", ".") if isinstance(given, str) else given)
    except (ValueError, OverflowError):
        return None
    return value if math.isfinite(value) else None


def _list(allowed: Sequence[float], *, between: bool) -> str:
    words = [f"{a:g}" for a in allowed]
    return "–".join(words) if between else ", ".join(words)
