"""IBAN of a Czech account: `CZ`, two check digits, the bank, the prefix in 6 and the number in 10 digits.

The check digits are 98 less the remainder by 97 of the rest with `CZ00` (as 123500) moved to its end (ISO 13616).
The account inside must be valid too (D-4). IBANs of other countries are not this project's, and are refused.

>>> validate("CZ95 0800 0000 7819 6744 4044")
'CZ9508000000781967444044'
>>> validate("CZ96 0800 0000 7819 6744 4044")  # wrong check digits
Traceback (most recent call last):
    ...
schemas.ids.errors.InvalidIdentifier: iban 'CZ96 0800 0000 7819 6744 4044' is refused: the check digits must be 95.
>>> validate("CZ6808000000781967444045")  # right check digits around a wrong account
Traceback (most recent call last):
    ...
schemas.ids.errors.InvalidIdentifier: iban 'CZ6808000000781967444045' is refused: the weighted sum of the number must be divisible by 11.
"""

import re
from random import Random

from schemas.ids.account import draw as draw_account
from schemas.ids.account import validate as validate_account
from schemas.ids.errors import InvalidIdentifier

_SHAPE = re.compile(r"CZ([0-9]{2})(([0-9]{4})([0-9]{6})([0-9]{10}))")


def validate(text: str) -> str:
    """Return the 24 characters of a Czech IBAN, or raise `InvalidIdentifier` (D-4)."""
    _split(text)
    return "".join(text.split()).upper()


def is_valid(text: str) -> bool:
    """Say whether `validate` accepts the text."""
    try:
        validate(text)
    except InvalidIdentifier:
        return False
    return True


def format(text: str) -> str:  # noqa: A001 - every identifier's module offers this name
    """Return the IBAN as it is printed, in groups of four.

    >>> format("CZ9508000000781967444044")
    'CZ95 0800 0000 7819 6744 4044'
    """
    iban = validate(text)
    return " ".join(iban[start : start + 4] for start in range(0, len(iban), 4))


def draw(random: Random) -> str:
    """Draw the IBAN of a drawn account.

    >>> is_valid(draw(Random(1)))
    True
    """
    return from_account(draw_account(random))


def from_account(account: str) -> str:
    """Return the IBAN that belongs to an account; `InvalidIdentifier` when the account is none.

    >>> from_account("78-1967444044/0800")
    'CZ9508000000781967444044'
    """
    rest, _, bank = validate_account(account).partition("/")
    prefix, _, number = rest.rpartition("-")
    inner = f"{bank}{prefix:0>6}{number:0>10}"
    return f"CZ{_check_digits(inner)}{inner}"


def to_account(text: str) -> str:
    """Return the account inside a valid IBAN, in canonical form.

    >>> to_account("CZ95 0800 0000 7819 6744 4044")
    '78-1967444044/0800'
    """
    return _split(text)


def _split(text: str) -> str:
    """Check an IBAN and return its account."""
    match = _SHAPE.fullmatch("".join(text.split()).upper())
    if not match:
        raise InvalidIdentifier("iban", text, "it must be CZ and 22 digits")
    check = _check_digits(match[2])
    if match[1] != check:
        raise InvalidIdentifier("iban", text, f"the check digits must be {check}")
    try:
        return validate_account(f"{match[4]}-{match[5]}/{match[3]}")
    except InvalidIdentifier as error:
        raise InvalidIdentifier("iban", text, error.rule) from None


def _check_digits(inner: str) -> str:
    return f"{98 - int(inner + '123500') % 97:02}"
