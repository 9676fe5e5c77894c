"""Files that only grow: lines that are safe on disk when the call returns, whatever a kill cut off before.

What is appended under one name may stand in several files where the store is a bucket, since an object never grows: the further ones are
called `NAME~WRITER-NUMBER.jsonl`, and `base_of` says which name they belong to.
"""

import os
from pathlib import Path
from typing import Protocol

from datasets.folders import sync_folder

MARK = "~"


class Appending(Protocol):
    """A file to which lines are added, from one thread at a time."""

    def write(self, data: bytes) -> None:
        """Add whole lines; return when they are safe. OSError where they cannot be kept, ValueError after `close`."""

    def close(self) -> None:
        """Keep what is not kept yet, and give up the file."""


class DiskAppending:
    """A file on a local disk; a last line without its end, cut off by a kill, is overwritten."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        whole = path.read_bytes() if path.exists() else b""
        self._file = path.open("ab")
        self._file.truncate(whole.rfind(b"\n") + 1)
        sync_folder(path.parent)

    def write(self, data: bytes) -> None:
        """Add lines and flush them to disk."""
        self._file.write(data)
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def base_of(name: str) -> str:
    """The name under which the lines of a file were appended.

    >>> base_of("journal/legal/v1/rules/ab12~9f-3.jsonl"), base_of("gates/run.jsonl")
    ('journal/legal/v1/rules/ab12.jsonl', 'gates/run.jsonl')
    """
    stem, mark, _ = name.partition(MARK)
    return f"{stem}.jsonl" if mark else name


def segment_of(name: str, writer: str, number: int) -> str:
    """The name of one file of several that hold what was appended under a name.

    >>> segment_of("gates/run.jsonl", "9f", 3)
    'gates/run~9f-00003.jsonl'
    """
    return f"{name.removesuffix('.jsonl')}{MARK}{writer}-{number:05}.jsonl"
