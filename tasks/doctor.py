"""What this machine has and lacks for a run, and how each is mended: `zkusebna doctor`.

A finding is `ok`, `note` (runs go on, something is left out or will soon be short) or `broken` (a run would fail). No key is ever shown,
nothing is written but a probe in the store that is removed again, and no system is asked.
"""

import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from platformdirs import user_cache_path

from datasets.addresses import is_bucket
from datasets.store import FORMAT, Store
from datasets.typeset import FONTS
from schemas.errors import StoreError, ZkusebnaError
from schemas.finding import Finding
from schemas.system import System
from tasks.ask import why_missing
from tasks.choose import known_systems
from tasks.doctor_server import look_at_server
from tasks.peek import peek
from tasks.recognise import missing, recogniser_version
from tasks.settings import secret

LEAST_BYTES, FEW_BYTES = 500 * 10**6, 5 * 10**9
LEAST_FILES = 10_000
MOST_DRIFT_S = 1.0
"""The wall clock against the monotonic one while the doctor looks."""

GATEWAY_KEY = "OPENROUTER_API_KEY"
"""The variable of a gateway's key where an entry names none."""

_TRUETYPE = b"\x00\x01\x00\x00"


def examine(root: str) -> list[Finding]:
    """Everything that a run needs, in the order in which it is best mended."""
    looks: list[tuple[str, Callable[[], list[Finding]]]] = [
        ("browser", _browser),
        ("fonts", _fonts),
        ("OCR", _ocr),
        ("local model", _local_models),
        ("server", look_at_server),
        ("store", lambda: _bucket(root) if is_bucket(root) else _store(Path(root).expanduser())),
        ("keys", _keys),
        ("disk", lambda: _disk(_home(root))),
        ("clock", lambda: _clock(root)),
    ]
    return [finding for name, look in looks for finding in _looked(name, look)]


def _looked(name: str, look: Callable[[], list[Finding]]) -> list[Finding]:
    """What a look found; one that fails itself is a finding too."""
    try:
        return look()
    except ZkusebnaError as problem:
        return [Finding(name=name, state="broken", told=str(problem), mend="Mend what the sentence names.")]
    except (OSError, ValueError, subprocess.SubprocessError) as problem:
        told = f"{type(problem).__name__}: {problem}."
        return [Finding(name=name, state="broken", told=told, mend="`zkusebna doctor --debug` shows where.")]


def _browser() -> list[Finding]:
    from tasks.browse import NO_BROWSER, find_browser

    path = find_browser()
    lacking, _, cure = NO_BROWSER.partition(": ")
    if path is None:
        return [Finding(name="browser", state="broken", told=f"{lacking[0].upper()}{lacking[1:]}.", mend=f"{cure}.")]
    told = subprocess.run([str(path), "--version"], capture_output=True, text=True, timeout=60, check=False)
    if told.returncode:
        why = (told.stderr or told.stdout).strip().split("\n")[0]
        return [Finding(name="browser", state="broken", told=f"{path} does not start: {why}", mend=f"{cure}.")]
    return [Finding(name="browser", state="ok", told=f"{told.stdout.strip()} at {path}.")]


def _fonts() -> list[Finding]:
    """The fonts of the repository: as many families as their licences name, each a TrueType file that can be read."""
    wanted = {
        f"{file.stem.removesuffix('-OFL')}-{cut}.ttf" for file in FONTS.glob("*-OFL.txt") for cut in ("Regular", "Bold")
    }
    broken = sorted(
        n for n in wanted if not (FONTS / n).is_file() or not (FONTS / n).read_bytes().startswith(_TRUETYPE)
    )
    if broken or not wanted:
        what = ", ".join(broken) or "all of them"
        mend = "`git checkout -- datasets/fonts` brings the files of the repository back."
        return [Finding(name="fonts", state="broken", told=f"Missing or no TrueType files: {what}.", mend=mend)]
    return [Finding(name="fonts", state="ok", told=f"{len(wanted)} files of {len(wanted) // 2} families.")]


def _ocr() -> list[Finding]:
    if why := missing():
        lacking, _, cure = why.partition(": ")
        return [Finding(name="OCR", state="broken", told=f"{lacking}.", mend=f"{cure[0].upper()}{cure[1:]}")]
    return [Finding(name="OCR", state="ok", told=f"{recogniser_version().capitalize()}.")]


def _local_models() -> list[Finding]:
    found = []
    for system in (s for s in known_systems().values() if s.client == "local"):
        why = why_missing(system)
        if why is None:
            found.append(Finding(name="local model", state="ok", told=f"{system.id} can run here."))
            continue
        mend = "`make setup` installs runtime and weights; without them runs leave it out."
        found.append(Finding(name="local model", state="note", told=f"{system.id}: {why}.", mend=mend))
    return found


def _store(root: Path) -> list[Finding]:
    if not (root / "zkusebna.json").exists():
        if root.exists() and any(root.iterdir()):
            told = f"{root} holds other files and no store."
            return [
                Finding(
                    name="store",
                    state="broken",
                    told=told,
                    mend="Give an empty or new folder to --store or ZKUSEBNA_STORE.",
                )
            ]
        above = next(p for p in (root, *root.parents) if p.exists())
        if not os.access(above, os.W_OK):
            told = f"There is none at {root}, and {above} cannot be written."
            return [
                Finding(
                    name="store",
                    state="broken",
                    told=told,
                    mend=f"Give the user of the worker the right to write to {above}.",
                )
            ]
        return [Finding(name="store", state="ok", told=f"There is none at {root} yet; the first run makes it.")]
    try:
        store = Store.open(root, create=False)
    except StoreError as problem:
        return [Finding(name="store", state="broken", told=str(problem), mend=_mend_of(str(problem)))]
    return [
        Finding(name="store", state="ok", told=f"{store.root}, format {FORMAT}, writable."),
        *_turn(store),
        *_secrets(store),
    ]


