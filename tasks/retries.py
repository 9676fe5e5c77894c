"""Which answers are asked again: errors and time-outs by every run, others where a person asks for it (`--retry-status`, M-4)."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from datasets.store import Store
from datasets.tables import find_part, read_part
from schemas.answer import Answer
from schemas.call import Call
from schemas.errors import unknown
from schemas.replies import find_json
from schemas.status import STATUSES
from tasks.shards import Shard

ALWAYS = frozenset({"api_error", "timeout"})
"""Answers with these are asked again by the next run."""

ON_REQUEST = frozenset(STATUSES) - ALWAYS - {"ok"}
"""Final, unless a person wants them to be asked once more."""


def statuses(words: Iterable[str]) -> frozenset[str]:
    """The statuses that a run asks again: the given ones and those that every run asks again; UsageError for a wrong word."""
    wanted = set(words)
    for word in sorted(wanted - ALWAYS - ON_REQUEST):
        raise unknown("status to be asked again", word, ON_REQUEST)
    return ALWAYS | wanted


def to_ask_again(store: Store, shards: Sequence[Shard], again: Collection[str]) -> set[str]:
    """Keys of the shards that hold an answer with one of the statuses."""
    return {key for key, status, _ in _answers(store, shards) if status in again}


def ended_invalid(store: Store, shards: Sequence[Shard]) -> set[str]:
    """Hashes of the requests that ended an answer of the shards without a valid object (M-2)."""
    return {hashes[-1] for _, status, hashes in _answers(store, shards) if status == "invalid"}


def _answers(store: Store, shards: Sequence[Shard]) -> Iterator[tuple[str, str, list[str]]]:
    """The shard's key, status and requests of every answer that the store has."""
    for shard in shards:
        part = find_part(store, Answer, shard.place, shard.key)
        rows = (
            read_part(store, Answer, shard.place, part.name, ["status", "request_hashes"]).to_pylist() if part else []
        )
        yield from ((shard.key, row["status"], row["request_hashes"]) for row in rows)


def reopened(
    known: Mapping[str, list[Call]], invalid: Collection[str], again: Collection[str]
) -> Mapping[str, list[Call]]:
    """The known calls by request, with those open again whose status is to be asked again.

    What a request is asked again for is its last attempt, so one that was answered since stays answered. All attempts stay in their
    order: the next one gets the next number, and `calls` keeps them all. invalid: requests that ended an answer without a valid object;
    they are open again with the status `invalid`. The last attempt of an open request stands here as `api_error`, which the door repeats.
    """
    if not set(again) - ALWAYS:
        return known
    return {
        h: [*calls[:-1], _open(calls[-1])] if _is_open(calls[-1], invalid, again) else calls
        for h, calls in known.items()
    }


def _is_open(call: Call, invalid: Collection[str], again: Collection[str]) -> bool:
    if call.status in again:
        return True
    is_invalid = call.status == "ok" and call.request_hash in invalid and find_json(call.text).value is None
    return "invalid" in again and is_invalid


def _open(call: Call) -> Call:
    return call.model_copy(update={"status": "api_error"})
