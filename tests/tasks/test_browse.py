"""Hostile pages in a real browser: each is bounded, and each leaves the evidence that it should (A-1, A-3, A-4, A-11)."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import psutil
import pytest
from PIL import Image

from datasets.interactions import known_scenarios, load_scenario
from schemas import readings
from schemas.evidence import FILES, FULL, LATE_S, SHOTS, Collected, Limits, Measurements, Trial
from tasks import browse
from tasks.evidence import jail, load, timeline, trial
from tasks.evidence.folder import read_record
from tasks.evidence.log import Log

PAGES = Path(__file__).parents[1] / "pages"
MARK = "zkusebna-zapis"
QUICK = ("still", "twin", "stuck", "trapdoor", "veil", "spy", "todo")
SLOW = sorted({path.stem for path in PAGES.glob("*.html")} - set(QUICK))


class Ear:
    """Listens on loopback, TCP and UDP on one port, and counts whoever comes."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.tcp.getsockname()[1]
        self.six = socket.create_server(("::1", self.port), family=socket.AF_INET6) if socket.has_ipv6 else None
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", self.port))
        for ear in filter(None, (self.tcp, self.six)):
            threading.Thread(target=self._accept, args=(ear,), daemon=True).start()
        threading.Thread(target=self._receive, daemon=True).start()

    def _accept(self, ear: socket.socket) -> None:
        while True:
            line, _ = ear.accept()
            line.settimeout(1)
            try:
                self.heard.append(line.recv(200).decode("latin-1").splitlines()[0])
                line.sendall(b"HTTP/1.1 204 No Content\r\nAccess-Control-Allow-Origin: *\r\nConnection: close\r\n\r\n")
            except (OSError, IndexError):
                self.heard.append("silent connection")
            line.close()

    def _receive(self) -> None:
        while True:
            self.heard.append(f"datagram of {len(self.udp.recv(2000))} bytes")


@pytest.fixture(scope="module")
def ear() -> Ear:
    return Ear()


def html_of(name: str, ear: Ear) -> bytes:
    file = "still" if name == "twin" else name
    text = (PAGES / f"{file}.html").read_text(encoding="utf-8")
    return text.replace("__PORT__", str(ear.port)).replace("__MARK__", MARK).encode()


def collect_pages(names: Iterable[str], folder: Path, ear: Ear) -> dict[str, Collected]:
    trials = [
        Trial(
            html=html_of(name, ear),
            folder=folder / name,
            scenario=load_scenario(name) if name in known_scenarios() else None,
        )
        for name in names
    ]
    return {done.folder.name: done for done in browse.collect_all(trials)}


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory, ear: Ear) -> dict[str, Collected]:
    return collect_pages(QUICK, tmp_path_factory.mktemp("evidence"), ear)


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory, ear: Ear) -> dict[str, Collected]:
    return collect_pages(SLOW, tmp_path_factory.mktemp("evidence"), ear)


def told(collected: Collected) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((collected.folder / "interactions.json").read_text(encoding="utf-8"))
    return found


def words_of(collected: Collected) -> str:
    found = told(collected)
    return " ".join([*(step["words"] for step in found["steps"]), *found["notes"]])


def missing_of(collected: Collected) -> dict[str, str]:
    return {shot.name: shot.missing for shot in collected.measurements.shots if shot.missing}


def check_folder(collected: Collected) -> None:
    """What holds for every trial: files as told, pictures of the right size and never too early, a reason for whatever is missing."""
    there = {path.name for path in collected.folder.iterdir()}
    assert there == {*collected.files, "measurements.json"}
    assert {"console-errors.json", "interactions.json", "artifact.html"} <= there
    stored = Measurements.model_validate_json((collected.folder / "measurements.json").read_bytes())
    assert stored == collected.measurements
    for shot in stored.shots:
        assert (shot.missing is None) == (shot.name in there), shot
        if shot.missing is None:
            with Image.open(collected.folder / shot.name) as image:
                assert image.size == (shot.width, shot.height)
                assert image.width == 1280
                assert 800 <= image.height <= (16_000 if shot.name == FULL else 800)
            assert shot.begun_s is not None
            assert shot.begun_s >= (shot.due_s or 0)
    steps = told(collected)["steps"]
    assert [step["step"] for step in steps] == list(range(1, len(steps) + 1))
    for step in steps:
        assert step["words"].startswith(f"Krok {step['step']}: ")
        assert (step["shot"] in there) if step["shot"] else (f"interact-{step['step']}.png" not in there)
    for error in json.loads((collected.folder / "console-errors.json").read_text(encoding="utf-8")):
        assert error["kind"] in ("pageerror", "console.error")


