"""One fresh load of the page: what it may ask for, what it does, whether it lives, and pictures of it (A-1, A-11).

The page comes as `https://artifact.test/` and is the only thing that it gets; the browser has no network. Its clock starts at the browser's
own load event. A page whose scripts answer nothing for six seconds has them stopped: sooner, and slow WebGL would look frozen.
"""

import asyncio
import base64
import contextlib
import time
from collections.abc import Awaitable
from typing import Any, Literal

from schemas.evidence import HEIGHT, WIDTH, EventKind, Missing
from tasks.browse import Browser, Dialog, Error, Frame, Page, Request, Route
from tasks.evidence.log import Log
from tasks.evidence.scripts import GUARD

URL = "https://artifact.test/"
CONTEXT: dict[str, Any] = {
    "viewport": {"width": WIDTH, "height": HEIGHT}, "device_scale_factor": 1, "locale": "cs-CZ", "timezone_id": "Europe/Prague",
    "color_scheme": "light", "reduced_motion": "no-preference", "accept_downloads": False, "service_workers": "block", "offline": True,
}  # fmt: skip
HANG_S = 6.0
SHOT_S = 12.0
FLOOD = 20
"""Windows of one load after which its scripts are stopped, or twice as many dialogs, where the page got around our caps on those."""

CALM_S = 3.0
RELOADS = 5
PROMPT_ANSWER = "Test"


