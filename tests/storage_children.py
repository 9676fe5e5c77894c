"""What tests run in a process of its own, to kill it (light to import: it starts many times)."""

import asyncio
import hashlib
from multiprocessing.connection import Connection
from typing import Any

from datasets.store import Store

SIZES = (10, 300_000, 1_000_000)


def whole_file(number: int) -> bytes:
    """A file that proves itself: the hash of the rest stands first."""
    body = number.to_bytes(4, "big") * (SIZES[number % len(SIZES)] // 4)
    return hashlib.sha256(body).digest() + body


def is_whole(data: bytes) -> bool:
    """Whether a file is one of `whole_file`, to the last byte."""
    return hashlib.sha256(data[32:]).digest() == data[:32]


def write_for_ever(root: str, names: list[str]) -> None:
    """Write the same few files over and over."""
    store = Store.open(root)
    number = 0
    while True:
        store.put(names[number % len(names)], whole_file(number))
        number += 1


def hold_lock(root: str, told: Connection) -> None:
    """Take the lock, say so, and keep it until killed."""
    with Store.open(root).locked():
        told.send_bytes(b"held")
        told.recv_bytes()


def append_for_ever(root: str, name: str, told: Connection, at_once: int) -> None:
    """Append calls to a journal, many in flight, and tell each id when its append has returned."""
    from row_support import call

    from datasets.journal import Journal

    async def one(journal: Any, first: int) -> None:
        number = first
        while True:
            await journal.append(call(number, text="ž" * (number % 5_000)))
            told.send_bytes(f"id-{number}".encode())
            number += at_once

    async def all_of_them() -> None:
        async with Journal(Store.open(root), name) as journal:
            await asyncio.gather(*(one(journal, n) for n in range(at_once)))

    asyncio.run(all_of_them())
