"""Grading of `jury`: the verdict as it can be read, and its reason (J-2, J-6).

| item      | pass     | points        | what is asked |
|-----------|----------|---------------|---------------|
| `verdict` | atomic   | 0 or 1 of 1   | the reply holds one of the three words; the label is the word |
| `since`   | atomic   | 0 of 0        | for UMÍ the month of the first ability: given, none, or odd (what was given is no month) |
| `reason`  | holistic | 0 or 1 of 1   | the reason is one sentence and names no juror |
| `structure` | holistic | 0 of 0      | the label says what the verdict was read from: json, fenced, embedded, word, none |

Nobody knows beforehand which verdict is right: no verdict earns more than another. What comes here has the names of jurors and makers
masked already (`MASK`), so a reason that named one is seen without knowing whom (G-6).
"""

import re

from schemas.ballot import Ballot, read_ballot
from schemas.grade import Exam, PassName
from schemas.grade import Verdict as Mark
from schemas.naming import MASK

RUBRIC_VERSION = "jury-1"
"""Rises when the same answer may get another grade (G-13)."""

JUDGE = "ballot"

LONGEST = 500
"""Characters of a sentence; longer ones are an essay without full stops."""

_BREAK = re.compile(r"(?P<word>\S*?)(?:[.!?]+|…)[\"'“”‘’)\]]*\s+(?=[„“\"'(\[]?[^\W\d_a-záčďéěíňóřšťúůýž])")
_SHORT = frozenset({
    "např", "tj", "tzn", "tzv", "resp", "mj", "apod", "atd", "aj", "odst", "písm", "čl", "č", "sp", "zn", "str", "obr", "tab", "s", "r", "o",
    "a", "ing", "mgr", "mudr", "judr", "dr", "prof", "doc", "e.g", "i.e", "vs", "etc", "mr", "mrs", "ms", "st", "no", "fig", "approx", "cf",
    "u.s",
})  # fmt: skip
"""Abbreviations after which a capital letter begins no sentence."""


def atomic(exam: Exam) -> list[Mark]:
    """The verdict, and the month."""
    ballot = read_ballot(exam.answer.text)
    is_valid = ballot.verdict is not None
    verdict = _mark(
        "atomic",
        "verdict",
        points=int(is_valid),
        label=ballot.verdict or "none",
        error=None if is_valid else "no_verdict",
        given=ballot.verdict,
        reason=ballot.problem,
    )
    return [verdict, _mark("atomic", "since", possible=0, label=_since(ballot), given=ballot.since)]


def holistic(exam: Exam) -> list[Mark]:
    """The reason as a whole."""
    ballot = read_ballot(exam.answer.text)
    error = fault_of(ballot.reason)
    label = "one_sentence" if error is None else error
    return [
        _mark("holistic", "reason", points=int(error is None), label=label, error=error),
        _mark("holistic", "structure", possible=0, label=ballot.structure),
    ]


def fault_of(reason: str | None) -> str | None:
    """What is wrong with a masked reason: `no_reason`, `names_juror`, `not_one_sentence`; None for one good sentence.

    >>> fault_of("Zvládá to např. Praha. Ale ne vždy."), fault_of("Od 1. ledna to umí, viz čl. 5.")
    ('not_one_sentence', None)
    """
    if not reason:
        return "no_reason"
    if MASK in reason:
        return "names_juror"
    return "not_one_sentence" if len(reason) > LONGEST or _sentences(reason) > 1 else None


def _sentences(text: str) -> int:
    return 1 + sum(not _is_short(found["word"]) for found in _BREAK.finditer(text))


def _is_short(word: str) -> bool:
    """Whether a full stop after the word ends no sentence: an abbreviation, an initial, an ordinal number."""
    bare = word.strip("„“\"'([").casefold()
    return bare in _SHORT or (len(bare) == 1 and bare.isalpha()) or (bare.isdecimal() and len(bare) <= 2)


def _since(ballot: Ballot) -> str:
    if ballot.since is not None:
        return "given"
    return "odd" if ballot.odd_since else "none"


def _mark(
    pass_name: PassName,
    item: str,
    *,
    label: str,
    points: int = 0,
    possible: int = 1,
    error: str | None = None,
    given: str | None = None,
    reason: str | None = None,
) -> Mark:
    return Mark(
        pass_name=pass_name,
        judge_id=JUDGE,
        item=item,
        points=points,
        max_points=possible,
        label=label,
        error=error,
        given=given,
        reason=reason,
        rubric_version=RUBRIC_VERSION,
    )
