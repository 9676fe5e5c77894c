"""The codes that an authority has assigned, read from the text files beside this module."""

from functools import cache
from importlib.resources import files


@cache
def codes(name: str) -> tuple[str, ...]:
    """Return the codes of the table `name` in the order of its file: `bank_codes`, `ein_prefixes`, `aba_prefixes`.

    A file holds codes parted by white space; `#` starts a comment. A range is written `01-12`, both ends included.

    >>> codes("aba_prefixes")[:3]
    ('00', '01', '02')
    """
    lines = files("schemas.ids").joinpath(f"{name}.txt").read_text(encoding="utf-8").splitlines()
    words = [word for line in lines for word in line.partition("#")[0].split()]
    return tuple(code for word in words for code in _expand(word))


def _expand(word: str) -> list[str]:
    first, _, last = word.partition("-")
    return [f"{number:0{len(first)}}" for number in range(int(first), int(last or first) + 1)]
