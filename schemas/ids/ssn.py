"""SSN (Social Security Number), the number of a person in the United States: area, group, serial.

Nine digits, printed `AAA-GG-SSSS`; there is no check digit. The group is not 00 and the serial not 0000.
The areas 900–999 are refused, since some of them are ITINs of living persons (D-5).

The areas 000 and 666 have never been assigned. Public validators refuse them; here they are valid, because they are
the only ones that `draw` makes: a number that belongs to nobody, in the shape of one that could. `is_assignable` tells
the two apart.

>>> validate("666-98-6891")
'666986891'
>>> is_assignable("666-98-6891")
False
>>> validate("666-00-6891")
Traceback (most recent call last):
    ...
schemas.ids.errors.InvalidIdentifier: ssn '666-00-6891' is refused: the group must not be 00.
>>> validate("900-98-6891")
Traceback (most recent call last):
    ...
schemas.ids.errors.InvalidIdentifier: ssn '900-98-6891' is refused: the area must not be 900 to 999.
"""

import re
from random import Random

from schemas.ids.errors import InvalidIdentifier

_SHAPE = re.compile(r"([0-9]{3})(-?)([0-9]{2})\2([0-9]{4})")
_NEVER_ASSIGNED = ("000", "666")


def validate(text: str) -> str:
    """Return the nine digits of an SSN or of one in a never assigned area, or raise `InvalidIdentifier` (D-5)."""
    match = _SHAPE.fullmatch("".join(text.split()))
    if not match:
        raise InvalidIdentifier("ssn", text, "it must be AAA-GG-SSSS, with both hyphens or neither")
    area, group, serial = match[1], match[3], match[4]
    if area[0] == "9":
        raise InvalidIdentifier("ssn", text, "the area must not be 900 to 999")
    if group == "00":
        raise InvalidIdentifier("ssn", text, "the group must not be 00")
    if serial == "0000":
        raise InvalidIdentifier("ssn", text, "the serial must not be 0000")
    return area + group + serial


def is_valid(text: str) -> bool:
    """Say whether `validate` accepts the text."""
    try:
        validate(text)
    except InvalidIdentifier:
        return False
    return True


def is_assignable(text: str) -> bool:
    """Say whether a valid SSN could be a real person's, that is, lies outside the areas 000 and 666 (D-5)."""
    return validate(text)[:3] not in _NEVER_ASSIGNED


def format(text: str) -> str:  # noqa: A001 - every identifier's module offers this name
    """Return the SSN as it is printed, with its hyphens.

    >>> format("666986891")
    '666-98-6891'
    """
    digits = validate(text)
    return f"{digits[:3]}-{digits[3:5]}-{digits[5:]}"


def draw(random: Random) -> str:
    """Draw an SSN in an area that was never assigned, 000 or 666 (D-5).

    >>> is_assignable(draw(Random(1)))
    False
    """
    return f"{random.choice(_NEVER_ASSIGNED)}{random.randrange(1, 100):02}{random.randrange(1, 10000):04}"
