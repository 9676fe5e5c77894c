"""Panels of the jury: who is in the pool, and who sits in which check (J-1, J-7).

The pool are the systems with `juror: true` that can be asked here. For a check every one of them gets a ticket, the HMAC of the check's
number and its id under a secret key; the tickets' order is the draw. Going through it, whoever would be the second of a vendor or of a
family is passed over, and so is whoever would leave too few of different vendors and families for the rest. Replacements come from the
same order. With key, number and pool the administrator repeats the draw; without the key nobody can.
"""

import hashlib
import hmac
from collections.abc import Iterable, Mapping, Sequence

from datasets.store import Store
from schemas.errors import UsageError
from schemas.jury import PANEL_SIZES, SAFE_POOL
from schemas.sitting import Juror
from schemas.system import System
from tasks.ask import why_missing
from tasks.settings import Settings, secret

KEY = "ZKUSEBNA_JURY_KEY"
KEY_FILE = "secret/jury_key"


def pool_of(systems: Mapping[str, System]) -> list[System]:
    """The systems that may sit and can be asked here."""
    return [
        system
        for system in systems.values()
        if system.juror and system.client != "panel" and why_missing(system) is None
    ]


def jurors(pool: Iterable[System]) -> tuple[Juror, ...]:
    """The pool as records keep it, by id."""
    found = (Juror(id=s.id, vendor=s.vendor, family=s.family) for s in pool)
    return tuple(sorted(found, key=lambda juror: juror.id))


def panel_size() -> int:
    """How many jurors a panel has; UsageError where the setting is no number from 3 to 7 (J-1)."""
    size = Settings.read().jury_panel
    if size not in PANEL_SIZES:
        raise UsageError(
            f"ZKUSEBNA_JURY_PANEL is {size}; a panel has {PANEL_SIZES.start} to {PANEL_SIZES.stop - 1} jurors (J-1)."
        )
    return size


def why_too_small(pool: Sequence[Juror], size: int) -> str | None:
    """None where a panel can be drawn, else what is missing, one sentence without its full stop (J-1, J-7).

    >>> why_too_small([Juror(id="a", vendor="x", family="f"), Juror(id="b", vendor="x", family="g")], 3)
    'the pool of jurors has 2 models of 1 vendor and 2 families; a panel needs 3 of different vendors and families, so at least 2 are missing'
    """
    vendors, families = {j.vendor.casefold() for j in pool}, {j.family.casefold() for j in pool}
    most = _most_different(pool)
    if most >= size:
        return None
    there = f"{_n(len(pool), 'model')} of {_n(len(vendors), 'vendor')} and {_n(len(families), 'family')}"
    missing = f"at least {size - most} {'is' if size - most == 1 else 'are'} missing"
    return f"the pool of jurors has {there}; a panel needs {size} of different vendors and families, so {missing}"


def why_no_panel(systems: Mapping[str, System], size: int) -> str | None:
    """None where the jury can sit with these systems, else what is missing and what to do about it, one sentence without its full stop."""
    wanted = [system for system in systems.values() if system.juror]
    pool = pool_of(systems)
    reason = why_too_small(jurors(pool), size)
    if reason is None:
        return None
    idle = [system for system in wanted if system not in pool]
    lacking = f" ({len(idle)} more cannot be asked here: {why_missing(idle[0])})" if idle else ""
    return f"{reason}{lacking}: mark models with `juror: true` in ZKUSEBNA_SYSTEMS_FILE (docs/systems.md)"


def why_no_jury() -> str | None:
    """None where the jury can sit here, else what is missing, one sentence without its full stop."""
    from tasks.choose import known_systems  # which asks the client of the panel, which asks here

    return why_no_panel(known_systems(), panel_size())


def _n(number: int, word: str) -> str:
    """A number and its word.

    >>> _n(1, "family"), _n(2, "family"), _n(0, "model")
    ('1 family', '2 families', '0 models')
    """
    if number == 1:
        return f"1 {word}"
    return f"{number} {word[:-1]}ies" if word.endswith("y") else f"{number} {word}s"


def is_small(pool: Sequence[Juror]) -> bool:
    """Whether a juror could be guessed: fewer than eight models (J-7)."""
    return len(pool) < SAFE_POOL


def jury_key(store: Store) -> str:
    """The secret key of the draws: of the environment or a Prefect Secret, else a random one, made once and kept in the store."""
    return store.kept_secret(KEY_FILE, Settings.read().jury_key or secret(KEY))


def key_mark(key: str) -> str:
    """A mark that tells whether two draws had the same key, and nothing more (16 hex digits)."""
    return hmac.new(key.encode(), b"zkusebna/jury/mark", hashlib.sha256).hexdigest()[:16]


def order_of(key: str, number: int, pool: Iterable[Juror]) -> list[Juror]:
    """The draw of a check: the whole pool, by the tickets that the key and the check's number give to each."""

    def ticket(juror: Juror) -> bytes:
        return hmac.new(key.encode(), f"zkusebna/jury/{number}/{juror.id}".encode(), hashlib.sha256).digest()

    return sorted(pool, key=lambda juror: (ticket(juror), juror.id))


def seat(order: Sequence[Juror], seated: Sequence[Juror], size: int) -> list[Juror]:
    """Who takes the free places of a panel, in the order of the draw; fewer than wanted where the order has no more.

    order: whoever has not been asked yet; seated: who keeps its place; size: places in all.

    >>> abc = [Juror(id=i, vendor=v, family=i) for i, v in (("a", "x"), ("b", "x"), ("c", "y"))]
    >>> [j.id for j in seat(abc, [], 2)], [j.id for j in seat(abc[1:], [abc[2]], 2)]
    (['a', 'c'], ['b'])
    """
    chosen: list[Juror] = []
    left = [j for j in order if j not in seated and _fits(j, seated)]
    while left and len(seated) + len(chosen) < size:
        wanted = min(size - len(seated) - len(chosen), _most_different(left))
        for juror in left:
            rest = [j for j in left if _fits(j, [juror])]
            if 1 + _most_different(rest) >= wanted:
                chosen.append(juror)
                left = rest
                break
    return chosen


def _fits(juror: Juror, others: Sequence[Juror]) -> bool:
    """Whether it shares neither vendor nor family with any of the others."""
    return all(
        juror.vendor.casefold() != other.vendor.casefold() and juror.family.casefold() != other.family.casefold()
        for other in others
    )


def _most_different(pool: Sequence[Juror]) -> int:
    """How many can sit together: the largest matching of vendors and families."""
    families_of: dict[str, list[str]] = {}
    for juror in pool:
        families_of.setdefault(juror.vendor.casefold(), []).append(juror.family.casefold())
    vendor_of: dict[str, str] = {}

    def place(vendor: str, tried: set[str]) -> bool:
        for family in families_of[vendor]:
            if family not in tried:
                tried.add(family)
                if family not in vendor_of or place(vendor_of[family], tried):
                    vendor_of[family] = vendor
                    return True
        return False

    return sum(place(vendor, set()) for vendor in families_of)
