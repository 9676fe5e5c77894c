"""The door to a browser: which Chromium works here, how it is opened, and the evidence of a page that nobody trusts (A-1, A-11).

The only module that imports Playwright; import it where a page is opened, not at the top of a command.

    collect(html, folder)                 one trial in a process of its own; the folder holds the evidence afterwards
    collect_all(trials, at_once=6)        several side by side
"""

import contextlib
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from playwright.async_api import Browser, Dialog, Error, Frame, Locator, Page, Request, Route, async_playwright

from schemas.errors import UsageError
from schemas.evidence import Collected, Jail, Limits, Trial
from schemas.scenario import Scenario, WordsLanguage

__all__ = [
    "Browser", "Dialog", "Error", "Frame", "Locator", "Page", "Request", "Route", "collect", "collect_all", "find_browser", "missing",
    "open_browser",
]  # fmt: skip

CANDIDATES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")

FLAGS = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-domain-reliability",
    "--disable-features=Translate,MediaRouter,Prerender2,SpeculationRulesPrefetchFuture",
    "--dns-prefetch-disable",
    "--no-pings",
    "--mute-audio",
    "--force-color-profile=srgb",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
)
"""Flags of every launch: nothing in the background, nothing resolved, everything through a proxy that is not there, loopback too."""

DEADLINE_S = 100.0
WRAP_UP_S = 10.0
"""Of the deadline: what a trial keeps for its own end before it is killed."""

AT_ONCE = 6
"""Trials side by side on two cores: more gain little and make shots late (measured)."""


def find_browser() -> Path | None:
    """The executable of a Chromium: Playwright's own where it is installed, else the distribution's; None where there is none."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return _installed(Path(playwright.chromium.executable_path))


def _installed(own: Path) -> Path | None:
    """The executable, given where Playwright's own would be."""
    shells = sorted(own.parents[2].glob("chromium_headless_shell-*/*/*headless[-_]shell"))
    found = [p for p in (*shells, own) if p.exists()]
    if found:
        return found[0]
    return next((Path(path) for name in CANDIDATES if (path := shutil.which(name))), None)


def missing() -> str | None:
    """None where a browser is there, else a sentence that says how to get one."""
    return None if find_browser() else NO_BROWSER


NO_BROWSER = "there is no Chromium: `make setup` installs one (or: apt-get install chromium-headless-shell)"


@contextlib.asynccontextmanager
async def open_browser(scratch: Path, limits: Limits) -> AsyncIterator[tuple[Browser, Jail]]:
    """A browser in the strictest jail that starts here, its profile below the scratch folder; UsageError where there is no browser."""
    from tasks.evidence.jail import WRAPPER, plans

    async with async_playwright() as playwright:
        executable = _installed(Path(playwright.chromium.executable_path))
        if executable is None:
            raise UsageError(NO_BROWSER)
        last: Error | None = None
        for plan in plans(executable, scratch, limits):
            try:
                browser = await playwright.chromium.launch(
                    executable_path=WRAPPER, args=FLAGS, chromium_sandbox=plan.jail.sandbox, env={**plan.environment(executable)},
                    timeout=20_000, handle_sigint=False,
                )  # fmt: skip
            except Error as error:
                last = error
                continue
            try:
                yield browser, plan.jail
            finally:
                with contextlib.suppress(Error):
                    await browser.close()
            return
        raise last or UsageError(NO_BROWSER)


def collect(
    html: bytes,
    folder: Path,
    scenario: Scenario | None = None,
    *,
    language: WordsLanguage = "cs",
    deadline_s: float = DEADLINE_S,
    limits: Limits | None = None,
    in_sequence: bool = False,
) -> Collected:
    """Open a page in a child process, within limits and until a deadline, and leave the evidence of A-1 in the folder.

    Files of A-1 that stand in the folder already are removed; a picture that could not be had is missing, and `measurements.json` says why.
    The page is used while its shots are waited for, or `in_sequence` only afterwards. Nothing that the page does raises; OSError where the
    folder cannot be written.
    """
    from tasks.evidence.folder import file_evidence
    from tasks.evidence.process import Ran, run_trial
    from tasks.evidence.trial import JOB, PAGE, Job

    limits = limits or Limits()
    trial = Trial(html=html, folder=folder, scenario=scenario, language=language)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="zk-", ignore_cleanup_errors=True) as made:
        scratch = Path(made)
        scratch.chmod(0o711)
        if len(html) > limits.html_mb * 2**20:
            return file_evidence(trial, scratch, Ran(), limits)
        (scratch / PAGE).write_bytes(html)
        seconds = max(deadline_s - WRAP_UP_S, deadline_s / 2)
        job = Job(scenario=scenario, language=language, limits=limits, seconds=seconds, in_sequence=in_sequence)
        (scratch / JOB).write_text(job.model_dump_json(), encoding="utf-8")
        return file_evidence(trial, scratch, run_trial(scratch, deadline_s, limits), limits)


def collect_all(
    trials: Iterable[Trial],
    *,
    at_once: int = AT_ONCE,
    deadline_s: float = DEADLINE_S,
    limits: Limits | None = None,
    in_sequence: bool = False,
) -> Iterator[Collected]:
    """Collect trials side by side, each told as soon as it is done: so many at once at most, fewer while shots come late (`tasks.evidence.pace`)."""
    from tasks.evidence.pace import Pace

    pace = Pace(at_once)

    def one(trial: Trial) -> Collected:
        with pace.turn():
            done = collect(
                trial.html, trial.folder, trial.scenario, language=trial.language, deadline_s=deadline_s, limits=limits,
                in_sequence=in_sequence,
            )  # fmt: skip
        pace.heed(was_late=done.measurements.is_late)
        return done

    with ThreadPoolExecutor(max_workers=max(1, at_once)) as pool:
        for done in as_completed([pool.submit(one, trial) for trial in trials]):
            yield done.result()


if __name__ == "__main__":  # `make setup` asks whether a browser is there
    browser_path = find_browser()
    sys.stdout.write(f"browser: {browser_path}\n")
    sys.exit(0 if browser_path else 1)
