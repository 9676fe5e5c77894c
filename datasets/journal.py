"""The journal of a shard: replies on disk before they count, many in flight and none waiting in line (M-4).

One JSON line a call, appended and flushed to disk (fsync) in groups: whoever appends waits for its own line to be safe, and all that
arrived meanwhile go out together. A line cut off by a kill is ignored and overwritten.
"""

import asyncio
import os
from pathlib import Path

from datasets.store import Store, sync_folder
from schemas.call import Call


def journal_name(suite: str, edition: str, system_id: str, key: str) -> str:
    """Where the journal of a shard stands in the store."""
    return f"journal/{suite}/{edition}/{system_id}/{key}.jsonl"


def read_journal(path: Path) -> list[Call]:
    """The calls in a journal; nothing where there is none. A last line without its end is left out."""
    try:
        whole = path.read_bytes()
    except FileNotFoundError:
        return []
    return [Call.model_validate_json(line) for line in whole[: whole.rfind(b"\n") + 1].splitlines()]


class Journal:
    """An open journal; use it as an async context manager inside one event loop."""

    def __init__(self, store: Store, name: str) -> None:
        self.path = store.path(name)
        self._waiting: list[tuple[bytes, asyncio.Future[None]]] = []
        self._writer: asyncio.Task[None] | None = None

    async def __aenter__(self) -> "Journal":
        self.path.parent.mkdir(parents=True, exist_ok=True)
        whole = self.path.read_bytes() if self.path.exists() else b""
        self._file = self.path.open("ab")
        self._file.truncate(whole.rfind(b"\n") + 1)
        sync_folder(self.path.parent)
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._writer:
            await self._writer
        self._file.close()

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
                await asyncio.to_thread(self._write, b"".join(line for line, _ in group))
            except (OSError, ValueError) as problem:  # a full disk; a closed journal
                error = problem
            for done in (d for _, d in group if not d.done()):  # done already: whoever waited was cancelled
                if error:
                    done.set_exception(error)
                else:
                    done.set_result(None)

    def _write(self, data: bytes) -> None:
        self._file.write(data)
        self._file.flush()
        os.fsync(self._file.fileno())
