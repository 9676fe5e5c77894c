"""What a run would ask and cost, before anything is done (M-8)."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path

from datasets.editions import edition_for
from datasets.store import Store
from datasets.tables import Place, sealed
from schemas.answer import Answer
from schemas.exchange import Frozen
from tasks.choose import choose_systems
from tasks.settings import Settings
from tasks.suites import SUITES, suite_of

CASES_A_UNIT = 2
"""A unit of a generated set is a pair of twins."""


class Line(Frozen):
    """One system in one suite; `most_usd` is None where the price of a call is unknown."""

    suite: str
    system: str
    cases: int
    answered: int
    to_ask: int
    most_usd: Decimal | None


def estimate(
    root: str,
    suites: Sequence[str] | None,
    systems: Sequence[str] | None,
    size: int | None,
    seed: int,
    recorded: Mapping[str, str] | None,
    is_full: bool,
    levels: tuple[str, ...] = (),
) -> list[Line]:
    """A line for every suite and system; nothing is written, not even a store."""
    store = Store.open(root, create=False) if (Path(root) / "zkusebna.json").exists() else None
    lines = []
    for word in suites or list(SUITES):
        suite = suite_of(word)
        wanted = size if size is not None else (suite.full_size if is_full else suite.default_size)
        secret = Settings.read().private_seed or (store.private_seed(None) if store else "none yet")
        edition = edition_for(word, suite.source.SET_VERSION, seed, wanted, secret, levels)
        cases = CASES_A_UNIT * suite.source.units(edition)
        for system in choose_systems(systems, word, recorded).systems:
            place = Place(suite=word, edition=edition.id, system=system.id)
            parts = (sealed(store, Answer, place) if store else None) or []
            answered = sum(part.rows for part in parts)
            to_ask = 0 if parts else cases
            price = system.limits.get(
                "max_cost_usd", 0 if system.vendor == "zkusebna" or system.client == "recorded" else None
            )
            most = None if price is None else Decimal(str(price)) * to_ask
            lines.append(
                Line(suite=word, system=system.id, cases=cases, answered=answered, to_ask=to_ask, most_usd=most)
            )
    return lines
