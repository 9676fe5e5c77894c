"""What is known of one trial of a page: shots, interactions, errors, what was refused, and what was measured (A-1, A-11)."""

from pathlib import Path
from typing import Any, Literal

from pydantic import Field, model_validator

from schemas import readings
from schemas.exchange import Frozen
from schemas.scenario import Scenario, WordsLanguage

VERSION = "2"
"""Of the files `measurements.json`, `interactions.json` and `console-errors.json`; goes up when a field changes its meaning."""

SHOTS = {"shot-1.png": 1.0, "shot-2.png": 6.0, "shot-3.png": 12.0}
"""The three shots of the viewport, and their moments in seconds after load (A-1)."""

FULL = "shot-full.png"
WIDTH, HEIGHT = 1280, 800
FULL_MOST = readings.FULL_DOWN_TO_PX
"""The whole page is pictured down to this pixel."""

INTERACTIONS = ("interact-1.png", "interact-2.png", "interact-3.png")
PICTURES = (*SHOTS, FULL, *INTERACTIONS)
FILES = (*PICTURES, "console-errors.json", "interactions.json", "artifact.html")
"""The evidence by name (A-1); beside it stands `measurements.json`."""

MEASUREMENTS = "measurements.json"
MOVES = readings.MOTION_FROM
"""Share of pixels from which on a page moves; the noise between two pictures of a still page is exactly 0."""

LATE_S = 0.5

EventKind = Literal[
    "dialog", "popup", "navigation", "reload", "download", "request", "missing_file", "file_chooser", "frozen", "crashed",
    "closed", "no_load", "capped",
]  # fmt: skip
"""What a page did that is no picture.

navigation: wanted to leave. reload: loaded itself again. request: asked for something of the network, refused. missing_file: asked for a
file beside itself; there is none. frozen: its scripts blocked it for seconds, so they were stopped. no_load: the load event never came.
capped: the whole picture ends before the page does.
"""

Missing = Literal[
    "no_control", "control_gone", "frozen", "crashed", "closed", "slow", "time", "killed", "too_large", "no_browser"
]
"""Why a picture is not there.

frozen, crashed, closed: the page. slow: it draws for longer than we wait. time: the trial's time ran out. killed: the trial was killed.
"""

Rejection = Literal["covered", "not_stable", "disabled", "hidden", "outside", "vanished", "busy", "not_tried", "other"]
"""Why a control is none of the three (A-3, A-11); busy: the page did
not answer in time. not_tried: enough controls before it were rejected."""

Outcome = Literal["done", "not_found", "skipped", "failed", "seen", "not_seen"]


class Limits(Frozen):
    """What one trial may take; the browser is held to it, not asked."""

    memory_mb: int = Field(
        default=2500, ge=300, description="Data of one process (RLIMIT_DATA), and its resident memory"
    )
    tree_mb: int = Field(default=4000, ge=800, description="Resident memory of all processes of the trial together")
    processes: int = Field(default=800, ge=100, description="Processes and threads of the browser (RLIMIT_NPROC)")
    html_mb: float = Field(default=10.0, gt=0, description="A longer page is not opened")


class Trial(Frozen):
    """One page to open: its bytes, where the evidence goes, how it is used (None: the default of A-3), the language of the words."""

    html: bytes = Field(repr=False)
    folder: Path
    scenario: Scenario | None = None
    language: WordsLanguage = "cs"


class Event(Frozen):
    """What the page did in one of its loads; equal ones of a load are counted together. `at_s`: seconds after load, the first time."""

    load: str
    kind: EventKind
    detail: str = ""
    at_s: float
    count: int = 1


class ConsoleError(Frozen):
    """One pageerror or console.error. `of_isolation`: only says that the network is denied."""

    kind: Literal["pageerror", "console.error"]
    text: str
    loads: tuple[str, ...] = Field(
        description="Loads of the page that had it: one of `interact-2` alone came of that click"
    )
    at_s: float = Field(description="Seconds after load, the first time")
    count: int = Field(default=1, description="How often, in the load that had it most")
    of_isolation: bool = False


class Shot(Frozen):
    """One picture: its moments in seconds after load, or why it is missing. The picture was taken between `begun_s` and `taken_s`."""

    name: str
    due_s: float | None = None
    begun_s: float | None = None
    taken_s: float | None = None
    missing: Missing | None = None
    sha256: str | None = None
    width: int | None = None
    height: int | None = None

    @property
    def late_s(self) -> float | None:
        """Seconds by which the picture was there later than due; None where it has no moment or is missing."""
        return None if self.due_s is None or self.taken_s is None else round(self.taken_s - self.due_s, 3)


