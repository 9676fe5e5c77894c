"""Whether an answer makes a statement, told by words: the mechanical judge's matching (L-5), honest about what it cannot see.

A signal has groups of wordings. It is present where of each group of `all` one wording is found and of no group of `none`. A wording is found
where its words stand in order, at most three other words between two, within one sentence; words agree as `grading.lemmas` says.

A wording does not count where it is denied (readings, G-14):

- a negated verb or a word such as `nikoli` stands in its clause at most two words before it, or between its words. Not: before `než` (`není delší
  než tři měsíce`), verbs of a limit (`nepřesáhne tři měsíce`), a negated verb in a condition (`nezaplatí-li do 15 dnů`);
- a beginning such as `není pravda, že` stands before it in its sentence, up to `ale`, `nýbrž`, `naopak`;
- a wording that is negative itself (`podpis nestačí`) is denied by such beginnings only.

What it cannot see: a denial behind the words (`šest měsíců neplatí`), somebody else's opinion that the answer reports, another order of the words.
"""

import functools
import itertools
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from grading.lemmas import Token, tokens

GAP = 3
"""Other words between two words of a wording, at most."""

_BEFORE = 3  # tokens before a wording that can deny it
_PLAIN_LIKENESS = 0.25  # likeness of any answer about the same facts; below it a difference says little
_LONGEST_QUOTE = 300


class Signal(Protocol):
    """What `schemas.legal` holds of a rule: groups of wordings."""

    @property
    def all(self) -> Sequence[Sequence[str]]: ...

    @property
    def none(self) -> Sequence[Sequence[str]]: ...


@dataclass(frozen=True, slots=True)
class Match:
    """Where a statement was found; places in the composed text (NFC).

    quote: the words of the text from the first to the last wording, or of the first one alone where that is long; spans: of each group's wording.
    """

    quote: str
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class _Text:
    text: str
    tokens: list[Token]
    index: dict[str, list[int]]
    denied: frozenset[int]  # tokens behind `není pravda, že`
    negators: dict[int, bool]  # tokens that deny what follows; True: a negated verb, which a condition disarms


def present(signal: Signal, text: str) -> Match | None:
    """Where a text makes a signal's statement; None where it does not.

    >>> from types import SimpleNamespace
    >>> signal = SimpleNamespace(all=[["zkušební doba"], ["tři měsíc"]], none=[["šest měsíc"]])
    >>> present(signal, "Zkušební doba činí nejvýše 3 měsíce.").quote
    'Zkušební doba činí nejvýše 3 měsíce'
    >>> present(signal, "Zkušební doba nečiní tři měsíce.") is None
    True
    """
    if any(find(wording, text) for group in signal.none for wording in group):
        return None
    spans = []
    for group in signal.all:
        found = next((span for wording in group if (span := find(wording, text))), None)
        if not found:
            return None
        spans.append(found)
    if not spans:
        return None
    composed = _read(text).text
    start, end = min(s for s, _ in spans), max(e for _, e in spans)
    quote = composed[start:end] if end - start <= _LONGEST_QUOTE else composed[slice(*spans[0])]
    return Match(quote, tuple(spans))


def find(wording: str, text: str) -> tuple[int, int] | None:
    """The place of the first wording that a text does not deny; None where there is none. Places are in the composed text.

    >>> find("promlčet tři rok", "Nárok se promlčí za tři roky.")
    (9, 28)
    """
    keys, is_negative = _wording(wording)
    read = _read(text)
    for places in _occurrences(keys, read):
        if any(place in read.denied for place in places):
            continue
        if is_negative or not _is_denied(read, places):
            return read.tokens[places[0]].start, read.tokens[places[-1]].end
    return None


def _occurrences(keys: tuple[frozenset[str], ...], read: _Text) -> Iterator[tuple[int, ...]]:
    if not keys:
        return
    for start in sorted({place for key in keys[0] for place in read.index.get(key, ())}):
        if places := _continued(keys, read, (start,)):
            yield places


def _continued(keys: tuple[frozenset[str], ...], read: _Text, places: tuple[int, ...]) -> tuple[int, ...] | None:
    if len(places) == len(keys):
        return places
    wanted = keys[len(places)]
    for place in range(places[-1] + 1, min(places[-1] + GAP + 2, len(read.tokens))):
        if read.tokens[place].cut == 2:
            return None
        if read.tokens[place].keys & wanted and (found := _continued(keys, read, (*places, place))):
            return found
    return None


