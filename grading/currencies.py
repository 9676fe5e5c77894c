"""Currencies as people write them, read as ISO 4217 codes; the names stand in `currencies.yaml`."""

import functools
import re
from pathlib import Path

_CODE = re.compile(r"[A-Za-z]{3}")


@functools.cache
def names() -> dict[str, str]:
    """Every sign and word, case-folded, and its code."""
    return {name.casefold(): code for code, written in _table().items() for name in [code, *written]}


@functools.cache
def written(code: str) -> tuple[str, ...]:
    """The signs and words of a code; none where the code is not listed."""
    return tuple(_table().get(code, ()))


@functools.cache
def pattern() -> str:
    """A regular expression of every way to write a currency beside an amount, any ISO-like code in capitals among them."""
    longest_first = sorted(names(), key=lambda name: (-len(name), name))
    return "(?:" + "|".join(f"(?i:{re.escape(name)})" for name in longest_first) + "|[A-Z]{3})"


def code_of(name: str) -> str | None:
    """The code of a sign, word or code in any letter case; codes that are not listed stand for themselves.

    >>> code_of("Kč"), code_of("usd"), code_of("$"), code_of("SEK"), code_of("Kc")
    ('CZK', 'USD', 'USD', 'SEK', None)
    """
    return names().get(name.casefold()) or (name.upper() if _CODE.fullmatch(name) else None)


@functools.cache
def _table() -> dict[str, list[str]]:
    import yaml

    table: dict[str, list[str]] = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
    return table
