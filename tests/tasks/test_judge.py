"""Judges asked through the door: blind, read in one place, never paid twice, and no system under test is called again (G-6, G-7, G-12, L-8)."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from gateway_stub import Gateway
from pipeline_support import places_of, run_stages

from datasets.store import Store
from datasets.tables import read
from schemas.call import Call
from schemas.errors import UsageError
from schemas.grade import Grade
from tasks import throttle
from tasks.choose import choose_judges

SENTINEL = "Zirkonia"
"""A name that stands nowhere else: no judge may ever read it."""

PER_ANSWER = 2
"""Questions about the whole, one in each order."""


@pytest.fixture(scope="module")
def gateway() -> Iterator[Gateway]:
    with Gateway() as running:
        yield running


@pytest.fixture
def asked(gateway: Gateway, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Gateway:
    """A gateway that has not been asked yet, judges of every kind in a file of systems, and one system that names itself."""
    gateway.reset()
    throttle._THROTTLES.clear()
    own = {"name": "n", "family": "f", "suites": ["legal"], "inputs": ["text"], "default": False}
    entries: list[dict[str, Any]] = [
        {
            **own, "id": name, "vendor": "judging house", "client": "openai", "judges": ["legal"],
            "options": {"url": gateway.url, "model": f"stub/{name}"}, "limits": {"at_once": 16, "seconds": 20},
        }
        for name in ("judge", "judge-first", "judge-invents", "judge-wraps", "judge-odd", "judge-mute")
    ]  # fmt: skip
    replies = [f"Jsem {SENTINEL}, jazykový model. Ano, máte na to právo, a to podle § 1 zákona č. 89/2012 Sb."]
    entries.append(
        {
            **own,
            "id": "zirkonia-9",
            "name": SENTINEL,
            "vendor": f"{SENTINEL} Labs",
            "client": "scripted",
            "options": {"replies": replies},
        }
    )
    entries.append(
        {
            **own,
            "id": "asked",
            "vendor": "judging house",
            "client": "openai",
            "options": {"url": gateway.url, "model": "stub/prose"},
        }
    )
    file = tmp_path / "systems.yaml"
    file.write_text(yaml.safe_dump(entries, allow_unicode=True), encoding="utf-8")
    monkeypatch.setenv("ZKUSEBNA_SYSTEMS_FILE", str(file))
    return gateway


def grades(root: Path, judge: str) -> list[dict[str, Any]]:
    store = Store.open(str(root))
    rows = [row for place in places_of(store, Grade) for row in read(store, Grade, place).to_pylist()]
    return [row for row in rows if row["judge_id"] == judge]


def models(gateway: Gateway) -> Counter[str]:
    return Counter(a.request["model"] for a in gateway.asked)


def test_a_judge_reads_nothing_that_names_who_answered(asked: Gateway, tmp_path: Path) -> None:
    """G-6: id, name, vendor and family of the judged stand in no request, also where the answer says them; the marks count it."""
    run_stages(str(tmp_path / "store"), "legal", ["zirkonia-9"], 2, judges=["judge"])
    assert len(asked.asked) > 10
    for request in asked.asked:
        assert "zirkonia" not in request.body.decode().casefold()
        assert "máte na to právo" in json.dumps(request.request, ensure_ascii=False)
    masked = [g for g in grades(tmp_path / "store", "masking") if g["item"] == "self_identified"]
    assert len(masked) == 2


def test_another_judge_calls_no_system_and_the_same_judge_nobody(asked: Gateway, tmp_path: Path) -> None:
    """G-12: the gateway's ledger says who was asked."""
    root = tmp_path / "store"
    run_stages(str(root), "legal", ["asked"], 2, judges=["judge"])
    first = models(asked)
    assert first["stub/prose"] == 2
    run_stages(str(root), "legal", ["asked"], 2, judges=["judge-wraps"])
    again = models(asked)
    assert again["stub/prose"] == 2
    assert again["stub/judge"] == first["stub/judge"] == again["stub/judge-wraps"]
    run_stages(str(root), "legal", ["asked"], 2, judges=["judge-wraps"])
    assert models(asked) == again
    assert grades(root, "judge")
    assert len(grades(root, "judge")) == len(grades(root, "judge-wraps"))
    store = Store.open(str(root))
    paid = [row for place in places_of(store, Call) for row in read(store, Call, place).to_pylist()]
    assert {(r["system_id"], r["purpose"]) for r in paid} == {
        ("asked", "test"),
        ("judge", "judge"),
        ("judge-wraps", "judge"),
    }
    assert {g["is_same_vendor"] for g in grades(root, "judge")} == {True}


