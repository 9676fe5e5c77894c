"""What the report is made of: rows that may be shown, gathered by the task that reads the store."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal

from profiles.claims import Overview
from profiles.filters import FilterLine
from profiles.page_agreement import Point
from schemas.case import Case
from schemas.evidence import Measurements
from schemas.grade import Grade
from schemas.profile import Profile
from schemas.status import GRADED
from schemas.system import System
from schemas.tendency import Tendency

MOST_CASES = 200
"""Public cases shown on the page."""


@dataclass(frozen=True)
class Reply:
    """One system on one public case: its profile and the grades of its items; no profile where it was not asked.

    Where a suite is judged the grades are those of all judges and passes, and text is the answer itself.
    """

    profile: Profile | None = None
    grades: tuple[Grade, ...] = ()
    text: str | None = None


@dataclass(frozen=True)
class ShownCase:
    """A public case with its picture (None at the level text) and what each system made of it, by system id."""

    case: Case
    picture: bytes | None
    replies: Mapping[str, Reply]


@dataclass(frozen=True)
class ShownPage:
    """One answer that is a page: its evidence, pictures by name (PNG, or WebP as they are shown at most), and what everybody gave it.

    words: what was tried and what happened. has_evidence: whether its page could be opened. is_control: its grade is known beforehand, so
    it belongs to no standing (S-5). measured: what was measured when it was opened (A-11).
    """

    system: str
    case_id: str
    trial: int
    text: str
    grades: tuple[Grade, ...]
    pictures: Mapping[str, bytes]
    words: Sequence[str] = ()
    has_evidence: bool = True
    is_control: bool = False
    measured: Measurements | None = None


@dataclass(frozen=True)
class Signature:
    """Who signed the ranking, when, and over which grades: their hash; `is_current` is false where grades have changed since (A-9)."""

    who: str
    when: str
    grades_hash: str
    n_grades: int
    is_current: bool


@dataclass(frozen=True)
class ShownRun:
    """One run of a conversation: its profile, the answers turn by turn, and the grades of all judges about it."""

    profile: Profile
    replies: tuple[str, ...]
    truncated_turns: tuple[int, ...]
    grades: tuple[Grade, ...]


@dataclass(frozen=True)
class Older:
    """An edition that is not shown in full: its id and its rows of the dimensions overall and language."""

    edition: str
    rows: tuple[Tendency, ...]


@dataclass(frozen=True)
class Section:
    """One suite on the page, in its newest edition.

    left_out: by system, how many public documents are not scored for which reason (`reasons`); n_public: public cases in all; taxes:
    by system, its language tax by language (D-18), from which costs in languages without documents are estimated
    (D-19); prompts: what judges are asked, word for word, by the name of its file; overview: what the public may see of the jury, where
    the suite is one of claims (J-6); method: the page on its method in Markdown, by language; pages: all trials, where answers are pages
    that were opened; signature: of the ranking, where a person signed it; history: how far judges
    were from people, run after run (A-10).
    """

    suite: str
    edition: str
    rows: tuple[Tendency, ...]
    systems: Mapping[str, System]
    cases: tuple[ShownCase, ...] = ()
    n_public: int = 0
    left_out: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    older: tuple[Older, ...] = ()
    taxes: Mapping[str, Mapping[str, Decimal]] = field(default_factory=dict)
    prompts: Mapping[str, str] = field(default_factory=dict)
    overview: Overview | None = None
    method: Mapping[str, str] = field(default_factory=dict)
    pages: tuple[ShownPage, ...] = ()
    signature: Signature | None = None
    history: tuple[Point, ...] = ()
    runs: tuple[ShownRun, ...] = ()
    """Runs of conversations, in the order of system, case and trial, where the suite is one of conversations."""
    filters: tuple[FilterLine, ...] = ()
    """Where filters stopped systems, by message (M-6)."""


def with_taxes(sections: Sequence[Section]) -> list[Section]:
    """The sections, each with the language taxes that any of them measured, as far as its own systems have one (D-18, D-19).

    Of several editions the one in which the most paragraphs were counted decides, then the newest. A tax has nine decimals, as many as money has.
    """
    rows = [r for s in sections for some in (s.rows, *(older.rows for older in s.older)) for r in some]
    measured = [r for r in rows if r.metric == "language_tax" and r.value is not None]
    taxes: dict[str, dict[str, Decimal]] = {}
    for row in sorted(measured, key=lambda r: -r.n_documents):
        taxes.setdefault(row.system_id, {}).setdefault(row.group_name, round(Decimal(repr(row.value)), 9))
    return [replace(s, taxes={system: taxes[system] for system in s.systems if system in taxes}) for s in sections]


def reasons(kinds: Mapping[str, str], statuses: Mapping[str, str], system: System) -> dict[str, int]:
    """Why public documents of a system are not scored, and how many (G-11); the keys are the texts `reason.…`.

    kinds: `text` or `image` by case; statuses: of the answers there are. A case without an answer was not asked: `takes_no_image`
    (or text) where the system cannot take it, else `not_asked`.
    """
    found: Counter[str] = Counter()
    for case_id, kind in kinds.items():
        status = statuses.get(case_id)
        if status is None:
            found["not_asked" if kind in system.inputs else f"takes_no_{kind}"] += 1
        elif status not in GRADED:
            found[status] += 1
    return dict(sorted(found.items()))


def choose(public: Iterable[str], faulty: frozenset[str], most: int = MOST_CASES) -> list[str]:
    """Which cases are shown: those where some system erred first, otherwise in the order of their ids, so no error is picked for its looks.

    >>> choose(["a", "b", "c"], frozenset("c"), 2)
    ['c', 'a']
    """
    return sorted(public, key=lambda case_id: (case_id not in faulty, case_id))[:most]


def newest(places: Sequence[tuple[str, str, float]]) -> str:
    """The edition to show among (edition, newest date of a run, time of its manifest): the latest run, then the latest manifest."""
    return max(places, key=lambda place: (place[1], place[2], place[0]))[0]
