"""The page in use: a click on each of three controls, or the interactions of a scenario, each on a fresh load (A-1, A-3, A-4)."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from schemas.evidence import Action, Box, Control, Missing, Outcome, Rejection, Shot, Use
from schemas.scenario import Interaction, Scenario, Step, Words, WordsLanguage
from tasks.browse import Error, Locator
from tasks.evidence.controls import AGAIN_S, WANTED, choose_controls, locate, reason_of
from tasks.evidence.listening import is_heard
from tasks.evidence.load import Load
from tasks.evidence.log import Log, aimed_name

LOAD_S = 10.0
SETTLE_S = 0.7
"""Between load and the first act: entrances fade in, handlers get attached."""

AFTER_S = 1.0
CLICK_MS = 2000
SENT = "performing click action"
"""Playwright's word that a click went out, whatever the page made of it."""

ACTS = frozenset({"click", "press", "type"})
FIELDS = "input, select, textarea, [contenteditable]"
"""What the browser draws anew by itself when it is used: what is typed, ticked, moved."""

Fresh = Callable[[str, float], AbstractAsyncContextManager[Load]]
"""Opens a fresh load under a name, waiting for its load event no longer than the seconds given."""


class Player:
    """Everything that a use of the page needs: fresh loads of it, the log, the place for pictures."""

    def __init__(self, fresh: Fresh, log: Log, scratch: Path, language: WordsLanguage) -> None:
        self.fresh, self.log, self.scratch, self.language = fresh, log, scratch, language

    async def click_controls(self) -> None:
        """Choose the controls on a load of their own, then click each on a fresh one; say so where there are fewer than three."""
        async with self.fresh("controls", LOAD_S) as load:
            await asyncio.sleep(SETTLE_S)
            found = [] if load.dead or load.frozen else await choose_controls(load)
            spoilt: Missing | None = load.dead or ("frozen" if load.frozen else None)
        self.log.controls = found
        chosen = [c for c in found if c.rejected is None]
        for number in range(1, WANTED + 1):
            if number <= len(chosen):
                await self._click(number, chosen[number - 1])
            else:
                self._miss(Use(number=number), spoilt or "no_control")

    async def _click(self, number: int, control: Control) -> None:
        use = Use(number=number, control=control)
        async with self.fresh(f"interact-{number}", LOAD_S) as load:
            await asyncio.sleep(SETTLE_S)
            target = locate(load, control)
            if await load.ask(target.count(), 3) != 1:  # it may load itself anew just now
                await asyncio.sleep(AGAIN_S)
            if await load.ask(target.count(), 3) != 1:
                self._miss(use, load.dead or ("frozen" if load.frozen else "control_gone"))
                return
            await load.ask(target.hover(timeout=1000), 1.5)
            await asyncio.sleep(0.2)
            await self._before(load, number)
            heard = await is_heard(load, target)
            failed = await click(target, CLICK_MS)
            await asyncio.sleep(AFTER_S)
            await self._after(load, use.model_copy(update={"failed": failed and failed[0], "heard": heard}))

    async def play(self, scenario: Scenario) -> None:
        """The interactions of a scenario, one after another."""
        for number, interaction in enumerate(scenario.interactions, 1):
            async with self.fresh(f"interact-{number}", LOAD_S) as load:
                await asyncio.sleep(SETTLE_S)
                await self._before(load, number)
                touch = Touch(self.scratch / aimed_name(number))
                actions = await self._steps(load, interaction, touch)
                use = Use(number=number, says=interaction.says.of(self.language), actions=actions)
                await self._after(
                    load, use.model_copy(update={"fields": await touch.boxes(load), "heard": touch.heard})
                )

    async def _steps(self, load: Load, interaction: Interaction, touch: "Touch") -> tuple[Action, ...]:
        done = []
        last = max((n for n, step in enumerate(interaction.steps) if step.kind in ACTS), default=None)
        for place, step in enumerate(interaction.steps):
            if load.dead or load.frozen:
                break
            touch.is_last = place == last
            outcome = await self._step(load, step, touch)
            done.append(Action(kind=step.kind, says=step.says.of(self.language), outcome=outcome))
        return tuple(done)

    async def _step(self, load: Load, step: Step, touch: "Touch") -> Outcome:
        if step.unless and await self._sees(load, step.unless):
            return "skipped"
        if step.kind == "wait":
            await asyncio.sleep(step.seconds)
            return "done"
        if step.kind == "look" and step.text:
            return "seen" if await self._sees(load, step.text) else "not_seen"
        if step.kind == "press":
            await touch.note(load, None)
            return await self._press(load, step)
        target = await find(load, step.target)
        if target is None:
            return "skipped" if step.optional else "not_found"
        await touch.note(load, target)
        if step.kind == "type" and step.text:
            passed = await settles(target.fill(step.text.of(self.language), timeout=CLICK_MS), CLICK_MS / 1000 + 1)
        else:
            passed = await click(target, CLICK_MS) is None
            await asyncio.sleep(step.seconds)
        return "done" if passed else "failed"

    async def _press(self, load: Load, step: Step) -> Outcome:
        passed = True
        for key in step.keys:
            passed = await settles(load.page.keyboard.press(key), 2) and passed
            await asyncio.sleep(step.seconds)
        return "done" if passed else "failed"

    async def _sees(self, load: Load, text: Words) -> bool:
        """Whether the text is visible on the page; what stands in a field is not."""
        seen = load.page.get_by_text(text.of(self.language)).first
        return bool(await load.ask(seen.is_visible(), 1.5))

    async def _before(self, load: Load, number: int) -> None:
        if image := await load.picture():
            (self.scratch / f"before-{number}.png").write_bytes(image)

    async def _after(self, load: Load, use: Use) -> None:
        """The picture after the act. A page that hangs is freed meanwhile by its guard."""
        name = f"interact-{use.number}.png"
        begun_s = load.now()
        image = await load.picture()
        if image is None:
            self._miss(use.model_copy(update={"froze": load.frozen}), load.why_no_picture())
            return
        (self.scratch / name).write_bytes(image)
        self.log.shots[name] = Shot(name=name, begun_s=begun_s, taken_s=load.now())
        self._keep(use.model_copy(update={"froze": load.frozen}))

    def _miss(self, use: Use, why: Missing) -> None:
        name = f"interact-{use.number}.png"
        self.log.shots[name] = Shot(name=name, missing=why)
        self._keep(use)

    def _keep(self, use: Use) -> None:
        self.log.uses.append(use)
        self.log.save(self.scratch)


