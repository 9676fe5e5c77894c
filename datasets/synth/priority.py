"""The priority of an e-mail by its decision list, and the list in the words of the prompt: both from `schemas/emails.yaml` (D-9)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from schemas.emails import WORDS, word

_QUOTES = {"cs": "„“", "en": "“”"}


@dataclass(frozen=True)
class Facts:
    """What the decision list looks at; deadline_days: from the day of the message to its deadline, None without one."""

    category: str
    sentiment: str
    deadline_days: int | None
    amount: Decimal | None
    currency: str | None


def decide(facts: Facts) -> str:
    """The priority: the first rule whose conditions all hold.

    >>> decide(Facts("praise", "positive", 3, None, None)), decide(Facts("complaint", "neutral", None, Decimal(50000), "CZK"))
    ('high', 'high')
    """
    return next(str(rule["priority"]) for rule in WORDS["rules"] if _holds(rule, facts))


def _holds(rule: Mapping[str, Any], facts: Facts) -> bool:
    days, amount = facts.deadline_days, facts.amount
    return (
        ("deadline_days" not in rule or (days is not None and days <= rule["deadline_days"]))
        and ("categories" not in rule or facts.category in rule["categories"])
        and ("sentiment" not in rule or facts.sentiment == rule["sentiment"])
        and ("amount" not in rule or (amount is not None and amount >= WORDS["limits"][facts.currency]))
    )


def told_words(kind: str, language: str) -> str:
    """The words of a choice with what they mean, one item of a list a line."""
    return "\n".join(f"  - {_quoted(kind, key, language)}: {entry[language][1]}" for key, entry in WORDS[kind].items())


def told_rules(language: str) -> str:
    """The decision list in words, numbered."""
    return "\n".join(f"{number}. {_told(rule, language)}" for number, rule in enumerate(WORDS["rules"], 1))


def _told(rule: Mapping[str, Any], language: str) -> str:
    say = WORDS["conditions"][language]
    told = []
    if "deadline_days" in rule:
        told.append(say["deadline_days"].format(n=rule["deadline_days"]))
    if "categories" in rule:
        words = [_quoted("categories", key, language) for key in rule["categories"]]
        told.append(say["categories"].format(words=_either(words, say["or"])))
    if "sentiment" in rule:
        told.append(say["sentiment"].format(words=_quoted("sentiments", rule["sentiment"], language)))
    if "amount" in rule:
        told.append(say["amount"].format(limits=_limits(language)))
    priority = _quoted("priorities", rule["priority"], language)
    return f"{priority}: {say['and'].join(told) or say['none']}{';' if told else '.'}"


def _quoted(kind: str, key: str, language: str) -> str:
    return f"{_QUOTES[language][0]}{word(kind, key, language)}{_QUOTES[language][1]}"


def _either(words: Sequence[str], conjunction: str) -> str:
    """`a, b or c`."""
    return conjunction.join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _limits(language: str) -> str:
    separator = "\u00a0" if language == "cs" else ","
    amounts = [f"{limit:,}".replace(",", separator) + f"\u00a0{code}" for code, limit in WORDS["limits"].items()]
    return _either(amounts, WORDS["conditions"][language]["or"])
