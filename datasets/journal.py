"""The journal of a shard: replies on disk before they count, many in flight and none waiting in line (M-4).

One JSON line a call, appended and flushed to disk (fsync) in groups: whoever appends waits for its own line to be safe, and all that
arrived meanwhile go out together. A line cut off by a kill is ignored and overwritten. Where the store is a bucket, lines go to the bucket
within `datasets.bucket_lines.FLUSH_S` after they are safe on the local disk.
"""

import asyncio

from datasets.store import Store
from schemas.call import Call
from schemas.errors import StoreError


def journal_name(suite: str, edition: str, system_id: str, key: str) -> str:
    """Where the journal of a shard stands in the store."""
    return f"journal/{suite}/{edition}/{system_id}/{key}.jsonl"


def read_journal(store: Store, name: str) -> list[Call]:
    """The calls in a journal; nothing where there is none. A last line without its end is left out."""
    found: list[Call] = []
    for file in store.appended(name):
        try:
            whole = store.get(file)
        except FileNotFoundError:  # filed meanwhile
            continue
        found += [Call.model_validate_json(line) for line in whole[: whole.rfind(b"\n") + 1].splitlines()]
    return found


class Journal:
    """An open journal; use it as an async context manager inside one event loop."""

    def __init__(self, store: Store, name: str) -> None:
        self._store, self._name = store, name
        self._waiting: list[tuple[bytes, asyncio.Future[None]]] = []
        self._writer: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Journal":
        self._file = await asyncio.to_thread(self._store.appending, self._name)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._writer:
            await self._writer
        await asyncio.to_thread(self._file.close)

    async def append(self, call: Call) -> None:
        """Return when the call is safe on disk."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((call.model_dump_json().encode() + b"\n", done))
        if self._writer is None or self._writer.done():
            self._writer = asyncio.create_task(self._flush())
        await done

    async def _flush(self) -> None:
        while self._waiting:
            group, self._waiting = self._waiting, []
            error: Exception | None = None
            try:
                await asyncio.to_thread(self._file.write, b"".join(line for line, _ in group))
            except (OSError, ValueError, StoreError) as problem:  # a full disk; a closed journal; a turn that was lost
                error = problem
            for done in (d for _, d in group if not d.done()):  # done already: whoever waited was cancelled
                if error:
                    done.set_exception(error)
                else:
                    done.set_result(None)
