"""How the browser is held: as which user, in which namespaces, within which limits, as far as this machine allows (A-11).

Root starts it as a user that owns nothing, with the browser's own sandbox on; a user namespace lets anyone take the network away. A process
namespace ends all of the browser's processes with one kill. Chromium's sandbox crashes where RLIMIT_DATA is lower than its own 16 GB when it
starts, so with the sandbox on that limit is set from outside, afterwards (`tasks.evidence.process`).
"""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from schemas.evidence import Jail, Limits

WRAPPER = Path(__file__).with_name("jail.sh")
FIRST_USER, USERS = 61_184, 4_000
"""Numbers that systemd sets aside for passing users: each trial takes one of its own, so RLIMIT_NPROC counts it alone."""

ENDS_WITH_PARENT = "setpriv --pdeathsig KILL"
NAMESPACES = "--pid --fork --kill-child=KILL --mount-proc"
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


@dataclass(frozen=True)
class Plan:
    """A jail, the command that makes it (in front of the browser's), and the environment that the browser gets."""

    jail: Jail
    command: str

    def environment(self, browser: Path) -> dict[str, str]:
        """All that the browser sees of the environment."""
        return {
            "PATH": PATH, "LANG": "C.UTF-8", "ZK_BROWSER": str(browser), "ZK_JAIL": self.command, "ZK_USER": str(self.jail.user or ""),
        }  # fmt: skip


BARE = Plan(Jail(), "")
"""No jail but the browser's flags, where nothing else works."""


def plans(browser: Path, scratch: Path, limits: Limits) -> list[Plan]:
    """Jails to try, the strictest first; the last always starts."""
    if not sys.platform.startswith("linux") or not _works("setpriv --pdeathsig KILL prlimit --core=0 true"):
        return [BARE]
    user = FIRST_USER + os.getpid() % USERS if os.getuid() == 0 else None
    drop = (
        f"{ENDS_WITH_PARENT} --reuid {user} --regid {user} --clear-groups --no-new-privs" if user else ENDS_WITH_PARENT
    )
    if user and not _works(drop, "test", "-x", str(browser), "-a", "-x", str(scratch)):
        user, drop = None, ENDS_WITH_PARENT
    apart, network, processes = _namespaces()
    sandbox = os.getuid() != 0 or user is not None
    sandbox = sandbox and _works(f"{apart} {drop} unshare --user --pid --net --fork true")
    jail = Jail(user=user, sandbox=sandbox, network=network, processes=processes)
    wanted = [jail, jail.model_copy(update={"sandbox": False})] if sandbox else [jail]
    return [*(Plan(j, f"{ENDS_WITH_PARENT} {apart} nice -n 5 {_limit(j, limits)} {drop}") for j in wanted), BARE]


def _namespaces() -> tuple[str, bool, bool]:
    """The words that take network and processes apart, and whether each of the two is."""
    enter = "unshare --net" if os.getuid() == 0 else "unshare --user --map-current-user --net"
    if _works(f"{enter} {NAMESPACES} true"):
        return f"{enter} {NAMESPACES}", True, True
    return (enter, True, False) if _works(f"{enter} true") else ("", False, False)


def _limit(jail: Jail, limits: Limits) -> str:
    """The words that set limits: no core dumps; processes where a user of its own makes the count its own; data where no sandbox forbids it."""
    words = ["prlimit", "--core=0"]
    if jail.user:
        words.append(f"--nproc={limits.processes}")
    if not jail.sandbox:
        words.append(f"--data={limits.memory_mb * 2**20}")
    return " ".join(words)


def _works(command: str, *more: str) -> bool:
    """Whether a command can be run here."""
    try:
        done = subprocess.run([*command.split(), *more], capture_output=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
