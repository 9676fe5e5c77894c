"""Číslo účtu, a Czech bank account by the rules of the Czech National Bank: `prefix-number/bank`.

- The prefix (předčíslí) has at most 6 digits and may be missing; the number has 2 to 10, two of them not zero at least.
- In each, the digits from the right, weighted 1, 2, 4, 8, 5, 10, 9, 7, 3, 6 and summed, give a multiple of 11.
- The bank is a code of four digits from the list of the Czech National Bank (`bank_codes.txt`).

The canonical form has no leading zeros and no prefix of zeros (D-4, D-11). The hyphen and the slash are ASCII.

>>> validate("000078-1967444044/0800")
'78-1967444044/0800'
>>> validate("000000-0733836833 / 2010")
'733836833/2010'
>>> validate("78-1967444043/0800")  # wrong check digit
Traceback (most recent call last):
    ...
schemas.ids.errors.InvalidIdentifier: account '78-1967444043/0800' is refused: the weighted sum of the number must be divisible by 11.
>>> validate("79-1967444044/0800")  # wrong check digit of the prefix
Traceback (most recent call last):
    ...
schemas.ids.errors.InvalidIdentifier: account '79-1967444044/0800' is refused: the weighted sum of the prefix must be divisible by 11.
>>> validate("00/0100")
Traceback (most recent call last):
    ...
schemas.ids.errors.InvalidIdentifier: account '00/0100' is refused: the number must have at least two digits that are not zero.
>>> validate("78-1967444044/0801")
Traceback (most recent call last):
    ...
schemas.ids.errors.InvalidIdentifier: account '78-1967444044/0801' is refused: 0801 is no bank code of the Czech National Bank's list.
"""

import re
from random import Random

from schemas.ids.assigned import codes
from schemas.ids.errors import InvalidIdentifier

_SHAPE = re.compile(r"(?:([0-9]{1,6})-)?([0-9]{2,10})/([0-9]{4})")
_WEIGHTS = (1, 2, 4, 8, 5, 10, 9, 7, 3, 6)  # from the right
_PREFIX_SHARE = 1 / 3
_SHORT_SHARE = 0.2


def validate(text: str) -> str:
    """Return an account as `prefix-number/bank` without leading zeros, or raise `InvalidIdentifier` (D-4)."""
    match = _SHAPE.fullmatch("".join(text.split()))
    if not match:
        raise InvalidIdentifier("account", text, "it must be prefix-number/bank with at most 6, 2 to 10 and 4 digits")
    prefix, number, bank = (match[1] or "").lstrip("0"), match[2].lstrip("0"), match[3]
    if sum(digit != "0" for digit in number) < 2:
        raise InvalidIdentifier("account", text, "the number must have at least two digits that are not zero")
    if _weighted_sum(prefix) % 11:
        raise InvalidIdentifier("account", text, "the weighted sum of the prefix must be divisible by 11")
    if _weighted_sum(number) % 11:
        raise InvalidIdentifier("account", text, "the weighted sum of the number must be divisible by 11")
    if bank not in codes("bank_codes"):
        raise InvalidIdentifier("account", text, f"{bank} is no bank code of the Czech National Bank's list")
    return f"{prefix}-{number}/{bank}" if prefix else f"{number}/{bank}"


def is_valid(text: str) -> bool:
    """Say whether `validate` accepts the text."""
    try:
        validate(text)
    except InvalidIdentifier:
        return False
    return True


def format(text: str) -> str:  # noqa: A001 - every identifier's module offers this name
    """Return the account as it is printed, which is its canonical form."""
    return validate(text)


def draw(random: Random) -> str:
    """Draw an account: about a third with a prefix, a fifth with a number shorter than ten digits, banks alike.

    >>> is_valid(draw(Random(1)))
    True
    """
    prefix = _draw_part(random, random.randint(2, 6)) + "-" if random.random() < _PREFIX_SHARE else ""
    length = random.randint(2, 9) if random.random() < _SHORT_SHARE else 10
    return f"{prefix}{_draw_part(random, length)}/{random.choice(codes('bank_codes'))}"


def _draw_part(random: Random, length: int) -> str:
    """Draw `length` digits, the first not zero, whose weighted sum is divisible by 11."""
    while True:
        body = str(random.randrange(10 ** (length - 2), 10 ** (length - 1)))
        last = -_weighted_sum(body + "0") % 11
        if last < 10:
            return f"{body}{last}"


def _weighted_sum(digits: str) -> int:
    return sum(weight * int(digit) for weight, digit in zip(_WEIGHTS, reversed(digits), strict=False))
