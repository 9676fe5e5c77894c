"""Names on a local disk that last: folders flushed, and exchanged for each other in one step."""

import ctypes
import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Flush a folder to disk, so that the names of new files in it last."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def swap_folders(new: Path, full: Path, aside: Path) -> None:
    """Put a new folder in the place of another one, which goes aside; in one step where the system can exchange two names."""
    if not full.exists():
        new.rename(full)
    elif full.is_dir() and _exchanged(new, full):
        return  # what was there is now where the new one was
    else:
        full.rename(aside)
        try:
            new.rename(full)
        except OSError:
            aside.rename(full)
            raise


def _exchanged(one: Path, other: Path) -> bool:
    """Whether two names were exchanged by one call of the system (Linux); False where it has no such call."""
    try:
        call = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return False
    here, exchange = -100, 2  # AT_FDCWD, RENAME_EXCHANGE
    return int(call(here, os.fsencode(one), here, os.fsencode(other), exchange)) == 0
