"""The page by itself: three pictures of the viewport at their moments, then the whole page, scrolled through first (A-1)."""

import asyncio
import time
from pathlib import Path
from typing import Any

from schemas.evidence import FULL, FULL_MOST, HEIGHT, LATE_S, SHOTS, Reach, Shot
from tasks.evidence.load import SHOT_S, Load, quietly
from tasks.evidence.log import Log
from tasks.evidence.scripts import REACH

LOAD_S = 30.0
SCROLL_PX, SCROLL_S = 700, 8.0
FULL_S = 20.0


async def run_timeline(load: Load, log: Log, scratch: Path, begun: asyncio.Event, *, is_last: bool = True) -> bool:
    """Take the pictures of one load; `begun` is set when the first is there, so that nothing else disturbs it.

    Where it is not the last take, it ends at the first shot that is late by the machine's doing. Whether all of it was taken.
    """
    try:
        await load.open(LOAD_S)
        came = not any(e.kind == "no_load" for e in log.events.values() if e.load == load.name)
        log.load_s = round((load.zero or load.begun) - load.begun, 3) if came and not load.dead else None
        for name, due_s in SHOTS.items():
            await load.until(due_s)
            await _shoot(load, log, scratch, name, due_s)
            if not is_last and came and not (load.dead or load.frozen) and (log.shots[name].late_s or 0) > LATE_S:
                return False
            begun.set()
        log.reach = await _reach(load)
        await _whole(load, log, scratch)
        return True
    finally:
        begun.set()
        await load.close()


async def _shoot(
    load: Load, log: Log, scratch: Path, name: str, due_s: float | None, height: int | None = None
) -> None:
    """One picture, or the reason why it is missing."""
    begun_s = load.now()
    image = await load.picture(height, FULL_S if height else SHOT_S)
    if image is None:
        log.shots[name] = Shot(name=name, due_s=due_s, begun_s=begun_s, missing=load.why_no_picture())
    else:
        (scratch / name).write_bytes(image)
        log.shots[name] = Shot(name=name, due_s=due_s, begun_s=begun_s, taken_s=load.now())
    log.save(scratch)


async def _whole(load: Load, log: Log, scratch: Path) -> None:
    """Scroll down through the page, so that what waits for that appears; back up; then picture all of it, down to `FULL_MOST`."""
    if not load.dead and not load.frozen:
        done = await load.ask(_scroll(load), SCROLL_S + 4)
        if done is None and not load.dead:
            await load.stop_scripts("scrolling")
    log.page_height = height = await _height(load)
    if height and height > FULL_MOST:
        load.note("capped", f"{height} px")
    await _shoot(load, log, scratch, FULL, None, min(max(height or HEIGHT, HEIGHT), FULL_MOST))


async def _height(load: Load) -> int | None:
    """The height of the content as the browser lays it out, whatever the page says of itself."""
    answer = None if load.dead else await load.ask(load.cdp.send("Page.getLayoutMetrics"), 6)
    return None if answer is None else int(answer["cssContentSize"]["height"])


async def _world(load: Load) -> int:
    """A world of scripts on the page that the page cannot change."""
    frame = (await load.cdp.send("Page.getFrameTree"))["frameTree"]["frame"]["id"]
    return int((await load.cdp.send("Page.createIsolatedWorld", {"frameId": frame}))["executionContextId"])


async def _reach(load: Load) -> Reach | None:
    """Which controls of the viewport the pointer reaches; None where the page does not tell."""
    if load.dead or load.frozen:
        return None

    async def ask() -> Any:
        words = {"expression": REACH, "contextId": await _world(load), "returnByValue": True}
        return await load.cdp.send("Runtime.evaluate", words)

    match ((await load.ask(ask(), 4)) or {}).get("result", {}).get("value"):
        case [int() as controls, int() as covered, str() as by]:
            return Reach(controls=controls, covered=covered, by=by)
    return None


async def _scroll(load: Load) -> bool:
    """By the wheel, which also moves an inner pane, and by position, in a world that the page cannot change."""
    world = await _world(load)

    async def to(y: int) -> None:
        words = f"window.scrollTo({{top: {y}, behavior: 'instant'}})"
        await load.cdp.send("Runtime.evaluate", {"expression": words, "contextId": world})

    until, y = time.monotonic() + SCROLL_S, 0
    while y < min(await _height(load) or 0, FULL_MOST) and time.monotonic() < until:
        y += SCROLL_PX
        await quietly(load.page.mouse.wheel(0, SCROLL_PX), 1)
        await to(y)
        await asyncio.sleep(0.12)
    await asyncio.sleep(0.5)
    await to(0)
    await asyncio.sleep(0.3)
    return True
