"""ABA routing number, the nine digits that name a bank of the United States.

The first two are an assigned prefix (`aba_prefixes.txt`); the digits weighted 3, 7, 1, 3, 7, 1, 3, 7, 1
and summed give a multiple of 10 (D-4). Nine zeros would pass both, and are refused.

>>> validate("0559 6853 7")
'055968537'
>>> validate("055968538")  # wrong check digit
Traceback (most recent call last):
    ...
schemas.ids.errors.InvalidIdentifier: aba '055968538' is refused: the sum weighted 3, 7, 1 must be divisible by 10.
>>> validate("130000006")  # right check digit, no such district
Traceback (most recent call last):
    ...
schemas.ids.errors.InvalidIdentifier: aba '130000006' is refused: the prefix 13 is not assigned.
"""

import re
from random import Random

from schemas.ids.assigned import codes
from schemas.ids.errors import InvalidIdentifier

_SHAPE = re.compile(r"[0-9]{9}")
_WEIGHTS = (3, 7, 1) * 3
_DRAWN_FIRST, _DRAWN_LAST = "01", "32"  # banks and savings banks, not the government's 00 nor cheques and transfers


def validate(text: str) -> str:
    """Return the nine digits of a routing number, or raise `InvalidIdentifier` (D-4)."""
    digits = "".join(text.split())
    if not _SHAPE.fullmatch(digits):
        raise InvalidIdentifier("aba", text, "it must have exactly 9 digits")
    if digits[:2] not in codes("aba_prefixes"):
        raise InvalidIdentifier("aba", text, f"the prefix {digits[:2]} is not assigned")
    if digits == "0" * 9:
        raise InvalidIdentifier("aba", text, "it must not be all zeros")
    if _weighted_sum(digits) % 10:
        raise InvalidIdentifier("aba", text, "the sum weighted 3, 7, 1 must be divisible by 10")
    return digits


def is_valid(text: str) -> bool:
    """Say whether `validate` accepts the text."""
    try:
        validate(text)
    except InvalidIdentifier:
        return False
    return True


def format(text: str) -> str:  # noqa: A001 - every identifier's module offers this name
    """Return the routing number as it is printed: nine digits, no spaces."""
    return validate(text)


def draw(random: Random) -> str:
    """Draw a routing number of a bank (prefix 01–12) or a savings bank (21–32).

    >>> is_valid(draw(Random(1)))
    True
    """
    prefixes = [code for code in codes("aba_prefixes") if _DRAWN_FIRST <= code <= _DRAWN_LAST]
    eight = f"{random.choice(prefixes)}{random.randrange(10**6):06}"
    return f"{eight}{-_weighted_sum(eight) % 10}"


def _weighted_sum(digits: str) -> int:
    return sum(weight * int(digit) for weight, digit in zip(_WEIGHTS, digits, strict=False))