class Load:
    """A page, freshly loaded in a context of its own (no storage is shared), with its own line to the browser."""

    def __init__(self, browser: Browser, html: bytes, log: Log, name: str) -> None:
        self.browser, self.html, self.log, self.name = browser, html, log, name
        self.begun = time.monotonic()
        self.zero: float | None = None
        self.dead: Missing | None = None
        self.frozen = self.closing = False
        self._loaded = asyncio.Event()
        self._died = asyncio.Event()
        self._served = self._dialogs = self._popups = 0
        self._last_popup = 0.0
        self._watch: asyncio.Task[None] | None = None
        self._running: set[asyncio.Task[Any]] = set()

    async def open(self, limit_s: float) -> "Load":
        """Load the page; wait for its load event, but no longer than the limit. Whatever happens, its clock runs afterwards."""
        self.context = await self.browser.new_context(**CONTEXT)
        await self.context.route("**/*", self._route)
        await self.context.add_init_script(GUARD)
        self.page = await self.context.new_page()
        self._listen()
        self.cdp = await self.context.new_cdp_session(self.page)
        await self.cdp.send("Page.enable")
        self.begun = time.monotonic()
        self.cdp.on("Page.loadEventFired", self._on_load)
        with contextlib.suppress(Error):
            await self.page.goto(URL, wait_until="commit", timeout=10_000)
        self._watch = asyncio.create_task(self._guard())
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._loaded.wait(), limit_s)
        if self.zero is None:
            self.zero = time.monotonic()
            if not self.dead:
                self.note("no_load", f"{limit_s:g} s")
        return self

    def _listen(self) -> None:
        page = self.page
        self.context.on("page", self._on_popup)
        page.on("dialog", self._on_dialog)
        page.on("crash", lambda _: self._die("crashed"))
        page.on("close", lambda _: None if self.closing else self._die("closed"))
        page.on("download", lambda d: self.note("download", d.suggested_filename))
        page.on("filechooser", lambda _: self.note("file_chooser"))
        page.on("websocket", lambda s: self.note("request", f"websocket {s.url}"))
        page.on("framenavigated", self._on_navigated)
        page.on("pageerror", lambda e: self.log.error(self.name, "pageerror", self.now(), str(e)))
        page.on(
            "console",
            lambda m: (
                self.log.error(self.name, "console.error", self.now(), m.text, str(m.location.get("url", "")))
                if m.type == "error"
                else None
            ),
        )

    def now(self) -> float:
        """Seconds after load; 0 before it."""
        return 0.0 if self.zero is None else round(time.monotonic() - self.zero, 3)

    def note(self, kind: EventKind, detail: str = "") -> None:
        """Note what the page did, now."""
        self.log.event(self.name, kind, self.now(), detail)

    async def until(self, moment_s: float) -> None:
        """Wait for a moment after load."""
        await asyncio.sleep(max(0.0, (self.zero or 0.0) + moment_s - time.monotonic()))

    def _on_load(self, event: dict[str, Any]) -> None:
        """The browser's clock is ours (CLOCK_MONOTONIC); where it is not, the moment of the message counts."""
        if self.zero is None:
            now, told = time.monotonic(), float(event.get("timestamp", 0.0))
            self.zero = told if self.begun <= told <= now else now
            self._loaded.set()

    def _die(self, why: Missing) -> None:
        if self.dead is None and not self.closing:
            self.dead = why
            self.note("crashed" if why == "crashed" else "closed")
            self._loaded.set()
            self._died.set()

    async def ask(self, act: Awaitable[Any], limit_s: float) -> Any:
        """The result of an act on the page; None where it fails, takes longer than the limit, or the page dies over it."""
        asked = asyncio.ensure_future(quietly(act, limit_s))
        died = asyncio.ensure_future(self._died.wait())
        await asyncio.wait({asked, died}, return_when=asyncio.FIRST_COMPLETED)
        died.cancel()
        if not asked.done():
            asked.cancel()
            return None
        return asked.result()

    def _later(self, act: Awaitable[Any]) -> None:
        task = asyncio.ensure_future(quietly(act, 3.0))
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    def _on_popup(self, page: Page) -> None:
        if page == self.page:
            return
        self._popups += 1
        self.note("popup")
        self._last_popup = time.monotonic()
        self._later(page.close())
        if self._popups == FLOOD:
            self._later(self.stop_scripts("windows"))

    def _on_dialog(self, dialog: Dialog) -> None:
        self._dialogs += 1
        self.note("dialog", f"{dialog.type}: {dialog.message}")
        if self._dialogs == 2 * FLOOD:
            self._later(self.stop_scripts("dialogs"))
        self._later(dialog.accept(PROMPT_ANSWER) if dialog.type == "prompt" else dialog.accept())

    def _on_navigated(self, frame: Frame) -> None:
        if frame.parent_frame is None and not frame.url.startswith(URL) and self._served and not self.closing:
            self.note("navigation", frame.url)

    async def _route(self, route: Route) -> None:
        with contextlib.suppress(Error):
            await self._answer(route, route.request)

    async def _answer(self, route: Route, request: Request) -> None:
        """The page itself, a few times; 404 for what lies beside it; nothing of anywhere else."""
        url, place = request.url, _place(request, self.page)
        if place == "window":
            await route.abort("aborted")
        elif place == "page" and url.split("#")[0].split("?")[0] == URL:
            self._served += 1
            if self._served > 1:
                self.note("reload", url.removeprefix(URL))
            if self._served > 1 + RELOADS:
                await route.abort("aborted")
            else:
                await route.fulfill(body=self.html, content_type="text/html; charset=utf-8")
        elif place == "page":
            self.note("navigation", url)
            await route.abort("aborted")
        elif url.startswith(URL):
            self.note("missing_file", url.removeprefix(URL))
            await route.fulfill(status=404, body="")
        elif url.startswith(("data:", "blob:")):
            await route.continue_()
        else:
            self.note("request", f"{request.resource_type} {url}")
            await route.abort("blockedbyclient")

    async def _guard(self) -> None:
        """Stop the scripts of a page that answers nothing for `HANG_S`."""
        while not (self.dead or self.closing or self.frozen):
            if not await self.alive(HANG_S) and not (self.closing or self.dead):
                await self.stop_scripts("silence")
            await asyncio.sleep(0.5)

    async def alive(self, limit_s: float) -> bool:
        """Whether the page's scripts leave it a moment to answer."""
        return await self.ask(self.cdp.send("Runtime.evaluate", {"expression": "1"}), limit_s) is not None

    async def stop_scripts(self, why: str) -> None:
        """Forbid further scripts, then end the one that runs; both reach a page whose main thread hangs."""
        if not self.frozen:
            self.frozen = True
            self.note("frozen", why)
        forbid = self.cdp.send("Emulation.setScriptExecutionDisabled", {"value": True})
        await asyncio.gather(quietly(forbid, 2), quietly(self.cdp.send("Runtime.terminateExecution"), 2))

    async def picture(self, height: int | None = None, limit_s: float = SHOT_S) -> bytes | None:
        """The viewport, or the page down to a height, as PNG; None where it cannot be had. A page that draws too slowly is stopped once."""
        words: dict[str, Any] = {"format": "png", "optimizeForSpeed": True}
        if height:
            clip = {"x": 0, "y": 0, "width": WIDTH, "height": height, "scale": 1}
            words |= {"captureBeyondViewport": True, "clip": clip}
        await self._calm()
        for _ in range(2):
            if self.dead:
                return None
            answer = await self._capture(words, limit_s)
            if answer is not None:
                return base64.b64decode(answer["data"])
            if not self.dead:
                await self.stop_scripts("drawing")
        return None

    async def _capture(self, words: dict[str, Any], limit_s: float) -> Any:
        """Ask for a picture, and again where the page loads itself anew meanwhile, since that question is never answered."""
        until = time.monotonic() + limit_s
        while (left := until - time.monotonic()) > 0:
            served = self._served
            asked = asyncio.ensure_future(self.ask(self.cdp.send("Page.captureScreenshot", words), left))
            while not asked.done() and served == self._served:
                await asyncio.wait({asked}, timeout=0.3)
            if asked.done():
                return asked.result()
            asked.cancel()
        return None

    async def _calm(self) -> None:
        """Wait until new windows are closed: while one starts, the browser draws a grey veil over the page that opened it."""
        until = time.monotonic() + CALM_S
        while time.monotonic() < min(until, self._last_popup + 0.5) or (self._running and time.monotonic() < until):
            await asyncio.sleep(0.05)

    def why_no_picture(self) -> Missing:
        """Why the last picture is missing."""
        return self.dead or "slow"

    async def close(self) -> None:
        """End the load; what hangs is left to the browser's end."""
        self.closing = True
        if self._watch:
            self._watch.cancel()
        await quietly(self.context.close(), 4)


def _place(request: Request, page: Page) -> Literal["page", "window", "inside"]:
    """What a request would fill: the page itself, a new window, or something inside the page."""
    if not request.is_navigation_request():
        return "inside"
    try:
        frame = request.frame
    except Error:
        return "window"  # its page is not there yet
    if frame.parent_frame is not None:
        return "inside"
    return "page" if frame == page.main_frame else "window"


async def quietly(act: Awaitable[Any], limit_s: float | None) -> Any:
    """The result of an act; None where the page or the time failed it."""
    try:
        return await asyncio.wait_for(act, limit_s)
    except (Error, TimeoutError):
        return None
