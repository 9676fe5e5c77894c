"""Sections and articles in prose with their paragraphs and letters, as grammar: which act they belong to is not decided here (L-6).

| written                                       | read as                                        |
|-----------------------------------------------|------------------------------------------------|
| `§ 35`, `§35`, `paragrafu 35`, `par. 35`      | section 35                                     |
| `§ 10 až 12`, `§ 10–12`, `§ 10 až § 12`       | one provision, section `10-12`                 |
| `§§ 5, 6 a 9`, `§ 5, 6 a 9`                   | three provisions                               |
| `odst. 1 a 2`, `odst. 1 až 3`                 | two paragraphs; one, `1-3`                     |
| `písm. a), b)`, `písm. a) až c)`              | two letters; one, `a-c`                        |
| `§ 35/1`, `§ 35 (1)`, `odst. 1 § 35`          | section 35, paragraph 1                        |
| `čl. 10 odst. 2`, `čl. II`                    | section `čl. 10`, `čl. II`                     |
| `věta druhá`, `bod 3`, `a násl.`              | stepped over                                   |

A number behind a connective is no section where a unit, a date or a decimal follows (`podle § 35 a 3 měsíce`).
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

_S = r"\s{0,6}"
_NOT_A_COUNT = (
    rf"(?![0-9]|[.,/][0-9]|\.\s?[0-9]{{1,2}}\.|\s[0-9]{{3}}(?!\w)|\.?{_S}(?:%|(?:měsí|let(?!\w)|rok|roč|dn[íůye]|den(?!\w)|hod|min|týd|kč|czk|eur"
    r"|korun|procent|násob|krát|osob|strán|stran|bod|tisíc|tis\.|mili|ledn|únor|březn|dubn|květn|červ|srpn|září|říjn|listop|prosin|násl))"
    r"|\s?x(?!\w))"
)
_NUMBER = r"[0-9]{1,4}(?:[a-z]{1,3})?(?=odst|písm|[^\w]|_|\Z)"
_AND = rf"{_S}(?:,{_S}(?:a|i|nebo|či|anebo|popř\.|resp\.)(?!\w)|[,;]|(?<=[\s)])(?:a|i|nebo|či|anebo|až|popř\.|resp\.|a{_S}také|i{_S}podle)(?!\w)){_S}"
_SIGN = r"(?:§{1,2}|(?<!\w)(?:paragraf(?:u|y|ů|em|ech|ům)?|par\.))"
_ODST = r"(?:odst\.?|odstav(?:ec|ce|ci|cem|ců|cích|cům))"
_PISM = r"(?:písm\.?|písmen(?:o|a|e|u|em|ech|ům|y)?)"

START = re.compile(
    rf"(?:(?<!\w)(?:{_PISM}{_S}(?P<letter_first>[a-z]{{1,2}})\){_S},?{_S})?{_ODST}{_S}(?P<paragraph>[0-9]{{1,2}}){_S},?{_S}"
    rf"(?:{_PISM}{_S}(?P<letter>[a-z]{{1,2}})\){_S},?{_S})?)?"
    rf"{_SIGN}{_S}(?=(?P<section>[0-9]))"
    rf"|(?<!\w)čl(?:\.|án(?:ek|ku|kem|kům|ků|cích|ky)){_S}(?=(?P<article>[0-9]|(?-i:[IVXLC]{{1,7}})(?!\w)))",
    re.IGNORECASE,
)
_SECTION = re.compile(
    rf"(?P<low>{_NUMBER})(?:{_S}(?:až|-){_S}(?:§{{1,2}}{_S})?(?P<high>{_NUMBER}){_NOT_A_COUNT})?", re.IGNORECASE
)
_ARTICLE = re.compile(rf"(?P<low>(?:{_NUMBER}|(?-i:[IVXLC]{{1,7}})(?!\w)))(?P<high>(?!))?", re.IGNORECASE)
_NEXT_SECTION = re.compile(rf"{_AND}(?={_NUMBER}{_NOT_A_COUNT})", re.IGNORECASE)
_BRACKETS = re.compile(
    r"\s?/\s?(?P<slash>[0-9]{1,2})(?!\w)(?:/(?P<letter>[a-z])(?!\w)\)?)?|\s?\((?P<round>[0-9]{1,2})\)"
)
_PARAGRAPHS = re.compile(rf"(?:{_S}(?:,|{_AND}))?{_S}{_ODST}{_S}(?=[0-9])", re.IGNORECASE)
_PARAGRAPH = re.compile(
    r"(?P<low>[0-9]{1,2}[a-z]?)(?!\w)(?:\s{0,6}(?:až|-)\s{0,6}(?P<high>[0-9]{1,2})(?!\w)" + _NOT_A_COUNT + ")?"
)
_NEXT_PARAGRAPH = re.compile(rf"{_AND}(?=[0-2]?[0-9](?!\w){_NOT_A_COUNT}(?!{_S}(?:{_ODST}|{_PISM})))", re.IGNORECASE)
_LETTERS = re.compile(rf"(?:{_S}(?:,|{_AND}))?{_S}{_PISM}{_S}(?=[a-z]{{1,2}}(?:\)|(?!\w)))", re.IGNORECASE)
_LETTER = re.compile(r"(?P<low>[a-z]{1,2})\)?(?:\s{0,6}(?:až|-)\s{0,6}(?P<high>[a-z]{1,2})\))?", re.IGNORECASE)
_NEXT_LETTER = re.compile(rf"{_AND}(?=[a-z]{{1,2}}\))", re.IGNORECASE)
_STEP = re.compile(
    rf"{_S},?{_S}(?:(?:vět(?:a|y|ě|ou|u|ami){_S}(?:první|druh\w{{1,3}}|třetí|čtvrt\w{{1,3}}|posledn\w{{1,3}}|za{_S}středníkem|před{_S}středníkem|[0-9]\.?)"
    rf"|(?:první|druh\w{{1,3}}|třetí|posledn\w{{1,3}}){_S}vět\w{{1,3}}|část{_S}vět\w{{1,3}}{_S}za{_S}středníkem|část{_S}před{_S}středníkem)(?!\w)"
    rf"|bod(?:u|ě|em|y|ů)?{_S}[0-9]{{1,2}}(?!\w)\.?|in{_S}fine|a{_S}(?:násl(?:\.|edujících|edující)|n\.))",
    re.IGNORECASE,
)


class Provision(NamedTuple):
    """A section with its pinpoint and its place; ranges as `10-12`, `1-3`, `a-c`."""

    section: str
    paragraph: str | None
    letter: str | None
    start: int
    end: int


class Group(NamedTuple):
    """Provisions written under one sign."""

    provisions: tuple[Provision, ...]
    start: int
    end: int
    is_article: bool


def groups(text: str) -> Iterator[Group]:
    """All groups of provisions of a text, in order; linear in its length.

    text: as `citations.plain` makes it.

    >>> [[p[:3] for p in g.provisions] for g in groups("§ 35 odst. 1 a 2 a odst. 3 písm. b), čl. 10")]
    [[('35', '1', None), ('35', '2', None), ('35', '3', 'b')], [('čl. 10', None, None)]]
    """
    position = 0
    while match := START.search(text, position):
        group = _group(text, match)
        if group.provisions:
            yield group
        position = max(group.end, match.end())


def _group(text: str, sign: re.Match[str]) -> Group:
    is_article = bool(sign["article"])
    before = (sign["paragraph"], sign["letter"] or sign["letter_first"]) if sign["paragraph"] else None
    number = _ARTICLE if is_article else _SECTION
    found: list[Provision] = []
    start, position = sign.start(), sign.end()
    while match := number.match(text, position):
        section = ("čl. " if is_article else "") + _range(match["low"], match["high"], is_article)
        pins, position = _pinpoints(text, match.end())
        if before and pins == [(None, None)]:
            pins = [before]
        found += [Provision(section, paragraph, letter, start, position) for paragraph, letter in pins]
        before = None
        more = None if is_article else _NEXT_SECTION.match(text, position)
        if not more:
            break
        start = position = more.end()
    return Group(tuple(found), sign.start(), position, is_article)


def _pinpoints(text: str, position: int) -> tuple[list[tuple[str | None, str | None]], int]:
    """Paragraphs and letters behind a section; letters belong to the last paragraph. `[(None, None)]` where there are none."""
    pins: list[tuple[str | None, str | None]] = []
    if bracket := _BRACKETS.match(text, position):
        pins.append((bracket["slash"] or bracket["round"], bracket["letter"]))
        position = bracket.end()
    while True:
        if match := _PARAGRAPHS.match(text, position):
            numbers, position = _list(text, match.end(), _PARAGRAPH, _NEXT_PARAGRAPH)
            pins += [(number, None) for number in numbers]
        elif match := _LETTERS.match(text, position):
            letters, position = _list(text, match.end(), _LETTER, _NEXT_LETTER)
            paragraph, letter = pins[-1] if pins else (None, None)
            if pins and letter is None:
                pins.pop()
            pins += [(paragraph, letter) for letter in letters]
        elif match := _STEP.match(text, position):
            position = match.end()
        else:
            return pins or [(None, None)], position


def _list(text: str, position: int, item: re.Pattern[str], more: re.Pattern[str]) -> tuple[list[str], int]:
    found = []
    while match := item.match(text, position):
        found.append(_range(match["low"], match["high"]))
        position = match.end()
        following = more.match(text, position)
        if not following:
            break
        position = following.end()
    return found, position


def _range(low: str, high: str | None, is_article: bool = False) -> str:
    low = low if is_article and not low[0].isdigit() else low.lower()
    return f"{low}-{high.lower()}" if high and order(high.lower()) > order(low) else low


def order(number: str) -> tuple[int, int, str]:
    """A number of a section, a paragraph or a letter as what it is sorted by: 35 < 35a < 35ba < 36; a < b < aa.

    >>> order("35ba") < order("36"), order("h") < order("ch") < order("i")
    (True, True)
    """
    digits = number.rstrip("abcdefghijklmnopqrstuvwxyz")
    letters = number[len(digits) :]
    value = int(digits) if digits.isascii() and digits.isdigit() else 0
    return value, (1 if letters == "ch" else len(letters)), ("h~" if letters == "ch" else letters)


def covers(written: str, wanted: str) -> bool:
    """Whether a number or a range of them (`10-12`) holds the wanted number, or all of the wanted range.

    >>> covers("10-12", "11a"), covers("10-12", "13"), covers("1-3", "1-2"), covers("čl. 10", "čl. 10")
    (True, False, True, True)
    """
    if written == wanted:
        return True
    low, _, high = written.partition("-")
    first, _, last = wanted.partition("-")
    if not high:
        return False
    return order(low) <= order(first) and order(last or first) <= order(high)
