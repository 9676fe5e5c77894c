"""The table of taxes: which base and which tax belong to each rate, decided by arithmetic and not by the table's shape.

A pair (base, tax) counts where base × rate = tax to a few hundredths, wherever a layout puts the two: in a row with
the rate, before and after it, in columns under the rates, or the tax beside the rate and the base under a label.
"""

import re
from collections.abc import Iterator
from decimal import Decimal
from itertools import pairwise, product, takewhile
from typing import NamedTuple

from tasks.readers.page import Page
from tasks.readers.written import money_pattern, read_amount

_RATE = re.compile(r"(?<![\w.,])([0-9]{1,2}(?:[.,][0-9]{1,4})?)\s?(?:%|°/[o0])")
_BARE_RATE = re.compile(r"(?m)^(21|15|12|10|0)(?= )")
_TOLERANCE = Decimal("0.05")
_ROUNDING = Decimal("1.00")
_REACH = 4
"""How many amounts after a rate may belong to it."""
_MOST_COMBINATIONS = 256


class Token(NamedTuple):
    """A rate or an amount on the page."""

    is_rate: bool
    number: Decimal
    start: int
    end: int


class Pair(NamedTuple):
    """A base and its tax."""

    base: Decimal
    tax: Decimal


def read_taxes(page: Page, total: Decimal | None) -> dict[Decimal, Pair]:
    """Base and tax of each rate, positive rates and 0 %; of several readings the one whose sum is nearest the total."""
    found: dict[Decimal, list[Pair]] = {}
    for pattern in (_RATE, _BARE_RATE):
        tokens = _tokens(page, pattern)
        for rate, pair in (*_rows(page, tokens), *_columns(tokens), *_labelled(page, tokens)):
            if pair.base and pair not in found.setdefault(rate, []):
                found[rate].append(pair)
        if any(found.values()):
            break
    return _choose({rate: pairs for rate, pairs in found.items() if pairs}, total)


def _tokens(page: Page, rates: re.Pattern[str]) -> list[Token]:
    """Rates and amounts in reading order; an amount never begins inside a rate."""
    found = [
        Token(True, Decimal(match[1].replace(",", ".")).normalize(), match.start(), match.end())
        for match in rates.finditer(page.text)
    ]
    starts = [0, *(token.end for token in found)]
    ends = [*(token.start for token in found), len(page.text)]
    pattern = re.compile(money_pattern(page.language))
    for start, end in zip(starts, ends, strict=True):
        for match in pattern.finditer(page.text, start, end):
            number = read_amount(match[0])
            if number is not None:
                found.append(Token(False, number, match.start(), match.end()))
    return sorted(found, key=lambda token: token.start)


def fits(rate: Decimal, base: Decimal, tax: Decimal) -> bool:
    """Whether a tax is the rate's share of a base, to a few hundredths."""
    return abs(base * rate / 100 - tax) <= _TOLERANCE


def _rows(page: Page, tokens: list[Token]) -> Iterator[tuple[Decimal, Pair]]:
    """Pairs in the neighbourhood of a rate: both after it in either order, or the base before it."""
    for index, token in enumerate(tokens):
        if not token.is_rate:
            continue
        after = _after(tokens, index)
        before = tokens[index - 1] if index else None
        around = []
        if (
            before
            and not before.is_rate
            and after
            and token.number
            and fits(token.number, before.number, after[0].number)
        ):
            around = [(token.number, Pair(before.number, after[0].number))]
        is_line = before is not None and len(after) > 1 and _is_line(page, before, token) > _is_line(page, *after[:2])
        yield from around if is_line else ()
        for first, second in pairwise(one.number for one in after):
            for base, tax in ((first, second), (second, first)):
                if fits(token.number, base, tax) and (token.number or tax == 0):
                    yield token.number, Pair(base, tax)
        yield from () if is_line else around


def _is_line(page: Page, one: Token, other: Token) -> bool:
    return "\n" not in page.text[one.end : other.start]


def _after(tokens: list[Token], index: int) -> list[Token]:
    """The amounts after a rate, as far as it reaches."""
    return list(takewhile(lambda token: not token.is_rate, tokens[index + 1 : index + 1 + _REACH]))


def _columns(tokens: list[Token]) -> Iterator[tuple[Decimal, Pair]]:
    """Pairs under a row of at least two rates: a row of bases and a row of taxes, with or without a sum at the end."""
    for start, token in enumerate(tokens):
        if not token.is_rate or (start and tokens[start - 1].is_rate):
            continue
        rates = [one.number for one in tokens[start : _end_of_rates(tokens, start)]]
        count = len(rates)
        amounts = [one.number for one in tokens[start + count : start + 5 * count + 4] if not one.is_rate]
        if count < 2:
            continue
        for bases_at, taxes_at in product(range(count + 2), range(count, 2 * count + 4)):
            bases, taxes = amounts[bases_at : bases_at + count], amounts[taxes_at : taxes_at + count]
            is_whole = len(bases) == len(taxes) == count and bases_at + count <= taxes_at
            if is_whole and all(map(fits, rates, bases, taxes)) and any(bases):
                yield from ((rate, Pair(base, tax)) for rate, base, tax in zip(rates, bases, taxes, strict=True))


def _end_of_rates(tokens: list[Token], start: int) -> int:
    end = start
    while end < len(tokens) and tokens[end].is_rate:
        end += 1
    return end


def _labelled(page: Page, tokens: list[Token]) -> Iterator[tuple[Decimal, Pair]]:
    """Pairs of a tax after its rate and a base elsewhere: after the same rate, or under a label of bases."""
    after = [(tokens[at].number, tokens[at + 1].number) for at in range(len(tokens) - 1) if _is_led(tokens, at)]
    labelled = [read_amount(value.written) for value in page.of("tax_base")]
    for rate, tax in after:
        own = [number for other, number in after if other == rate]
        for base in own + labelled if rate else own:
            if base and bool(tax) == bool(rate) and fits(rate, base, tax):
                yield rate, Pair(base, tax)


def _is_led(tokens: list[Token], at: int) -> bool:
    return tokens[at].is_rate and not tokens[at + 1].is_rate


def _choose(found: dict[Decimal, list[Pair]], total: Decimal | None) -> dict[Decimal, Pair]:
    """One pair a rate: those that sum to the total, of equal ones those found nearest to their rates; else the largest bases."""
    largest = {rate: sorted(pairs, key=lambda pair: abs(pair.base), reverse=True) for rate, pairs in found.items()}
    shortened = {rate: pairs[: max(2, int(_MOST_COMBINATIONS ** (1 / len(found))))] for rate, pairs in largest.items()}
    if total is not None and found:
        best = min(
            product(*shortened.values()),
            key=lambda pairs: (
                abs(sum(map(sum, pairs)) - total),
                sum(found[rate].index(pair) for rate, pair in zip(shortened, pairs, strict=True)),
            ),
        )
        if abs(sum(map(sum, best)) - total) <= _ROUNDING:
            return dict(zip(shortened, best, strict=True))
    return {rate: pairs[0] for rate, pairs in largest.items()}