@pytest.mark.parametrize("name", QUICK)
def test_folder_of_a_quick_page(name: str, quick: dict[str, Collected]) -> None:
    check_folder(quick[name])
    assert not quick[name].measurements.killed


def test_a_good_page_leaves_every_file(quick: dict[str, Collected], ear: Ear) -> None:
    found = quick["still"]
    assert set(found.files) == set(FILES)
    assert (found.folder / "artifact.html").read_bytes() == html_of("still", ear)
    assert json.loads((found.folder / "console-errors.json").read_text()) == []
    measured = found.measurements
    assert measured.moves is False
    assert measured.page_height == 2034
    assert measured.below_fold == pytest.approx((2034 - 800) / 2034, abs=1e-4)
    assert measured.below_fold_blank is False
    with Image.open(found.folder / "interact-1.png") as image:
        assert image.convert("RGB").getpixel((1000, 20)) == (0x1D, 0x5C, 0x33)  # the click turned the header green


def test_two_collections_of_a_still_page_are_the_same(quick: dict[str, Collected]) -> None:
    """Equal shots, bit by bit, and the same three controls, though a caret blinks in a field."""
    one, two = quick["still"].measurements, quick["twin"].measurements
    hashes = [{s.name: s.sha256 for s in m.shots if s.name in (*SHOTS, FULL)} for m in (one, two)]
    assert hashes[0] == hashes[1]
    assert None not in hashes[0].values()
    assert one.controls == two.controls
    chosen = [c.label for c in one.controls if c.rejected is None]
    assert chosen == ["Objednat", "Otevírací doba", "Kontakt"]  # real controls in their order, the link last


def test_rejected_controls_have_their_reasons(quick: dict[str, Collected]) -> None:
    reasons = {c.label: c.rejected for c in quick["veil"].measurements.controls}
    assert reasons == {
        "Pod závojem": "covered",
        "Skryté": "hidden",
        "Zakázané": "disabled",
        "Pulzuje": "not_stable",
        "Mimo": "outside",
        "Souhlasím": None,
        "Kotva": None,
    }
    assert missing_of(quick["veil"]) == {"interact-3.png": "no_control"}
    reach = quick["veil"].measurements.reach
    assert reach is not None
    assert (reach.controls, reach.covered, reach.by) == (4, 1, '<div id="v">')
    said = words_of(quick["veil"])
    assert "stránka nemá funkční ovládací prvek č. 3" in said
    assert 'překrytý prvkem <div id="v">' in said


def test_a_page_stuck_from_the_start_is_freed(quick: dict[str, Collected]) -> None:
    found = quick["stuck"]
    assert {*SHOTS, FULL} <= set(found.files)
    assert missing_of(found) == dict.fromkeys(("interact-1.png", "interact-2.png", "interact-3.png"), "frozen")
    assert found.measurements.counts["frozen"] == 1
    assert "přestala odpovídat" in words_of(found)


def test_a_click_that_hangs_spoils_no_other(quick: dict[str, Collected]) -> None:
    found = quick["trapdoor"]
    assert set(found.files) == set(FILES)
    froze = {use.number: use.froze for use in found.measurements.uses}
    assert froze == {1: True, 2: False, 3: True}
    gold = {use.number: use.changed for use in found.measurements.uses}[2]
    assert gold is not None
    assert gold > 0.9


