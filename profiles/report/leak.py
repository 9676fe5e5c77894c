"""The check before publishing: nothing of a private case may stand in the page (G-8)."""

import html
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from schemas.errors import ZkusebnaError

SHORTEST = 8
"""Characters of a private value from which it is looked for; shorter ones stand in any text by chance."""

CANARY = "ZKUSEBNA-CANARY-"
"""How every canary begins: the page may hold none, of whichever case."""

_PICTURE = re.compile(r"data:image/[a-z+]+;base64,[A-Za-z0-9+/=]+")


class ReportLeak(ZkusebnaError):  # noqa: N818 - named after what was found
    """The page holds something of a private case; it is not published."""

    exit_code = 1


@dataclass(frozen=True)
class PrivateCase:
    """What may not stand in a page: id, canary, the values of the truth as text."""

    case_id: str
    canary: str | None
    values: tuple[str, ...]


def values_of(truth: object) -> list[str]:
    """All texts inside a truth, those of maps and lists included; numbers in their JSON form.

    >>> values_of({"a": "Novák", "b": {"21": "210.00"}, "c": None, "d": 5})
    ['Novák', '210.00', '5']
    """
    if isinstance(truth, dict):
        return [v for inner in truth.values() for v in values_of(inner)]
    if isinstance(truth, list | tuple):
        return [v for inner in truth for v in values_of(inner)]
    return [] if truth is None or isinstance(truth, bool) else [str(truth)]


def check(page: str, private: Iterable[PrivateCase], public: Sequence[str]) -> None:
    """Raise ReportLeak where the page holds the id, the canary or a value of eight characters or more of a private case.

    public: the texts of the public cases, answers and stamps. A value that stands there too, with no
    letter or digit beside it, is no leak: dates and amounts of two documents are equal by chance. Pictures are left out, since they are public
    documents by their hash. The message names the kind of the finding and quotes nothing of it.
    """
    shown = html.unescape(_PICTURE.sub("", page))
    starts = {shown[i : i + SHORTEST] for i in range(len(shown) - SHORTEST + 1)}
    allowed = "\n".join(public)
    if CANARY in shown:
        raise ReportLeak("The report holds the canary of a private case; it was not published (G-8).")
    for case in private:
        if _stands(case.case_id, shown):
            raise ReportLeak("The report holds the id of a private case; it was not published (G-8).")
        if case.canary and case.canary in shown:
            raise ReportLeak("The report holds the canary of a private case; it was not published (G-8).")
        for value in case.values:
            if (
                len(value) >= SHORTEST
                and value[:SHORTEST] in starts
                and _stands(value, shown)
                and not _stands(value, allowed)
            ):
                raise ReportLeak(
                    "The report holds a value from the truth of a private case; it was not published (G-8)."
                )


def _stands(word: str, text: str) -> bool:
    """Whether the word stands in the text with no letter or digit beside it."""
    return word in text and re.search(rf"(?<![^\W_]){re.escape(word)}(?![^\W_])", text) is not None
