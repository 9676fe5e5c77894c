"""The cases of law as a set: files that are wrong are told and the rest is taken, sets span what there is, nothing leaks (L-1 to L-4)."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from legal_support import CONTROLS, SIGNALS, case_text, folder_of

from datasets import legal
from datasets.controls import control_answers, controls_version
from datasets.editions import edition_for
from datasets.legal_files import read_law
from schemas.case import Case
from schemas.edition import Edition
from schemas.errors import UsageError
from schemas.exchange import Message
from schemas.legal import Area, Category, Truth

AREAS = {"civil", "labour", "administrative", "criminal", "tax", "commercial"}
FOUR_AT_LEAST = {"exception-to-general-rule", "legislative-amendment", "deadline-calculation", "scope-limitation"}
FILE = "zkusebni-doba.yaml"


def edition(size: int, version: str = legal.SET_VERSION) -> Edition:
    return edition_for("legal", version, seed=1, size=size, secret="secret")


def rows(size: int) -> list[Case]:
    return [made.case for made in legal.make_cases(edition(size), "secret", 0, size)]


def strings_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from strings_in(inner)


@pytest.fixture
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A set of three cases in a folder of its own; one has signals and controls."""
    texts = {"a.yaml": case_text("a"), "b.yaml": case_text("b", area="tax"), FILE: case_text()}
    folder = folder_of(tmp_path, cases=texts, signals={FILE: SIGNALS}, controls={FILE: CONTROLS})
    monkeypatch.setattr(legal, "FOLDER", folder)
    return folder


def test_bad_files_are_all_told_and_the_rest_is_taken(tmp_path: Path) -> None:
    """One sentence a fault: file, line, what was expected, the nearest right thing."""
    folder = folder_of(
        tmp_path,
        cases={
            FILE: case_text(),
            "two-foils.yaml": case_text("two-foils").replace("foil: >-\n  Ano, ", "foil:\n  - Ne.\n  - Ano, "),
            "other-name.yaml": case_text("another-name"),
            "elsewhere.yaml": case_text("elsewhere", jurisdiction="sk"),
            "no-yaml.yaml": "id: [",
            "wrong.yml": case_text("wrong"),
            ".hidden.yaml": "id: [",
        },
        signals={
            FILE: SIGNALS.replace("M2:", "M4:"),
            "zkusebni-dob.yaml": SIGNALS,
            "two-foils.yaml": SIGNALS.replace("zkusebni-doba", "two-foils"),
        },
        controls={FILE: CONTROLS.replace("case: zkusebni-doba", "case: jiny")},
    )
    law = read_law(folder)
    assert [case.id for case in law.cases] == ["zkusebni-doba"]
    assert (law.signals, law.controls) == ({}, {})
    assert sorted(law.problems) == [
        "cases/elsewhere.yaml, line 3: jurisdiction: 'sk' was found, expected 'cz', the name of the folder.",
        "cases/no-yaml.yaml, line 1: it is no YAML: while parsing a flow node, did not find expected node content.",
        "cases/other-name.yaml, line 1: id: 'another-name' was found, expected 'other-name', the name of the file.",
        "cases/two-foils.yaml, line 12: foil: one text was expected, not a list of 2.",
        "cases/wrong.yml: a name that ends in .yaml was expected, as 'wrong.yaml'.",
        "controls/zkusebni-doba.yaml, line 1: case: 'jiny' was found, expected 'zkusebni-doba', the name of the file.",
        "signals/zkusebni-dob.yaml, line 1: case: there is no case 'zkusebni-dob'; did you mean 'zkusebni-doba'? "
        "Known: elsewhere, no-yaml, other-name, two-foils, zkusebni-doba.",
        "signals/zkusebni-doba.yaml, line 2: rules: signals of every rule were expected, M2 has none.",
        "signals/zkusebni-doba.yaml, line 4: rules.M4: the case has no such rule; did you mean 'M1'? Known: B1, M1, M2, N1.",
    ]


def test_a_folder_without_cases_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has no folder `cases`"):
        read_law(tmp_path)


def test_a_case_without_a_prompt_in_its_language_is_told(own_folder: Path) -> None:
    (own_folder / "cases" / "c.yaml").write_text(case_text("c", language="pl"), encoding="utf-8")
    assert legal.problems() == [
        "cases/c.yaml: there is no prompt in its language 'pl', expected 'prompts/question.pl.md'."
    ]
    assert [case.id for case in legal.cases()] == ["a", "b", "zkusebni-doba"]


