"""Repeatability: how alike the trials of one system on one task are, in grades and in code, and a verdict in words (A-8)."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import mean, variance
from typing import Literal

from schemas import readings

Verdict = Literal["same_code", "steady", "steady_other_code", "unsteady", "grades_unknown"]
"""same_code: every trial is the same code. steady: grades hardly differ. steady_other_code: so they do, over code that has little in common.
unsteady: grades differ. grades_unknown: fewer than two trials are graded."""

STEADY = readings.STEADY_VARIANCE
"""Sample variance of the percentage up to which grades hardly differ: trials lie within about ten points of each other."""

ALIKE = readings.ALIKE_CODE
"""Similarity of code from which on trials have most of their code in common."""


@dataclass(frozen=True)
class Repeatability:
    """n: trials. variance: sample variance of the grades as shares. similarity: Jaccard over lexer tokens, mean over pairs."""

    n: int
    variance: float | None
    similarity: float
    verdict: Verdict


def repeatability(codes: Sequence[str], scores: Sequence[float]) -> Repeatability | None:
    """Of all trials of one system on one task; None below two. scores: of the trials that were graded."""
    if len(codes) < 2:
        return None
    found = [tokens(code) for code in codes]
    similarity = mean(jaccard(a, b) for a, b in combinations(found, 2))
    spread = variance(scores) if len(scores) > 1 else None
    return Repeatability(len(codes), spread, similarity, _verdict(spread, similarity))


def _verdict(spread: float | None, similarity: float) -> Verdict:
    if similarity == 1:
        return "same_code"
    if spread is None:
        return "grades_unknown"
    if spread > STEADY:
        return "unsteady"
    return "steady" if similarity >= ALIKE else "steady_other_code"


def tokens(html: str) -> frozenset[str]:
    """The different tokens of a page's HTML, CSS and JavaScript as a lexer reads them, without white space and comments.

    >>> sorted(tokens("<p>a</p>")) == sorted({"<", "p", ">", "a", "/"})
    True
    """
    from pygments import lex
    from pygments.lexers import HtmlLexer
    from pygments.token import Comment

    found = lex(html, HtmlLexer())
    return frozenset(word.strip() for kind, word in found if word.strip() and kind not in Comment)


def jaccard(first: frozenset[str], second: frozenset[str]) -> float:
    """Shared tokens of all tokens; 1 for two without any.

    >>> jaccard(frozenset("abc"), frozenset("bcd"))
    0.5
    """
    every = first | second
    return len(first & second) / len(every) if every else 1.0
