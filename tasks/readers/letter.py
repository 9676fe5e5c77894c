"""The message of an e-mail that counts: the newest one of a thread, the original one of a forward, by the rules of the prompt (D-9)."""

import re
from dataclasses import dataclass
from datetime import date

from schemas.exchange import DocumentLanguage
from tasks.readers.written import date_pattern, read_date

_FIELD = re.compile(r"(Od|From|Komu|To|Kopie|Cc|Odesláno|Sent|Datum|Date|Předmět|Subject): ?(.*)")
_SENDER, _SENT, _SUBJECT = ("Od", "From"), ("Odesláno", "Sent", "Datum", "Date"), ("Předmět", "Subject")
_QUOTATION = re.compile(r"(?:_{5,}|-{3,}.*-{3,}|.*\b(?:wrote|napsala?|napsal\(a\)):)$")
_FORWARDED = re.compile(r"(?:FW|Fwd|FWD|Fw|PŘ|Přep)\s*:", re.IGNORECASE)


@dataclass(frozen=True)
class Letter:
    """One message: who sent it and when, as far as its header says so, its subject, and its text."""

    sender: str
    sent: date | None
    subject: str
    text: str


def open_letter(text: str, language: DocumentLanguage) -> Letter:
    """The message that counts; a document without any header is one message of an unknown day."""
    lines = [line.rstrip() for line in text.replace("\r\n", "\n").replace("\u00a0", " ").split("\n")]
    blocks = _headers(lines)
    _, end, header = blocks[0] if blocks else (0, 0, {})
    if _FORWARDED.match(_value(header, _SUBJECT)) and len(blocks) > 1:
        _, end, header = blocks[1]
        rest = lines[end:]
    else:
        rest = lines[end : blocks[1][0]] if len(blocks) > 1 else lines[end:]
    cut = next((n for n, line in enumerate(rest) if _QUOTATION.match(line) or line.startswith(">")), len(rest))
    found = re.search(date_pattern(language), _value(header, _SENT))
    day = read_date(found[0], language) if found else None
    return Letter(
        sender=_value(header, _SENDER),
        sent=date.fromisoformat(day) if day else None,
        subject=_value(header, _SUBJECT),
        text="\n".join(rest[:cut]).strip(),
    )


def _value(header: dict[str, str], names: tuple[str, ...]) -> str:
    return next((header[name] for name in names if name in header), "")


def _headers(lines: list[str]) -> list[tuple[int, int, dict[str, str]]]:
    """Runs of two header lines or more: where they begin and end, and what they say."""
    found = []
    start = 0
    while start < len(lines):
        end = start
        header: dict[str, str] = {}
        while end < len(lines) and (match := _FIELD.match(lines[end])):
            header[match[1]] = match[2]
            end += 1
        if end - start >= 2:
            found.append((start, end, header))
        start = max(end, start + 1)
    return found
