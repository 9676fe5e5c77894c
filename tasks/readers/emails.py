"""Reads an e-mail by rules: the nine fields of `schemas.emails`, from the text and what the prompt says alone (D-9).

Categories and sentiments by lists of keywords, numbers by the words beside them, the priority by the decision list. An honest
baseline: it knows nothing of how e-mails are made, and what it does not find is null.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from schemas.emails import FIELDS, WORDS, word
from schemas.exchange import DocumentLanguage
from tasks.readers.due import read_deadline
from tasks.readers.letter import Letter, open_letter
from tasks.readers.written import currency_of, date_pattern, money, money_pattern, read_amount

VERSION = "1"
"""Rises whenever any document may be read otherwise; goes into the system's version."""

_SENTENCE = re.compile(r"(?<=[.?!])(?<!\bno\.)(?<!\bč\.) (?=[^\W\d_a-z])|\n+")
_NUMBER = re.compile(r"(?<![\w/@.+-])(?:[A-Z]{1,4}-?)?\d[\d/-]*\d(?![\w@]|[.,]\d)")
_LEGAL_FORM = re.compile(
    r"(?:s\. ?r\. ?o\.|spol\. s ?r\. ?o\.|a\. ?s\.|v\. ?o\. ?s\.|Inc\.?|LLC|LLP|Corp\.?|Ltd\.?|Co\.)(?!\w)"
)
_KINDS, _FAR = ("things", "order", "invoice"), 10**6
_ANSWER = re.compile(r"(?:re|odp)\s*:", re.IGNORECASE)
_PERSON = re.compile(r"[^\W\d_a-z]\w+(?: [^\W\d_a-z]\w+){1,2}")


def read_email(text: str, language: DocumentLanguage) -> dict[str, Any]:
    """The fields of an e-mail in the form of an answer: strings or None.

    >>> read_email("From: a@b.example\\nSent: Friday, March 1, 2024 9:00 AM\\n\\nPlease cancel order PO-1234 by Monday.", "en")["deadline"]
    '2024-03-04'
    """
    words = _words(language)
    letter = open_letter(text, language)
    body, signature = _split(letter.text, words)
    sentences = [s for s in _SENTENCE.split(body) if s.strip()]
    subject = "" if _ANSWER.match(letter.subject) else letter.subject  # that of a thread is of its first message
    category = _best(words["categories"], f"{subject}. {subject}. {body}") or "inquiry"
    sentiment = _sentiment(words["sentiments"], category, body)
    amount, currency = _amount(sentences, language, words)
    deadline = read_deadline(" ".join(sentences), letter.sent, language, words) if letter.sent else None
    days = (deadline - letter.sent).days if deadline and letter.sent else None
    numbers = _numbers(sentences, language, words)
    answer = {
        "category": word("categories", category, language),
        "priority": word("priorities", _priority(category, sentiment, days, amount, currency), language),
        "sentiment": word("sentiments", sentiment, language),
        "customer": _customer(signature, letter),
        "order_number": numbers.get("order"),
        "invoice_number": numbers.get("invoice"),
        "amount": None if amount is None else money(amount),
        "currency": currency,
        "deadline": _written(deadline),
    }
    return {field.name: answer[field.name] for field in FIELDS}


@cache
def _words(language: DocumentLanguage) -> dict[str, Any]:
    file = Path(__file__).with_name(f"emails.{language}.yaml")
    words: dict[str, Any] = yaml.safe_load(file.read_text(encoding="utf-8"))
    return words


