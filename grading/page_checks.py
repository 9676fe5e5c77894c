"""The mechanical judge of web pages: what the measurements alone can say, and nothing beyond (A-1, A-5, A-11).

| item          | what is checked                                          | not judged where |
|---------------|----------------------------------------------------------|------------------|
| `page`        | the answer holds one HTML page                            | |
| `load`        | it loads, and neither freezes, crashes nor closes itself  | the browser was not there |
| `console`     | no error of its own in the console                        | it did not load |
| `blank`       | something is to be seen                                   | there is no picture |
| `motion`      | it moves and goes on, where it is meant to move by itself | it is not meant to (A-2) |
| `use-1` …     | the interaction goes through, is heard by a script or     | it moves anyway and is heard; a static page lacks the control |
|               | changes the picture beside the fields it was done in      | |
| `reach`       | a control in the first screen is within reach of the pointer | it has none there |
| `below_fold`  | below the first 800 px it is not plain, nor for a whole screen | nothing lies there |

Whether the page is what was asked for, how good it looks and how it is written no measurement says: left to judges and people.
"""

from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from schemas.artifacts import NO_PAGE
from schemas.artifacts_html import Problem, artifact_of
from schemas.evidence import FULL, HEIGHT, INTERACTIONS, MOVES, SHOTS, Measurements, Shot, Use
from schemas.evidence_row import Evidence
from schemas.grade import Exam

NOT_JUDGED, FINE = "not_judged", "fine"
BROKEN = (NO_PAGE, "no_load", "crashed", "frozen", "closed", "killed", "too_large", "blank")
"""Faults after which nothing of the page works."""

STILL = "still"
"""The fault of a page that never moves though it has to."""

ITEMS = ("page", "load", "console", "blank", "motion", *(f"use-{n}" for n in (1, 2, 3)), "reach", "below_fold")

OURS = frozenset({"no_browser", "time"})
"""Reasons for missing pictures that are no fault of the page."""


AT_LOAD_S = 1.0
"""Errors up to the first shot come of loading."""


class Finding(NamedTuple):
    """One check: `fault` is None where it found nothing; `is_judged` is false where the measurements cannot say."""

    item: str
    is_judged: bool
    fault: str | None = None
    reason: str | None = None


@cache
def _texts() -> dict[str, dict[str, str]]:
    told: dict[str, dict[str, str]] = yaml.safe_load(Path(__file__).with_name("pages.yaml").read_text(encoding="utf-8"))
    return told


def check(exam: Exam) -> list[Finding]:
    """All checks of one answer, in the order of `ITEMS`."""
    say = _Teller("cs" if exam.language == "cs" else "en")
    found = artifact_of(exam.answer.text)
    if isinstance(found, Problem):
        page = say.fault("page", NO_PAGE, told=found.in_language(say.language))
        return [page, *(Finding(item, False) for item in ITEMS[1:])]
    rest = [Finding(item, False) for item in ITEMS[1:]]
    if exam.evidence is not None:
        rest = list(_of_evidence(exam.evidence, exam.truth, say))
    return [Finding("page", True), *rest]