def test_a_todo_app_is_used_by_its_scenario(quick: dict[str, Collected]) -> None:
    uses = quick["todo"].measurements.uses
    assert [[a.outcome for a in use.actions if a.kind == "look"] for use in uses] == [
        ["seen"],
        ["seen", "seen"],
        ["seen"],
    ]
    assert "úkol „Zavolat Žofii“ v seznamu: je vidět" in words_of(quick["todo"])


def test_the_ear_hears(ear: Ear) -> None:
    """Silence means something only where a visitor would be heard."""
    before = len(ear.heard)
    urllib.request.urlopen(f"http://127.0.0.1:{ear.port}/visit", timeout=5).close()
    assert ear.heard[before:] == ["GET /visit HTTP/1.1"]
    del ear.heard[before:]


def test_a_page_reaches_neither_files_nor_loopback(quick: dict[str, Collected], ear: Ear) -> None:
    found = quick["spy"]
    assert ear.heard == []
    errors = (found.folder / "console-errors.json").read_text(encoding="utf-8")
    assert "Not allowed to load local resource: file:///etc/passwd" in errors
    assert "PROŠLO" not in errors
    counts = found.measurements.counts
    for kind in (
        "fetch",
        "image",
        "script",
        "stylesheet",
        "font",
        "media",
        "ping",
        "eventsource",
        "websocket",
        "document",
    ):
        assert counts[f"request:{kind}"] >= 1, kind
    assert counts["errors_own"] == 0  # all that it complains of is what was denied


