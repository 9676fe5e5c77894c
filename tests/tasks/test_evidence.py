"""Parts of the collector without a browser: pictures, processes, words, records (A-1, A-11)."""

import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import psutil
import pytest
import yaml
from PIL import Image, ImageDraw

from schemas.evidence import (
    Box,
    Control,
    Event,
    EventKind,
    Killed,
    Limits,
    Measurements,
    Missing,
    Outcome,
    Rejection,
    Shot,
    Use,
)
from tasks.evidence import pace, words
from tasks.evidence.controls import reason_of
from tasks.evidence.folder import count, read_record
from tasks.evidence.log import Log
from tasks.evidence.pace import FEWEST, Pace
from tasks.evidence.pictures import Picture, below_fold, read_picture, share_moved
from tasks.evidence.process import Family


def picture(path: Path, height: int = 800, boxes: tuple[tuple[int, ...], ...] = (), colour: int = 100) -> Picture:
    image = Image.new("RGB", (1280, height), (colour, 100, 100))
    for box in boxes:
        ImageDraw.Draw(image).rectangle(box, fill=(0, 0, 0))
    image.save(path)
    found = read_picture(path)
    assert found is not None
    return found


def test_share_of_pixels_that_move(tmp_path: Path) -> None:
    """By hand: a box of 32 × 40 pixels is 1,280 of 1,024,000."""
    plain = picture(tmp_path / "a.png")
    assert share_moved(plain, picture(tmp_path / "b.png", boxes=((0, 0, 31, 39),))) == 0.00125
    assert share_moved(plain, picture(tmp_path / "c.png", colour=108)) == 0.0  # a difference of 8 is none
    assert share_moved(plain, picture(tmp_path / "d.png", colour=109)) == 1.0
    assert share_moved(plain, picture(tmp_path / "e.png", height=900)) == 1.0
    assert share_moved(plain, None) is None


def test_what_a_field_shows_by_itself_is_no_change_elsewhere(tmp_path: Path) -> None:
    """By hand: of a box of 32 × 40 pixels, all lies in the field, or 8 px around it, or the right half does not."""
    plain, typed = picture(tmp_path / "a.png"), picture(tmp_path / "b.png", boxes=((100, 100, 131, 139),))
    assert share_moved(plain, typed, [Box(x=90, y=90, width=100, height=100)]) == 0.0
    assert share_moved(plain, typed, [Box(x=108, y=108, width=16, height=24)]) == 0.0
    assert share_moved(plain, typed, [Box(x=0, y=0, width=108, height=800)]) == 0.000625
    assert share_moved(plain, typed, [Box(x=-50, y=-50, width=10, height=10)]) == 0.00125


def test_a_load_that_is_opened_anew_is_counted_once(tmp_path: Path) -> None:
    """By hand: what only the first take did goes, what another load did as well stays."""
    log = Log()
    for where in ("timeline", "interact-1"):
        log.event(where, "dialog", 1.0, "alert: x")
        log.error(where, "pageerror", 0.5, "both")
    log.error("timeline", "pageerror", 0.5, "first take alone")
    log.take_again("timeline", tmp_path)
    log.event("timeline", "dialog", 1.0, "alert: x")
    record = log.record()
    assert record.takes == 2
    assert [(e.load, e.count) for e in record.events] == [("interact-1", 1), ("timeline", 1)]
    assert [(e.text, e.loads) for e in record.errors] == [("both", ("interact-1",))]


