"""A PostgreSQL of its own in a temporary folder, started without a container and without root."""

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from server_support import free_port

DEBIAN = Path("/usr/lib/postgresql")


def programs() -> Path | None:
    """The folder of `initdb` and `postgres`: Debian's newest, else that of PATH; None where there is none."""
    found = [p for p in sorted(DEBIAN.glob("*/bin"), key=lambda p: float(p.parent.name)) if (p / "initdb").exists()]
    if found:
        return found[-1]
    there = shutil.which("initdb")
    return Path(there).resolve().parent if there and shutil.which("postgres") else None


class Postgres:
    """A database cluster that trusts this machine; `url` is what Prefect's server connects to."""

    def __init__(self, bins: Path) -> None:
        self.bins, self.port = bins, free_port()
        self.url = f"postgresql+asyncpg://prefect@127.0.0.1:{self.port}/postgres"

    @contextmanager
    def up(self) -> Iterator["Postgres"]:
        """Make it, start it, and end it; its folder goes with it."""
        with tempfile.TemporaryDirectory(prefix="zkusebna-postgres-", ignore_cleanup_errors=True) as folder:
            self.data = Path(folder) / "data"
            self.data.mkdir()
            if os.getuid() == 0:
                for path in (Path(folder), self.data):
                    shutil.chown(path, *_somebody())
            made = [str(self.bins / "initdb"), "-D", str(self.data), "-U", "prefect", "-A", "trust", "-E", "UTF8"]
            subprocess.run([*made, "--no-sync"], check=True, capture_output=True, cwd=folder, **_as_somebody())
            self.start()
            try:
                yield self
            finally:
                self.stop()

    def start(self) -> None:
        """Start it and wait until it answers."""
        words = [str(self.bins / "postgres"), "-D", str(self.data), "-h", "127.0.0.1", "-p", str(self.port)]
        with (self.data.parent / "log").open("ab") as log:
            self.process = subprocess.Popen(
                [*words, "-c", "fsync=off", "-k", str(self.data)],
                cwd=self.data, stdout=log, stderr=log, **_as_somebody(),
            )  # fmt: skip
        ready = [str(self.bins / "pg_isready"), "-h", "127.0.0.1", "-p", str(self.port), "-q"]
        until = time.monotonic() + 120
        while subprocess.run(ready, check=False).returncode:
            assert time.monotonic() < until, (self.data.parent / "log").read_text()
            time.sleep(0.2)

    def stop(self) -> None:
        """End it at once, connections or not."""
        subprocess.run(
            [str(self.bins / "pg_ctl"), "stop", "-D", str(self.data), "-m", "fast", "-w"],
            check=False, capture_output=True, cwd=self.data, **_as_somebody(),
        )  # fmt: skip
        self.process.wait(60)

    def ask(self, query: str) -> str:
        """What a query returns, as text without frames."""
        words = [
            str(self.bins / "psql"),
            "-h",
            "127.0.0.1",
            "-p",
            str(self.port),
            "-U",
            "prefect",
            "-d",
            "postgres",
            "-Atc",
            query,
        ]
        return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()


def _somebody() -> tuple[str, str]:
    """A user that is not root, and its group: PostgreSQL refuses to be root."""
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = names.get("postgres") or names["nobody"]
    import grp

    return entry.pw_name, grp.getgrgid(entry.pw_gid).gr_name


def _as_somebody() -> dict[str, Any]:
    if os.getuid() != 0:
        return {}
    user, group = _somebody()
    return {"user": user, "group": group, "extra_groups": []}
