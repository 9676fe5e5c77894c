"""Czech text as tokens that inflection, notation of numbers and of dates do not tell apart; lemmas come from simplemma.

A token has keys; two tokens agree where they share one. Keys of a word are its lemma and, where at least five letters stay, its form without
the ending: the lemmatizer does not know every form (`promlčí`), and a verb agrees with its participle (`sjednat`, `sjednaná`). Diacritics are
kept, letter case is not. A negated form keeps its negation (`neplatí` is `neplatit`), which the lemmatizer drops, and a superlative its `nej`.

| written                                              | read as                                                       |
|------------------------------------------------------|---------------------------------------------------------------|
| `3`, `tři`, `třech`; `dvacet osm`; `15 tisíc`        | the number; also in `15 000`, `15.000`                        |
| `tříměsíční`, `3měsíční`, `15denní`, `dvouletý`      | the number and the unit: `3 měsíc`                            |
| `1. 6. 2025`, `1. června 2025`, `2025-06-01`         | the day; `1. června` agrees with that day of any year         |
| `15 000 Kč`, `15 000 korun`, `15 000,-`              | the number and `kč`                                           |
| `5 %`, `5 procent`                                   | the number and `procento`                                     |
| `třicátý`, `30.`                                     | the ordinal                                                   |
"""

import functools
import re
import unicodedata
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any, NamedTuple

_LEAST_STEM = 5
_VERB = re.compile(r"(?:[aeiěuáíýy]t|[éí]st|[éí]zt|ci)$")
_STRONG = re.compile(
    r"[!?;]|\.[*_\"“)\]]{0,3}\s{1,20}[*_„\"(\[]{0,3}[A-ZÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ]|\n\s{0,20}\n|\n\s{0,8}(?:[-*#•–]|[0-9]{1,2}[.)])\s"
)
_WEAK = re.compile(r"[,:()–—]")


class Token(NamedTuple):
    """A word, number or date: its keys, its place in the composed text, what stands before it.

    cut: 0 nothing, 1 the border of a clause, 2 the border of a sentence; is_negated: a negated verb; word: as written, in small letters.
    """

    keys: frozenset[str]
    start: int
    end: int
    cut: int
    word: str
    is_negated: bool = False


def tokens(text: str, *, is_wording: bool = False) -> list[Token]:
    """The tokens of a text in composed letters (NFC).

    >>> [sorted(t.keys) for t in tokens("Do 3 měsíců nečiní")]
    [['do'], ['n3'], ['měsíc', '~měsíc'], ['nečinit', '~nečin']]
    """
    found: list[Token] = []
    end = 0
    for match in _pattern().finditer(text):
        gap = text[end : match.start() + 1]
        cut = _cut(gap, found[-1].word if found else "")
        for i, (keys, word, is_negated) in enumerate(_read(match, text, is_wording)):
            found.append(Token(keys, match.start(), match.end(), 0 if i else cut, word, is_negated))
        end = match.end()
    return _summed(found)


def _cut(gap: str, before: str) -> int:
    """The border in what stands between two tokens; gap holds the first character of the second."""
    if (strong := _STRONG.search(gap)) and not (gap[:1] == "." == strong[0][0] and before in _table()["abbreviations"]):
        return 2
    if gap[:1] == "." and re.search(r"[)\]\"“]\s*[.!?]", gap):  # an abbreviation inside brackets that end the sentence
        return 2
    return 1 if _WEAK.search(gap[:-1]) else 0


def _read(match: re.Match[str], text: str, is_wording: bool) -> Iterator[tuple[frozenset[str], str, bool]]:
    if match["day"] or match["iso_day"]:
        year, month, day = (
            match["year"] or match["iso_year"],
            match["month"] or match["iso_month"],
            match["day"] or match["iso_day"],
        )
        yield _date(year, month, day, is_wording), match[0], False
    elif match["number"]:
        value = Decimal(re.sub(r"[\s.]", "", match["number"]).replace(",", "."))
        written = f"{value.normalize():f}"
        following = text[match.end() : match.end() + 1]
        yield frozenset({f"n{written}"} | ({f"o{written}"} if following == "." else set())), match[0], False
        if match["hellers"]:
            yield frozenset({"kč"}), "kč", False
    elif match["sign"]:
        yield frozenset({"procento" if match["sign"] == "%" else match["sign"]}), match["sign"], False
    else:
        is_glued = match.start() > 0 and text[match.start() - 1].isdigit()
        yield from _word(match[0].lower(), is_glued)


def _date(year: str | None, month: str, day: str, is_wording: bool) -> frozenset[str]:
    number = month if month.isdigit() else str(_table()["months"][month.lower()])
    named = f"{int(number):02}-{int(day):02}"
    full = f"d{year}-{named}"
    if is_wording:
        return frozenset({full, f"d?{named}"} if year else {f"d*{named}", f"d?{named}"})
    return frozenset({full, f"d*{named}"} if year else {f"d?{named}"})


@functools.lru_cache(maxsize=200_000)
def _word(word: str, is_glued: bool) -> tuple[tuple[frozenset[str], str, bool], ...]:
    table = _table()
    if (number := table["numbers"].get(word)) is not None:
        return ((frozenset({f"n{number}"}), word, False),)
    if (multiple := table["multiples"].get(word)) is not None:
        return ((frozenset({f"m{multiple}", word}), word, False),)
    if word in table["currency"]:
        return ((frozenset({"kč"}), word, False),)
    if compound := table["compound"](word):
        number = table["prefixes"].get(compound["prefix"])
        unit = frozenset(_keys(table["units"][compound["unit"]])[0])
        if number is not None:
            return ((frozenset({f"n{number}"}), word, False), (unit, word, False))
        if is_glued:
            return ((unit, word, False),)
    keys, is_negated = _keys(word)
    if ordinal := table["ordinal"](word):
        keys.add(f"o{table['ordinals'][ordinal['stem']]}")
    return ((frozenset(keys), word, is_negated),)


