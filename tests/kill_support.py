"""A child process that appends to a journal and is killed: what it said was safe."""

import time
from multiprocessing.context import BaseContext

import storage_children


def told_before_a_kill(children: BaseContext, root: str, name: str, at_once: int, seconds: float) -> set[bytes]:
    """Ids of the calls whose append had returned when the child was killed, so long after its first one; at least one."""
    ours, theirs = children.Pipe(duplex=False)
    child = children.Process(target=storage_children.append_for_ever, args=(root, name, theirs, at_once))
    child.start()
    theirs.close()
    told = {ours.recv_bytes()}
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if ours.poll(0.001):
            told.add(ours.recv_bytes())
    child.kill()
    child.join()
    try:
        while True:
            told.add(ours.recv_bytes())
    except (EOFError, OSError):
        ours.close()
    return told