class Control(Frozen):
    """A control of the page in the order of A-3: chosen as one of the three, or rejected for a reason."""

    tag: str
    label: str
    place: int = Field(description="Its number among the elements that its selector finds, from 0")
    anchor: bool = Field(default=False, description="A link inside the page, not a real control")
    rejected: Rejection | None = None
    by: str = Field(default="", description="The element that covers it")


class Action(Frozen):
    """What came of one step of a scenario."""

    kind: str
    says: str
    outcome: Outcome


class Box(Frozen):
    """A rectangle of the viewport in CSS pixels."""

    x: float
    y: float
    width: float
    height: float


class Reach(Frozen):
    """The controls in the viewport when the shots are taken, and how many of them the pointer does not reach."""

    controls: int = Field(ge=0)
    covered: int = Field(ge=0)
    by: str = Field(default="", description="The element that covers most of them")


class Use(Frozen):
    """One interaction: a click on a control, or the steps of a scenario, and the share of pixels that it changed."""

    number: int
    control: Control | None = None
    says: str = ""
    actions: tuple[Action, ...] = ()
    failed: Rejection | None = Field(default=None, description="Why the click did not go through after all")
    froze: bool = False
    changed: float | None = None
    fields: tuple[Box, ...] = Field(
        default=(), description="Fields that were used, whose look the browser changes by itself"
    )
    elsewhere: float | None = Field(
        default=None, description="The share that its last act changed outside of those fields"
    )
    heard: bool | None = Field(
        default=None, description="Whether any script listens where it was used; None: not known"
    )


class Jail(Frozen):
    """How the browser was held: layers that this machine allows."""

    user: int | None = Field(
        default=None, description="The unprivileged user it ran as; None: the user of the collector"
    )
    sandbox: bool = False
    network: bool = Field(default=False, description="In a network namespace of its own, without any interface")
    processes: bool = Field(default=False, description="In a process namespace of its own, so that one kill ends all")


class Record(Frozen):
    """What the trial itself writes down, as far as it came."""

    browser: str = ""
    jail: Jail = Jail()
    load_s: float | None = Field(default=None, description="Seconds to the load event; None where it never came")
    page_height: int | None = None
    shots: tuple[Shot, ...] = ()
    uses: tuple[Use, ...] = ()
    controls: tuple[Control, ...] = ()
    reach: Reach | None = None
    events: tuple[Event, ...] = ()
    errors: tuple[ConsoleError, ...] = ()
    failed: str = Field(default="", description="Why the trial stopped, where it was not the page's doing")
    takes: int = Field(
        default=1, description="How often the shots were taken; again where one was late by the machine's doing"
    )


class Killed(Frozen):
    """What was killed from outside, why, and when (seconds after the trial began)."""

    what: str
    why: str
    at_s: float


class Motion(Frozen):
    """The share of pixels whose largest channel difference is over 8; None where a picture is missing."""

    first: str
    second: str
    share: float | None


class Measurements(Record):
    """`measurements.json`: the record, and what is measured from outside."""

    version: str = VERSION
    motion: tuple[Motion, ...] = ()
    moves: bool | None = None
    below_fold: float | None = Field(default=None, description="Share of the page's height below the first 800 px")
    below_fold_blank: bool | None = Field(default=None, description="Nothing but plain surface down there")
    longest_blank_px: int | None = Field(default=None, description="Height of the tallest plain band below the fold")
    counts: dict[str, int] = Field(
        default_factory=dict, description="Events, and refused requests by kind, of the load that had most; errors"
    )
    killed: tuple[Killed, ...] = ()
    wall_s: float = 0.0

    @model_validator(mode="before")
    @classmethod
    def _of_version_1(cls, told: Any) -> Any:
        """Measurements that a store holds from before: a whole trial was repeated then, not its shots.

        >>> Measurements.model_validate({"version": "1", "attempt": 2}).takes
        2
        """
        if isinstance(told, dict) and "attempt" in told:
            told = {"takes": told["attempt"], **{name: value for name, value in told.items() if name != "attempt"}}
        return told

    @property
    def late_s(self) -> float:
        """The largest lateness of a shot; 0 where none has a moment."""
        return max((s.late_s for s in self.shots if s.late_s is not None), default=0.0)

    @property
    def is_late(self) -> bool:
        """Whether a shot came late by the machine's doing, in the last take or in one before it."""
        return self.takes > 1 or (self.late_s > LATE_S and self.undisturbed)

    @property
    def undisturbed(self) -> bool:
        """The page neither froze nor crashed and nothing was killed: a late shot is then the machine's doing, not the page's."""
        return not self.killed and not any(e.kind in ("frozen", "crashed", "no_load") for e in self.events)


class Collected(Frozen):
    """The folder of a trial, the evidence that stands in it, and what was measured."""

    folder: Path
    files: tuple[str, ...]
    measurements: Measurements
