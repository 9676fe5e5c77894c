"""Names of Czech acts in prose: by number, by declined name, by abbreviation (L-6); the acts stand in `acts.yaml`."""

import functools
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

_ENDING = "[aáeéěiíyýouůúhm]{0,4}"
_SPACE = r"\s{1,6}"
_GAP = r"\s{0,6}"
_NUMBER = re.compile(
    rf"(?:(?<!\w)(?P<kind>(?:ústavní{_ENDING}{_SPACE})?zákon(?:em|a|u|ů|ě|y)?|zák\.|z\.|vyhlášk(?:a|y|ou|u)|vyhláš(?:ce|ek)|vyhl\."
    rf"|nařízení(?:m)?(?:{_SPACE}vlády)?|nař\.{_GAP}vl\.|předpis(?:u|em)?){_GAP},?{_GAP})?"
    rf"(?:(?<!\w)(?P<sign>č\.|číslo|čísla|čís\.|č(?=\s?[0-9])){_GAP})?"
    r"(?<![\w/.])(?P<number>[0-9]{1,4})\s?/\s?(?P<year>(?:18|19|20)[0-9]{2})(?!\w|/)"
    rf"(?P<collection>{_GAP}(?:Sb\.?+|Sbírky(?:{_SPACE}zákonů)?)(?!\w)(?!{_GAP}(?:NSS|rozh|ÚS|NS|n\.{_GAP}u|roz\.))"
    rf"(?P<treaty>{_GAP}m\.{_GAP}s\.)?)?",
    re.IGNORECASE,
)
_EUROPEAN = re.compile(
    rf"(?<!\w)(?:nařízení(?:m)?|směrnic(?:e|i|í|emi)|rozhodnutí(?:m)?)(?:{_SPACE}(?:Evropského parlamentu a Rady|Rady|Komise))?"
    rf"{_GAP}(?:\((?:EU|ES|EHS)\))?{_GAP}(?:č\.{_GAP})?(?P<first>[0-9]{{1,4}})/(?P<second>[0-9]{{1,4}})"
    rf"(?P<old>/(?:EU|ES|EHS))?(?!\w|/)(?!{_GAP}Sb)",
    re.IGNORECASE,
)
_AMENDING = re.compile(
    rf"(?:ve{_SPACE}znění|(?:změn|měněn|zruš|vlož|doplněn|zaveden|přines)\w{{0,6}})\s(?:\w{{1,20}}\s){{0,2}}\(?\s?$",
    re.IGNORECASE,
)
_NOVEL = re.compile(r"novel\w{0,12}\s(?:\w{1,20}\s){0,2}\(?\s?$", re.IGNORECASE)
_WORD = re.compile(r"(?<![\w.])\w[\w.]")
_JOINED = re.compile(r"[\s,(]{0,4}")


class Mention(NamedTuple):
    """Where a text names an act: `act` is "89/2012" or "EU 2016/679"; amending: as what changed another act, not as what is applied."""

    start: int
    end: int
    act: str
    numbered: bool
    articles: bool
    amending: bool


def mentions(text: str) -> list[Mention]:
    """Every act that a text names, in order and disjoint; a number beside a name says which act the name means.

    text: as `citations.plain` makes it (plain spaces and dashes, composed letters).

    >>> [(m.act, text[m.start : m.end]) for text in ["podle zákoníku práce a OZ"] for m in mentions(text)]
    [('262/2006', 'zákoníku práce'), ('89/2012', 'OZ')]
    """
    found = sorted([*_numbered(text), *_named(text)], key=lambda m: (m.start, -m.end))
    result: list[Mention] = []
    for mention in found:
        before = result[-1] if result else None
        if before and mention.start < before.end:
            continue
        if before and before.numbered != mention.numbered and _is_same(text, before, mention):
            number = before if before.numbered else mention
            result[-1] = number._replace(start=before.start, end=mention.end)
        else:
            result.append(mention)
    return result


def _is_same(text: str, first: Mention, second: Mention) -> bool:
    """Whether a number and a name beside each other are one act: `zákona č. 89/2012 Sb., občanského zákoníku`."""
    gap = text[first.end : second.start]
    if not _JOINED.fullmatch(gap) or first.amending or second.amending:
        return False
    return first.numbered or "," not in gap


def _numbered(text: str) -> Iterable[Mention]:
    articles = _articles()
    for match in _EUROPEAN.finditer(text):
        first, second = match["first"], match["second"]
        act = (
            f"EU {first}/{second}" if len(second) < 4 or second[:2] not in ("19", "20") else f"EU {int(first)}/{second}"
        )
        if len(first) == 4 or len(second) == 4 or match["old"]:
            yield Mention(match.start(), match.end(), act, True, True, False)
    for match in _NUMBER.finditer(text):
        if not match["collection"] and not (match["kind"] and match["sign"]):
            continue
        act = f"{int(match['number'])}/{match['year']}" + (" m. s." if match["treaty"] else "")
        before = text[max(0, match.start() - 60) : match.start()]
        novel = not (match["kind"] or "").lower().endswith(("a", "y")) and _NOVEL.search(before)
        yield Mention(match.start(), match.end(), act, True, act in articles, bool(novel or _AMENDING.search(before)))


def _named(text: str) -> Iterable[Mention]:
    table, articles, patterns = _table(), _articles(), _names()
    end = 0
    for word in _WORD.finditer(text):
        pattern = patterns.get(word[0].casefold())
        match = pattern.match(text, word.start()) if pattern and word.start() >= end else None
        if match:
            end = match.end()
            act = table[int((match.lastgroup or "n0_").split("_")[0][1:])]
            yield Mention(match.start(), end, act, False, act in articles, False)


@functools.cache
def _acts() -> list[dict[str, Any]]:
    import yaml

    acts: list[dict[str, Any]] = yaml.load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"), _loader())
    return acts


def _loader() -> Any:
    import yaml

    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@functools.cache
def _articles() -> frozenset[str]:
    return frozenset(entry["act"] for entry in _acts() if entry.get("articles"))


@functools.cache
def _table() -> list[str]:
    return [entry["act"] for entry in _acts()]


@functools.cache
def _names() -> dict[str, re.Pattern[str]]:
    """Patterns of all names by their first two characters, the longest name first; group `n<i>_…` is the i-th act."""
    buckets: dict[str, list[tuple[str, str]]] = {}
    for i, entry in enumerate(_acts()):
        for name in [*entry["names"], *entry.get("short", [])]:
            buckets.setdefault(name[:2].casefold(), []).append((name, f"n{i}"))
    return {start: re.compile(f"(?:{'|'.join(_alternatives(names))})(?!\\w)") for start, names in buckets.items()}


def _alternatives(names: list[tuple[str, str]]) -> Iterable[str]:
    seen: dict[str, int] = {}
    for name, group in sorted(names, key=lambda pair: (-len(pair[0]), pair)):
        seen[group] = seen.get(group, 0) + 1
        yield f"(?P<{group}_{seen[group]}>{_pattern(name)})"


def _pattern(name: str) -> str:
    """A name as a pattern: endings of declined words, runs of spaces, spaces after points at will, letter case where it tells."""
    written = re.escape(name).replace(r"\*", _ENDING).replace(r"\.\ ", rf"\.{_GAP}").replace(r"\ ", _SPACE)
    if name.endswith("."):
        written = written.removesuffix(r"\.") + r"\.?"
    return written if name[:1].isupper() else f"(?i:{written})"
