"""Which act a group of sections belongs to; the order of the readings stands in `grading.citations`."""

import bisect
import itertools
import re
from typing import NamedTuple

from grading.acts import Mention
from grading.provisions import Group

_S = r"\s{0,6}"
_REACH = 90
_TO_ACT = re.compile(
    rf"{_S}[),]?{_S}\(?{_S}(?:(?:ust\.|ustanovení|platn|účinn|česk|zmíněn|uveden|citovan|cit\.|výše)\w{{0,6}}{_S}){{0,3}}",
    re.IGNORECASE,
)
_FROM_ACT = re.compile(
    rf"[\s,:(\[-]{{0,4}}(?:(?:v|ve|podle|dle|stanoví|upravuje|říká|určuje|svém|jeho|jejich|a{_S}to|zejména|konkrétně|přesněji|ust\.|ustanovení|hned|také|pak)"
    r"[\s,:(]{1,3}){0,4}",
    re.IGNORECASE,
)
_CHAIN = re.compile(
    rf"[\s)]{{0,4}}(?:[,;(]|a|i|nebo|či|resp\.|popř\.|až|-|ani|ve{_S}spojení{_S}s[e]?|ve{_S}spojitosti{_S}s[e]?|v{_S}návaznosti{_S}na|ve{_S}vztahu{_S}k[e]?"
    rf"|a{_S}dále|dále|jakož{_S}i|stejně{_S}jako|spolu{_S}s[e]?|,{_S}(?:a|resp\.|popř\.|popřípadě|případně|jakož{_S}i|nebo|ve{_S}spojení{_S}s[e]?))?"
    rf"[\s(]{{0,4}}(?:(?:podle|dle|v|ve|z|k|ust\.|ustanovení){_S}){{0,3}}",
    re.IGNORECASE,
)
_BACK = re.compile(
    rf"{_S}(?:téhož|tohoto|stejného|uvedeného|zmíněného|citovaného|cit\.|výše{_S}uvedeného|daného|jmenovaného){_S}(?:zák|předpis|řád|nařízení|kodex|právní)",
    re.IGNORECASE,
)
_UNKNOWN = re.compile(
    rf"{_S}(?:(?i:zák(?:on[aueěy]?m?|\.)(?:{_S},{_S}kter|{_S}(?:o|na|k|ke|proti|pro)(?!\w))|vyhlášk|nařízení|směrnic|smlouv|dohod|stanov(?!í)|obchodních{_S}podmínek|všeobecných"
    rf"|kolektivní|řádu|[a-zá-ž]{{3,20}}(?:ého|ího|ním|ném){_S}(?:zákon[aíu]|řádu|statutu|předpisu))|[A-ZÁ-Ž]{{2,6}}(?!\w))"
)
_END = re.compile(r"[!?]|\n|\.(?=\s{1,4}[^\w\s]{0,2}[A-ZÁ-ŽČĎŇŘŠŤŽ])")
_PARAGRAPH_END = re.compile(r"\n\s{0,20}\n")


class Binding(NamedTuple):
    """The act of a group; which mention named it beside the group (None: none did); whether it is carried over."""

    act: str | None
    mention: int | None
    is_inferred: bool


_NONE = Binding(None, None, False)


def bound(text: str, groups: list[Group], acts: list[Mention]) -> list[Binding]:
    """The binding of every group, in their order; linear but for bisection."""
    starts = {m.start: i for i, m in enumerate(acts)}
    ends = [m.end for m in acts]
    result = [_beside(text, group, acts, starts, ends) for group in groups]
    taken = {b.mention for b in result if b and b.mention is not None}
    for i, group in enumerate(groups):
        result[i] = result[i] or _before(text, group, acts, ends, taken)
    _joined(text, groups, acts, result)
    carrier = _Carrier(text, acts)
    return [binding or carrier.carried(group) for binding, group in zip(result, groups, strict=True)]


