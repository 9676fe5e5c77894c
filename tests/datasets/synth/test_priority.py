"""The priority against a table made by hand from the rules as the prompt prints them (D-9)."""

import re
from decimal import Decimal

import pytest

from datasets.emails import prompt_of
from datasets.synth.priority import Facts, decide
from schemas.emails import WORDS

TABLE = [
    ("praise", "positive", 3, None, None, "high"),
    ("praise", "positive", 0, None, None, "high"),
    ("praise", "positive", 4, None, None, "medium"),
    ("praise", "positive", 14, None, None, "medium"),
    ("praise", "positive", 15, None, None, "low"),
    ("praise", "positive", None, "500000.00", "CZK", "low"),
    ("complaint", "neutral", None, "50000.00", "CZK", "high"),
    ("complaint", "neutral", None, "49999.99", "CZK", "medium"),
    ("complaint", "neutral", None, "2000.00", "EUR", "high"),
    ("complaint", "neutral", None, "1999.99", "USD", "medium"),
    ("billing", "neutral", 40, "2000.00", "USD", "high"),
    ("cancellation", "neutral", 40, "90000.00", "CZK", "medium"),
    ("billing", "negative", None, None, None, "medium"),
    ("inquiry", "negative", None, None, None, "medium"),
    ("inquiry", "neutral", None, "90000.00", "CZK", "low"),
    ("delivery", "neutral", 30, None, None, "low"),
    ("payment", "positive", None, "9999.00", "USD", "low"),
    ("order_change", "negative", 1, None, None, "high"),
]


@pytest.mark.parametrize(("category", "sentiment", "days", "amount", "currency", "priority"), TABLE)
def test_the_table(category, sentiment, days, amount, currency, priority):
    assert decide(Facts(category, sentiment, days, Decimal(amount) if amount else None, currency)) == priority


@pytest.mark.parametrize("language", ["cs", "en"])
def test_the_prompt_says_the_rules_that_decide(language):
    """Every number, word and currency of the data file stands in the prompt, in the order of the rules."""
    text = prompt_of("emails", language).text.replace("\u00a0", " ")
    lines = [line for line in text.split("\n") if re.match(r"[0-9]\. ", line)]
    assert len(lines) == len(WORDS["rules"])
    for line, rule in zip(lines, WORDS["rules"], strict=True):
        assert WORDS["priorities"][rule["priority"]][language][0] in line
        wanted = [WORDS["categories"][key][language][0] for key in rule.get("categories", ())]
        wanted += [WORDS["sentiments"][rule["sentiment"]][language][0]] if "sentiment" in rule else []
        wanted += [str(rule["deadline_days"])] if "deadline_days" in rule else []
        wanted += list(WORDS["limits"]) if "amount" in rule else []
        assert all(word in line for word in wanted), line
        others = {entry[language][0] for entry in WORDS["categories"].values()} - set(wanted)
        assert not any(f"„{word}“" in line or f"“{word}”" in line for word in others)
    for kind in ("categories", "sentiments"):
        for entry in WORDS[kind].values():
            assert f"{entry[language][0]}{'“' if language == 'cs' else '”'}: {entry[language][1]}" in text
    assert "{" not in re.sub(r"`[^`]*`", "", text)


def test_the_version_of_a_prompt_follows_its_words(monkeypatch):
    before = prompt_of("emails", "en").version
    monkeypatch.setitem(WORDS["limits"], "USD", 3000)
    prompt_of.cache_clear()
    assert prompt_of("emails", "en").version != before
    monkeypatch.undo()
    prompt_of.cache_clear()
    assert prompt_of("emails", "en").version == before