def _keys(word: str) -> tuple[set[str], bool]:
    """The keys of a word, and whether it is a negated verb."""
    lemma = _lemma(word)
    is_negated = False
    if word.startswith("ne") and len(word) > 3 and (positive := _positive(word, lemma)):
        is_negated = bool(_VERB.search(positive))
        lemma = f"ne{positive}"
    if word.startswith("nej") and not is_negated and not lemma.startswith("nej"):
        lemma = f"nej{lemma.removeprefix('ne')}"
    keys = {lemma}
    stem = _table()["ending"].sub("", word)
    if len(stem) >= _LEAST_STEM:
        keys.add(f"~{stem}")
    stem = _table()["ending"].sub("", lemma)
    if len(stem) >= _LEAST_STEM:
        keys.add(f"~{stem}")
    return keys, is_negated


def _positive(word: str, lemma: str) -> str | None:
    """The lemma without negation of a word in `ne-` that is a negated form; None where `ne` is a part of the word (`nemovitost`)."""
    if not _folded(lemma).startswith("ne"):
        return lemma
    positive = _lemma(word[2:])
    if positive == lemma:  # `nenese` of `nést`
        return positive
    is_form = lemma in (word, f"ne{positive}") or lemma.endswith("ť")
    is_verb = bool(_VERB.search(positive)) and positive not in _table()["no_positives"] and _is_known(word[2:])
    return positive if is_form and is_verb else None


def _folded(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))


def _summed(found: list[Token]) -> list[Token]:
    """Numbers of several words as one: `dvacet osm`, `patnáct tisíc`, `dvě stě`."""
    result: list[Token] = []
    for token in found:
        before = _number(result[-1], "n") if result else None
        value, multiple = _number(token, "n"), _number(token, "m")
        is_joined = bool(result) and not token.cut and token.start > result[-1].start
        total = None
        if is_joined and before is not None and multiple is not None:
            total = before * multiple
        elif (
            is_joined
            and before is not None
            and value is not None
            and _is_sum(before, value)
            and not token.word[0].isdigit()
        ):
            total = before + value
        if total is not None:
            last = result.pop()
            token = Token(
                frozenset({f"n{total.normalize():f}"}), last.start, token.end, last.cut, f"{last.word} {token.word}"
            )
        result.append(token)
    return result


def _is_sum(before: Decimal, value: Decimal) -> bool:
    if value >= before:
        return False
    return (before in range(20, 100, 10) and value < 10) or (before >= 100 and before % 100 == 0 and value < 100)


def _number(token: Token, kind: str) -> Decimal | None:
    return next(
        (Decimal(key[1:]) for key in token.keys if key[0] == kind and key[1:].replace(".", "", 1).isdigit()), None
    )


@functools.cache
def _lemmatizer() -> Callable[[str], str]:
    from simplemma import lemmatize

    return functools.partial(lemmatize, lang="cs")


def _is_known(word: str) -> bool:
    from simplemma import is_known

    return is_known(word, lang="cs")


def _lemma(word: str) -> str:
    return _lemmatizer()(word).lower()


@functools.cache
def _pattern() -> re.Pattern[str]:
    months = "|".join(sorted(_table()["months"], key=len, reverse=True))
    return re.compile(
        r"(?<![\w-])(?P<iso_year>[12][0-9]{3})-(?P<iso_month>0[1-9]|1[0-2])-(?P<iso_day>[0-3][0-9])(?![\w-])"
        rf"|(?<![\w.])(?P<day>[0-3]?[0-9])\.\s{{0,3}}(?P<month>(?:0?[1-9]|1[0-2])(?=\.)|(?:{months})(?!\w))\.?(?:\s{{0,3}}(?P<year>[12][0-9]{{3}})(?![0-9]))?"
        r"|(?<![0-9])(?P<number>(?:[0-9]{1,3}(?:[\s.][0-9]{3})+(?![0-9])|[0-9]{1,15})(?:,[0-9]{1,6})?)(?P<hellers>,\s?[-–—]{1,2})?"
        r"|(?P<sign>[%§])"
        r"|[^\W\d_]+",
        re.IGNORECASE,
    )


@functools.cache
def _table() -> dict[str, Any]:
    import yaml

    table: dict[str, Any] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
    for kind in ("numbers", "multiples"):
        table[kind] = {word: value for value, words in table[kind].items() for word in words}
    table["months"] = {word: i for i, words in enumerate(table["months"], 1) for word in words}
    table["numbers"] = {w: v for w, v in table["numbers"].items() if w not in table["multiples"]}
    prefixes, units, ordinals = (
        "|".join(sorted(table[k], key=len, reverse=True)) for k in ("prefixes", "units", "ordinals")
    )
    table["compound"] = re.compile(
        rf"(?P<prefix>{prefixes})?(?P<unit>{units})(?:ý|á|é|í|ého|ému|ém|ým|ou|ími|ím|ího|ímu|ích|ých|ými)"
    ).fullmatch
    table["ordinal"] = re.compile(rf"(?P<stem>{ordinals})(?:ý|á|é|í|ého|ému|ém|ým|ou|ím|ího|ímu)").fullmatch
    table["currency"] = frozenset(table["currency"])
    table["ending"] = re.compile(f"(?:{'|'.join(sorted(table['endings'], key=len, reverse=True))})$")
    return table
