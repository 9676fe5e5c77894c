"""Files of shares in per cent: every list of shares adds up to 100."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import yaml

from schemas.errors import UsageError


def read_shares(path: Path) -> dict[str, Any]:
    """The lists of a file by name, a list being a map from word to per cent; lists may stand in a map of their own.

    `UsageError` that names file and list for shares that do not add up to 100, or are no whole numbers from 0.
    """
    found = yaml.safe_load(path.read_text(encoding="utf-8"))
    if not isinstance(found, dict):
        raise UsageError(
            f"{path.name}: expected a map from the name of a list to its shares, found {type(found).__name__}."
        )
    for name, entry in found.items():
        _check(path.name, str(name), entry)
    return found


def _check(file: str, name: str, entry: object) -> None:
    if not isinstance(entry, Mapping) or not entry:
        raise UsageError(f"{file}, {name}: expected a map from word to per cent, found {entry!r}.")
    if all(isinstance(value, Mapping) for value in entry.values()):
        for word, inner in entry.items():
            _check(file, f"{name}.{word}", inner)
        return
    for word, share in entry.items():
        if not isinstance(share, int) or isinstance(share, bool) or share < 0:
            raise UsageError(
                f"{file}, {name}: the share of {word!r} is {share!r}, expected a whole number from 0 to 100."
            )
    if (total := sum(entry.values())) != 100:
        raise UsageError(f"{file}, {name}: the shares add up to {total}, expected 100.")
