"""The ledger of coins as far as it can be counted: how many coins an answer says that there are left (R-4, bonus B2).

The coin's name is taken from the opening, where the number of coins at the start stands before it (`se sedmi krejcary`, `seven dimes`).
A balance is a number before that name next to a word of having or remaining; what it says of single payments and prices is left to judges.
The English article is no number: `a dime` may be any dime, only `one dime` and `a single dime` are counted. Neither is a part of a whole
(`dvě z mincí`), nor what something costs (`za jeden krejcar`, `for two dimes`). A later balance that is higher than an earlier one, or than
the start, is a contradiction unless a coin came back; the ledger cannot know that, so it says `rises` and gives no points.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from schemas.exchange import Language

NUMBERS: dict[str, dict[int, str]] = {
    "cs": {
        0: r"žádn\w+|ani jed\w+", 1: r"jed(?:en|na|nu|nou|noho|ním|iný|inou|iná|inou)", 2: r"dv(?:a|ě|ou|ěma)", 3: r"tři|tř(?:í|em|emi)",
        4: r"čtyř(?:i|mi|em)?", 5: r"pět|pěti", 6: r"šest|šesti", 7: r"sedm|sedmi", 8: r"osm|osmi", 9: r"devět|devíti", 10: r"deset|deseti",
        11: r"jedenáct|jedenácti", 12: r"dvanáct|dvanácti",
    },
    "en": {
        0: "no|zero|not (?:a single|one)", 1: "one|a single", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine",
        10: "ten", 11: "eleven", 12: "twelve",
    },
}  # fmt: skip
"""Number words by language; digits are read in both."""

_KEPT = {
    "cs": re.compile(r"\b(zbýv\w*|zbyl\w*|zůstal\w*|zůstáv\w*|má(?:te|š|m)|měl\w*|v měšci|v kapse|napočít\w*|dohromady)\b", re.IGNORECASE),
    "en": re.compile(
        r"\b(left|leaves|remain\w*|has|have|had|still|in (?:her|his|your|the) (?:purse|pocket)|counts?|counted|altogether)\b", re.IGNORECASE
    ),
}  # fmt: skip
_PART = r"(?!(?:z|ze|of)\b)"  # after a number: a part of the coins is no balance
_PRICE = re.compile(
    r"\b(za|po|o|stoj\w+|for|by|costs?|worth)\s+$", re.IGNORECASE
)  # what something costs, or by how much it is more
_NEAR = 60  # characters around a number in which a word of having or remaining stands

Label = Literal["untold", "falls", "rises"]


@dataclass(frozen=True)
class Ledger:
    """The balances that answers state, in order: (answer from 0, coins); and whether they can be true together."""

    balances: tuple[tuple[int, int], ...]
    label: Label

    @property
    def told(self) -> str:
        """As a grade shows it: `1: 6, 12: 6`."""
        return ", ".join(f"{turn}: {coins}" for turn, coins in self.balances)


def coin_stem(opening: str, coins: int, language: Language) -> str | None:
    """The beginning of the coin's name; None where the opening does not say the number before a name.

    >>> coin_stem("Má měšec se sedmi krejcary.", 7, "cs"), coin_stem("A purse with seven dimes.", 7, "en")
    ('krejcar', 'dime')
    """
    number = NUMBERS.get(language, {}).get(coins)
    pattern = rf"\b(?:{number}|{coins})\s+([^\W\d_]{{3,}})" if number else rf"\b{coins}\s+([^\W\d_]{{3,}})"
    found = re.search(pattern, opening, re.IGNORECASE)
    if found is None:
        return None
    return found[1][: max(3, len(found[1]) - 1)].casefold()


def ledger(opening: str, replies: Sequence[str], coins: int, language: Language) -> Ledger:
    """The balances of a run; coins: how many there are at the start."""
    stem = coin_stem(opening, coins, language)
    if stem is None:
        return Ledger((), "untold")
    found = [(turn, balance) for turn, reply in enumerate(replies) for balance in _balances(reply, stem, language)]
    kept = tuple(dict.fromkeys(found))
    if not kept:
        return Ledger((), "untold")
    numbers = [coins, *(balance for _, balance in kept)]
    return Ledger(kept, "falls" if sorted(numbers, reverse=True) == numbers else "rises")


def _balances(reply: str, stem: str, language: Language) -> list[int]:
    words = NUMBERS.get(language, {})
    pattern = "|".join([*(f"(?P<n{n}>{told})" for n, told in words.items()), r"(?P<digits>\d{1,2})"])
    found = []
    for match in re.finditer(rf"\b(?:{pattern})\s+{_PART}(?:\w+\s+)?{re.escape(stem)}\w*", reply, re.IGNORECASE):
        if _PRICE.search(reply, max(0, match.start() - _NEAR), match.start()):
            continue
        around = reply[max(0, match.start() - _NEAR) : match.end() + _NEAR]
        if _KEPT[language].search(around):
            name, value = next((name, value) for name, value in match.groupdict().items() if value is not None)
            found.append(int(value) if name == "digits" else int(name[1:]))
    return found
