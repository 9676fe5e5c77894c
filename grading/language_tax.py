"""Grading of `language_tax`: whether the input tokens of a message were counted, and whether the output limit held (D-18).

| item     | pass     | points        | what is asked |
|----------|----------|---------------|---------------|
| `tokens` | atomic   | 1 of 1, 0 of 0 | the reply states a count of input tokens; `given` is the count |
| `limit`  | holistic | 0 or 1        | the answer is no longer than the one token that was allowed |

The count is the measurement, the answer is of no interest: an answer cut off after one token is what was ordered. A count that is not
stated, or that is 0 for a message with text, is no measurement and never a zero (G-11).
"""

from schemas.grade import Exam, Verdict
from schemas.language_tax import ITEM, Truth

RUBRIC_VERSION = "language_tax-1"
"""Rises when the same answer may get another grade (G-13)."""

LONGEST_TOKEN = 64
"""Characters; longer than any word of a vocabulary that a reply would begin with."""


def atomic(exam: Exam) -> list[Verdict]:
    """One verdict on the count of input tokens."""
    tokens = exam.answer.tokens_in
    truth = Truth.model_validate(exam.truth)
    reason = None
    if tokens is None:
        reason = "The reply states no count of input tokens."
    elif tokens == 0 and truth.characters > 0:
        reason = f"A message of {truth.characters} characters cannot be of no tokens."
    is_counted = reason is None
    return [
        Verdict(
            pass_name="atomic",
            judge_id="usage",
            item=ITEM,
            points=int(is_counted),
            max_points=int(is_counted),
            label="counted" if is_counted else "unmeasured",
            error=None if is_counted else "unmeasured",
            given=None if tokens is None else str(tokens),
            reason=reason,
            rubric_version=RUBRIC_VERSION,
        )
    ]


def holistic(exam: Exam) -> list[Verdict]:
    """One verdict on the answer as a whole: a longer one means that the gateway ignored the limit and that it was paid for."""
    length = len(exam.answer.text)
    is_kept = length <= LONGEST_TOKEN
    return [
        Verdict(
            pass_name="holistic",
            judge_id="usage",
            item="limit",
            points=int(is_kept),
            max_points=1,
            label="kept" if is_kept else "exceeded",
            error=None if is_kept else "limit_exceeded",
            reason=None if is_kept else f"The answer has {length} characters; one token was allowed.",
            rubric_version=RUBRIC_VERSION,
        )
    ]