class Touch:
    """What one interaction touches: the fields among it, whether anything listens there, and how the page looks before the last act."""

    def __init__(self, aimed: Path) -> None:
        self.aimed, self.is_last = aimed, False
        self.heard: bool | None = None
        self._fields: list[Locator] = []
        self._boxes: list[Box] = []

    async def note(self, load: Load, target: Locator | None) -> None:
        """Remember a target before it is used; None: a key goes to whatever has the focus. One that is heard is enough."""
        if self.heard is not True:
            heard = await is_heard(load, target)
            self.heard = self.heard if heard is None else heard
        if (
            target is not None
            and await load.ask(target.evaluate(f"e => e.matches({FIELDS!r})", timeout=1000), 1.5) is True
        ):
            self._fields.append(target)
            await self._measure(load, target)
        if self.is_last:
            await self._aim(load, target)

    async def _aim(self, load: Load, target: Locator | None) -> None:
        """Picture the page right before the last act, scrolled there and under the pointer already: what that alone changes is no answer."""
        if target is not None:
            await load.ask(target.hover(timeout=1000), 1.5)
            await asyncio.sleep(0.3)
        if image := await load.picture():
            self.aimed.write_bytes(image)

    async def boxes(self, load: Load) -> tuple[Box, ...]:
        """Where the fields stood before they were used, and where they stand now."""
        for target in self._fields:
            await self._measure(load, target)
        return tuple(dict.fromkeys(self._boxes))

    async def _measure(self, load: Load, target: Locator) -> None:
        if box := await load.ask(target.bounding_box(timeout=500), 1):
            self._boxes.append(Box.model_validate(dict(box)))


async def find(load: Load, selectors: tuple[str, ...]) -> Locator | None:
    """The first visible element of the first selector that has one."""
    for selector in selectors:
        found = load.page.locator(selector)
        for place in range(min(5, await load.ask(found.count(), 1.5) or 0)):
            if await load.ask(found.nth(place).is_visible(), 1):
                return found.nth(place)
    return None


async def click(target: Locator, limit_ms: float) -> tuple[Rejection, str] | None:
    """Click; None where it went through, else the reason and what covers the target."""
    try:
        await asyncio.wait_for(target.click(timeout=limit_ms, no_wait_after=True), limit_ms / 1000 + 1)
    except TimeoutError:
        return None  # the click went out, and the page has not answered since
    except Error as error:
        return None if SENT in str(error) else reason_of(str(error))
    return None


async def settles(act: Awaitable[object], limit_s: float) -> bool:
    """Whether an act went through in time."""
    try:
        await asyncio.wait_for(act, limit_s)
    except (Error, TimeoutError):
        return False
    return True