def _beside(text: str, group: Group, acts: list[Mention], starts: dict[int, int], ends: list[int]) -> Binding | None:
    gap = _TO_ACT.match(text, group.end)
    for place in (gap.end() if gap else group.end, group.end):
        if (i := starts.get(place)) is not None and _fits(group, acts[i]):
            return Binding(acts[i].act, i, False)
    if _BACK.match(text, group.end):
        return None
    if not _UNKNOWN.match(text, group.end):
        return None
    i = bisect.bisect_left(ends, group.end)
    if i < len(acts) and acts[i].numbered and acts[i].start - group.end < _REACH:
        between = text[group.end : acts[i].start]
        if not re.search(r"[.;§]", between):
            return Binding(acts[i].act, i, False)
    return _NONE


def _before(text: str, group: Group, acts: list[Mention], ends: list[int], taken: set[int]) -> Binding | None:
    i = bisect.bisect_right(ends, group.start) - 1
    if i < 0 or acts[i].amending or not _fits(group, acts[i]) or group.start - acts[i].end > _REACH:
        return None
    if not _FROM_ACT.fullmatch(text, acts[i].end, group.start):
        return None
    return Binding(acts[i].act, i, i in taken)


def _joined(text: str, groups: list[Group], acts: list[Mention], result: list[Binding | None]) -> None:
    """Sections joined by a connective have one act: first from the right, then from the left."""
    joined = [
        right.start - left.end <= _REACH
        and right.is_article == left.is_article
        and bool(_CHAIN.fullmatch(text, left.end, right.start))
        for left, right in itertools.pairwise(groups)
    ]
    for i in range(len(groups) - 2, -1, -1):
        following = result[i + 1]
        if result[i] is None and joined[i] and following and following.act and not following.is_inferred:
            after_it = following.mention is not None and acts[following.mention].start >= groups[i + 1].end
            result[i] = following if after_it else None
    for i in range(1, len(groups)):
        before = result[i - 1]
        if result[i] is None and joined[i - 1] and before and before.act:
            before_it = before.mention is not None and acts[before.mention].end <= groups[i - 1].start
            result[i] = before._replace(is_inferred=not before_it)


def _fits(group: Group, act: Mention) -> bool:
    """Articles belong to acts with articles; any other act has them only in its changing part, in Roman numbers."""
    section = group.provisions[0].section
    return not group.is_article or act.articles or not section.removeprefix("čl. ")[:1].isdigit()


class _Carrier:
    """Finds the act that is carried over to a group with none beside it."""

    def __init__(self, text: str, acts: list[Mention]) -> None:
        self.text = text
        lasting = [m for m in acts if not m.amending]
        self.acts = {True: [m for m in lasting if m.articles], False: [m for m in lasting if not m.articles]}
        self.starts = {kind: [m.start for m in found] for kind, found in self.acts.items()}
        self.ends = [m.start() for m in _END.finditer(text)]
        self.paragraphs = [m.start() for m in _PARAGRAPH_END.finditer(text)]

    def carried(self, group: Group) -> Binding:
        acts, starts = self.acts[group.is_article], self.starts[group.is_article]
        i = bisect.bisect_left(starts, group.start)
        before = acts[i - 1] if i else None
        after = acts[i] if i < len(acts) else None
        if _BACK.match(self.text, group.end):
            after = None
        first, last = _around(self.ends, group.start, len(self.text))
        if before and before.start >= first:
            return Binding(before.act, None, True)
        if after and after.start < last:
            return Binding(after.act, None, True)
        if before:
            return Binding(before.act, None, True)
        if after and after.start < _around(self.paragraphs, group.start, len(self.text))[1]:
            return Binding(after.act, None, True)
        return _NONE


def _around(borders: list[int], place: int, length: int) -> tuple[int, int]:
    i = bisect.bisect_left(borders, place)
    return (borders[i - 1] if i else 0), (borders[i] if i < len(borders) else length)