def test_a_prompt_without_a_place_for_the_question_is_told(own_folder: Path) -> None:
    (own_folder / "prompts" / "question.cs.md").write_text("Odpovězte.", encoding="utf-8")
    assert legal.cases() == ()
    assert legal.problems()[0] == (
        "cases/a.yaml: the prompt 'prompts/question.cs.md' has no place for it, expected '{{ question }}' in it."
    )


def test_the_truth_holds_the_marks_of_the_controls_and_no_text_of_them(own_folder: Path) -> None:
    """S-5: written here by hand from the file; the texts go to the client alone."""
    by_id = {case.case_id: case for case in rows(3)}
    truth = by_id["zkusebni-doba"].to_truth()
    assert truth["controls"] == {
        "1": {"kind": "right", "misses": [], "violates": []},
        "2": {"kind": "right", "misses": [], "violates": []},
        "3": {"kind": "partly", "misses": ["M2"], "violates": []},
        "4": {"kind": "partly", "misses": ["M1"], "violates": []},
        "5": {"kind": "foil", "misses": ["M1", "M2"], "violates": ["N1"]},
    }
    wanted = {name: {"none": [], **signal} for name, signal in yaml.safe_load(SIGNALS)["rules"].items()}
    assert truth["signals"] == wanted
    texts = [control["text"] for control in yaml.safe_load(CONTROLS)["controls"]]
    assert not [text for text in texts if text in by_id["zkusebni-doba"].model_dump_json()]
    assert "notes" not in truth
    assert "Poznámka" not in by_id["zkusebni-doba"].model_dump_json()
    assert Truth.model_validate(truth).law_as_of.isoformat() == "2025-05-20"
    assert (by_id["a"].to_truth()["controls"], by_id["a"].to_truth()["signals"]) == ({}, {})


def test_control_answers_are_texts_by_trial(own_folder: Path) -> None:
    texts = tuple(control["text"] for control in yaml.safe_load(CONTROLS)["controls"])
    assert control_answers("legal", "zkusebni-doba") == texts
    assert control_answers("legal", "a") == control_answers("invoices", "zkusebni-doba") == ()


