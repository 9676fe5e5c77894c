"""EIN (Employer Identification Number), the tax number of an American company.

Nine digits, printed `12-3456789`; there is no check digit, but the first two are a prefix that the Internal Revenue
Service has assigned (`ein_prefixes.txt`, D-4). The canonical form has no hyphen.

>>> validate("24-9549656")
'249549656'
>>> validate("07-9549656")
Traceback (most recent call last):
    ...
schemas.ids.errors.InvalidIdentifier: ein '07-9549656' is refused: the prefix 07 is not assigned.
>>> validate("249-549656")
Traceback (most recent call last):
    ...
schemas.ids.errors.InvalidIdentifier: ein '249-549656' is refused: it must have 9 digits, with or without a hyphen after the second.
"""

import re
from random import Random

from schemas.ids.assigned import codes
from schemas.ids.errors import InvalidIdentifier

_SHAPE = re.compile(r"([0-9]{2})-?([0-9]{7})")


def validate(text: str) -> str:
    """Return the nine digits of an EIN, or raise `InvalidIdentifier` (D-4)."""
    match = _SHAPE.fullmatch("".join(text.split()))
    if not match:
        raise InvalidIdentifier("ein", text, "it must have 9 digits, with or without a hyphen after the second")
    if match[1] not in codes("ein_prefixes"):
        raise InvalidIdentifier("ein", text, f"the prefix {match[1]} is not assigned")
    return match[1] + match[2]


def is_valid(text: str) -> bool:
    """Say whether `validate` accepts the text."""
    try:
        validate(text)
    except InvalidIdentifier:
        return False
    return True


def format(text: str) -> str:  # noqa: A001 - every identifier's module offers this name
    """Return the EIN as it is printed, with its hyphen.

    >>> format("249549656")
    '24-9549656'
    """
    digits = validate(text)
    return f"{digits[:2]}-{digits[2:]}"


def draw(random: Random) -> str:
    """Draw an EIN, all assigned prefixes alike.

    >>> is_valid(draw(Random(1)))
    True
    """
    return f"{random.choice(codes('ein_prefixes'))}{random.randrange(10**7):07}"
