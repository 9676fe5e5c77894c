"""Citations of Czech law in prose, found and compared by machine (L-6, L-4): sections with their acts, and decisions.

How a section finds its act (readings, G-14), the first that applies:

1. the act right behind it: `§ 35 odst. 1 zákoníku práce`, `§ 35 (zákon č. 262/2006 Sb.)`;
2. the act right before it: `zákoník práce v § 35`, `OZ § 2079`;
3. the act of the section that it is joined to: `§ 35 a § 36 zákoníku práce`, `§ 1829 ve spojení s § 1820 OZ`;
4. an act that it names but `acts.yaml` does not know (`§ 5 zákona o včelách`, `§ 242 BGB`): None, nothing is carried over;
5. carried over (`act_inferred`): the last act before it in the sentence, else the next one in the sentence, else the last one earlier in the
   text, else the next one in the paragraph. `téhož zákona`, `tohoto zákoníku` look only back. What is named as a changing act
   (`ve znění zákona č. 120/2025 Sb.`, `novela č. …`) is never carried over. Articles are carried over only to acts that have articles.

An article without any act (`čl. 5 smlouvy`) is no citation. An act alone, by its number, is one without a section.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from grading.acts import mentions
from grading.binding import bound
from grading.dockets import dockets
from grading.provisions import START, covers, groups

Standing = Literal["right", "incomplete", "absent"]

_SPACES = dict.fromkeys(map(ord, "\u00a0\u00ad\u1680\u180e\u200b\u200c\u200d\u2060\ufeff\u202f\u205f\u3000*_`"), " ")
_SPACES |= dict.fromkeys(range(0x2000, 0x200B), " ")
_DASHES = dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"), "-")
_CLUSTER = re.compile("[^\u0300-\u036f][\u0300-\u036f]{0,8}|[\u0300-\u036f]")
_LOOSE_SIGN = re.compile(
    r"§|(?<!\w)(?:odst\.|odstav(?:ec|ce|ci|cem|cích))\s{0,6}[0-9]{1,2}(?!\w)|(?<!\w)písm(?:\.|en\w{0,2})\s{0,6}[a-z]{1,2}\)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Citation:
    """A provision of an act, or a decision.

    act: "89/2012", "EU 2016/679" or None; section: "2079", "35ba", "10-12", "čl. 10", None for an act alone; paragraph "1", "1-3"; letter "a", "a-c";
    docket: canonical (`grading.dockets`); start, end: places in the text that was parsed; act_inferred: the act is carried over, not named beside it.
    """

    kind: Literal["norm", "decision"]
    act: str | None = None
    section: str | None = None
    paragraph: str | None = None
    letter: str | None = None
    docket: str | None = None
    start: int = 0
    end: int = 0
    act_inferred: bool = False


def parse(text: str) -> tuple[Citation, ...]:
    """All citations of a text in the order in which they stand; never raises, linear in the text's length.

    >>> [(c.act, c.section, c.paragraph) for c in parse("Podle § 35 odst. 1 zákoníku práce a § 2079 OZ.")]
    [('262/2006', '35', '1'), ('89/2012', '2079', None)]
    """
    written, places = plain(text)
    acts = mentions(written)
    sections = list(groups(written))
    found: list[Citation] = []
    used: set[int] = set()
    for group, binding in zip(sections, bound(written, sections, acts), strict=True):
        if binding.mention is not None:
            used.add(binding.mention)
        if group.is_article and binding.act is None:
            continue
        found += [
            Citation("norm", binding.act, p.section, p.paragraph, p.letter, None, p.start, p.end, binding.is_inferred)
            for p in group.provisions
        ]
    found += [
        Citation("norm", m.act, start=m.start, end=m.end) for i, m in enumerate(acts) if m.numbered and i not in used
    ]
    found += [Citation("decision", docket=d.canonical, start=d.start, end=d.end) for d in dockets(written)]
    found.sort(key=lambda c: c.start)
    return tuple(found if places is None else [_moved(c, places) for c in found])


def _moved(citation: Citation, places: list[int]) -> Citation:
    values = {name: getattr(citation, name) for name in Citation.__slots__}
    return Citation(**values | {"start": places[citation.start], "end": places[citation.end]})


def compare(required: Citation, found: Iterable[Citation]) -> Standing:
    """How well citations answer a required one (L-6).

    right: the same act and section, and where a paragraph or letter is required, that one or a range that covers it; finer than required
    is right too. incomplete: the same act and section without the pinpoint or with another; or the section where no act is named beside
    it and none, or another one, is carried over. absent: all else. Decisions are right or absent.

    >>> compare(parse("§ 35 odst. 1 zákoníku práce")[0], parse("viz § 35 zákoníku práce"))
    'incomplete'
    """
    standings = {_standing(required, citation) for citation in found}
    return "right" if "right" in standings else "incomplete" if "incomplete" in standings else "absent"


def _standing(required: Citation, found: Citation) -> Standing:
    if required.kind != found.kind:
        return "absent"
    if required.kind == "decision":
        return "right" if required.docket == found.docket else "absent"
    if required.section is None:
        return "right" if required.act == found.act and not found.act_inferred else "absent"
    if found.section is None or not covers(found.section, required.section):
        return "absent"
    if found.act != required.act:
        return "incomplete" if found.act is None or found.act_inferred else "absent"
    exact = _holds(found.paragraph, required.paragraph) and _holds(found.letter, required.letter)
    return "right" if exact else "incomplete"


def _holds(found: str | None, required: str | None) -> bool:
    return required is None or (found is not None and covers(found, required))


def leaks(question: str) -> list[str]:
    """What in a question looks like a citation: sections, numbers of acts, dockets, even a lone `§` (L-4); empty where nothing does.

    >>> leaks("Podle § 35 ve sporu sp. zn. 12 C 34/2024 mám lhůtu tři měsíce.")
    ['§ 35', 'sp. zn. 12 C 34/2024']
    """
    written, places = plain(question)
    spans = [(g.start, g.end) for g in groups(written) if not g.is_article]
    spans += [(m.start, m.end) for m in mentions(written) if m.numbered]
    spans += [(d.start, d.end) for d in dockets(written)]
    spans += [m.span() for m in _LOOSE_SIGN.finditer(written)]
    spans += [m.span() for m in START.finditer(written) if not m["article"]]
    result: list[str] = []
    last = -1
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start >= last:
            low, high = (places[start], places[end]) if places else (start, end)
            result.append(question[low:high].strip())
            last = end
    return result


def plain(text: str) -> tuple[str, list[int] | None]:
    """The text with composed letters, plain spaces and dashes and without marks of emphasis; and where its characters stood.

    The places (one more than characters) are None where nothing moved.
    """
    places: list[int] | None = None
    if not unicodedata.is_normalized("NFC", text):
        parts = []
        places = []
        for cluster in _CLUSTER.finditer(text):
            composed = unicodedata.normalize("NFC", cluster[0])
            parts.append(composed)
            places += [cluster.start()] * len(composed)
        places.append(len(text))
        text = "".join(parts)
    return text.translate(_SPACES | _DASHES), places
