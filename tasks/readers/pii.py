"""Reads personal data by rules: the seven lists of `schemas.pii` from a text (D-10).

Values are found by their shape and kept or left out by words of the sentence or line in which they stand, as the prompt's rules say:
a shared mailbox, a switchboard, a number of a file, a company. Names are pairs of capitalised words that nothing speaks against; no list of
names is known. Words stand in `pii.<language>.yaml`.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from schemas.exchange import DocumentLanguage
from schemas.ids import aba, account, iban, rc
from schemas.pii import FIELDS
from tasks.readers.written import read_date

VERSION = "1"
"""Rises whenever any document may be read otherwise; goes into the system's version."""

Match = re.Match[str]
_BIG = r"[A-ZÁČĎÉÍŇÓŘŠŤÚŽ]"
_WORD = rf"(?:O['’])?{_BIG}[^\W\d_]+"
_END = re.compile(r"(?<=[a-zá-ž]{3}[.?!]) (?=[A-ZÁ-Ž„\"])|\n")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = {
    "cs": re.compile(r"(?<![\w/-])(?:\+420 ?)?[0-9]{3} ?[0-9]{3} ?[0-9]{3}(?![\w/-])"),
    "en": re.compile(r"(?<![0-9-])(?:\+1[ .-])?(?:\([0-9]{3}\) ?|[0-9]{3}[ .-])[0-9]{3}[ .-][0-9]{4}(?![0-9])"),
}
_MONTHS = {
    "cs": "ledna|února|března|dubna|května|června|července|srpna|září|října|listopadu|prosince",
    "en": "January|February|March|April|May|June|July|August|September|October|November|December",
}
_DATE = {
    "cs": re.compile(rf"(?<![0-9])[0-9]{{1,2}}\. ?(?:[0-9]{{1,2}}\.|{_MONTHS['cs']}) ?[0-9]{{4}}"),
    "en": re.compile(rf"(?<![0-9/])[0-9]{{1,2}}/[0-9]{{1,2}}/[0-9]{{4}}|(?:{_MONTHS['en']}) [0-9]{{1,2}}, [0-9]{{4}}"),
}
_RC = re.compile(r"(?<![0-9/-])[0-9]{6}/[0-9]{3,4}(?![0-9])")
_SSN = re.compile(r"(?<![0-9-])[0-9]{3}-[0-9]{2}-[0-9]{4}(?![0-9-])")
_ACCOUNT = re.compile(r"(?<![0-9/-])(?:[0-9]{1,6}-)?[0-9]{2,10}/[0-9]{4}(?![0-9])|CZ[0-9]{2}(?: ?[0-9]{4}){5}")
_ROUTED = re.compile(
    r"(?<![0-9])([0-9]{9})/([0-9]{4,17})|(?<![0-9])([0-9]{4,17}),? \(?(?:routing|ABA)(?: number| no\.)? ([0-9]{9})"
)
_ADDRESS = {
    "cs": re.compile(
        rf"{_BIG}[\w.]*(?: [\w.]+){{0,3}} [0-9]+(?:/[0-9]+)?, [0-9]{{3}} [0-9]{{2}} {_WORD}(?:[ -](?:nad|pod|v|u|{_WORD}))*(?: [0-9]{{1,2}}\b)?"
    ),
    "en": re.compile(
        rf"[0-9]+ {_WORD}(?: {_WORD})* (?:{_WORD}\.?)?(?: ?(?:Apt|Unit|Suite) [0-9]+)?, {_WORD}(?: {_WORD})*, [A-Z]{{2}} [0-9]{{5}}"
    ),
}
_NAME = re.compile(rf"(?<![\w.])(?:{_WORD} )*?({_WORD}(?: {_BIG}\.)? {_WORD})(?:['’]s)?(?![\w]| {_BIG}[^\W\d_])")
_FIRM = re.compile(
    r",? (?:s\. r\. o|a\. s\.|v\. o\. s|spol\.|a synové|a spol|a partneři|& |Inc|LLC|LLP|Corp|and Company|[\w]+, (?:s\.|a\.|Inc))"
)