class _Teller:
    """Findings with their reason in one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.texts = _texts()[language]

    def fault(self, item: str, fault: str, **words: Any) -> Finding:
        return Finding(item, True, fault, " ".join(self.texts[fault].format(**words).split())[:500])


def _of_evidence(seen: Evidence, truth: dict[str, Any], say: _Teller) -> Iterator[Finding]:
    measured = seen.measurements
    load = _load(measured, say)
    yield load
    has_loaded = load.is_judged and load.fault is None
    yield _console(measured, say) if has_loaded else Finding("console", False)
    yield _blank(seen, say) if load.is_judged else Finding("blank", False)
    yield _motion(measured, truth, say) if has_loaded else Finding("motion", False)
    uses = {use.number: use for use in measured.uses}
    shots = {shot.name: shot for shot in measured.shots}
    for number, name in enumerate(INTERACTIONS, 1):
        shot = shots.get(name)
        can_say = has_loaded and shot is not None
        yield (
            _Using(measured, truth, say, number).check(shot, uses.get(number))
            if can_say and shot
            else Finding(f"use-{number}", False)
        )
    yield _reach(measured, say) if has_loaded else Finding("reach", False)
    yield _below_fold(measured, say) if has_loaded else Finding("below_fold", False)


def _load(measured: Measurements, say: _Teller) -> Finding:
    kinds = {event.kind for event in measured.events}
    reasons = {shot.missing for shot in measured.shots}
    if measured.killed:
        return say.fault("load", "killed")
    for fault in ("crashed", "frozen", "closed", "no_load"):
        if fault in kinds:
            return say.fault("load", fault)
    if "too_large" in reasons:
        return say.fault("load", "too_large")
    if measured.load_s is None:
        return Finding("load", False) if reasons & OURS or measured.failed else say.fault("load", "no_load")
    return Finding("load", True)


def _console(measured: Measurements, say: _Teller) -> Finding:
    own = [error for error in measured.errors if not error.of_isolation]
    return say.fault("console", "console_errors", n=len(own), told=own[0].text) if own else Finding("console", True)


def _blank(seen: Evidence, say: _Teller) -> Finding:
    pictures = [f.is_one_colour for name in (*SHOTS, FULL) if (f := seen.file(name)) is not None]
    if not pictures:
        return Finding("blank", False)
    return say.fault("blank", "blank") if all(pictures) else Finding("blank", True)


def _motion(measured: Measurements, truth: dict[str, Any], say: _Teller) -> Finding:
    if not truth["moves_by_itself"] or measured.moves is None:
        return Finding("motion", False)
    if not measured.moves:
        return say.fault("motion", STILL)
    last = measured.motion[-1].share if measured.motion else None
    return say.fault("motion", "stopped") if last is not None and last < MOVES else Finding("motion", True)


class _Using:
    """One interaction: a click of A-3, or a scenario's steps."""

    def __init__(self, measured: Measurements, truth: dict[str, Any], say: _Teller, number: int) -> None:
        self.measured, self.truth, self.number = measured, truth, number
        self.item = f"use-{number}"
        self.fault: Callable[..., Finding] = lambda fault, **words: say.fault(self.item, fault, n=number, **words)

    def check(self, shot: Shot, use: Use | None) -> Finding:
        """What came of it."""
        if shot.missing == "no_control":
            return Finding(self.item, False) if self.truth["is_static"] else self.fault("no_control")
        if shot.missing in ("control_gone", "frozen", "crashed", "closed"):
            return self.fault(shot.missing)
        if use is None or shot.missing:
            return Finding(self.item, False)
        failed = [a.says for a in use.actions if a.outcome in ("not_found", "failed", "not_seen")]
        if failed:
            return self.fault("step_failed", told=failed[0])
        if use.failed:
            return self.fault("click_failed", told=use.failed)
        return self._effect(use)

    def _effect(self, use: Use) -> Finding:
        """What a use that went through has done: what moves anyway changes whatever is done, so there only silence is told."""
        elsewhere = use.changed if use.elsewhere is None else use.elsewhere
        if elsewhere is None or (self.measured.moves and elsewhere >= MOVES):
            return self.fault("deaf") if use.heard is False else Finding(self.item, False)
        is_link = use.control is not None and use.control.anchor
        if elsewhere < MOVES:
            return Finding(self.item, False) if is_link else self.fault("dead")
        return Finding(self.item, True)


def _reach(measured: Measurements, say: _Teller) -> Finding:
    if measured.reach is not None and measured.reach.controls:
        is_shut = measured.reach.covered == measured.reach.controls
        return say.fault("reach", "covered", told=measured.reach.by) if is_shut else Finding("reach", True)
    found = [c for c in measured.controls if c.rejected not in ("hidden", "disabled", "not_tried")]
    if not found:
        return Finding("reach", False)
    covered = [c for c in found if c.rejected == "covered"]
    if len(covered) == len(found):
        return say.fault("reach", "covered", told=covered[0].by or covered[0].label)
    return Finding("reach", True)


def _below_fold(measured: Measurements, say: _Teller) -> Finding:
    if not measured.below_fold or measured.below_fold_blank is None:
        return Finding("below_fold", False)
    if measured.below_fold_blank:
        return say.fault("below_fold", "empty_below_fold", n=round(100 * measured.below_fold))
    if (measured.longest_blank_px or 0) >= HEIGHT:
        return say.fault("below_fold", "blank_screen", n=measured.longest_blank_px)
    return Finding("below_fold", True)


def throws_at_load(exam: Exam) -> bool:
    """Whether the page throws an error of its own on every load, before anything is done with it."""
    errors = exam.evidence.measurements.errors if exam.evidence else ()
    return any(
        e.kind == "pageerror" and not e.of_isolation and "timeline" in e.loads and e.at_s <= AT_LOAD_S for e in errors
    )
