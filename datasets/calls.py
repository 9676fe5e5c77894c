"""The record of money at rest: calls by what they asked, and the journal of a shard merged into it (M-3, M-4)."""

from collections.abc import Collection
from decimal import Decimal
from typing import TYPE_CHECKING

from datasets.appending import base_of
from datasets.compaction import finish, mend
from datasets.journal import read_journal
from datasets.store import Store
from datasets.tables import Place, find_part, read_part, rows_of, seal, waiting_keys, write_part
from schemas.call import Call

if TYPE_CHECKING:
    import pyarrow as pa


def known_calls(
    store: Store, suite: str, system_id: str, cases: Collection[str], journal: str
) -> dict[str, list[Call]]:
    """Calls by the hash of their request, attempts in order: all that this system was ever asked about these cases.

    From every edition of the suite, sealed or waiting, and from all journals: that of the shard in hand, and those that a killed run
    left for a shard that is cut differently now. Of a part that has nothing about the cases only the column that says so is read, and only
    rows of the cases are kept in memory.
    """
    import pyarrow as pa

    mend(store, Call)
    wanted = pa.array(sorted(cases), pa.string())
    found: dict[str, Call] = {}
    names = store.names(f"tables/calls/suite={suite}", ".parquet") + store.names(
        f"work/calls/suite={suite}", ".parquet"
    )
    for name in names:
        parts = dict(piece.split("=", 1) for piece in name.split("/") if "=" in piece)
        if parts["system"] != system_id:
            continue
        place = Place(suite=suite, edition=parts["edition"], system=system_id)
        if _about(read_part(store, Call, place, name, ["case_id"]), wanted).num_rows:
            rows = rows_of(Call, _about(read_part(store, Call, place, name), wanted))
            found.update({call.call_id: call for call in rows})
    left = (base_of(n) for n in store.names(f"journal/{suite}", ".jsonl") if n.split("/")[3] == system_id)
    for name in {journal, *left}:
        found.update({c.call_id: c for c in read_journal(store, name) if c.case_id in cases})
    by_request: dict[str, list[Call]] = {}
    for call in sorted(found.values(), key=lambda c: (c.request_hash, c.attempt)):
        by_request.setdefault(call.request_hash, []).append(call)
    return by_request


def spent_usd(store: Store, suite: str, edition: str) -> Decimal:
    """What all calls of an edition cost, of every system, in USD: sealed, waiting, or in a journal that a killed run left."""
    found: dict[str, Decimal] = {}
    for tree in ("tables", "work"):
        for name in store.names(f"{tree}/calls/suite={suite}/edition={edition}", ".parquet"):
            system = dict(piece.split("=", 1) for piece in name.split("/") if "=" in piece)["system"]
            place = Place(suite=suite, edition=edition, system=system)
            table = read_part(store, Call, place, name, ["call_id", "cost_usd"])
            found.update(zip(table["call_id"].to_pylist(), table["cost_usd"].to_pylist(), strict=True))
    for name in {base_of(n) for n in store.names(f"journal/{suite}/{edition}", ".jsonl")}:
        found.update({call.call_id: call.cost_usd for call in read_journal(store, name)})
    return sum(found.values(), Decimal(0))


def _about(table: "pa.Table", cases: "pa.Array") -> "pa.Table":
    """The rows about some cases."""
    import pyarrow.compute as pc

    return table.filter(pc.is_in(table["case_id"], value_set=cases))


def file_calls(store: Store, place: Place, key: str, shard: int, journal: str) -> int:
    """Move a shard's journal into its part of `calls`, joined with what the part holds already; returns the calls moved.

    Safe to repeat: the journal is removed last, and a call that is in both counts once.
    """
    with store.sealing():
        finish(store, Call, place)
        there = store.appended(journal)
        fresh = read_journal(store, journal)
        if fresh:
            before = find_part(store, Call, place, key)
            old = rows_of(Call, read_part(store, Call, place, before.name)) if before else []
            merged = {c.call_id: c for c in [*old, *fresh]}
            write_part(store, Call, place, key, shard, merged.values())
        for name in there:
            store.remove(name)
    return len(fresh)


def seal_calls(store: Store, place: Place) -> None:
    """Publish the calls that wait; whatever was in the table stays in it.

    Journals that a killed run left for shards that are cut differently now are filed too; call it when no shard is being asked.
    """
    for name in sorted(
        {base_of(n) for n in store.names(f"journal/{place.suite}/{place.edition}/{place.system}", ".jsonl")}
    ):
        file_calls(store, place, name.rsplit("/", 1)[1].removesuffix(".jsonl"), 0, name)
    if waiting_keys(store, Call, place):
        with store.sealing():
            finish(store, Call, place)
            seal(store, Call, place, [], keep=True)
