"""`zkusebna doctor`: each thing is broken once and found, with the way to mend it; nothing else is; no key is shown."""

import contextlib
import json
import os
import shutil
import socket
import sqlite3
import threading
from collections.abc import Iterator
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import version
from pathlib import Path
from typing import Any, ClassVar

import pytest
import yaml

from datasets.store import FORMAT, Store
from datasets.systems import load_systems
from schemas.errors import UsageError
from schemas.finding import Finding
from tasks import database, doctor, doctor_server
from tasks.clients import openrouter

pytestmark = pytest.mark.usefixtures("settings_of_a_new_process")

ROOT = Path(__file__).parents[2]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store.open(tmp_path / "store")


def broken(root: Any, state: str = "broken") -> dict[str, Finding]:
    return {f.name: f for f in doctor.examine(str(root)) if f.state == state}


def test_a_sound_machine_has_nothing_broken(store: Store) -> None:
    """Every thing that the issue names is looked at; where this machine itself lacks one, it says so here and in the sentence."""
    findings = doctor.examine(str(store.root))
    assert [f for f in findings if f.state == "broken"] == []
    names = {f.name for f in findings}
    assert names == {"browser", "fonts", "OCR", "local model", "server", "store", "keys", "disk", "clock"}
    assert all(f.mend for f in findings if f.state != "ok")
    assert all(f.told.endswith(".") for f in findings)


def test_no_browser(store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "none"))
    monkeypatch.setenv("PATH", os.pathsep.join(_without("chromium", tmp_path)))
    found = broken(store.root)["browser"]
    assert found.told == "There is no Chromium."
    assert found.mend == "`make setup` installs one (or: apt-get install chromium-headless-shell)."


def _without(word: str, folder: Path) -> list[str]:
    """The programs of this machine but those of a name: links in a folder of its own."""
    bins = folder / "bin"
    bins.mkdir()
    for place in reversed(os.environ["PATH"].split(os.pathsep)):
        for program in Path(place).glob("*") if Path(place).is_dir() else ():
            if word not in program.name and "chrome" not in program.name:
                (bins / program.name).unlink(missing_ok=True)
                (bins / program.name).symlink_to(program)
    return [str(bins)]


