"""IČO (identifikační číslo osoby), the number of a Czech company or trader.

Eight digits. The last is a check digit: the first seven are weighted 8, 7, 6, 5, 4, 3, 2 and summed; with r the
remainder of the sum by 11, the check digit is the last digit of 11 − r. Leading zeros belong to the number (D-4),
an identifier is a string (D-11): a number that lost them is another one, and refused.

>>> validate("09487743")
'09487743'
>>> validate("094 87 743")
'09487743'
>>> validate("09487744")  # wrong check digit
Traceback (most recent call last):
    ...
schemas.ids.errors.InvalidIdentifier: ico '09487744' is refused: the check digit must be 3.
>>> validate("9487743")  # lost its leading zero
Traceback (most recent call last):
    ...
schemas.ids.errors.InvalidIdentifier: ico '9487743' is refused: it must have exactly 8 digits.
"""

import re
from random import Random

from schemas.ids.errors import InvalidIdentifier

_SHAPE = re.compile(r"[0-9]{8}")


def validate(text: str) -> str:
    """Return the eight digits of an IČO, or raise `InvalidIdentifier` (D-4)."""
    digits = "".join(text.split())
    if not _SHAPE.fullmatch(digits):
        raise InvalidIdentifier("ico", text, "it must have exactly 8 digits")
    check = check_digit(digits[:7])
    if digits[7] != check:
        raise InvalidIdentifier("ico", text, f"the check digit must be {check}")
    return digits


def is_valid(text: str) -> bool:
    """Say whether `validate` accepts the text."""
    try:
        validate(text)
    except InvalidIdentifier:
        return False
    return True


def format(text: str) -> str:  # noqa: A001 - every identifier's module offers this name
    """Return the IČO as it is printed: eight digits, no spaces."""
    return validate(text)


def draw(random: Random) -> str:
    """Draw an IČO, all first digits alike, so one in ten begins with a zero.

    >>> is_valid(draw(Random(1)))
    True
    """
    seven = f"{random.randrange(10**7):07}"
    return seven + check_digit(seven)


def check_digit(seven: str) -> str:
    """Return the eighth digit that belongs to the first seven.

    >>> check_digit("0948774")
    '3'
    """
    total = sum(weight * int(digit) for weight, digit in zip(range(8, 1, -1), seven, strict=True))
    return str((11 - total % 11) % 10)
