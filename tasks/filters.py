"""The table of filters of an edition, from the answers and calls of the store (M-6)."""

from collections.abc import Iterator, Sequence

from datasets.store import Store
from datasets.tables import Place, read, read_part, sealed
from profiles.filters import FilterLine, Turn, filter_lines
from schemas.answer import Answer
from schemas.call import Call
from schemas.case import Case


def filter_table(root: str, suite: str, edition: str, systems: Sequence[str]) -> list[FilterLine]:
    """Where filters stopped systems over the public cases of an edition (G-8); empty where no filter stopped anything."""
    store = Store.open(root)
    place = Place(suite=suite, edition=edition)
    places = [place.model_copy(update={"system": system}) for system in systems]
    if not any("filtered" in _statuses(store, at) for at in places):
        return []
    cases = read(store, Case, place, ["case_id", "split"]).to_pylist()
    public = {row["case_id"] for row in cases if row["split"] == "public"}
    turns = [turn for at in places for turn in turns_of(store, at) if turn.case_id in public]
    return filter_lines(turns) if any(turn.status == "filtered" for turn in turns) else []


def _statuses(store: Store, place: Place) -> set[str]:
    """Statuses of the answers of a system; a filter ends its trial, so it stands there."""
    return (
        set(read(store, Answer, place, ["status"])["status"].unique().to_pylist())
        if sealed(store, Answer, place)
        else set()
    )


def turns_of(store: Store, place: Place) -> Iterator[Turn]:
    """The last attempt at every message of every trial of a system in an edition; known calls of other editions count (M-4)."""
    if sealed(store, Answer, place) is None:
        return
    last: dict[str, tuple[int, str | None, str]] = {}
    for name in store.names(f"tables/calls/suite={place.suite}", ".parquet"):
        parts = dict(step.split("=", 1) for step in name.split("/") if "=" in step)
        if parts["system"] != place.system:
            continue
        at = place.model_copy(update={"edition": parts["edition"]})
        for row in read_part(store, Call, at, name, ["request_hash", "attempt", "provider", "status"]).to_pylist():
            key = row["request_hash"]
            last[key] = max(
                last.get(key, (0, None, "")), (row["attempt"], row["provider"], row["status"]), key=lambda c: c[0]
            )
    for row in read(store, Answer, place, ["case_id", "trial", "request_hashes"]).to_pylist():
        for turn, key in enumerate(row["request_hashes"], 1):
            _, provider, status = last[key]
            yield Turn(str(place.system), row["case_id"], row["trial"], turn, provider, status)