def test_a_browser_that_does_not_start(store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = tmp_path / "bin" / "chromium-headless-shell"
    program.parent.mkdir()
    program.write_text("#!/bin/sh\necho 'libnss3.so: cannot open shared object file' >&2; exit 127\n")
    program.chmod(0o755)
    monkeypatch.setenv("PLAYWRIGHT_BROWSERS_PATH", str(tmp_path / "none"))
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")
    assert broken(store.root)["browser"].told == f"{program} does not start: libnss3.so: cannot open shared object file"


@pytest.mark.parametrize("how", ["missing", "cut"])
def test_broken_fonts(store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, how: str) -> None:
    shutil.copytree(doctor.FONTS, tmp_path / "fonts")
    monkeypatch.setattr(doctor, "FONTS", tmp_path / "fonts")
    assert "fonts" not in broken(store.root)
    victim = tmp_path / "fonts" / "Inter-Bold.ttf"
    victim.unlink() if how == "missing" else victim.write_bytes(b"")
    found = broken(store.root)
    assert set(found) == {"fonts"}
    assert found["fonts"].told == "Missing or no TrueType files: Inter-Bold.ttf."


def test_no_tesseract(store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", os.pathsep.join(_without("tesseract", tmp_path)))
    found = broken(store.root)["OCR"]
    assert found.told == "Tesseract is not installed."
    assert "make setup" in str(found.mend)


def test_tesseract_without_czech(store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The program itself, with a folder of data that holds English alone."""
    (tmp_path / "eng.traineddata").touch()
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path))
    assert broken(store.root)["OCR"].told == "Tesseract has no data for ces."


def test_no_local_model(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs go on without it, so it is a note."""
    from tasks import model_server

    monkeypatch.setattr(model_server, "RUNTIME", "no_such_package")
    assert broken(store.root) == {}
    found = broken(store.root, "note")["local model"]
    assert found.told.startswith("smollm2: its runtime (no_such_package) is not installed")


def write_systems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    (tmp_path / "mine.yaml").write_text(text, encoding="utf-8")
    load_systems.cache_clear()
    monkeypatch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(tmp_path / "mine.yaml"))


def test_keys_are_told_and_never_shown(store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One that is set, one that is not, and the gateway's own where an entry names none."""
    entry = {
        "name": "m",
        "vendor": "v",
        "family": "f",
        "suites": [],
        "inputs": ["text"],
        "options": {"model": "a/b", "url": "http://x"},
    }
    entries = [
        {**entry, "id": "one", "client": "openai", "key_env": "ZK_ONE"},
        {**entry, "id": "two", "client": "openai", "key_env": "ZK_TWO"},
        {**entry, "id": "three", "client": "openrouter", "provider": "p"},
    ]
    write_systems(tmp_path, monkeypatch, yaml.safe_dump(entries))
    monkeypatch.setenv("ZK_ONE", "sk-very-secret-0123456789")
    monkeypatch.delenv("ZK_TWO", raising=False)
    monkeypatch.delenv(openrouter.KEY_ENV, raising=False)
    keys = {f.told: f for f in doctor.examine(str(store.root)) if f.name == "keys"}
    assert sorted(keys) == [
        f"{openrouter.KEY_ENV} is not set: three are left out.",
        "ZK_ONE is set (for one).",
        "ZK_TWO is not set: two are left out.",
    ]
    assert keys["ZK_TWO is not set: two are left out."].mend == (
        "Set the environment variable ZK_TWO for the worker, or the Prefect Secret zk-two."
    )
    assert "very-secret" not in str(keys)


def test_a_broken_file_of_systems(store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    write_systems(tmp_path, monkeypatch, "- id: [")
    assert "mine.yaml" in broken(store.root)["keys"].told


# The store


def test_a_store_that_is_not_there_yet_is_no_fault(tmp_path: Path) -> None:
    (found,) = [f for f in doctor.examine(str(tmp_path / "new")) if f.name == "store"]
    assert (found.state, found.told) == ("ok", f"There is none at {tmp_path / 'new'} yet; the first run makes it.")
    assert not (tmp_path / "new").exists()


def test_a_folder_of_something_else(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").touch()
    assert broken(tmp_path)["store"].told == f"{tmp_path} holds other files and no store."


def test_a_store_of_a_newer_version(store: Store) -> None:
    store.put("zkusebna.json", json.dumps({"format": FORMAT + 1}).encode())
    found = broken(store.root)["store"]
    assert "newer than this version's" in found.told
    assert found.mend == "Update Zkušebna to the version that wrote the store; an older one must not write to it."


def test_a_marker_that_cannot_be_read(store: Store) -> None:
    store.put("zkusebna.json", b"{")
    assert "zkusebna import" in str(broken(store.root)["store"].mend)


def test_a_store_that_cannot_be_written(store: Store) -> None:
    """Whoever looks is root, whom no mode stops: a file stands where the folder for unfinished files belongs."""
    shutil.rmtree(store.root / "tmp")
    (store.root / "tmp").touch()
    assert "cannot be used" in broken(store.root)["store"].told


def test_a_run_that_is_under_way_is_told(store: Store) -> None:
    with store.locked():
        found = [f for f in doctor.examine(str(store.root)) if f.name == "store"]
    assert [f.state for f in found] == ["ok", "note"]
    assert found[1].told == "A run is writing to it now."


def test_a_secret_that_others_can_read(store: Store) -> None:
    store.kept_secret("secret/private_seed", None)
    assert "store" not in broken(store.root)
    store.path("secret/private_seed").chmod(0o644)
    assert broken(store.root)["store"].mend == f"chmod 600 {store.root}/secret/private_seed"


# Disk and clock


def test_little_room(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage(store.root)
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _: usage._replace(free=10**8))
    found = broken(store.root)["disk"]
    assert found.told == f"0.1 GB free at {store.root}."
    assert "zkusebna prune --keep N" in str(found.mend)
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _: usage._replace(free=3 * 10**9))
    assert "disk" in broken(store.root, "note")


def test_no_room_for_more_files(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.statvfs(store.root)
    changed = type(real)((*real[:7], 12, *real[8:10]))
    assert changed.f_favail == 12
    monkeypatch.setattr(doctor.os, "statvfs", lambda _: changed)
    if real.f_files:
        assert broken(store.root)["disk"].told == f"Room for 12 more files at {store.root}."


def test_a_clock_behind_the_newest_run(store: Store) -> None:
    store.put("runs/r1.json", json.dumps({"finished_at": "2199-01-01T00:00:00+00:00"}).encode())
    found = broken(store.root)["clock"]
    assert "but a run in the store ended at 2199-01-01 00:00" in found.told
    assert "timedatectl" in str(found.mend)


def test_a_clock_that_jumps(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    moments = iter([1000.0, 1010.2])
    monkeypatch.setattr(doctor.time, "time", lambda: next(moments))
    assert "jumped by 10." in broken(store.root)["clock"].told


# The server


class Api(BaseHTTPRequestHandler):
    """As much of Prefect's API as the doctor asks; what it says is changed by tests."""

    told: ClassVar[dict[str, Any]] = {}
    apart_s: ClassVar[float] = 0.0
    failing: ClassVar[str] = ""

    def date_time_string(self, timestamp: float | None = None) -> str:
        import time

        return formatdate(time.time() + self.apart_s, usegmt=True)

    def do_GET(self) -> None:
        self._say()

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self._say()

    def _say(self) -> None:
        said = self.told.get(self.path.removeprefix("/api"))
        if self.failing == self.path.removeprefix("/api"):
            self.send_error(503)
            return
        self.send_response(404 if said is None else said if self.path == "/api/ready" else 200)
        self.end_headers()
        self.wfile.write(json.dumps(said).encode())

    def log_message(self, *_: Any) -> None:
        """Nothing."""


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Api]]:
    """A server on which all is well, for tests that change one thing."""
    deployments = yaml.safe_load((ROOT / "prefect.yaml").read_text(encoding="utf-8"))["deployments"]
    Api.apart_s, Api.failing = 0.0, ""
    Api.told = {
        "/admin/version": version("prefect"),
        "/ready": 200,
        "/work_pools/zkusebna": {"is_paused": False},
        "/work_pools/zkusebna/workers/filter": [{"name": "w", "status": "ONLINE"}],
        "/deployments/filter": [{"name": d["name"]} for d in deployments],
    }
    server = ThreadingHTTPServer(("127.0.0.1", 0), Api)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("PREFECT_API_URL", f"http://127.0.0.1:{server.server_port}/api")
    yield Api
    server.shutdown()


def server_findings() -> dict[str, Finding]:
    return {f.name: f for f in doctor_server.look_at_server()}


def test_a_server_on_which_all_is_well(api: type[Api]) -> None:
    found = server_findings()
    assert set(found) == {"server", "clock", "worker", "deployments"}
    assert {f.state for f in found.values()} == {"ok"}


@pytest.mark.parametrize(
    ("path", "said", "name", "state", "told", "mend"),
    [
        ("/work_pools/zkusebna", None, "worker", "broken", "The server has no work pool 'zkusebna'.", "zkusebna deploy"),
        ("/work_pools/zkusebna", {"is_paused": True}, "worker", "broken", "The work pool 'zkusebna' is paused.", "work-pool resume zkusebna"),
        ("/work_pools/zkusebna/workers/filter", [], "worker", "broken", "No worker is online in the pool 'zkusebna'", "worker start --pool"),
        ("/work_pools/zkusebna/workers/filter", [{"name": "w", "status": "OFFLINE"}], "worker", "broken", "No worker is online", "worker start"),
        ("/deployments/filter", [{"name": "nightly"}], "deployments", "note", "Not deployed: ", "zkusebna deploy"),
        ("/admin/version", "3.0.1", "server", "note", "has Prefect 3.0.1, this machine", "the same version of Prefect"),
        ("/ready", 503, "database", "broken", "answers, but its database does not.", "PREFECT_API_DATABASE_CONNECTION_URL"),
        ("/admin/version", None, "server", "broken", "does not answer as one: HTTPStatusError", "PREFECT_API_URL"),
    ],
)  # fmt: skip
def test_each_fault_of_a_server(
    api: type[Api], path: str, said: Any, name: str, state: str, told: str, mend: str
) -> None:
    api.told[path] = said
    found = server_findings()
    assert [n for n, f in found.items() if f.state != "ok"] == [name]
    assert found[name].state == state
    assert told in found[name].told
    assert mend in str(found[name].mend)


@pytest.mark.parametrize(("apart_s", "words"), [(-3600.0, "ahead of"), (3600.0, "behind")])
def test_a_clock_that_is_not_the_server_s(api: type[Api], apart_s: float, words: str) -> None:
    api.apart_s = apart_s
    found = server_findings()
    assert [n for n, f in found.items() if f.state == "broken"] == ["clock"]
    assert f"s {words} the server" in found["clock"].told
    assert "3,6" in found["clock"].told or "3,59" in found["clock"].told


def test_a_server_that_cannot_be_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        monkeypatch.setenv("PREFECT_API_URL", f"http://127.0.0.1:{probe.getsockname()[1]}/api")
        found = server_findings()
    assert found["server"].state == "broken"
    assert "ConnectError" in found["server"].told
    assert "or unset it" in str(found["server"].mend)


def test_an_embedded_server_without_a_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path / "file"))
    found = server_findings()
    assert found["server"].state == "broken"
    assert str(tmp_path / "file") in found["server"].told


@pytest.mark.parametrize("path", ["/work_pools/zkusebna", "/deployments/filter"])
def test_a_server_whose_database_fails_it(api: type[Api], path: str) -> None:
    """503 is what Prefect's server answers while its SQLite file is locked, 500 where it is full."""
    api.failing = path
    found = server_findings()
    assert found["database"].state == "broken"
    assert "answers with HTTP 503: its database is full, locked or away" in found["database"].told


def test_an_embedded_server_whose_database_is_locked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path))
    monkeypatch.setattr(database, "WAIT_S", 0.2)
    with contextlib.closing(sqlite3.connect(tmp_path / "prefect.db", isolation_level=None)) as other:
        other.execute("CREATE TABLE t (x)")
        assert server_findings()["server"].state == "ok"
        other.execute("BEGIN EXCLUSIVE")
        found = server_findings()["server"]
        assert found.state == "broken"
        assert f"cannot write to its database {tmp_path / 'prefect.db'}: database is locked." in found.told
        with pytest.raises(UsageError, match=r"database is locked; make room, end what holds it"):
            database.see_database()
    assert server_findings()["server"].state == "ok"


def test_an_embedded_server_whose_database_is_none(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path))
    (tmp_path / "prefect.db").write_bytes(b"no database at all" * 100)
    assert "file is not a database" in server_findings()["server"].told