def _is_denied(read: _Text, places: tuple[int, ...]) -> bool:
    for place in range(places[0], max(places[0] - _BEFORE, 0), -1):
        if read.tokens[place].cut or _disarms(read.tokens[place - 1]):
            break
        if _denies(read, place - 1):
            return True
    for left, right in itertools.pairwise(places):
        between = range(left + 1, right)
        if any(_disarms(read.tokens[i]) for i in between):
            continue
        if any(_denies(read, i) for i in between):
            return True
    return False


def _disarms(token: Token) -> bool:
    """Whether a word makes a limit of a denial before it: `není delší než`, `nesmí přesáhnout`."""
    return token.word in _table()["comparing"] or bool(token.keys & _table()["affirming"])


def _denies(read: _Text, place: int) -> bool:
    is_verb = read.negators.get(place)
    if is_verb is None:
        return False
    return not (is_verb and _is_conditional(read, place))


def _is_conditional(read: _Text, place: int) -> bool:
    following = read.tokens[place + 1] if place + 1 < len(read.tokens) else None
    if following and following.word == "li":
        return True
    while place >= 0:
        if read.tokens[place].word in _table()["conditions"]:
            return True
        if read.tokens[place].cut:
            return False
        place -= 1
    return False


@functools.lru_cache(maxsize=8192)
def _wording(wording: str) -> tuple[tuple[frozenset[str], ...], bool]:
    read = tokens(unicodedata.normalize("NFC", wording), is_wording=True)
    is_negative = any(t.is_negated or t.word in _table()["denying"] for t in read)
    return tuple(t.keys for t in read), is_negative


@functools.lru_cache(maxsize=256)
def _read(text: str) -> _Text:
    text = unicodedata.normalize("NFC", text)
    found = tokens(text)
    index: dict[str, list[int]] = {}
    negators = {}
    table = _table()
    for i, token in enumerate(found):
        for key in token.keys:
            index.setdefault(key, []).append(i)
        if token.is_negated and not token.keys & table["affirming"]:
            negators[i] = True
        elif token.word in table["denying"]:
            negators[i] = False
    read = _Text(text, found, index, frozenset(), negators)
    return _Text(text, found, index, frozenset(_denied(read)), negators)


def _denied(read: _Text) -> Iterator[int]:
    for clause in _table()["clauses"]:
        keys = tuple(t.keys for t in tokens(clause))
        for places in _occurrences(keys, read):
            for place in range(places[-1] + 1, len(read.tokens)):
                gap = read.text[read.tokens[place - 1].end : read.tokens[place].start]
                if read.tokens[place].cut == 2 or ":" in gap or read.tokens[place].word in _table()["contrasts"]:
                    break
                yield place


@functools.cache
def _table() -> dict[str, Any]:
    import yaml

    table: dict[str, Any] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
    table["affirming"] = frozenset(f"{negation}{verb}" for verb in table["affirming"] for negation in ("", "ne"))
    for kind in ("denying", "comparing", "conditions", "contrasts"):
        table[kind] = frozenset(table[kind])
    return table


def overlap(answer: str, foil: str, reference: str) -> float:
    """How much more an answer is like the foil than like the reference, 0 to 1: the mechanical judge's unsafe completeness (L-5).

    Of the words and pairs of neighbouring words that only the foil has, and of those that only the reference has, the shares that
    stand in the answer are f and r; the result is (f − r) / max(f, r, 0.25), not below 0. The foil itself gives 1, the reference 0;
    an answer in wholly other words gives near 0, whatever it says: this is likeness of wording, not of thought, and a foil reworded
    thoroughly escapes it.
    """
    ours, theirs, right = _shingles(answer), _shingles(foil), _shingles(reference)
    f, r = _share(theirs - right, ours), _share(right - theirs, ours)
    return min(1.0, max(0.0, (f - r) / max(f, r, _PLAIN_LIKENESS)))


def _share(distinctive: frozenset[str], ours: frozenset[str]) -> float:
    return len(distinctive & ours) / len(distinctive) if distinctive else 0.0


@functools.lru_cache(maxsize=256)
def _shingles(text: str) -> frozenset[str]:
    lemmas = [
        min(t.keys - {k for k in t.keys if k[0] == "~"} or t.keys) for t in tokens(unicodedata.normalize("NFC", text))
    ]
    words = {lemma for lemma in lemmas if len(lemma) > 3 or lemma[1:].isdigit()}
    return frozenset(words | {f"{a} {b}" for a, b in itertools.pairwise(lemmas)})
