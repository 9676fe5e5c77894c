"""RČ (rodné číslo), the Czech birth number: a date of birth, a serial, and from 1954 a check digit.

`YYMMDD` + serial of three digits (+ check digit). The canonical form has no slash, the printed one `YYMMDD/SSSC` has.

- Month: women + 50; from 2004 also + 20 and + 70, for days whose serials ran out.
- Nine digits: births to 1953. The year is 19YY to 53 and 18YY from 80; the years between would be after 1953.
- Ten digits: births from 1954. The year is 19YY from 54, else 20YY (to 2053; no clock is asked).
- The ten digits are divisible by 11. A historical exception, births 1954–1985: where the first nine leave
  the remainder 10, the last digit may be 0. It is recognised, never drawn.
- The date must exist, and the serial is not 000.

>>> validate("855616/8654")
'8556168654'
>>> birth_date("8556168654"), is_woman("8556168654")
(datetime.date(1985, 6, 16), True)
>>> validate("855616/8655")  # wrong check digit
Traceback (most recent call last):
    ...
schemas.ids.errors.InvalidIdentifier: rc '855616/8655' is refused: its ten digits must be divisible by 11.
>>> validate("850230/1235")  # impossible date
Traceback (most recent call last):
    ...
schemas.ids.errors.InvalidIdentifier: rc '850230/1235' is refused: the date of birth must exist, and 1985-02-30 does not.
>>> validate("032101/0019")  # month + 20 in 2003
Traceback (most recent call last):
    ...
schemas.ids.errors.InvalidIdentifier: rc '032101/0019' is refused: month + 20 or + 70 is used only from 2004, not in 2003.
"""

import re
from datetime import date, timedelta
from random import Random

from schemas.ids.errors import InvalidIdentifier

_SHAPE = re.compile(r"([0-9]{6})/?([0-9]{3,4})")
_FIRST, _LAST = date(1880, 1, 1), date(2053, 12, 31)  # what two digits of a year can say
_DRAWN_FROM, _DRAWN_TO = date(1930, 1, 1), date(2009, 12, 31)
_EXTENDED_FROM = 2004
_EXTENDED_SHARE = 0.1


def validate(text: str) -> str:
    """Return the nine or ten digits of a rodné číslo, or raise `InvalidIdentifier` (D-4)."""
    match = _SHAPE.fullmatch("".join(text.split()))
    if not match:
        raise InvalidIdentifier("rc", text, "it must have 9 or 10 digits, with or without a slash after the sixth")
    digits = match[1] + match[2]
    born = _read_date(text, digits)
    if match[2][:3] == "000":
        raise InvalidIdentifier("rc", text, "the serial must not be 000")
    if len(digits) == 10 and int(digits) % 11 and not _is_historical_exception(digits, born):
        raise InvalidIdentifier("rc", text, "its ten digits must be divisible by 11")
    return digits


def is_valid(text: str) -> bool:
    """Say whether `validate` accepts the text."""
    try:
        validate(text)
    except InvalidIdentifier:
        return False
    return True


def format(text: str) -> str:  # noqa: A001 - every identifier's module offers this name
    """Return the rodné číslo as it is printed, with its slash.

    >>> format("8556168654")
    '855616/8654'
    """
    digits = validate(text)
    return f"{digits[:6]}/{digits[6:]}"


def birth_date(text: str) -> date:
    """Return the date of birth that a valid rodné číslo holds."""
    return _read_date(text, validate(text))


def is_woman(text: str) -> bool:
    """Say whether a valid rodné číslo is a woman's (month + 50 or + 70)."""
    return int(validate(text)[2:4]) > 50


def draw(random: Random, born: date | None = None, woman: bool | None = None) -> str:
    """Draw a rodné číslo, of a given birth and sex or of any birth 1930–2009 and either sex.

    From 2004 one in ten has the month + 20 (women + 70). `born` outside 1880–2053 raises `ValueError`.

    >>> is_valid(draw(Random(1)))
    True
    >>> draw(Random(1), born=date(1950, 12, 31), woman=True)[:6]
    '506231'
    """
    if born is None:
        born = _DRAWN_FROM + timedelta(days=random.randrange((_DRAWN_TO - _DRAWN_FROM).days + 1))
    if not _FIRST <= born <= _LAST:
        raise ValueError(f"a rodné číslo cannot hold the birth {born.isoformat()!r}: expected {_FIRST} to {_LAST}")
    if woman is None:
        woman = random.random() < 0.5
    extended = born.year >= _EXTENDED_FROM and random.random() < _EXTENDED_SHARE
    month = born.month + 50 * woman + 20 * extended
    day = f"{born.year % 100:02}{month:02}{born.day:02}"
    while True:
        nine = f"{day}{random.randrange(1, 1000):03}"
        if born.year < 1954:
            return nine
        remainder = int(nine) % 11
        if remainder < 10:
            return f"{nine}{remainder}"


def _is_historical_exception(digits: str, born: date) -> bool:
    return 1954 <= born.year <= 1985 and digits[9] == "0" and int(digits[:9]) % 11 == 10


def _read_date(text: str, digits: str) -> date:
    year = _read_year(text, digits)
    field = int(digits[2:4])
    month = field % 50
    if 21 <= month <= 32:
        month -= 20
        if year < _EXTENDED_FROM:
            rule = f"month + 20 or + 70 is used only from {_EXTENDED_FROM}, not in {year}"
            raise InvalidIdentifier("rc", text, rule)
    try:
        return date(year, month, int(digits[4:6]))
    except ValueError:
        written = f"{year}-{month:02}-{digits[4:6]}"
        rule = f"the date of birth must exist, and {written} does not"
        raise InvalidIdentifier("rc", text, rule) from None


def _read_year(text: str, digits: str) -> int:
    year = int(digits[:2])
    if len(digits) == 10:
        return year + (1900 if year >= 54 else 2000)
    if 54 <= year < 80:
        raise InvalidIdentifier("rc", text, f"nine digits are for births to 1953, not in {1900 + year}")
    return year + (1900 if year < 54 else 1800)