def test_the_browser_alone_keeps_the_network_shut(ear: Ear, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any namespace, by its flags: where the machine allows no jail."""
    monkeypatch.setattr(jail, "plans", lambda *_: [jail.BARE])

    async def visit() -> str:
        async with browse.open_browser(tmp_path, Limits()) as (browser, held):
            assert not held.network
            page = load.Load(browser, html_of("spy", ear), Log(), "spy")
            await page.open(10)
            await asyncio.sleep(3)
            text: str = await page.page.inner_text("#o")
            await page.close()
            return text

    text = asyncio.run(visit())
    assert text.count("odmítnut") == 4
    assert "PROŠLO" not in text
    assert ear.heard == []


def test_late_shots_are_taken_again_on_a_load_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every shot counts as late, the first take ends at its first shot, the page is used, and the last take is whole."""
    monkeypatch.setattr(timeline, "LATE_S", -1.0)
    monkeypatch.setattr(readings, "TAKES_OF_SHOTS", 2)
    tmp_path.chmod(0o711)
    (tmp_path / trial.PAGE).write_bytes((PAGES / "drift.html").read_bytes())
    job = trial.Job(scenario=None, language="cs", limits=Limits(), seconds=90)
    asyncio.run(trial.run(tmp_path, job))
    record = read_record(tmp_path)
    assert (record.takes, record.failed) == (2, "")
    shots = {shot.name: shot for shot in record.shots}
    assert {*SHOTS, FULL} <= set(shots)
    assert all(shots[name].taken_s is not None for name in (*SHOTS, FULL))
    used = (tmp_path / "before-1.png").stat().st_mtime if (tmp_path / "before-1.png").exists() else 0
    assert (tmp_path / "shot-1.png").stat().st_mtime >= used  # the shots that stay are those of the last take


def test_a_picture_of_an_earlier_take_stands_for_none_that_the_later_one_could_not_have(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first take ends at its first shot, which was late; in the last one no picture can be had."""
    monkeypatch.setattr(timeline, "LATE_S", -1.0)
    monkeypatch.setattr(readings, "TAKES_OF_SHOTS", 2)
    real, loads = load.Load.picture, []

    async def picture(self: load.Load, *given: Any) -> bytes | None:
        if self.name != trial.SHOTS_LOAD:
            return await real(self, *given)
        loads[:] = [*loads, self] if self not in loads else loads
        return await real(self, *given) if len(loads) == 1 else None

    monkeypatch.setattr(load.Load, "picture", picture)
    tmp_path.chmod(0o711)
    (tmp_path / trial.PAGE).write_bytes((PAGES / "drift.html").read_bytes())
    job = trial.Job(scenario=None, language="cs", limits=Limits(), seconds=90)
    asyncio.run(trial.run(tmp_path, job))
    record = read_record(tmp_path)
    assert record.takes == len(loads) == 2
    assert {shot.name: shot.missing for shot in record.shots if shot.name in SHOTS} == dict.fromkeys(SHOTS, "slow")
    assert not [name for name in SHOTS if (tmp_path / name).exists()]


def descendants(process: psutil.Process, found: dict[int, float]) -> None:
    for child in process.children(recursive=True):
        try:
            found[child.pid] = child.create_time()
        except psutil.NoSuchProcess:
            continue


def living(found: dict[int, float]) -> list[int]:
    out = []
    for pid, born in found.items():
        try:
            process = psutil.Process(pid)
            if process.create_time() == born and process.status() != psutil.STATUS_ZOMBIE:
                out.append(pid)
        except psutil.NoSuchProcess:
            continue
    return out


def test_after_the_deadline_nothing_is_left(tmp_path: Path, ear: Ear) -> None:
    """Killed in the middle: the evidence so far, an entry saying why, and no process of the browser."""
    found: dict[int, float] = {}
    done: list[Collected] = []
    thread = threading.Thread(
        target=lambda: done.append(browse.collect(html_of("stuck", ear), tmp_path / "e", deadline_s=5))
    )
    me, before = psutil.Process(), {child.pid for child in psutil.Process().children(recursive=True)}
    thread.start()
    while thread.is_alive():
        descendants(me, found)
        time.sleep(0.05)
    ours = {pid: born for pid, born in found.items() if pid not in before}
    assert len(ours) >= 4  # the trial, its driver, the browser and more
    assert living(ours) == []
    check_folder(done[0])
    assert [kill.what for kill in done[0].measurements.killed] in (["trial"], [])
    assert set(missing_of(done[0]).values()) <= {"killed", "time", "frozen"}
    assert missing_of(done[0])["shot-3.png"] in ("killed", "time")


def test_a_killed_collector_leaves_nothing(tmp_path: Path, ear: Ear) -> None:
    (tmp_path / "page.html").write_bytes(html_of("drift", ear))
    code = (
        "import sys; from pathlib import Path; from tasks.browse import collect; folder = Path(sys.argv[1])\n"
        "collect((folder / 'page.html').read_bytes(), folder / 'e')"
    )
    (tmp_path / "scratch").mkdir()
    environment = os.environ | {"TMPDIR": str(tmp_path / "scratch")}
    collector = subprocess.Popen([sys.executable, "-c", code, str(tmp_path)], cwd=PAGES.parents[1], env=environment)
    found: dict[int, float] = {}
    while not any("chrom" in psutil.Process(pid).name() for pid in living(found)):
        assert collector.poll() is None
        descendants(psutil.Process(collector.pid), found)
        time.sleep(0.1)
    os.kill(collector.pid, signal.SIGKILL)
    collector.wait()
    for _ in range(200):
        if not living(found) and not list((tmp_path / "scratch").iterdir()):
            break
        time.sleep(0.1)
    assert living(found) == []
    assert list((tmp_path / "scratch").iterdir()) == []


def test_an_oversized_page_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "e").mkdir()
    (tmp_path / "e" / "shot-1.png").write_bytes(b"of an earlier trial")
    found = browse.collect(b"<h1>x</h1>" * 6_000_000, tmp_path / "e", language="en")
    assert set(found.files) == {"console-errors.json", "interactions.json", "artifact.html"}
    assert set(missing_of(found).values()) == {"too_large"}
    assert "the page is too large" in words_of(found)


EXPECTED: dict[str, dict[str, Any]] = {
    "borrowed": {"counts": {"request:font": 1, "request:image": 1, "missing_file": 2}, "words": "síť je odepřena"},
    "crowd": {"counts": {"capped": 1}},
    "dead": {"changed": [0.0, 0.0, 0.0], "words": "Na obraze se nic nezměnilo"},
    "deaf": {"moves": True, "heard": [False, True, True], "reach": (3, 0)},
    "delayed_loop": {"counts": {"frozen": 1}, "there": [*SHOTS]},
    "drift": {"moves": True, "there": [*SHOTS, FULL]},
    "first_frame": {"moves": False, "errors": "chybejiciFunkce is not defined"},
    "form": {"looks": "Formulář se odešle prázdný", "there": ["interact-1.png", "interact-2.png", "interact-3.png"]},
    "hog": {"counts": {"crashed": 1}, "there": ["shot-1.png"], "words": "stránka spadla"},
    "hollow": {"blank": True},
    "leaver": {"counts": {"navigation": 1}, "there": ["interact-1.png"]},
    "liar": {"there": [*SHOTS, FULL, "interact-1.png"], "height": 1651},
    "nagger": {"counts": {"dialog": 20, "frozen": 1}, "there": [*SHOTS, FULL]},
    "reloader": {"counts": {"reload": 6}, "there": [*SHOTS, FULL, "interact-1.png"]},
    "shader": {"moves": True},
    "shouter": {"errors": "výjimka číslo", "there": [*SHOTS, FULL]},
    "shouting_worker": {"errors": "vlákno", "there": [*SHOTS, FULL, "interact-1.png"]},
    "snake": {"there": ["interact-1.png", "interact-2.png", "interact-3.png"], "words": "šipka dolů, šipka doleva"},
    "swarm": {},
    "talker": {"counts": {"dialog": 2}, "words": "Vítejte v obchodě!", "there": [*SHOTS, FULL, "interact-1.png"]},
    "tower": {"counts": {"capped": 1}, "height": 60_016, "there": [FULL]},
    "unending": {"counts": {"no_load": 1}, "there": [*SHOTS, FULL], "words": "Načítání stránky neskončilo"},
    "unveiled": {"blank": False, "plain_most": 100},
    "wanderer": {"counts": {"navigation": 1}, "words": "https://jinam.example/sama", "there": [*SHOTS, FULL]},
    "windows": {"counts": {"popup": 2}, "changed": [0.0, 0.0, 0.0], "there": [*SHOTS, FULL]},
    "writer": {"counts": {"download": 3}, "words": "odmítnuto", "there": [*SHOTS, FULL]},
}  # fmt: skip


def test_every_page_has_its_expectation() -> None:
    assert sorted(EXPECTED) == SLOW
    assert len(SLOW) + len(QUICK) - 1 >= 20


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_a_page_leaves_the_evidence_that_it_should(name: str, slow: dict[str, Collected]) -> None:
    found, wanted = slow[name], EXPECTED[name]
    check_folder(found)
    measured = found.measurements
    assert set(wanted.get("there", ())) <= set(found.files)
    for kind, least in wanted.get("counts", {}).items():
        assert measured.counts.get(kind, 0) >= least, kind
    assert wanted.get("words", "") in words_of(found)
    assert wanted.get("looks", "") in words_of(found)
    assert wanted.get("errors", "") in (found.folder / "console-errors.json").read_text(encoding="utf-8")
    assert measured.page_height == wanted.get("height", measured.page_height)
    assert measured.moves == wanted.get("moves", measured.moves)
    assert measured.below_fold_blank == wanted.get("blank", measured.below_fold_blank)
    assert (measured.longest_blank_px or 0) <= wanted.get("plain_most", 16_000)
    if "changed" in wanted:
        assert [use.changed for use in measured.uses] == wanted["changed"]
    if "heard" in wanted:
        assert [use.heard for use in measured.uses] == wanted["heard"]
    if "reach" in wanted:
        assert measured.reach is not None
        assert (measured.reach.controls, measured.reach.covered) == wanted["reach"]
    if measured.undisturbed and measured.takes == 1:
        assert measured.late_s <= LATE_S


@pytest.mark.slow
def test_no_page_wrote_outside_its_folder(slow: dict[str, Collected], ear: Ear) -> None:
    roots = (Path("/tmp"), Path.home(), Path.cwd(), slow["writer"].folder.parent)
    assert [path for root in roots for path in root.glob(f"*{MARK}*")] == []
    assert ear.heard == []
