"""Which pair of a set falls into which split, level, variant and layout: exact shares, decided per set (D-8, G-8).

The public part is dealt from the edition's seed alone and the private part from the secret one, so nothing of the secret
can be read from what is published.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random

from datasets.draw import Share, apportion, balance, deal, stream
from schemas.case import Split
from schemas.edition import private_numbers


@dataclass(frozen=True)
class Place:
    """Where one pair stands; both twins share it."""

    split: Split
    level: str
    variant: str
    layout: str


class Allotment:
    """The places of all pairs of a set, by number from 0.

    levels: the shares of the levels, exact within the public and within the private part; variants and layouts differ by one
    at most within each part and in the whole; the three are dealt independently of one another, not crossed.
    """

    def __init__(
        self,
        size: int,
        levels: Mapping[str, Share],
        variants: Sequence[str],
        layouts: Sequence[str],
        *,
        public_key: tuple[str | int, ...],
        private_key: tuple[str | int, ...],
    ) -> None:
        private = private_numbers(size)
        public_size = size - len(private)
        self._private = private
        self._words: dict[str, list[str]] = {}
        for name, words in (("variant", variants), ("layout", layouts)):
            turned = list(words)
            stream(*public_key, "order", name).shuffle(turned)  # which words are one more is no habit of the set
            public_counts, private_counts = (
                balance(turned, public_size),
                balance(turned, len(private), first=public_size),
            )
            self._lay(name, size, public_counts, private_counts, public_key, private_key)
        public_counts = apportion(levels, public_size)
        private_counts = apportion(levels, len(private), ties_from_end=True)
        self._lay("level", size, public_counts, private_counts, public_key, private_key)

    def _lay(
        self,
        name: str,
        size: int,
        public_counts: Mapping[str, int],
        private_counts: Mapping[str, int],
        public_key: tuple[str | int, ...],
        private_key: tuple[str | int, ...],
    ) -> None:
        """Deal both parts and lay them out by the number of the pair."""
        public = iter(deal(public_counts, _random(public_key, name)))
        private = iter(deal(private_counts, _random(private_key, name)))
        self._words[name] = [next(private if number in self._private else public) for number in range(size)]

    def __getitem__(self, number: int) -> Place:
        return Place(
            split="private" if number in self._private else "public",
            level=self._words["level"][number],
            variant=self._words["variant"][number],
            layout=self._words["layout"][number],
        )


def _random(key: tuple[str | int, ...], name: str) -> Random:
    return stream(*key, "allotment", name)