def _bucket(root: str) -> list[Finding]:
    """A store in a bucket: it can be reached, and the key may list, read, write and delete there."""
    try:
        if peek(root) is None:
            return [Finding(name="store", state="ok", told=f"There is none at {root} yet; the first run makes it.")]
        store = Store.open(root, create=False)
    except StoreError as problem:
        return [Finding(name="store", state="broken", told=str(problem), mend=_mend_of(str(problem)))]
    told = f"{root}, format {FORMAT}, writable; local copy in {store.root}."
    return [Finding(name="store", state="ok", told=told), *_turn(store)]


def _home(root: str) -> Path:
    """The folder on this machine that fills up: the store's, or that of the copies of buckets."""
    return user_cache_path("zkusebna") if is_bucket(root) else Path(root).expanduser()


def _mend_of(problem: str) -> str:
    if "newer than" in problem:
        return "Update Zkušebna to the version that wrote the store; an older one must not write to it."
    if "older than" in problem:
        return "Export it, then run `zkusebna migrate`."
    if "s3://" in problem:
        return "Set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT_URL for the worker; see that the bucket is there."
    return "See that the folder is there and that the user of the worker may write to it; else restore it from a backup (`zkusebna import`)."


def _turn(store: Store) -> list[Finding]:
    try:
        with store.locked():
            return []
    except StoreError:
        told = "A run is writing to it now."
        return [
            Finding(
                name="store",
                state="note",
                told=told,
                mend="Nothing to do: commands refuse and deployments wait until it ends.",
            )
        ]


def _secrets(store: Store) -> list[Finding]:
    loose = [n for n in store.names("secret") if not n.endswith("lock") and store.path(n).stat().st_mode & 0o077]
    if not loose:
        return []
    told = f"Others than its owner can read {', '.join(loose)}."
    return [
        Finding(
            name="store", state="broken", told=told, mend=f"chmod 600 {' '.join(str(store.path(n)) for n in loose)}"
        )
    ]


def _keys() -> list[Finding]:
    wanted: dict[str, list[str]] = {}
    for system in known_systems().values():
        if name := _key_name(system):
            wanted.setdefault(name, []).append(system.id)
    if not wanted:
        return [Finding(name="keys", state="ok", told="No system that is known here needs one.")]
    found = []
    for name, systems in sorted(wanted.items()):
        who = ", ".join(systems)
        if secret(name):
            found.append(Finding(name="keys", state="ok", told=f"{name} is set (for {who})."))
        else:
            mend = f"Set the environment variable {name} for the worker, or the Prefect Secret {name.lower().replace('_', '-')}."
            found.append(Finding(name="keys", state="note", told=f"{name} is not set: {who} are left out.", mend=mend))
    return found


def _key_name(system: System) -> str | None:
    return system.key_env or (GATEWAY_KEY if system.client == "openrouter" else None)


def _disk(root: Path) -> list[Finding]:
    above = next(p for p in (root.resolve(), *root.resolve().parents) if p.exists())
    free = shutil.disk_usage(above).free
    stat = os.statvfs(above)
    told = f"{free / 10**9:.1f} GB free at {above}."
    mend = "Free some, or `zkusebna prune --keep N` (`--dry-run` says how much it gives)."
    if free < LEAST_BYTES:
        return [Finding(name="disk", state="broken", told=told, mend=mend)]
    if stat.f_files and stat.f_favail < LEAST_FILES:
        told = f"Room for {stat.f_favail} more files at {above}."
        return [
            Finding(name="disk", state="broken", told=told, mend="`zkusebna compact`, then `zkusebna prune --keep N`.")
        ]
    return [
        Finding(
            name="disk", state="note" if free < FEW_BYTES else "ok", told=told, mend=mend if free < FEW_BYTES else None
        )
    ]


def _clock(root: str) -> list[Finding]:
    """The clock against itself, and against the newest run in the store, which cannot have ended in the future."""
    wall, steady = time.time(), time.monotonic()
    time.sleep(0.2)
    drift = (time.time() - wall) - (time.monotonic() - steady)
    mend = "Set the clock, e.g. `timedatectl set-ntp true`; dates of runs, waits and keys of providers hang on it."
    if abs(drift) > MOST_DRIFT_S:
        return [
            Finding(
                name="clock",
                state="broken",
                told=f"The clock jumped by {drift:.1f} s while it was looked at.",
                mend=mend,
            )
        ]
    now, newest = datetime.now(UTC), _newest_run(root)
    if newest and newest > now:
        told = f"The clock says {now:%Y-%m-%d %H:%M} UTC, but a run in the store ended at {newest:%Y-%m-%d %H:%M}."
        return [Finding(name="clock", state="broken", told=told, mend=mend)]
    return [Finding(name="clock", state="ok", told=f"{now:%Y-%m-%d %H:%M} UTC.")]


def _newest_run(root: str) -> datetime | None:
    try:
        store = peek(root)
    except StoreError:  # told as a finding of its own
        return None
    files = store.names("runs", ".json") if store else []
    return datetime.fromisoformat(json.loads(store.get(files[-1]))["finished_at"]) if store and files else None