@cache
def _words(language: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = yaml.safe_load(
        Path(__file__).with_name(f"pii.{language}.yaml").read_text(encoding="utf-8")
    )
    return found


def read_pii(text: str, language: DocumentLanguage) -> dict[str, Any]:
    """The seven lists in the form of an answer; a list without values is empty.

    >>> read_pii("Pan Jan Novák, nar. 3. 3. 1987. Ústředna: 222 333 444.", "cs")["birth_dates"]
    ['1987-03-03']
    """
    plain = unicodedata.normalize("NFC", text).replace("\u00a0", " ").replace("\r", "")
    found: dict[str, list[str]] = {field.name: [] for field in FIELDS}
    for part in filter(None, map(str.strip, _END.split(plain))):
        for field, read in _READERS.items():
            found[field] += [value for value in read(part, language) if value not in found[field]]
    return found


def _says(part: str, language: str, kind: str) -> bool:
    """Whether a sentence or line has one of the words of a kind."""
    low = part.casefold()
    return any(re.search(rf"(?<!\w){re.escape(word)}", low) for word in _words(language)[kind])


def _emails(part: str, language: str) -> Iterator[str]:
    for match in _EMAIL.finditer(part):
        if not match[0].casefold().startswith(tuple(_words(language)["shared_mailboxes"])):
            yield match[0].rstrip(".")


def _phones(part: str, language: str) -> Iterator[str]:
    if not _says(part, language, "shared_phones"):
        yield from (match[0] for match in _PHONE[language].finditer(part))


def _births(part: str, language: str) -> Iterator[str]:
    if _says(part, language, "birth"):
        days = (read_date(match[0], "cs" if language == "cs" else "en") for match in _DATE[language].finditer(part))
        yield from filter(None, days)


def _national_ids(part: str, language: str) -> Iterator[str]:
    if _says(part, language, "files"):
        return
    if language == "cs":
        yield from (match[0] for match in _RC.finditer(part) if rc.is_valid(match[0]))
    else:
        yield from (match[0] for match in _SSN.finditer(part))


def _accounts(part: str, language: str) -> Iterator[str]:
    if _says(part, language, "organizations"):
        return
    if language == "cs":
        for match in _ACCOUNT.finditer(part):
            written = "".join(match[0].split())
            is_rc = bool(_RC.fullmatch(written)) and rc.is_valid(written)
            if (account.is_valid(written) and not is_rc) or iban.is_valid(written):
                yield written
    else:
        for match in _ROUTED.finditer(part):
            routing, number = (match[1], match[2]) if match[1] else (match[4], match[3])
            if aba.is_valid(routing):
                yield f"{routing}/{number}"


def _addresses(part: str, language: str) -> Iterator[str]:
    if not _says(part, language, "organizations"):
        yield from (match[0] for match in _ADDRESS[language].finditer(part))


def _names(part: str, language: str) -> Iterator[str]:
    words = _words(language)
    plain = part
    for title in words["titles"]:
        plain = re.sub(rf"(?<!\w){re.escape(title)} ", "", plain)
    taken = [match.span() for match in _ADDRESS[language].finditer(plain)]
    for match in _NAME.finditer(plain):
        (first, *_, last), start = match[1].split(), match.start(1)
        before = (plain[:start].split() or [""])[-1]
        is_named = before.casefold() in words["named"] or {last, _next(plain, match)} & set(words["after"])
        in_address = any(low <= start < high for low, high in taken)
        in_firm = bool(_FIRM.match(plain, match.end())) or before in ("&", "firma", "společnost")
        if (
            first not in words["no_names"]
            and last not in words["firms"]
            and not (is_named or in_address or in_firm or "@" in before)
        ):
            yield match[1]


def _next(text: str, match: Match) -> str:
    return (text[match.end() :].split() or [""])[0].rstrip(".,")


_READERS: dict[str, Callable[[str, str], Iterator[str]]] = {
    "names": _names, "emails": _emails, "phones": _phones, "addresses": _addresses, "birth_dates": _births,
    "national_ids": _national_ids, "accounts": _accounts,
}  # fmt: skip
