"""Random streams keyed by what they draw, and exact shares dealt out by permutation (S-4, D-8).

A stream belongs to one thing (a document, a part of a set) and is never shared, so what is drawn for one thing
does not depend on what was drawn before, on the order of the work, or on where a shard begins.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from random import Random

Share = int | Decimal | Fraction


def stream(*key: str | int) -> Random:
    """A random stream of its own for the key; the same key gives the same stream in every process.

    >>> stream("invoices", 7).random() == stream("invoices", 7).random()
    True
    >>> stream("invoices", 7).random() == stream("invoices", "7").random()
    False
    """
    written = json.dumps(key, ensure_ascii=False, separators=(",", ":"))
    return Random(int.from_bytes(hashlib.sha256(written.encode()).digest()))


def apportion(shares: Mapping[str, Share], size: int, *, ties_from_end: bool = False) -> dict[str, int]:
    """Whole counts that add up to `size`, by the largest remainder; shares are weights and need not add up to one.

    Equal remainders go to the word that stands first, or last with `ties_from_end`: so two parts of one set do not both
    favour the same word.

    >>> apportion({"text": 30, "image": 30, "scan": 30, "photo": 10}, 50)
    {'text': 15, 'image': 15, 'scan': 15, 'photo': 5}
    >>> apportion({"text": 1, "image": 1}, 3), apportion({"text": 1, "image": 1}, 3, ties_from_end=True)
    ({'text': 2, 'image': 1}, {'text': 1, 'image': 2})
    """
    whole = sum(Fraction(share) for share in shares.values())
    quotas = {word: Fraction(share) * size / whole for word, share in shares.items()}
    counts = {word: int(quota) for word, quota in quotas.items()}
    order = list(reversed(quotas)) if ties_from_end else list(quotas)
    order.sort(key=lambda word: counts[word] - quotas[word])  # stable: ties keep their order
    for word in order[: size - sum(counts.values())]:
        counts[word] += 1
    return counts


def deal(counts: Mapping[str, int], random: Random) -> tuple[str, ...]:
    """Every word as often as its count says, in a random order."""
    words = [word for word, count in counts.items() for _ in range(count)]
    random.shuffle(words)
    return tuple(words)


def balance(words: Sequence[str], size: int, *, first: int = 0) -> dict[str, int]:
    """Counts of the words that differ by one at most; the larger ones begin with the word at `first`, in a circle.

    Two parts of a set stay balanced together when the second begins where the larger counts of the first end.

    >>> balance(["a", "b", "c"], 5), balance(["a", "b", "c"], 5, first=2)
    ({'a': 2, 'b': 2, 'c': 1}, {'a': 2, 'b': 1, 'c': 2})
    """
    each, more = divmod(size, len(words))
    counts = dict.fromkeys(words, each)
    for step in range(more):
        counts[words[(first + step) % len(words)]] += 1
    return counts
