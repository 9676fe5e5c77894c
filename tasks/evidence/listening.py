"""Whether any script listens where the page is used: what nothing listens to is dead, also on a page that moves anyway (A-1).

A listener says that something may happen, no more; that there is none says that nothing can. Asked of the browser, not of the page.
"""

import asyncio
from typing import Any

from tasks.browse import Error, Locator
from tasks.evidence.load import Load

KINDS = frozenset(
    {"click", "dblclick", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "touchend", "change", "input", "submit"}
    | {"keydown", "keyup", "keypress", "beforeinput"}
)  # fmt: skip
"""Events of a use: a listener of one of these kinds hears it."""

OURS = "__playwright"
"""Begins the name of an event that the browser's driver listens to in each script of its own; its other listeners are not the page's."""

DEEPEST = 40
LIMIT_S = 3.0
NATIVE = "summary, a[href], a[href] *, summary *"
"""What the browser itself answers for, without a script."""


async def is_heard(load: Load, target: Locator | None) -> bool | None:
    """Whether the target, or without one what has the focus, or anything around it listens; None where it cannot be found out.

    Links and folding summaries answer by themselves, so nothing is said of them.
    """
    try:
        return await asyncio.wait_for(_ask(load, target), LIMIT_S)
    except (Error, TimeoutError, KeyError):
        return None


async def _ask(load: Load, target: Locator | None) -> bool | None:
    if target is not None and await target.evaluate(f"e => e.matches({NATIVE!r})", timeout=1000):
        return None
    held: Any = await _held(load, target)
    for _ in range(DEEPEST):
        if held is None:
            break
        if await _listens(load, held):
            return True
        held = await _object(
            load, "Runtime.callFunctionOn", objectId=held, functionDeclaration="function () { return this.parentNode; }"
        )
    window = await _object(load, "Runtime.evaluate", expression="window")
    return window is not None and await _listens(load, window)


async def _held(load: Load, target: Locator | None) -> str | None:
    """The browser's handle of the element that an act would meet."""
    if target is None:
        return await _object(load, "Runtime.evaluate", expression="document.activeElement || document.body")
    box = await target.bounding_box(timeout=1000)
    if box is None:
        return None
    x, y = int(box["x"] + box["width"] / 2), int(box["y"] + box["height"] / 2)
    found = await load.cdp.send("DOM.getNodeForLocation", {"x": x, "y": y})
    told = await load.cdp.send("DOM.resolveNode", {"backendNodeId": found["backendNodeId"]})
    return str(told["object"]["objectId"])


async def _object(load: Load, method: str, **words: Any) -> str | None:
    told: Any = await load.cdp.send(method, words)
    found: str | None = told["result"].get("objectId")
    return found


async def _listens(load: Load, held: str) -> bool:
    told = await load.cdp.send("DOMDebugger.getEventListeners", {"objectId": held})
    ours = {listener["scriptId"] for listener in told["listeners"] if listener["type"].startswith(OURS)}
    return any(one["type"] in KINDS and one["scriptId"] not in ours for one in told["listeners"])
