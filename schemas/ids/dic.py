"""DIČ (daňové identifikační číslo), the Czech tax number, which is also the number for VAT.

`CZ` and one of three things (D-4): the IČO of a company; the rodné číslo of a natural person; or nine digits that
begin with 6, for payers who have neither, with a check digit of their own. No nine-digit rodné číslo begins with 6.

>>> validate("CZ09487743")
'CZ09487743'
>>> validate("cz 8556168654")
'CZ8556168654'
>>> validate("CZ09487744")  # wrong check digit
Traceback (most recent call last):
    ...
schemas.ids.errors.InvalidIdentifier: dic 'CZ09487744' is refused: the check digit must be 3.
>>> validate("CZ8502301235")  # impossible date
Traceback (most recent call last):
    ...
schemas.ids.errors.InvalidIdentifier: dic 'CZ8502301235' is refused: the date of birth must exist, and 1985-02-30 does not.
>>> validate("09487743")
Traceback (most recent call last):
    ...
schemas.ids.errors.InvalidIdentifier: dic '09487743' is refused: it must be CZ and 8 to 10 digits.
"""

import re
from random import Random

from schemas.ids.errors import InvalidIdentifier
from schemas.ids.ico import draw as draw_ico
from schemas.ids.ico import validate as validate_ico
from schemas.ids.rc import draw as draw_rc
from schemas.ids.rc import validate as validate_rc

_SHAPE = re.compile(r"[Cc][Zz]([0-9]{8,10})")
_PERSONS_SHARE = 0.2


def validate(text: str) -> str:
    """Return `CZ` and the digits of a DIČ, or raise `InvalidIdentifier` (D-4)."""
    match = _SHAPE.fullmatch("".join(text.split()))
    if not match:
        raise InvalidIdentifier("dic", text, "it must be CZ and 8 to 10 digits")
    digits = match[1]
    try:
        if len(digits) == 8:
            validate_ico(digits)
        elif len(digits) == 9 and digits[0] == "6":
            _validate_special(digits)
        else:
            validate_rc(digits)
    except InvalidIdentifier as error:
        raise InvalidIdentifier("dic", text, error.rule) from None
    return f"CZ{digits}"


def is_valid(text: str) -> bool:
    """Say whether `validate` accepts the text."""
    try:
        validate(text)
    except InvalidIdentifier:
        return False
    return True


def format(text: str) -> str:  # noqa: A001 - every identifier's module offers this name
    """Return the DIČ as it is printed: `CZ` and the digits, no spaces."""
    return validate(text)


def draw(random: Random) -> str:
    """Draw a DIČ: four in five a company's, one in five a natural person's.

    >>> is_valid(draw(Random(1)))
    True
    """
    if random.random() < _PERSONS_SHARE:
        return from_rc(draw_rc(random))
    return from_ico(draw_ico(random))


def from_ico(ico: str) -> str:
    """Return the DIČ of the company with this IČO; `InvalidIdentifier` when the IČO is none.

    >>> from_ico("09487743")
    'CZ09487743'
    """
    return f"CZ{validate_ico(ico)}"


def from_rc(rc: str) -> str:
    """Return the DIČ of the natural person with this rodné číslo; `InvalidIdentifier` when it is none.

    >>> from_rc("855616/8654")
    'CZ8556168654'
    """
    return f"CZ{validate_rc(rc)}"


def _validate_special(digits: str) -> None:
    """Check the last of nine digits: 9 less the distance of the weighted sum to the next multiple of 11, modulo 10."""
    total = sum(weight * int(digit) for weight, digit in zip(range(8, 1, -1), digits[1:8], strict=True))
    check = str((9 - (11 - total % 11)) % 10)
    if digits[8] != check:
        raise InvalidIdentifier("dic", digits, f"the check digit must be {check}")
