"""The three controls that a page is tried by, always the same ones for the same page (A-3).

Real controls come first, in the order of the document; only then links inside the page. A control counts when Playwright's trial click
passes: visible, stable, enabled, and the one that gets the pointer's events. Trials are counted, not timed, so that a slow machine chooses
the same controls.
"""

import asyncio
import re
from typing import Any

from schemas import readings
from schemas.evidence import Control, Rejection
from tasks.browse import Error, Locator
from tasks.evidence.load import Load
from tasks.evidence.scripts import SCAN

REAL = readings.REAL_CONTROLS
ANCHOR = readings.INNER_LINKS
WANTED = 3
TRIAL_MS = 1500
REJECTED_MOST = 10
"""Trial clicks that may fail before the rest is left untried: each costs a second and a half."""

AGAIN_S = 1.5

_COVER = re.compile(r"(<[^>]{1,100}>)[^\n]{0,80}?(?: from [^\n]{0,120}?)? intercepts pointer events")
_REASONS: tuple[tuple[str, Rejection], ...] = (
    ("not stable", "not_stable"), ("not enabled", "disabled"), ("not visible", "hidden"), ("outside of the viewport", "outside"),
    ("detached", "vanished"), ("not attached", "vanished"),
)  # fmt: skip


def locate(load: Load, control: Control) -> Locator:
    """The control on a load of its page: the element of the same number."""
    return load.page.locator(ANCHOR if control.anchor else REAL).nth(control.place)


async def choose_controls(load: Load) -> list[Control]:
    """All controls of the page in their order, the first three that pass without a reason, the others with one."""
    found = [c for anchor in (False, True) for c in await _scan(load, anchor=anchor)]
    out: list[Control] = []
    failed = passed = 0
    for control in found:
        if control.rejected is None:
            if passed == WANTED:
                break
            if failed == REJECTED_MOST or load.frozen or load.dead:
                control = control.model_copy(update={"rejected": "not_tried"})
            else:
                control = await _try(load, control)
                failed, passed = failed + (control.rejected is not None), passed + (control.rejected is None)
        out.append(control)
    return out


async def _scan(load: Load, *, anchor: bool) -> list[Control]:
    """The elements of one selector; hidden and disabled ones are told without a trial. What a page makes of the list is checked."""
    found = load.page.locator(ANCHOR if anchor else REAL)
    rows: Any = await load.ask(found.evaluate_all(SCAN), 4)
    if not isinstance(rows, list) and not (
        load.dead or load.frozen
    ):  # it loaded itself anew, or it changed what scripts can do
        await asyncio.sleep(AGAIN_S)
        rows = await load.ask(_one_by_one(found), 8)
    out = []
    for place, row in enumerate(rows if isinstance(rows, list) else []):
        match row:
            case [str() as tag, str() as label, bool() as hidden, bool() as disabled]:
                reason: Rejection | None = "hidden" if hidden else "disabled" if disabled else None
                out.append(Control(tag=tag[:40], label=label[:60], place=place, anchor=anchor, rejected=reason))
            case _:
                continue
    return out


async def _one_by_one(found: Locator) -> list[list[str | bool]]:
    """The same list by questions that the page's scripts cannot change; their tags stay unknown."""
    out: list[list[str | bool]] = []
    for place in range(min(await found.count(), 30)):
        one = found.nth(place)
        label = " ".join((await one.inner_text(timeout=TRIAL_MS)).split()) if await one.is_visible() else ""
        out.append(["", label, not await one.is_visible(), await one.is_disabled(timeout=TRIAL_MS)])
    return out


async def _try(load: Load, control: Control) -> Control:
    """The control after its trial click."""
    try:
        await asyncio.wait_for(locate(load, control).click(trial=True, timeout=TRIAL_MS), TRIAL_MS / 1000 + 2)
    except (Error, TimeoutError) as error:
        reason, by = reason_of(str(error))
        return control.model_copy(update={"rejected": reason, "by": by})
    return control


def reason_of(message: str) -> tuple[Rejection, str]:
    """Why a click did not pass, by Playwright's words, and the element that covers it.

    The last obstacle counts: what is first unstable and then covered is covered.

    >>> reason_of('- <div class="veil"></div> intercepts pointer events')
    ('covered', '<div class="veil">')
    >>> reason_of("- element is not stable")
    ('not_stable', '')
    >>> reason_of("Timeout 1500ms exceeded.")
    ('busy', '')
    """
    places: list[tuple[int, Rejection, str]] = [(message.rfind(words), reason, "") for words, reason in _REASONS]
    places += [(found.start(), "covered", found[1]) for found in _COVER.finditer(message)]
    place, reason, by = max(places, key=lambda p: p[0])
    if place < 0:
        return ("busy" if not message or "Timeout" in message else "other"), ""
    return reason, by
