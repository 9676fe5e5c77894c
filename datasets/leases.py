"""Locks in a bucket: an object that its holder renews, and that another may take over when it was not renewed.

A lock on a disk goes with its process; here a holder that was killed keeps it for `LASTS_S` at most. How old a lock is, is told by the
bucket's clock alone: whoever wants it writes an object of its own and compares the two.
"""

import contextlib
import json
import logging
import os
import socket
import threading
import time
import uuid

from datasets.objects import Bucket, ChangedError

LOG = logging.getLogger("zkusebna.leases")

LASTS_S = 60.0
"""A lock that was not renewed for so long is nobody's."""
RENEW_S = 15.0
LOOK_S = 1.0


class Lease:
    """A lock under a name in a bucket, held by one process at a time while it goes on renewing it."""

    def __init__(self, bucket: Bucket, name: str, lasts_s: float = LASTS_S, renew_s: float = RENEW_S) -> None:
        self.bucket, self.name, self.lasts_s, self.renew_s = bucket, name, lasts_s, renew_s
        self.is_lost = False
        self._tag = ""
        self._ended = threading.Event()
        self._renewing: threading.Thread | None = None
        who = {"host": socket.gethostname(), "process": os.getpid(), "holder": uuid.uuid4().hex}
        self._words = json.dumps(who).encode()

    def acquire(self) -> bool:
        """Take the lock where it is free or was not renewed for too long; whether it was taken."""
        try:
            self._tag = self.bucket.put_new(self.name, self._words)
        except ChangedError:
            if not self._taken_over():
                return False
        self._renewing = threading.Thread(target=self._renew, name=f"lease of {self.name}", daemon=True)
        self._renewing.start()
        return True

    def wait(self) -> None:
        """Take the lock, however long another one has it."""
        while not self.acquire():
            time.sleep(LOOK_S)

    def release(self) -> None:
        """Give the lock up; one that another took over meanwhile stays theirs."""
        self._ended.set()
        if self._renewing is not None:
            self._renewing.join()
        with contextlib.suppress(OSError, ChangedError):
            if not self.is_lost and self.bucket.get(self.name)[1] == self._tag:
                self.bucket.remove(self.name)

    def _taken_over(self) -> bool:
        """Whether the lock had no holder any more, and is ours now; of several who find that, one has it."""
        try:
            there = self.bucket.head(self.name)
            if self._now() - there.changed < self.lasts_s:
                return False
            self._tag = self.bucket.put_over(self.name, self._words, there.tag)
        except (FileNotFoundError, ChangedError):
            return False  # given up, or taken by another, at this moment; the next try finds out
        LOG.warning("%s was held by a run that does not renew it any more; this one has it now", self.name)
        return True

    def _now(self) -> float:
        """The time by the bucket's clock."""
        probe = f"{self.name}.clock-{uuid.uuid4().hex}"
        self.bucket.put(probe, b"")
        try:
            return self.bucket.head(probe).changed
        finally:
            self.bucket.remove(probe)

    def _renew(self) -> None:
        renewed = time.monotonic()
        while not self._ended.wait(self.renew_s):
            try:
                self._tag = self.bucket.put_over(self.name, self._words, self._tag)
                renewed = time.monotonic()
            except ChangedError:
                self.is_lost = True
            except OSError as problem:
                LOG.warning("%s could not be renewed: %s", self.name, problem)
                self.is_lost = time.monotonic() - renewed > self.lasts_s
            if self.is_lost:
                LOG.error("%s was lost: this run writes nothing more", self.name)
                return
