"""The suite `pii` as a source: pairs of texts with personal data, Czech and American, and what to say to a system (D-1, D-10)."""

from collections.abc import Iterator
from functools import lru_cache

from datasets import twins
from datasets.draw import balance, deal, stream
from datasets.synth.pii_structure import draw_structure
from datasets.synth.pii_text import compose
from datasets.synth.pii_vocabulary import words
from datasets.twins import LANGUAGES, TEXT_LEVEL, Twins
from schemas.case import MadeCase
from schemas.edition import Edition
from schemas.exchange import Brief, Message, Transcript
from schemas.pii import FIELDS, LAYOUTS, VARIANTS

SUITE = "pii"
SET_VERSION = "1.0"
_TWINS = Twins(SUITE, SET_VERSION, FIELDS, VARIANTS, LAYOUTS)


def units(edition: Edition) -> int:
    """Number of pairs; `UsageError` with the smallest size that works where the public part cannot hold all four kinds of text."""
    return _TWINS.check_size(edition.size, VARIANTS)


def make_cases(edition: Edition, private_seed: str, start: int, stop: int) -> Iterator[MadeCase]:
    """The cases of pairs start … stop - 1, Czech before English, the same to the byte wherever the shard begins (D-3).

    private_seed: the secret from which the private third is drawn (G-8). `UsageError` for another version of the set, a size too
    small for its kinds, a broken vocabulary.
    """
    units(edition)
    situations = _situations(edition.seed, edition.size, private_seed)
    for pair in _TWINS.pairs(edition, TEXT_LEVEL, private_seed, start, stop):
        place = pair.place
        structure = draw_structure(pair.stream("structure"), place.variant, place.layout, situations[pair.number])
        for language in LANGUAGES:
            text, truth = compose(structure, pair.stream(language), language)
            yield _TWINS.text_case(edition, pair, language, text, truth)


def next_message(brief: Brief, transcript: Transcript) -> Message | None:
    """First the prompt with the text, then what `datasets.twins.next_message` says."""
    return twins.next_message(brief, transcript)


def versions() -> dict[str, str]:
    """Versions of the prompts, by language; what else decides about the cases is told by `SET_VERSION`."""
    return _TWINS.versions()


@lru_cache(maxsize=4)
def _situations(seed: int, size: int, private_seed: str) -> tuple[str, ...]:
    """The situation of every pair: within a kind of text they are balanced to within one, in each part and in the whole."""
    edition = Edition(suite=SUITE, id="any", set_version=SET_VERSION, seed=seed, size=size, private_hash="")
    pairs = list(_TWINS.pairs(edition, TEXT_LEVEL, private_seed, 0, size))
    found = [""] * size
    for variant in VARIANTS:
        own = [p for p in pairs if p.place.variant == variant]
        public = [p for p in own if p.place.split == "public"]
        turned = list(words("situations", "cs")[variant])
        stream(SUITE, SET_VERSION, "public", seed, "order", variant).shuffle(turned)
        for part, first in ((public, 0), ([p for p in own if p.place.split == "private"], len(public))):
            if part:
                dealt = deal(balance(turned, len(part), first=first), stream(*part[0].key, "situations", variant))
                for pair, situation in zip(part, dealt, strict=True):
                    found[pair.number] = situation
    return tuple(found)
