"""What a trial has noted so far, written down again and again, so that a killed trial has said what it knew (A-11)."""

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from schemas.evidence import FULL, SHOTS, ConsoleError, Control, Event, EventKind, Jail, Reach, Record, Shot, Use

RECORD = "record.json"
MOST = 300
"""Different events, and different errors, of one trial; whatever comes after is only counted where an equal one is there."""

LONGEST = 2000
DETAIL = 200
_ISOLATION = re.compile(
    r"ERR_(BLOCKED|INTERNET|ABORTED|NAME|PROXY|FAILED|TUNNEL|NETWORK)|Not allowed to load local resource|URL scheme .* is not supported"
    r"|artifact\.test.*\b404\b|\b404\b.*artifact\.test"
)
_REFUSED = re.compile(r"Failed to fetch|NetworkError|Load failed")


def aimed_name(number: int) -> str:
    """The picture right before the last act of an interaction, for measuring alone."""
    return f"aimed-{number}.png"


@dataclass
class Log:
    """Mutable twin of `Record`, for one trial."""

    browser: str = ""
    jail: Jail = field(default_factory=Jail)
    load_s: float | None = None
    page_height: int | None = None
    failed: str = ""
    takes: int = 1
    shots: dict[str, Shot] = field(default_factory=dict)
    uses: list[Use] = field(default_factory=list)
    controls: list[Control] = field(default_factory=list)
    reach: Reach | None = None
    events: dict[tuple[str, str, str], Event] = field(default_factory=dict)
    errors: dict[tuple[str, str], ConsoleError] = field(default_factory=dict)

    seen: dict[tuple[str, str], Counter[str]] = field(default_factory=dict)

    def event(self, load: str, kind: EventKind, at_s: float, detail: str = "") -> None:
        """Note what a page did."""
        detail = detail[:DETAIL]
        key = (load, kind, detail)
        if (known := self.events.get(key)) is not None:
            self.events[key] = known.model_copy(update={"count": known.count + 1})
        elif len(self.events) < MOST:
            self.events[key] = Event(load=load, kind=kind, detail=detail, at_s=at_s)

    def error(
        self, load: str, kind: Literal["pageerror", "console.error"], at_s: float, text: str, where: str = ""
    ) -> None:
        """Note an error of a page. `where`: the address that it came from."""
        text = text[:LONGEST]
        key = (kind, text)
        seen = self.seen.setdefault(key, Counter()) if len(self.seen) < MOST else self.seen.get(key)
        if seen is None:
            return
        seen[load] += 1
        if key not in self.errors:
            denied = kind == "console.error" and bool(_ISOLATION.search(f"{text} {where}"))
            denied = denied or (kind == "pageerror" and bool(_REFUSED.search(text)))
            self.errors[key] = ConsoleError(kind=kind, text=text, loads=(load,), at_s=at_s, of_isolation=denied)

    def take_again(self, load: str, scratch: Path) -> None:
        """Forget what one load did and its pictures, since it is opened anew: what it does twice must not be counted twice.

        A picture of the earlier take must not stand for one that the later take could not have.
        """
        self.takes += 1
        for name in (*SHOTS, FULL):
            self.shots.pop(name, None)
            (scratch / name).unlink(missing_ok=True)
        self.events = {key: event for key, event in self.events.items() if event.load != load}
        for seen in self.seen.values():
            seen.pop(load, None)
        self.seen = {key: seen for key, seen in self.seen.items() if seen}
        self.errors = {key: error for key, error in self.errors.items() if key in self.seen}

    def _errors(self) -> tuple[ConsoleError, ...]:
        """The errors with the loads that had them."""
        return tuple(
            error.model_copy(update={"loads": tuple(self.seen[key]), "count": max(self.seen[key].values())})
            for key, error in self.errors.items()
        )

    def record(self) -> Record:
        """All of it, frozen."""
        return Record(
            browser=self.browser, jail=self.jail, load_s=self.load_s, page_height=self.page_height, failed=self.failed, takes=self.takes,
            shots=tuple(self.shots.values()), uses=tuple(self.uses), controls=tuple(self.controls), reach=self.reach,
            events=tuple(self.events.values()), errors=self._errors(),
        )  # fmt: skip

    def save(self, scratch: Path) -> None:
        """Write it down, so that a reader never sees half of it."""
        beside = scratch / f"{RECORD}.new"
        beside.write_text(self.record().model_dump_json(), encoding="utf-8")
        beside.replace(scratch / RECORD)
