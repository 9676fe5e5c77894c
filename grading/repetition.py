"""The longest chain of repetition across turns (L5, R-7): counted from the words alone, so anybody can recount it.

Two turns repeat each other where they share more than half of the 5-word shingles of the shorter one; turns that follow each other so make
a chain. A sentence of eight words or more that stands in several turns makes a chain of those turns, also where others stand between them.
The length is a number of turns; without repetition it is 0. Case, punctuation and marks of emphasis are no part of a word.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

SHINGLE = 5
SENTENCE = 8
MOST = 0.5
"""A share above this is most of the shingles."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)?")
_SENTENCE_END = re.compile(r"[.!?…:;]+|\n{2,}")


@dataclass(frozen=True)
class Chain:
    """Turns that repeat each other, from 0, and the sentence that they repeat, where it is one."""

    turns: tuple[int, ...] = ()
    sentence: str | None = None

    @property
    def length(self) -> int:
        """How many turns it has; 0 without repetition."""
        return len(self.turns)


def longest_chain(turns: Sequence[str]) -> Chain:
    """The longest chain of a run; of several the first, and a chain of whole turns before one of a sentence.

    >>> longest_chain(["Stráž mlčky zamkla dveře a odešla dlouhou chodbou.", "Pršelo.", "Stráž mlčky zamkla dveře a odešla dlouhou chodbou!"])
    Chain(turns=(0, 2), sentence='Stráž mlčky zamkla dveře a odešla dlouhou chodbou')
    >>> longest_chain(["Ráno.", "Večer."]).length
    0
    """
    found = [*_by_shingles(turns), *_by_sentences(turns)]
    return max(found, key=lambda chain: chain.length, default=Chain())


def words(text: str) -> tuple[str, ...]:
    """The words of a text, without case."""
    return tuple(word.casefold() for word in _WORD.findall(text))


def shingles(text: str) -> frozenset[tuple[str, ...]]:
    """Its runs of five words; none where it is shorter."""
    told = words(text)
    return frozenset(told[at : at + SHINGLE] for at in range(len(told) - SHINGLE + 1))


def repeats(one: str, other: str) -> bool:
    """Whether two turns share most of their shingles."""
    first, second = shingles(one), shingles(other)
    least = min(len(first), len(second))
    return least > 0 and len(first & second) > MOST * least


def _by_shingles(turns: Sequence[str]) -> list[Chain]:
    chains, begin = [], 0
    for at in range(1, len(turns) + 1):
        if at == len(turns) or not repeats(turns[at - 1], turns[at]):
            if at - begin > 1:
                chains.append(Chain(tuple(range(begin, at))))
            begin = at
    return chains


def _by_sentences(turns: Sequence[str]) -> list[Chain]:
    where: dict[tuple[str, ...], dict[int, str]] = {}
    for at, turn in enumerate(turns):
        for sentence in _SENTENCE_END.split(turn):
            told = words(sentence)
            if len(told) >= SENTENCE:
                where.setdefault(told, {}).setdefault(at, " ".join(sentence.split()))
    return [Chain(tuple(found), next(iter(found.values()))) for found in where.values() if len(found) > 1]