def test_a_judge_that_wraps_its_object_keeps_its_vote(asked: Gateway, tmp_path: Path) -> None:
    run_stages(str(tmp_path / "store"), "legal", ["asked"], 2, judges=["judge-wraps"])
    given = grades(tmp_path / "store", "judge-wraps")
    assert {g["error"] for g in given} <= {None, "violated"}
    assert all(g["quote"] for g in given)


def test_a_judge_that_invents_quotes_is_asked_once_more_and_rejected(asked: Gateway, tmp_path: Path) -> None:
    """G-7: recorded as ungrounded, outside every score, and counted; the reply that was refused stands in `calls` too."""
    run_stages(str(tmp_path / "store"), "legal", ["asked"], 2, judges=["judge-invents"])
    given = grades(tmp_path / "store", "judge-invents")
    assert {(g["error"], g["max_points"]) for g in given} == {("ungrounded", 0.0)}
    asked_again = [a for a in asked.asked if len(a.request["messages"]) == 3]
    assert len(asked_again) == models(asked)["stub/judge-invents"] / 2
    assert "doslova není" in asked_again[0].request["messages"][2]["content"]


def test_a_judge_off_the_scale_is_asked_once_more_then_snapped_down_and_flagged(asked: Gateway, tmp_path: Path) -> None:
    """A-5: 0.7 becomes 0.5, 0.6 of yes or no becomes no."""
    run_stages(str(tmp_path / "store"), "legal", ["asked"], 2, judges=["judge-odd"])
    given = grades(tmp_path / "store", "judge-odd")
    verdicts = [g for g in given if g["item"].startswith("verdict@")]
    assert {(g["points"], g["error"]) for g in verdicts} == {(0.5, "off_scale")}
    rules = [g for g in given if g["item"][0] in "MB"]
    assert {(g["points"], g["error"]) for g in rules} == {(0.0, "off_scale")}


def test_a_judge_that_says_nothing_usable_gives_no_grade(asked: Gateway, tmp_path: Path) -> None:
    run_stages(str(tmp_path / "store"), "legal", ["asked"], 2, judges=["judge-mute"])
    given = grades(tmp_path / "store", "judge-mute")
    assert given
    assert {(g["error"], g["max_points"]) for g in given} == {("unread", 0.0)}


def test_a_judge_that_always_prefers_the_first_flips_everywhere(asked: Gateway, tmp_path: Path) -> None:
    """L-8: shown in both orders, it prefers the answer once and the foil once."""
    run_stages(str(tmp_path / "store"), "legal", ["asked"], 3, judges=["judge-first"])
    given = {(g["case_id"], g["item"]): g["points"] for g in grades(tmp_path / "store", "judge-first")}
    cases = {case for case, _ in given}
    assert len(cases) == 3
    for case in cases:
        assert given[case, "preferred@answer_first"] == 1
        assert given[case, "preferred@foil_first"] == 0


def test_an_unknown_judge_is_told_with_the_nearest_one(asked: Gateway) -> None:
    with pytest.raises(UsageError, match=r"judge-firts.*judge-first"):
        choose_judges("legal", ["judge-firts"])
    assert choose_judges("invoices", ["judge-first"]) == []
