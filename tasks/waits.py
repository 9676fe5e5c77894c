"""The record "not before" of a provider in the store: other workers, and the next run, heed a wait that one of them was told (M-5)."""

import json
import time

from datasets.store import Store
from tasks.throttle import Throttle

SHORTEST_S = 1.0
"""Shorter waits are over before another worker could read of them."""


class Waits:
    """Waits of providers, kept in the store as `notbefore/<name>.json` with seconds since the epoch."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def tell(self, throttle: Throttle) -> None:
        """Write down until when a throttle waits, where that is long enough to matter to others."""
        if throttle.until - time.time() >= SHORTEST_S:
            self.store.put(_name(throttle), json.dumps({"until": throttle.until}).encode())

    def recall(self, throttle: Throttle) -> None:
        """Have a throttle wait as long as the record says; an old record changes nothing."""
        if self.store.exists(_name(throttle)):
            throttle.until = max(throttle.until, float(json.loads(self.store.get(_name(throttle)))["until"]))


def _name(throttle: Throttle) -> str:
    return f"notbefore/{throttle.name}.json"