def _written(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _split(text: str, words: Mapping[str, Any]) -> tuple[str, list[str]]:
    """The body, and the lines of the signature below the words of farewell; the last four lines where there are none."""
    lines = text.split("\n")
    for number in range(len(lines) - 1, 0, -1):
        low = lines[number].lower()
        if len(low.split()) <= 6 and low.startswith(tuple(words["signoff"])) and number > 1:
            return "\n".join(lines[:number]), [line for line in lines[number + 1 :] if line.strip()]
    return text, [line for line in lines[-4:] if line.strip()]


def _count(stems: Sequence[str], text: str) -> int:
    low = text.lower()
    return sum(len(re.findall(rf"(?<!\w){re.escape(stem)}", low)) for stem in stems)


def _best(lists: Mapping[str, Sequence[str]], text: str) -> str | None:
    """The list whose words stand in the text most often, the earlier one among equals."""
    counted = {name: _count(stems, text) for name, stems in lists.items()}
    best = max(counted, key=lambda name: counted[name])
    return best if counted[best] else None


def _sentiment(lists: Mapping[str, Sequence[str]], category: str, body: str) -> str:
    if category == "praise":
        return "positive"
    negative, positive = (_count(lists[name], body) for name in ("negative", "positive"))
    return "negative" if negative else "positive" if positive else "neutral"


def _numbers(sentences: Sequence[str], language: DocumentLanguage, words: Mapping[str, Any]) -> dict[str, str]:
    """The first number beside a word for an order, and for an invoice; numbers of something else are stepped over."""
    found: dict[str, str] = {}
    for sentence in sentences:
        plain = re.sub(f"{date_pattern(language)}|{money_pattern(language)}", lambda m: " " * len(m[0]), sentence)
        if _count(words["earlier"], sentence):
            continue
        for match in _NUMBER.finditer(plain):
            if len(re.sub(r"\D", "", match[0])) < 4:
                continue
            kind = _beside(sentence, match, words)
            if kind and kind not in found:
                found[kind] = match[0]
    return found


def _beside(sentence: str, match: re.Match[str], words: Mapping[str, Any]) -> str | None:
    """Whose number it is: of what stands nearest before it, else nearest after it in the sentence."""
    before, after = sentence[: match.start()].lower(), sentence[match.end() :].lower()
    last = {kind: max((before.rfind(stem) for stem in words[kind]), default=-1) for kind in _KINDS}
    kind = max(last, key=lambda name: last[name])
    if last[kind] < 0:
        first = {name: min((n for s in words[name] if (n := after.find(s)) >= 0), default=_FAR) for name in _KINDS}
        kind = min(first, key=lambda name: first[name])
        if first[kind] == _FAR:
            return None
    return None if kind == "things" else kind


def _amount(
    sentences: Sequence[str], language: DocumentLanguage, words: Mapping[str, Any]
) -> tuple[Decimal | None, str | None]:
    """The first amount with a currency that is no part of another, sentences that speak of a total first."""
    found = []
    for written in sentences:
        sentence = written
        for name, sign in words["currencies"].items():
            sentence = re.sub(rf"(?<=\d) {name}\b", f" {sign}", sentence)
        is_total = _count(words["total"], sentence) > 0
        if _count(words["parts"], sentence) and not is_total:
            continue
        for match in re.finditer(money_pattern(language), sentence):
            currency, amount = currency_of(match[0], language), read_amount(match[0])
            if currency and amount is not None:
                found.append((not is_total, amount, currency))
    if not found:
        return None, None
    _, amount, currency = min(found, key=lambda entry: entry[0])
    return amount, currency


def _customer(signature: Sequence[str], letter: Letter) -> str | None:
    """The company in the signature, by its legal form; else the person in it, or in the header."""
    for line in signature:
        for piece in line.split(" | "):
            if form := _LEGAL_FORM.search(piece):
                return _without_person(piece[: form.end()].strip())
    for line in signature:
        if found := _PERSON.match(line):
            return found[0]
    name = letter.sender.split("<")[0].strip()
    return name if _PERSON.fullmatch(name) else None


def _without_person(company: str) -> str:
    """A company without what stands before it on its line: a person and a comma, or words for "on behalf of"."""
    company = re.sub(rf"^{_PERSON.pattern} (?:za|for) (?:firmu |společnost )?", "", company)
    head, comma, rest = company.partition(", ")
    return rest if comma and _LEGAL_FORM.sub("", rest).strip(" ,") and len(head.split()) <= 3 else company


def _priority(category: str, sentiment: str, days: int | None, amount: Decimal | None, currency: str | None) -> str:
    """The decision list of the prompt, rule by rule."""
    limit = WORDS["limits"].get(currency)
    if days is not None and days <= 3:
        return "high"
    if category in ("complaint", "billing") and amount is not None and limit is not None and amount >= limit:
        return "high"
    if (
        (days is not None and days <= 14)
        or category in ("complaint", "cancellation", "billing")
        or sentiment == "negative"
    ):
        return "medium"
    return "low"
