"""Docket numbers and ECLI of decisions in prose, each in one form (L-6).

| written                                                                        | canonical            |
|--------------------------------------------------------------------------------|----------------------|
| `sp. zn. 25 Cdo 1234/2020`, `25Cdo 1234/2020`, `ECLI:CZ:NS:2020:25.CDO.1234.2020.1` | `25 Cdo 1234/2020` |
| `č. j. 1 As 12/2010-45`, `čj. 1 As 12/2010 – 45`, `ECLI:CZ:NSS:2010:1.AS.12.2010.45` | `1 As 12/2010`     |
| `III. ÚS 123/20`, `ECLI:CZ:US:2020:3.US.123.20.1`                              | `III. ÚS 123/20`     |
| `Pl. ÚS 1/23`, `ECLI:CZ:US:2023:Pl.US.1.23.1`; `Pl. ÚS-st. 45/16`              | `Pl. ÚS 1/23`; `Pl. ÚS-st. 45/16` |
| `C-34/13` beside a word of the Court of Justice, `ECLI:EU:C:2014:2189`         | `C-34/13`, the ECLI  |

The number of the sheet behind `č. j.` names a document, not another decision, and is left off. Without `sp. zn.` or `č. j.` only the registers
of courts that are known here count; a register of one letter needs them.
"""

import functools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_S = r"\s{0,4}"
_ROMAN = {"1": "I", "2": "II", "3": "III", "4": "IV"}
_MARKED = (
    rf"(?:sp\.?{_S}zn\.?|spis(?:ová|ové|ovou){_S}značk(?:a|y|ou)|č\.?{_S}j\.|čj\.?|č\.j\.|číslo{_S}jednací){_S}:?{_S}"
)
_NUMBER = rf"{_S}-?{_S}(?P<number>[0-9]{{1,6}}){_S}/{_S}(?P<year>(?:19|20)[0-9]{{2}}|[0-9]{{2}})(?![0-9/])"
_SHEET = rf"(?:{_S}-{_S}[0-9]{{1,5}}(?!\w))?"
_CONSTITUTIONAL = re.compile(
    rf"(?:{_MARKED})?(?<![\w.])(?P<senate>Pl\.?|pl\.|I{{1,3}}\.?|IV\.?){_S}ÚS(?P<opinion>{_S}-{_S}st\.?)?{_NUMBER}{_SHEET}"
)
_ECLI = re.compile(
    r"ECLI:(?P<country>[A-Z]{2}):(?P<court>[A-Z]{1,7}):(?P<year>[0-9]{4}):(?P<rest>[A-Za-zČ0-9.\-:]{1,40})",
    re.IGNORECASE,
)
_ECLI_REST = re.compile(
    r"(?P<senate>[0-9]{1,3}|Pl)\.(?P<register>[A-Za-zČ]{1,5}(?:-st)?)\.(?P<number>[0-9]{1,6})\.(?P<year>[0-9]{2,4})(?![0-9])",
    re.IGNORECASE,
)
_UNION = re.compile(r"(?<![\w-])(?P<docket>[CT]-[0-9]{1,4}/[0-9]{2})(?![\w/])(?:\sP(?!\w))?")


class Docket(NamedTuple):
    """A decision's docket in its canonical form, and where it stands."""

    canonical: str
    start: int
    end: int


def dockets(text: str) -> list[Docket]:
    """All dockets of a text, in order and disjoint.

    text: as `citations.plain` makes it.

    >>> [d.canonical for d in dockets("rozsudek NS sp. zn. 25 Cdo 1234/2020, ECLI:CZ:US:2020:3.US.123.20.1")]
    ['25 Cdo 1234/2020', 'III. ÚS 123/20']
    """
    found = sorted(
        [*_eclis(text), *_constitutional(text), *_ordinary(text), *_union(text)], key=lambda d: (d.start, -d.end)
    )
    result: list[Docket] = []
    for docket in found:
        if not result or docket.start >= result[-1].end:
            result.append(docket)
    return result


def _ordinary(text: str) -> Iterator[Docket]:
    for match in _pattern().finditer(text):
        register = _cases().get(match["register"].casefold())
        if match["mark"] or register:
            yield Docket(_joined(match["senate"], match["register"], match["number"], match["year"]), *match.span())


def _constitutional(text: str) -> Iterator[Docket]:
    for match in _CONSTITUTIONAL.finditer(text):
        senate = (
            match["senate"].rstrip(".").capitalize()
            if match["senate"][:1].lower() == "p"
            else match["senate"].rstrip(".")
        )
        court = "ÚS-st." if match["opinion"] else "ÚS"
        yield Docket(f"{senate}. {court} {int(match['number'])}/{match['year'][-2:]}", *match.span())


def _eclis(text: str) -> Iterator[Docket]:
    for match in _ECLI.finditer(text):
        rest = _ECLI_REST.match(match["rest"])
        whole = match[0].rstrip(".:-")
        end = match.start() + len(whole)
        if match["country"].upper() != "CZ" or not rest:
            yield Docket(whole.upper(), match.start(), end)
        elif match["court"].upper() == "US":
            senate = _ROMAN.get(rest["senate"], rest["senate"].capitalize())
            court = "ÚS-st." if rest["register"].lower().endswith("-st") else "ÚS"
            yield Docket(f"{senate}. {court} {int(rest['number'])}/{rest['year'][-2:]}", match.start(), end)
        else:
            yield Docket(_joined(rest["senate"], rest["register"], rest["number"], rest["year"]), match.start(), end)


def _union(text: str) -> Iterator[Docket]:
    for match in _UNION.finditer(text):
        yield Docket(match["docket"], *match.span())


def _joined(senate: str, register: str, number: str, year: str) -> str:
    written = _cases().get(
        register.casefold(), register if register.isupper() and len(register) < 3 else register.capitalize()
    )
    century = "" if len(year) == 4 else "19" if year > "68" else "20"
    return f"{int(senate)} {written} {int(number)}/{century}{year}"


@functools.cache
def _cases() -> dict[str, str]:
    """Registers as they are written, by their small letters."""
    import yaml

    table = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
    registers = [register for names in table.values() for register in names]
    return {register.casefold(): register for register in registers} | {"nscr": "NSČR"}


@functools.cache
def _pattern() -> re.Pattern[str]:
    names = "|".join(sorted({*_cases().values(), "NSCR"}, key=len, reverse=True))
    return re.compile(
        rf"(?P<mark>{_MARKED})?(?:[A-Z]{{2,4}}{_S})?(?<![0-9A-Za-z/.,-])(?P<senate>[0-9]{{1,3}}){_S}-?{_S}"
        rf"(?P<register>(?:{names})|[A-Z][A-Za-zČ]{{0,4}}){_NUMBER}{_SHEET}"
    )
