"""The jury's records at rest: open checks, and the permanent tables of votes and checks, and the audience's votes (J-4, J-5).

An open check is a file `jury/checks/<check>.json` (`schemas.sitting.Draw`); it goes when the check stands in the tables. Rows come in
parts of a month each. A row that is there stays as it is, whatever is written later under its key: a check that is recorded twice counts
once. The votes are written before their checks, so a check in the table has all its votes.
"""

import contextlib
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import TypeVar

from datasets.compaction import finish
from datasets.store import Store
from datasets.tables import Place, find_part, read, read_part, rows_of, seal, sealed, shard_key, write_part
from schemas.jury import SUITE
from schemas.row import Row
from schemas.sitting import Draw
from schemas.vote import EVER, AudienceVote, Check, Vote

R = TypeVar("R", bound=Row)

HOME = Place(suite=SUITE, edition=EVER)

_OPEN = "jury/checks"


@contextlib.contextmanager
def alone(store: Store, what: str = "sitting") -> Iterator[None]:
    """One writer of the jury's record (`sitting`) or of the audience's votes (`audience`); StoreError at once where there is another.

    The lock goes with its process.
    """
    taken = f"Another {what} of the jury is under way in the store at {store.address!r}; wait for it to end."
    with store.lock(f"jury/{what}.lock", taken):
        yield


def open_draws(store: Store) -> list[Draw]:
    """The checks that were drawn and are not recorded yet, by number."""
    found = (Draw.model_validate_json(store.get(name)) for name in store.names(_OPEN, ".json"))
    return sorted(found, key=lambda draw: draw.number)


def keep_draw(store: Store, draw: Draw) -> None:
    """Write a check down before anybody is asked; a check that is there is not changed."""
    name = f"{_OPEN}/{draw.check_id}.json"
    if not store.exists(name):
        store.put(name, draw.model_dump_json(indent=1).encode(), mode=0o600)


def close_draw(store: Store, check_id: str) -> None:
    """Forget an open check: it stands in the tables."""
    store.remove(f"{_OPEN}/{check_id}.json")


def read_votes(store: Store) -> list[Vote]:
    """All verdicts ever recorded, in the order of time; for the administrator (J-6)."""
    return sorted(_all(store, Vote), key=lambda vote: (vote.checked_at, vote.check_id, vote.place, vote.system_id))


def read_checks(store: Store) -> list[Check]:
    """All checks ever made, in the order of time."""
    return sorted(_all(store, Check), key=lambda check: (check.checked_at, check.check_id))


def read_audience(store: Store) -> list[AudienceVote]:
    """All votes of audiences, by claim and source."""
    return sorted(_all(store, AudienceVote), key=lambda vote: (vote.claim_id, vote.source))


def record(store: Store, checks: Iterable[Check], votes: Iterable[Vote]) -> None:
    """Add checks and their votes to the permanent record; what is there under the same key is not changed (J-4)."""
    _append(store, Vote, list(votes), lambda vote: vote.checked_at)
    _append(store, Check, list(checks), lambda check: check.checked_at)


def put_audience(store: Store, rows: Iterable[AudienceVote]) -> None:
    """Keep votes of an audience; a claim's row of the same source is replaced (J-5)."""
    _write(store, AudienceVote, shard_key("audience"), 0, list(rows), replaces=True)


def _all(store: Store, model: type[R]) -> list[R]:
    return rows_of(model, read(store, model, HOME)) if sealed(store, model, HOME) is not None else []


def _append(store: Store, model: type[R], rows: list[R], when: Callable[[R], datetime]) -> None:
    months: dict[int, list[R]] = {}
    for row in rows:
        months.setdefault(when(row).year * 100 + when(row).month, []).append(row)
    for month, of_month in months.items():
        _write(store, model, shard_key(model.table, month), month, of_month, replaces=False)


def _write(store: Store, model: type[R], key: str, shard: int, rows: list[R], *, replaces: bool) -> None:
    """Join rows with those of their part and publish it, all or nothing; what a compacted part holds already is left out."""
    with store.sealing():
        finish(store, model, HOME)
        there = find_part(store, model, HOME, key)
        old = {_key(row): row for row in rows_of(model, read_part(store, model, HOME, there.name))} if there else {}
        elsewhere = _compacted_keys(store, model)
        new = {_key(row): row for row in rows if _key(row) not in elsewhere}
        if not (old or new) and rows:
            return
        merged = {**old, **new} if replaces else {**new, **old}
        write_part(store, model, HOME, key, shard, merged.values())
        seal(store, model, HOME, [], keep=True)


def _compacted_keys(store: Store, model: type[Row]) -> set[tuple[object, ...]]:
    """Keys of the rows in parts that stand for several months (`datasets/compaction.py`)."""
    found: set[tuple[object, ...]] = set()
    for part in sealed(store, model, HOME) or []:
        if part.key not in (shard_key(model.table, part.shard), shard_key("audience")):
            table = read_part(store, model, HOME, part.name, model.key)
            found.update(zip(*(table[name].to_pylist() for name in model.key), strict=True))
    return found


def _key(row: Row) -> tuple[object, ...]:
    return tuple(getattr(row, name) for name in type(row).key)