def test_the_version_of_controls_follows_their_texts_alone(
    own_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = controls_version("legal")
    changes = {
        "same": ("# poznámka", "# jiná"),
        "marks": ("misses: [M2],", "misses: [M1],"),
        "text": ("Druhá", "Třetí"),
    }
    found = {}
    for name, (old, new) in changes.items():
        controls = ("# poznámka\n" + CONTROLS).replace(old, new)
        folder = folder_of(tmp_path / name, cases={FILE: case_text()}, controls={FILE: controls})
        monkeypatch.setattr(legal, "FOLDER", folder)
        found[name] = controls_version("legal")
    assert found["same"] == found["marks"] == first != found["text"]


def test_versions_follow_what_decides_the_cases(
    own_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Notes and texts of controls are no part of a case, everything else is."""
    files = {"cases": case_text(), "signals": SIGNALS, "controls": CONTROLS}

    def version_with(name: str, kind: str = "", old: str = "", new: str = "") -> str:
        texts = {k: {FILE: text.replace(old, new) if k == kind else text} for k, text in files.items()}
        folder = folder_of(tmp_path / name, **texts)
        if kind == "prompts":
            (folder / "prompts" / "question.cs.md").write_text(new + legal.QUESTION, encoding="utf-8")
        monkeypatch.setattr(legal, "FOLDER", folder)
        return json.dumps(legal.versions())

    first = version_with("first")
    assert version_with("notes", "cases", "Poznámka", "Pozn.") == first
    assert version_with("text", "controls", "Druhá", "Třetí") == first
    changes = [("cases", "šest", "pět"), ("signals", "novela", "změna"), ("controls", "[M1, M2]", "[M1]")]
    for kind, old, new in [*changes, ("prompts", "", "Poraďte. ")]:
        assert version_with(f"changed-{kind}", kind, old, new) != first


def test_a_larger_set_than_there_is_and_another_version_are_refused(own_folder: Path) -> None:
    with pytest.raises(UsageError, match="The size 4 is more than the 3 cases of legal"):
        legal.units(edition(4))
    with pytest.raises(UsageError, match=r"is of version '0\.9' of legal; these cases are '1\.0'"):
        list(legal.make_cases(edition(1, "0.9"), "secret", 0, 1))


def test_a_row_of_a_case_by_hand(own_folder: Path) -> None:
    case = {c.case_id: c for c in rows(3)}["b"]
    brief = case.to_brief()
    question = "V květnu mi v nové práci dali zkušební dobu šest měsíců. Platí to?"
    assert brief.prompt == f"Odpovězte.\n\nDotaz:\n\n{question}"
    assert (brief.answer_schema, brief.attachments, brief.max_tokens) == (None, (), None)
    assert (case.area, case.category, case.meta_task, case.state) == (
        "tax",
        "legislative-amendment",
        "intertemporal",
        "draft",
    )
    assert (case.layout, case.variant, case.split, case.level) == ("tax", "legislative-amendment", "public", "text")
    assert [c.pair_id for c in rows(3)] == ["legal-0001", "legal-0002", "legal-0003"]
    first = legal.next_message(brief, ())
    assert first == Message(role="user", text=brief.prompt)
    assert legal.next_message(brief, (first, Message(role="assistant", text=""))) is None


def test_a_shard_makes_the_same_rows_as_the_whole(own_folder: Path) -> None:
    """D-3."""
    parts = [legal.make_cases(edition(3), "secret", start, stop) for start, stop in ((0, 1), (1, 3), (3, 9))]
    assert [made.case for part in parts for made in part] == rows(3)


def test_a_small_set_spans_what_there_is() -> None:
    """The first six real cases have six areas, the first twelve all categories; later beginnings stay even."""
    ordered = legal.cases()
    assert len({case.area for case in ordered[:6]}) == len(AREAS)
    assert {case.category for case in ordered[:12]} == {case.category for case in ordered}
    for size in range(1, len(ordered) + 1):
        taken = Counter(case.area for case in ordered[:size])
        left = Counter(case.area for case in ordered[size:])
        behind = [taken[area] for area in left]
        assert max(taken.values()) - min(behind, default=max(taken.values())) <= 2


def test_the_set_has_the_cases_that_it_promises() -> None:
    """Twenty-four cases and more, over six areas, four and more of each category; those of case law as many as are certain (L-3)."""
    assert legal.problems() == []
    cases = legal.cases()
    assert len(cases) == len(list((legal.FOLDER / "cases").glob("*.yaml"))) >= 24
    assert {case.area for case in cases} == AREAS == set(Area.__args__)  # type: ignore[attr-defined]  # of a Literal
    by_category = Counter(case.category for case in cases)
    assert set(by_category) <= set(Category.__args__)  # type: ignore[attr-defined]  # of a Literal
    assert all(by_category[category] >= 4 for category in FOUR_AT_LEAST), by_category


def test_no_case_is_a_variation_of_another() -> None:
    """No two turn on the same references with the most weight, and no two questions share a run of ten words."""
    turning = Counter(frozenset(r.cite for r in case.references if r.weight > 1) for case in legal.cases())
    assert [cites for cites, times in turning.items() if cites and times > 1] == []
    seen: dict[tuple[str, ...], str] = {}
    for case in legal.cases():
        words = case.question.split()
        for at in range(len(words) - 9):
            assert seen.setdefault(tuple(words[at : at + 10]), case.id) == case.id


def test_a_brief_shows_nothing_but_the_question() -> None:
    """L-1: of all texts of a truth, its id and its question alone stand in the brief; only their first message is sent."""
    for case in rows(len(legal.cases())):
        truth = {k: v for k, v in case.to_truth().items() if k != "signals"}  # wordings are words of the language
        shown = {truth["id"], truth["question"], truth["language"], truth["jurisdiction"]}
        for value in strings_in(truth):
            if len(value) >= 6 and value not in shown:
                assert value not in case.brief, (case.case_id, value)
        assert truth["id"] not in case.to_brief().prompt


def test_every_case_has_signals_and_controls_or_none_has_yet() -> None:
    """S-5: as soon as there are any, every case has its own."""
    law = read_law(legal.FOLDER)
    ids = {case.id for case in law.cases}
    for kind, found in (("signals", law.signals), ("controls", law.controls)):
        assert set(found) == (ids if any((legal.FOLDER / kind).glob("*.yaml")) else set()), kind
