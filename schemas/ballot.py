"""What a juror's reply says: who asks once more and who grades read it by the same rule (J-2, J-4).

- One JSON object with `verdict`, by the rules of `schemas/replies.py`: alone, in a fence or with prose around it. Further keys are ignored.
- Else the verdict's word alone, as J-2 has it ("return one word"): with quotation marks, Markdown or a full stop around it, and nothing more.
- A verdict is read without regard to case, spaces, marks around it and diacritics: UMI cannot mean anything but UMÍ.
- `since` is read as a month also where its day or a leading zero is too many or too few; what is no month, or is not on an UMÍ, is none.
  A month never spoils a verdict.
"""

import re
import unicodedata
from typing import Any

from schemas.exchange import Frozen
from schemas.jury import VERDICTS, Verdict
from schemas.replies import Structure, find_json

_AROUND = " \t\r\n\u00a0\u200b\ufeff\"'„“”‚‘’`*_.!:;#()[]<>"
_MONTH = re.compile(r"((?:19|20)\d{2})[-./](\d{1,2})(?:[-./]\d{1,2})?")


class Ballot(Frozen):
    """A juror's reply as read; verdict None: it is no verdict, and `problem` says why.

    since: `YYYY-MM`, for UMÍ alone; odd_since: a month was given that is none. structure: `word` for the word alone.
    """

    verdict: Verdict | None = None
    reason: str | None = None
    since: str | None = None
    odd_since: bool = False
    structure: Structure | str = "none"
    problem: str | None = None


def read_ballot(reply: str) -> Ballot:
    """Read a reply; never raises.

    >>> read_ballot('Zde: ```json\\n{"verdict": "umí", "reason": "Ano.", "since": "2023-3"}\\n```')
    Ballot(verdict='UMÍ', reason='Ano.', since='2023-03', odd_since=False, structure='embedded', problem=None)
    >>> read_ballot("**NEUMÍ**.").verdict, read_ballot("Spíš NEUMÍ").problem
    ('NEUMÍ', 'The reply holds no JSON object.')
    """
    found = find_json(reply)
    if found.value is None:
        word = _verdict(reply)
        if word is None:
            return Ballot(problem=found.problem)
        return Ballot(verdict=word, structure="word")
    verdict = _verdict(found.value.get("verdict"))
    if verdict is None:
        return Ballot(structure=found.structure, problem=f"`verdict` is none of the words {', '.join(VERDICTS)}.")
    given = found.value.get("since")
    since = _month(given) if verdict == "UMÍ" else None
    return Ballot(
        verdict=verdict,
        reason=_sentence(found.value.get("reason")),
        since=since,
        odd_since=verdict == "UMÍ" and given not in (None, "") and since is None,
        structure=found.structure,
    )


def _plain(text: str) -> str:
    """Capital letters without marks."""
    return "".join(c for c in unicodedata.normalize("NFD", text.upper()) if not unicodedata.combining(c))


_WORDS: dict[str, Verdict] = {_plain(word): word for word in VERDICTS}


def _verdict(value: Any) -> Verdict | None:
    return _WORDS.get(_plain(value.strip(_AROUND))) if isinstance(value, str) else None


def _month(value: Any) -> str | None:
    found = _MONTH.fullmatch(value.strip(_AROUND)) if isinstance(value, str) else None
    return f"{found[1]}-{int(found[2]):02}" if found and 1 <= int(found[2]) <= 12 else None


def _sentence(value: Any) -> str | None:
    """The reason in one line; None where there is none."""
    return " ".join(value.split()) or None if isinstance(value, str) else None
