"""One trial, run as the child process `python -m tasks.evidence.trial SCRATCH`: the page by itself and in use, side by side (A-1, A-11).

SCRATCH holds `job.json` and `artifact.html`; the trial adds pictures and `record.json`. It judges nothing and moves nothing: that is done
by whoever started it, who also kills it.
"""

import asyncio
import contextlib
import os
import shutil
import sys
import threading
import time
import traceback
from collections.abc import AsyncIterator
from pathlib import Path

from schemas import readings
from schemas.evidence import Limits
from schemas.exchange import Frozen
from schemas.scenario import Scenario, WordsLanguage
from tasks.browse import Browser, open_browser
from tasks.evidence.load import Load, quietly
from tasks.evidence.log import Log
from tasks.evidence.play import Player
from tasks.evidence.process import Family, kill
from tasks.evidence.timeline import run_timeline

JOB, PAGE = "job.json", "artifact.html"
OUT_OF_TIME = "out of time"
SHOTS_LOAD = "timeline"
FIRST_SHOT_S = 8.0
"""Use of the page begins when the first shot is there, or so long after the start at the latest."""

TAKE_S = 25.0
"""Late shots are taken again while the trial has that much time left: the shots' own 12 s, the whole page, some to spare."""


class Job(Frozen):
    """What a trial is told."""

    scenario: Scenario | None
    language: WordsLanguage
    limits: Limits
    seconds: float
    in_sequence: bool = False


async def run(scratch: Path, job: Job) -> None:
    """The whole trial; whatever happens, the record says how far it came."""
    log = Log()
    log.save(scratch)
    try:
        async with open_browser(scratch, job.limits) as (browser, jail):
            log.browser, log.jail = browser.version, jail
            log.save(scratch)
            await asyncio.wait_for(_both(browser, scratch, job, log), job.seconds)
    except TimeoutError:
        log.failed = OUT_OF_TIME
    except Exception as error:  # noqa: BLE001 - a trial's failure is recorded, never raised into a run
        log.failed = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
        traceback.print_exc()
    log.save(scratch)


async def _both(browser: Browser, scratch: Path, job: Job, log: Log) -> None:
    html = (scratch / PAGE).read_bytes()

    @contextlib.asynccontextmanager
    async def fresh(name: str, limit_s: float) -> AsyncIterator[Load]:
        load = Load(browser, html, log, name)
        try:
            yield await load.open(limit_s)
        finally:
            await load.close()

    begun = asyncio.Event()
    player = Player(fresh, log, scratch, job.language)

    async def use() -> None:
        await quietly(begun.wait(), None if job.in_sequence else FIRST_SHOT_S)
        await (player.play(job.scenario) if job.scenario else player.click_controls())

    async def shots(used: asyncio.Task[None] | None = None) -> None:
        """Late shots are taken again on a new load when the page is used no more, alone in their browser."""
        until = time.monotonic() + job.seconds - TAKE_S
        while not await run_timeline(
            Load(browser, html, log, SHOTS_LOAD),
            log,
            scratch,
            begun,
            is_last=log.takes >= readings.TAKES_OF_SHOTS or time.monotonic() > until,
        ):
            if used:
                await asyncio.wait({used})
            log.take_again(SHOTS_LOAD, scratch)

    if job.in_sequence:
        await shots()
        await use()
        return
    using = asyncio.ensure_future(use())
    for result in await asyncio.gather(shots(using), using, return_exceptions=True):
        if isinstance(result, BaseException):
            log.failed = log.failed or f"{type(result).__name__}: {result}"
            traceback.print_exception(result)


class _Tie(threading.Thread):
    """Ends the trial when its standard input closes: whoever started it is gone, and browser and scratch folder go with it."""

    def __init__(self, scratch: Path) -> None:
        super().__init__(daemon=True)
        self.scratch, self.torn = scratch, threading.Event()

    def run(self) -> None:
        sys.stdin.buffer.read()
        self.torn.set()
        family, until = Family(os.getpid()), time.monotonic() + 2
        while (below := family.look()[1:]) and time.monotonic() < until:
            for pid in below:
                kill(pid)
            time.sleep(0.02)
        shutil.rmtree(self.scratch, ignore_errors=True)
        os._exit(3)


def main(scratch: Path) -> None:
    """Run the job of a scratch folder."""
    tie = _Tie(scratch)
    tie.start()
    asyncio.run(run(scratch, Job.model_validate_json((scratch / JOB).read_text(encoding="utf-8"))))
    if tie.torn.is_set():
        tie.join()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
