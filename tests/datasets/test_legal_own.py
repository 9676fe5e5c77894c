"""People's own cases of law beside the set: they come after it, change none of its beginnings, and what is wrong is told (L-4, L-11)."""

import json
from pathlib import Path

import pytest
from legal_support import CONTROLS, SIGNALS, case_text, folder_of

from datasets import legal
from datasets.controls import control_answers
from datasets.editions import edition_for
from datasets.legal_files import read_own
from schemas.errors import UsageError
from tasks.suites import suite_of

APPROVED = ('state: draft', 'state: approved\nreviewed_by: Jana Nová\nreviewed_on: 2025-06-30')  # fmt: skip


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A set of two cases, and an empty folder of people's own."""
    texts = {"m.yaml": case_text("m"), "n.yaml": case_text("n", area="tax")}
    monkeypatch.setattr(legal, "FOLDER", folder_of(tmp_path, cases=texts))
    folder = tmp_path / "store" / "cases" / "legal" / "cz"
    folder.mkdir(parents=True)
    monkeypatch.setattr(legal, "OWN", folder)
    return folder


def test_own_cases_come_after_those_of_the_set(own: Path) -> None:
    before = legal.versions()
    (own / "a.yaml").write_text(case_text("a").replace(*APPROVED), encoding="utf-8")
    (own / "controls").mkdir()
    (own / "controls" / "a.yaml").write_text(CONTROLS.replace("case: zkusebni-doba", "case: a"), encoding="utf-8")
    for cached in (read_own, legal._both, legal._ordered):
        cached.cache_clear()
    assert [(case.id, case.state) for case in legal.cases()] == [("m", "draft"), ("n", "draft"), ("a", "approved")]
    assert legal.problems() == []
    assert legal.versions()["cases"] != before["cases"]
    assert len(control_answers("legal", "a")) == 5
    assert legal.own_units() == 1


def test_what_is_wrong_with_own_cases_is_told_and_the_set_stays(own: Path) -> None:
    (own / "m.yaml").write_text(case_text("m", area="civil"), encoding="utf-8")
    (own / "x.yaml").write_text(case_text("x").replace("key_exception: true", "key_exception: false"), encoding="utf-8")
    assert [(case.id, case.area) for case in legal.cases()] == [("m", "labour"), ("n", "tax")]
    assert legal.problems() == [
        "cz/x.yaml, line 16: must_contain: one statement at least was expected to have `key_exception: true`, none has.",
        "cz/m.yaml: the set has a case 'm' already, expected an id of its own.",
    ]


def test_own_cases_keep_their_signals_and_the_marks_of_their_controls(own: Path) -> None:
    """S-5: the mechanical judge and fitness need them as with cases of the set."""
    (own / "a.yaml").write_text(case_text("a").replace(*APPROVED), encoding="utf-8")
    for word, text in (("controls", CONTROLS), ("signals", SIGNALS)):
        (own / word).mkdir()
        (own / word / "a.yaml").write_text(text.replace("case: zkusebni-doba", "case: a"), encoding="utf-8")
    edition = edition_for("legal", legal.SET_VERSION, 1, 3, "x", ())
    truths = {made.case.case_id: json.loads(made.case.truth) for made in legal.make_cases(edition, "x", 0, 3)}
    assert (len(truths["a"]["controls"]), sorted(truths["a"]["signals"])) == (5, ["B1", "M1", "M2", "N1"])
    assert (truths["m"]["controls"], truths["m"]["signals"]) == ({}, {})


def test_a_question_that_gives_something_away_is_told_and_left_out(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """L-4: file, line, what was expected; the rest is taken, in a run too."""
    asked = "V květnu mi v nové práci dali zkušební dobu šest měsíců. Platí to?"
    for name, question in (("a", asked), ("b", "Platí podle § 35 zákoníku práce zkušební doba šest měsíců?")):
        assert asked in case_text(name)
        (own / f"{name}.yaml").write_text(case_text(name).replace(asked, question), encoding="utf-8")
    monkeypatch.setenv("ZKUSEBNA_LEGAL_FOLDER", str(own))
    source = suite_of("legal").source
    assert [case.id for case in legal.cases()] == ["m", "n", "a"]
    assert source.problems() == [  # type: ignore[attr-defined]
        "cz/b.yaml, line 10: question: it holds the citation '§ 35'; it may hold no section, number of an act"
        " or docket number."
    ]


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"There is no folder .*; own cases of law stand in it as `<id>.yaml`"):
        read_own(tmp_path / "nowhere", "cz")


def test_the_setting_names_the_folder(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tasks.suites import Suite

    monkeypatch.setenv("ZKUSEBNA_LEGAL_FOLDER", str(own.parent))
    row = Suite("legal", default_size=1, full_size=1, is_generated=False)
    assert row.source is legal  # type: ignore[comparison-overlap]  # a module keeps the protocol
    assert own.parent == legal.OWN
    (own.parent / "a.yaml").write_text(case_text("a"), encoding="utf-8")
    assert [row.size(n, is_full=full) for n, full in ((None, False), (None, True), (2, False), (9, False))] == [
        1,
        2,
        2,
        2,
    ]
    monkeypatch.delenv("ZKUSEBNA_LEGAL_FOLDER")
    assert row.source
    assert legal.OWN is None
