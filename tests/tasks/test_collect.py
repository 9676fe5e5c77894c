"""Pages are opened once, judges see exactly the evidence and never who made it, programs and judges grade it (A-1, A-5, A-6, G-6, G-12)."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gateway_stub import Gateway
from pipeline_support import places_of, run_stages
from web_store import JUDGES, SENTINEL, graded, prepare
from web_support import DEAD, GOOD

from datasets.store import Store
from datasets.tables import read, rows_of
from schemas.errors import StageError, UsageError
from schemas.evidence import FILES, INTERACTIONS, MEASUREMENTS
from schemas.evidence_row import EvidenceFile
from schemas.grade import Grade
from tasks import browse
from tasks.estimate import estimate


@pytest.fixture(scope="module")
def gateway() -> Iterator[Gateway]:
    with Gateway() as running:
        yield running


@pytest.fixture(scope="module")
def patch() -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as made:
        yield made


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory, gateway: Gateway, patch: pytest.MonkeyPatch) -> str:
    return graded(tmp_path_factory.mktemp("web"), gateway, patch)


def files(root: str, system: str, trial: int = 1) -> dict[str, EvidenceFile]:
    store = Store.open(root)
    rows = [
        r
        for p in places_of(store, EvidenceFile)
        if p.system == system
        for r in rows_of(EvidenceFile, read(store, EvidenceFile, p))
    ]
    return {row.name: row for row in rows if row.trial == trial}


def grades(root: str, judge: str, system: str) -> list[Grade]:
    store = Store.open(root)
    places = [p for p in places_of(store, Grade) if p.system == system]
    return [g for p in places for g in rows_of(Grade, read(store, Grade, p)) if g.judge_id == judge]


def points(root: str, judge: str, system: str, trial: int = 1) -> dict[str, float]:
    return {g.item: g.points for g in grades(root, judge, system) if g.trial == trial and g.max_points}


def test_the_evidence_is_in_the_store_file_by_file(root: str) -> None:
    """A-1: all files of a page that works, as blobs with their hashes; what was measured stands in a row of its own."""
    found = files(root, "controls")
    assert set(found) == {*FILES, MEASUREMENTS}
    store = Store.open(root)
    assert store.get_blob(found["artifact.html"].sha256).decode() == GOOD.strip()
    assert [name for name, row in found.items() if row.measurements] == [MEASUREMENTS]
    told = json.loads(found[MEASUREMENTS].measurements or "{}")
    assert told["load_s"] is not None
    assert len(store.get_blob(found["shot-1.png"].sha256)) == found["shot-1.png"].size_bytes
    assert found["shot-1.png"].is_one_colour is False
    assert found["artifact.html"].is_one_colour is None


def test_programs_tell_good_from_broken(root: str) -> None:
    """S-5: real measurements of real pages."""
    atomic = {
        trial: {
            g.item: g.error
            for g in grades(root, "measurements", "controls")
            if g.trial == trial and g.pass_name == "atomic"
        }
        for trial in (1, 2)
    }
    assert not [error for error in atomic[1].values() if error]
    assert {atomic[2][f"use-{n}"] for n in (1, 2, 3)} == {"dead"}
    assert points(root, "measurements", "controls", 1)["works"] == 1
    assert points(root, "measurements", "controls", 2)["works"] == 0


def test_a_reply_without_a_page_is_nothing_and_no_judge_is_asked(root: str) -> None:
    assert files(root, "mute") == {}
    assert points(root, "measurements", "mute")["works"] == 0
    assert all(not grades(root, judge, "mute") for judge in JUDGES)


def test_the_same_page_is_opened_once(root: str) -> None:
    """Six trials of a system and a control are one page: one record of what was opened, the same evidence."""
    assert len(Store.open(root).names("evidence", ".json")) == 2
    mine, control = files(root, "zirkonia-9", 6), files(root, "controls")
    assert mine["shot-full.png"].sha256 == control["shot-full.png"].sha256


def test_a_judge_sees_the_files_of_a_1_and_nothing_that_names_who_made_the_page(root: str, gateway: Gateway) -> None:
    """A-1, A-11, G-6: pictures and files, no measurements, no id, name or vendor."""
    asked = [a for a in gateway.asked if a.request["model"].startswith("stub/judge-sees")]
    assert asked
    for request in asked:
        words = request.body.decode()
        assert SENTINEL.casefold() not in words.casefold()
        assert "load_s" not in words
        content: Any = request.request["messages"][0]["content"]
        assert sum(part["type"] == "image_url" for part in content) == 7
        assert "<h1>Počitadlo</h1>" in content[0]["text"]
    (told,) = {g.reason for g in grades(root, "agent", "controls") if g.item == "code"}
    assert told == "Files: " + ",".join(sorted([*FILES, "prompt.md", "schema.json"]))


def test_judges_grade_and_a_silent_one_is_flagged(root: str, gateway: Gateway) -> None:
    """A-5: below the top a reason is asked for once more, then the grade counts and is flagged."""
    assert set(points(root, "seer", "zirkonia-9").values()) == {1.0}
    assert {(g.points, g.error) for g in grades(root, "half", "zirkonia-9")} == {(0.5, "flawed")}
    assert {(g.points, g.error) for g in grades(root, "silent", "zirkonia-9")} == {(0.5, "no_reason")}
    again = [
        a for a in gateway.asked if a.request["model"] == "stub/judge-sees-silent" and len(a.request["messages"]) == 3
    ]
    assert again
    assert "konkrétní vadu" in again[0].request["messages"][2]["content"]


def test_a_second_run_opens_and_asks_nothing(root: str, gateway: Gateway, patch: pytest.MonkeyPatch) -> None:
    """G-12, and with a lost part of the evidence too: what was opened is remembered."""
    n = len(gateway.asked)

    def never(*_: Any, **__: Any) -> Any:
        raise AssertionError("a page was opened again")

    with pytest.MonkeyPatch.context() as own:
        own.setattr(browse, "collect_all", never)
        run_stages(root, "artifacts", ["controls", "zirkonia-9", "mute"], 1, judges=JUDGES)
        store = Store.open(root)
        for name in store.names("manifests/evidence", ".json"):
            store.remove(name)
        run_stages(root, "artifacts", ["controls", "zirkonia-9", "mute"], 1, judges=JUDGES)
    assert len(gateway.asked) == n
    assert set(files(root, "controls")) == {*FILES, MEASUREMENTS}


def test_a_judge_that_takes_no_pictures_is_told(root: str) -> None:
    with pytest.raises(UsageError, match="'blind' takes no pictures"):
        run_stages(root, "artifacts", ["controls"], 1, judges=["blind"])


def test_a_stop_loses_no_page_that_was_opened(tmp_path: Path, gateway: Gateway) -> None:
    """Killed after the first of two pages: the next run opens the other one alone."""
    opened: list[bytes] = []
    really = browse.collect_all

    def stopping(trials: Any, **options: Any) -> Any:
        for trial in trials:
            opened.append(trial.html)
            yield from really([trial], **options)
            if len(opened) == 1:
                raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as own:
        root = prepare(tmp_path, gateway.url, own)
        own.setattr(browse, "collect_all", stopping)
        with pytest.raises(KeyboardInterrupt):
            run_stages(root, "artifacts", ["controls"], 1)
        run_stages(root, "artifacts", ["controls"], 1)
    assert opened == [GOOD.strip().encode(), DEAD.strip().encode()]
    assert set(files(root, "controls", 2)) >= {MEASUREMENTS, "artifact.html", *INTERACTIONS}


def test_without_a_browser_the_step_says_so(tmp_path: Path, gateway: Gateway) -> None:
    with pytest.MonkeyPatch.context() as own:
        root = prepare(tmp_path, gateway.url, own)
        own.setattr(browse, "missing", lambda: browse.NO_BROWSER)
        with pytest.raises(StageError, match="The pages cannot be opened: there is no Chromium"):
            run_stages(root, "artifacts", ["controls"], 1)


def test_the_estimate_knows_what_judges_saw_and_counts_pages_that_are_not_there_yet(
    root: str, tmp_path: Path, gateway: Gateway
) -> None:
    """M-8: nothing is left to ask about pages that were judged; before, a question a page: two controls and six trials."""
    told = {}
    with pytest.MonkeyPatch.context() as own:
        fresh = prepare(tmp_path, gateway.url, own)
        for name, where in (("after", root), ("before", fresh)):
            lines = estimate(
                where, ["artifacts"], ["controls", "zirkonia-9"], 1, 7, None, is_full=False, judges=["seer"]
            )
            told[name] = next(line for line in lines if line.role == "judge")
    assert (told["after"].cached, told["after"].to_ask) == (8, 0)
    assert (told["before"].cached, told["before"].to_ask) == (0, 8)
