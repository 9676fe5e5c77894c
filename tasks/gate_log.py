"""What every gate said, one line of JSON each, in `gates/<run>.jsonl` of the store: the report shows it as the gates' history.

A line holds numbers, names of rules and where bad rows stand, and no value of any row. It is appended by one write, so tasks of one run can
leave lines side by side. Shards that were there already pass no gate; their lines stand with the run that made them.
"""

import json

from pydantic import ValidationError

from datasets.appending import base_of
from datasets.store import Store
from datasets.tables import Place
from schemas.exchange import Frozen

FOLDER = "gates"
BY_HAND = "by-hand"
"""Where lines stand of stages that were started without a run."""


class GateLine(Frozen):
    """What one gate said of one shard.

    rows: rows that came; set_aside: those that broke a rule and stand in `quarantine`; broken: names of the rules that were broken.
    """

    table: str
    place: Place
    key: str
    rows: int
    set_aside: int
    broken: tuple[str, ...] = ()
    quarantine: str | None = None

    @property
    def passed(self) -> int:
        """Rows that were let through: all of the shard, or none, since a shard with bad rows is made again as a whole."""
        return 0 if self.broken else self.rows


def note_gate(store: Store, run_id: str, line: GateLine) -> None:
    """Append a line to the history of a run."""
    store.note(f"{FOLDER}/{run_id or BY_HAND}.jsonl", line.model_dump_json(exclude_defaults=True).encode())


def read_gates(store: Store) -> dict[str, list[GateLine]]:
    """The lines of every run, the newest run first; a line that a crash cut off is left out."""
    found: dict[str, list[GateLine]] = {}
    for name in sorted(store.names(FOLDER, ".jsonl"), reverse=True):
        run = base_of(name).removeprefix(f"{FOLDER}/").removesuffix(".jsonl")
        for text in store.get(name).decode("utf-8", "replace").splitlines():
            try:
                found.setdefault(run, []).append(GateLine.model_validate(json.loads(text)))
            except (ValueError, ValidationError):
                continue
    return found
