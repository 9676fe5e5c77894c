"""Reads the options of a system's entry into a model of the client's own, with one clear sentence for a wrong one."""

import re
from collections.abc import Iterable, Mapping
from typing import TypeVar

from pydantic import ValidationError

from schemas.errors import UsageError
from schemas.exchange import Frozen
from schemas.system import System
from tasks.settings import secret, variables

M = TypeVar("M", bound=Frozen)

SECONDS = 120.0
"""Time limit of a call where the entry gives none."""
HIDDEN = "[key]"
_PREFIX = 8
_SECRET_NAME = re.compile(r"KEY|TOKEN|SECRET|PASSW|CREDENTIAL", re.IGNORECASE)


def read_options(system: System, model: type[M]) -> M:
    """The options as a value of `model`; UsageError that names the entry, the option and what was expected."""
    try:
        return model.model_validate(system.options)
    except ValidationError as problem:
        first = problem.errors()[0]
        where = ".".join(str(part) for part in ("options", *first["loc"]))
        reason = f"{first['msg']}, not {first['input']!r}" if first["type"] != "missing" else "it is missing"
        raise UsageError(f"System {system.id!r}, {where}: {reason}.") from problem


def seconds_of(system: System) -> float:
    """Time limit of a call in seconds (M-7); UsageError for anything that is no positive number."""
    seconds = system.limits.get("seconds", SECONDS)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or seconds <= 0:
        raise UsageError(f"System {system.id!r}, limits.seconds: a positive number was expected, not {seconds!r}.")
    return float(seconds)


def unset(names: Iterable[str], key_env: str | None) -> str | None:
    """None where all environment variables and the key are set, else a sentence that names the first that is not."""
    wanted = list(names)
    found = variables(wanted)
    for name in wanted:
        if name not in found:
            return f"the environment variable {name} is not set"
    if key_env is None or secret(key_env):
        return None
    return f"its key is missing: set the environment variable {key_env}"


def secrets_of(seen: Mapping[str, str]) -> frozenset[str]:
    """Values that must never be stored: of variables whose names say that they hold a key, token, secret or password.

    >>> sorted(secrets_of({"ACME_API_KEY": "sk-1", "TZ": "Europe/Prague"}))
    ['sk-1']
    """
    return frozenset(value for name, value in seen.items() if _SECRET_NAME.search(name))


def without(secrets: Iterable[str], text: str, *, in_part: bool = False) -> str:
    """A text without any of the secrets, also where a program or server repeats them.

    in_part: a word that begins as a secret does goes too, for errors that show the refused key shortened.

    >>> without({"sk-1"}, "wrong key sk-1"), without({"sk-abcde-0123456789"}, "wrong key: 'sk-abcde***6789'", in_part=True)
    ('wrong key [key]', "wrong key: '[key]'")
    """
    for hidden in sorted(filter(None, secrets), key=len, reverse=True):
        text = text.replace(hidden, HIDDEN)
        if in_part and len(hidden) >= 2 * _PREFIX:
            text = re.sub(re.escape(hidden[:_PREFIX]) + r"[^\s\"']*", HIDDEN, text)
    return text