def most_at_once(pace: Pace, trials: int, expected: int) -> int:
    """How many of some trials run at the same moment: each stays until as many as expected are there, or none comes any more."""
    running, most, lock, enough = [0], [0], threading.Lock(), threading.Event()

    def trial() -> None:
        with pace.turn():
            with lock:
                running[0] += 1
                most[0] = max(most[0], running[0])
                if running[0] >= expected:
                    enough.set()
            enough.wait(20)
            time.sleep(0.01)
            with lock:
                running[0] -= 1

    threads = [threading.Thread(target=trial) for _ in range(trials)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return most[0]


def test_a_pace_heeds_lateness() -> None:
    """A late trial takes a place away, down to the fewest; trials on time give them back, one after another."""
    kept = Pace(5, apart_s=0)
    assert most_at_once(kept, 12, 5) == 5
    kept.heed(was_late=True)
    assert most_at_once(kept, 9, 4) == 4
    for _ in range(8):
        kept.heed(was_late=True)
    assert kept.allowed == FEWEST
    assert most_at_once(kept, 7, FEWEST) == FEWEST
    kept.heed(was_late=False)
    assert kept.allowed == pytest.approx(FEWEST + 1 / FEWEST)
    for _ in range(20):
        kept.heed(was_late=False)
    assert kept.allowed == 5.0
    assert most_at_once(Pace(1, apart_s=0), 3, 1) == 1


def test_a_pace_keeps_starts_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that stands still: the second waits for one interval, the third for two; after a pause nobody waits."""
    now, slept = [100.0], []
    monkeypatch.setattr(pace, "time", SimpleNamespace(monotonic=lambda: now[0], sleep=slept.append))
    trials = Pace(9, apart_s=1.5)
    for _ in range(3):
        with trials.turn():
            pass
    now[0] = 110.0
    with trials.turn():
        pass
    assert slept == [0.0, 1.5, 3.0, 0.0]


def test_below_the_fold(tmp_path: Path) -> None:
    """By hand: 3,200 px below the fold; a block from 2,000 to 2,099 splits them into 1,200 and 1,900."""
    empty = below_fold(picture(tmp_path / "a.png", 4000, ((0, 0, 600, 500),)), 4000)
    assert empty is not None
    assert (empty.share, empty.blank, empty.longest_blank_px) == (0.8, True, 3200)
    block = below_fold(picture(tmp_path / "b.png", 4000, ((200, 2000, 700, 2099),)), 4000)
    assert block is not None
    assert (block.blank, block.longest_blank_px) == (False, 1900)
    short = below_fold(picture(tmp_path / "c.png"), 800)
    assert short is not None
    assert (short.share, short.blank) == (0.0, None)
    capped = below_fold(picture(tmp_path / "d.png", 16_000), 64_000)
    assert capped is not None
    assert capped.share == 0.9875


@pytest.mark.parametrize("size", [(1281, 800), (1280, 799), (1280, 16_001)])
def test_a_picture_of_another_size_is_none(tmp_path: Path, size: tuple[int, int]) -> None:
    Image.new("L", size).save(tmp_path / "x.png")
    assert read_picture(tmp_path / "x.png") is None


def test_what_is_no_png_is_no_picture(tmp_path: Path) -> None:
    Image.new("RGB", (1280, 800)).save(tmp_path / "x.png", format="GIF")
    assert read_picture(tmp_path / "x.png") is None
    assert read_picture(tmp_path / "none.png") is None


GREEDY = "import time; kept = bytearray(400 * 2**20); kept[::4096] = b'x' * len(kept[::4096]); time.sleep(60)"
PARENT = "import subprocess, sys; subprocess.Popen([sys.executable, '-c', sys.argv[1]]); {wait}"


def start(code: str, wait: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([sys.executable, "-c", PARENT.format(wait=wait), code], start_new_session=True)


def seen(family: Family, least: int = 1) -> list[int]:
    while len(found := family.look()[1:]) < least:
        time.sleep(0.02)
    return found


def is_gone(pid: int) -> bool:
    """Whether a killed process ends; it may take a moment, and its parent may not have reaped it."""
    for _ in range(200):
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.05)
    return False


def test_who_takes_too_much_memory_is_killed_alone() -> None:
    child = start(GREEDY, "import time; time.sleep(60)")
    family = Family(child.pid)
    killed: list[Killed] = []
    (greedy,) = seen(family)
    while not killed:
        killed = family.hold(Limits(memory_mb=300), 1.5)
        time.sleep(0.02)
    assert killed == [Killed(what="process", why="process over 300 MB of memory", at_s=1.5)]
    assert is_gone(greedy)
    assert child.poll() is None
    assert family.end(child) == 0
    assert child.poll() is not None


def test_an_orphan_is_ended_too() -> None:
    """Its parent is gone and it has a session of its own, but it was seen."""
    child = start("import os, time; os.setsid(); time.sleep(60)", "import time; time.sleep(1)")
    family = Family(child.pid)
    (orphan,) = seen(family)
    child.wait()
    assert psutil.pid_exists(orphan)
    assert family.end(child) == 0
    assert is_gone(orphan)


@pytest.mark.parametrize(
    ("message", "reason", "by"),
    [
        ('element is not stable\n- <div id="v">…</div> intercepts pointer events', "covered", '<div id="v">'),
        ("<p>…</p> intercepts pointer events\n- element is not stable", "not_stable", ""),
        ('<span class="x">y</span> from <nav>…</nav> subtree intercepts pointer events', "covered", '<span class="x">'),
        ("element is not enabled", "disabled", ""),
        ("element is not visible", "hidden", ""),
        ("element is outside of the viewport", "outside", ""),
        ("element was detached from the DOM", "vanished", ""),
        ("Timeout 1500ms exceeded.", "busy", ""),
        ("Something new", "other", ""),
    ],
)
def test_reasons_by_the_driver_s_words(message: str, reason: str, by: str) -> None:
    assert reason_of(message) == (reason, by)


def test_words_are_there_for_every_code_in_both_languages() -> None:
    texts = yaml.safe_load(words.FILE.read_text(encoding="utf-8"))
    assert set(texts["cs"]) == set(texts["en"])
    for told in texts.values():
        for key, codes in (
            ("missing", Missing),
            ("rejections", Rejection),
            ("outcomes", Outcome),
            ("events", EventKind),
        ):
            assert set(told[key]) == set(get_args(codes)), key


def measured(**more: Any) -> Measurements:
    return Measurements.model_validate(more)


def test_steps_in_words() -> None:
    use = Use(number=1, control=Control(tag="button", label="Start", place=0), changed=0.0312)
    found = measured(uses=[use], shots=[Shot(name="interact-1.png"), Shot(name="interact-2.png", missing="no_control")])
    assert words.Teller(found, "cs").interactions()["steps"] == [
        {
            "step": 1,
            "shot": "interact-1.png",
            "words": "Krok 1: klik na tlačítko „Start“. Změnilo se 3,12\xa0% obrazu.",
        },
        {"step": 2, "shot": None, "words": "Krok 2: stránka nemá funkční ovládací prvek č. 2."},
    ]
    said = words.Teller(found, "en").interactions()["steps"]
    assert said[0]["words"] == "Step 1: click on the button “Start”. 3.12% of the picture changed."
    assert said[1]["words"] == "Step 2: the page has no working interactive element no. 2."


def test_braces_of_a_page_are_only_letters() -> None:
    """A label or an address that looks like a field of a template is told as it stands."""
    odd = "{number.__class__} {0}"
    found = measured(
        uses=[Use(number=1, control=Control(tag="button", label=odd, place=0))],
        shots=[Shot(name="interact-1.png")],
        events=[Event(load="timeline", kind="request", detail=odd, at_s=0)],
        controls=[Control(tag="a", label=odd, place=0, rejected="covered", by=odd)],
    )
    told = words.Teller(found, "cs").interactions()
    assert odd in told["steps"][0]["words"]
    assert all(odd in note for note in told["notes"])


def test_equal_errors_are_counted_in_the_load_that_had_most(tmp_path: Path) -> None:
    log = Log()
    for load, times in (("timeline", 2), ("interact-1", 3)):
        for _ in range(times):
            log.error(load, "console.error", 1.0, "oops")
            log.event(load, "dialog", 1.0, "alert: x")
    log.error("interact-2", "pageerror", 2.0, "only after the click")
    log.save(tmp_path)
    record = read_record(tmp_path)
    assert [(e.text, e.loads, e.count) for e in record.errors] == [
        ("oops", ("timeline", "interact-1"), 3),
        ("only after the click", ("interact-2",), 1),
    ]
    assert count(record) == {"dialog": 3, "errors": 2, "errors_own": 2}


def test_a_flood_stays_bounded(tmp_path: Path) -> None:
    log = Log()
    for number in range(5000):
        log.error("timeline", "pageerror", 0.0, f"{number} " + "x" * 5000)
        log.event("timeline", "request", 0.0, f"image https://x.example/{number}" + "y" * 5000)
    log.save(tmp_path)
    assert (tmp_path / "record.json").stat().st_size < 1_500_000


def test_half_a_record_is_an_empty_one(tmp_path: Path) -> None:
    (tmp_path / "record.json").write_text('{"browser": "1', encoding="utf-8")
    assert read_record(tmp_path).failed == "no record: ValidationError"
    assert read_record(tmp_path / "none").failed == "no record: FileNotFoundError"
