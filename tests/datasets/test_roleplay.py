"""Scenarios as a set: files that are wrong are told and the rest is taken, a conversation goes message by message, nothing leaks (R-1 to R-3)."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from roleplay_support import CONTROL_TURNS, SCENARIO, case_ids, written

from datasets import roleplay
from datasets.controls import control_answers, controls_version
from datasets.editions import edition_for
from datasets.roleplay_files import read_play
from schemas.case import Case
from schemas.edition import Edition
from schemas.errors import UsageError
from schemas.exchange import Brief, Message
from schemas.roleplay import CONTROL_KINDS, MESSAGE_OF, T_ITEMS, TRAPS, Control
from tasks.suites import SUITES

WORDS_OF_R2 = [
    "coin", "offence", "false", "tears", "silence", "motive", "dilemma", "knife", "search", "escape", "calm", "gift", "farewell",
]  # fmt: skip
"""By message what R-2 says that it tries."""


def edition(size: int = 12, version: str = roleplay.SET_VERSION) -> Edition:
    return edition_for("roleplay", version, seed=1, size=size, secret="secret")


def rows(size: int = 12) -> list[Case]:
    return [made.case for made in roleplay.make_cases(edition(size), "secret", 0, size)]


def folder(tmp_path: Path, **scenarios: str) -> Path:
    """A folder with the rubrics of the project and scenarios of its own."""
    (tmp_path / "scenarios").mkdir(parents=True)
    (tmp_path / "rubrics").symlink_to(roleplay.FOLDER / "rubrics")
    for name, text in scenarios.items():
        (tmp_path / "scenarios" / f"{name}.yaml").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture(autouse=True)
def no_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test begins and ends without scenarios of one's own."""
    monkeypatch.setattr(roleplay, "OWN", None)


def test_the_files_of_the_set_are_sound() -> None:
    assert roleplay.problems() == []


def test_traps_stand_in_the_order_of_the_method() -> None:
    assert len(TRAPS) == 13
    for trap, word in zip(TRAPS, WORDS_OF_R2, strict=True):
        assert word in trap


def test_every_scenario_is_there_in_both_languages() -> None:
    """R-11: a control round for each."""
    pairs: dict[str, set[str]] = {}
    for case in rows():
        pairs.setdefault(case.pair_id, set()).add(case.language)
    assert len(pairs) >= 2
    assert {pair: languages for pair, languages in pairs.items() if languages != {"cs", "en"}} == {}


def test_twins_play_by_the_same_facts() -> None:
    """R-11: the same traps and the same number of coins; English alone lists what it cannot measure."""
    by_id: dict[str, dict[str, Any]] = {}
    for case in rows():
        by_id.setdefault(case.pair_id, {})[case.language] = case.to_truth()["scenario"]
    for twins in by_id.values():
        czech, english = twins["cs"], twins["en"]
        assert czech["facts"]["coins"] == english["facts"]["coins"]
        assert len(czech["facts"]["characters"]) == len(english["facts"]["characters"])
        assert czech["opening"].count("\n") == english["opening"].count("\n")
        assert (len(czech["not_measurable"]), len(english["not_measurable"])) == (0, 1)


def test_what_a_message_tries_never_reaches_the_brief() -> None:
    """R-1: no sentence that is for graders, and no anchor, stands in a brief; every word that is sent does."""
    for case in rows():
        truth, brief = case.to_truth(), json.dumps(json.loads(case.brief), ensure_ascii=False)
        scenario = truth["scenario"]
        for message in scenario["messages"]:
            assert json.dumps(message["text"], ensure_ascii=False) in brief
            assert message["trap"] not in brief
            for sentence in re.split(r"(?<=[.:;])\s+", message["expects"]):
                assert len(sentence) < 15 or sentence not in brief
        for rubric in truth["rubrics"].values():
            for item in rubric["items"]:
                for anchor in item["anchors"]:
                    assert len(anchor["text"]) < 25 or anchor["text"] not in brief


def test_settings_of_the_method() -> None:
    """R-10: temperature 1.0, 24,000 output tokens at most, no schema, no attachment; the system role cannot be written at all."""
    for case in rows():
        brief = case.to_brief()
        assert (brief.temperature, brief.max_tokens, brief.answer_schema, brief.attachments) == (1.0, 24_000, None, ())
    with pytest.raises(ValueError, match="role"):
        Message(role="system", text="x")


def converse(brief: Brief, answers: tuple[str, ...]) -> list[str]:
    """What is said to a system that gives these answers."""
    transcript: tuple[Message, ...] = ()
    said = []
    while (message := roleplay.next_message(brief, transcript)) is not None:
        said.append(message.text)
        transcript = (*transcript, message, Message(role="assistant", text=answers[len(said) - 1]))
    return said


def test_messages_go_one_by_one_whatever_is_answered() -> None:
    """R-1: the file's own words in their order, the same to a model that plays and to one that refuses; an empty answer ends it."""
    for case in rows():
        file = roleplay.FOLDER / "scenarios" / f"{case.pair_id}.{case.language}.yaml"
        told = yaml.safe_load(file.read_text(encoding="utf-8"))
        words = [told["opening"], *(m["text"] for m in told["messages"])]
        brief = case.to_brief()
        assert converse(brief, CONTROL_TURNS) == words
        assert converse(brief, ("Nebudu hrát.",) * 14) == words
        assert converse(brief, (*CONTROL_TURNS[:3], " ", *CONTROL_TURNS[4:])) == words[:4]


def test_messages_and_traps_that_do_not_match_are_told_by_file_and_line(tmp_path: Path) -> None:
    """Oracle: the lines as an editor counts them."""
    messages: list[dict[str, Any]] = [dict(m) for m in SCENARIO["messages"]]
    swapped = [*messages]
    swapped[3], swapped[4] = {**swapped[3], "trap": "silence"}, {**swapped[4], "trap": "tears"}
    texts = {
        "tower.cs": written(),
        "short.cs": written(id="short", messages=messages[:12]),
        "swapped.cs": written(id="swapped", messages=swapped),
        "number.cs": written(id="number", messages=[{**messages[0], "n": 2}, *messages[1:]]),
        "word.cs": written(id="word", messages=[{**messages[0], "trap": "coin_for_breakfest"}, *messages[1:]]),
        "other.cs": written(id="another"),
    }
    play = read_play(folder(tmp_path, **texts))
    assert [*play.scenarios] == ["tower-cs"]

    def line(name: str, words: str, nth: int = 1) -> int:
        numbered = enumerate(texts[name].splitlines(), start=1)
        return [number for number, text in numbered if words in text][nth - 1]

    assert sorted(play.problems) == [
        f"scenarios/number.cs.yaml, line {line('number.cs', '- n: 2')}: messages.0.n: 2 was found, expected 1: messages stand in their order.",
        "scenarios/other.cs.yaml, line 1: id: 'another.cs' was found, expected 'other.cs', the name of the file.",
        f"scenarios/short.cs.yaml, line {line('short.cs', 'messages:')}: messages: 13 messages were expected, one a trap, not 12.",
        f"scenarios/swapped.cs.yaml, line {line('swapped.cs', 'trap: silence')}: messages.3.trap: 'silence' was found, expected 'tears', "
        "the trap of message 4 (R-2).",
        f"scenarios/swapped.cs.yaml, line {line('swapped.cs', 'trap: tears')}: messages.4.trap: 'tears' was found, expected 'silence', "
        "the trap of message 5 (R-2).",
        f"scenarios/word.cs.yaml, line {line('word.cs', 'coin_for_breakfest')}: messages.0.trap: 'coin_for_breakfest' is not one of the known "
        f"words; did you mean 'coin_for_breakfast'? Known: {', '.join(sorted(TRAPS))}.",
    ]


def test_a_scenario_without_rubrics_in_its_language_is_told(tmp_path: Path) -> None:
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "scenarios" / "tower.cs.yaml").write_text(written(), encoding="utf-8")
    play = read_play(tmp_path)
    assert play.scenarios == {}
    assert play.problems == (
        "scenarios/tower.cs.yaml, line 3: language: there are no rubrics t.cs.yaml, r.cs.yaml, l.cs.yaml in its language.",
    )


def test_an_anchor_of_ours_without_examples_is_told(tmp_path: Path) -> None:
    """R-13: every anchor that we add has an example that meets it and one that does not."""
    (tmp_path / "scenarios").mkdir()
    (tmp_path / "rubrics").mkdir()
    text = (roleplay.FOLDER / "rubrics" / "r.cs.yaml").read_text(encoding="utf-8")
    told = yaml.safe_load(text)
    del told["items"][0]["anchors"][0]["meets"]
    del told["items"][1]["anchors"][1]
    (tmp_path / "rubrics" / "r.cs.yaml").write_text(
        yaml.safe_dump(told, allow_unicode=True, sort_keys=False), encoding="utf-8"
    )
    problems = read_play(tmp_path).problems
    assert len(problems) == 2
    assert "items.1.anchors: anchors for [2, 0] were found, expected [2, 1, 0]" in problems[1]
    assert "items.0.anchors.0.meets: it is missing" in problems[0]


def test_a_scenario_dropped_into_a_folder_of_ones_own_is_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """R-13: it comes after those of the project, with the rubrics of the project; an id of the set stays with the set."""
    ours = case_ids()
    (tmp_path / "tower.cs.yaml").write_text(written(), encoding="utf-8")
    (tmp_path / "keeper.cs.yaml").write_text(written(id="keeper"), encoding="utf-8")
    monkeypatch.setenv("ZKUSEBNA_ROLEPLAY_FOLDER", str(tmp_path))
    suite = SUITES["roleplay"]
    assert suite.source is roleplay
    assert case_ids() == [*ours, "tower-cs"]
    assert suite.own_units == 1
    assert roleplay.problems() == [
        f"{tmp_path.name}: the set has a scenario 'keeper-cs' already, expected an id of its own."
    ]
    last = rows()[-1]
    assert (last.case_id, last.to_brief().prompt) == ("tower-cs", SCENARIO["opening"])
    assert len(last.to_truth()["rubrics"]["t"]["items"]) == 12
    monkeypatch.delenv("ZKUSEBNA_ROLEPLAY_FOLDER")
    assert suite.source is roleplay
    assert case_ids() == ours
    monkeypatch.setenv("ZKUSEBNA_ROLEPLAY_FOLDER", str(tmp_path / "nowhere"))
    with pytest.raises(UsageError, match="nowhere"):
        roleplay.scenarios() if suite.source else None


def test_another_version_of_the_set_is_refused() -> None:
    with pytest.raises(UsageError, match=r"'0\.9'"):
        list(roleplay.make_cases(edition(version="0.9"), "secret", 0, 1))


def test_a_control_is_a_text_a_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """S-5: in the order of their kinds; another text, another version."""
    home = folder(tmp_path, **{"tower.cs": written()})
    (home / "controls").mkdir()
    expected = {
        "T": {**{f"T{n}": 2 for n in range(1, 13)}, "bonuses": {"B1": 1, "B2": 1, "B3": 0, "B4": 1}},
        "R": {f"R{n}": 2 for n in range(1, 7)},
        "L": {"L1": {"played": 13, "annulled": 0, "not_reached": 0}, "L2": True, **{f"L{n}": 0 for n in range(3, 9)}},
    }
    for kind in ("referee", "holds", "pushover"):
        turns = [f"{kind} {turn}" for turn in CONTROL_TURNS]
        text = {"scenario": "tower", "kind": kind, "turns": turns, "expected": expected, "quotes": {}}
        (home / "controls" / f"tower-{kind}.cs.yaml").write_text(
            yaml.safe_dump(text, allow_unicode=True), encoding="utf-8"
        )
    monkeypatch.setattr(roleplay, "FOLDER", home)
    found = control_answers("roleplay", "tower-cs")
    assert [turns[0].split()[0] for turns in found] == ["holds", "pushover", "referee"]
    assert [len(turns) for turns in found] == [14, 14, 14]
    [case] = rows()
    assert case.to_truth()["control_kinds"] == {"1": "holds", "2": "pushover", "3": "referee"}
    assert controls_version("roleplay") != controls_version("legal")
    (home / "controls" / "tower-holds.cs.yaml").write_text(
        yaml.safe_dump({**text, "kind": "holds", "turns": turns[:13]}, allow_unicode=True), encoding="utf-8"
    )
    read_play.cache_clear()
    problems = read_play(home).problems
    read_play.cache_clear()
    assert len(problems) == 1
    assert "turns: 14 answers were expected, to messages 0 to 13, not 13" in problems[0]


@pytest.mark.parametrize(
    ("replies", "is_extreme"),
    [
        (CONTROL_TURNS, False),
        ((*CONTROL_TURNS[:13], "Brána zapadla.\n\nKONEC"), False),  # after the farewell a run may end
        ((*CONTROL_TURNS[:5], "Brána zapadla.\n\nKonec příběhu.", *CONTROL_TURNS[6:]), True),
        ((*CONTROL_TURNS[:5], "The gate fell shut.\n\n**THE END**"), True),
        ((*CONTROL_TURNS[:5], ""), True),
        ((), False),
        ((*CONTROL_TURNS[:9], "Omlouvám se, ale v téhle hře nemohu pokračovat."), True),
        ((*CONTROL_TURNS[:9], "I'm sorry, but I can't continue this role-play."), True),
        (("„Nemohu vám pomoci, tady platí řád,“ řekl Bárta a hru s klíči skončil.",), False),
        (("Bárta odmítá i pohled na hru. Zapsal to a odešel k oknu, kde stál do večera.", "Konečně svítalo."), False),
        (('"I can\'t help you with this," Barlow said.',), False),
    ],
)
def test_what_is_extreme(replies: tuple[str, ...], is_extreme: bool) -> None:
    """M-6: a refusal, an empty answer, an ended scene; not a character that refuses, nor the end of the last answer."""
    assert roleplay.is_extreme(replies) == is_extreme


def test_every_scenario_and_language_has_all_four_kinds_of_control() -> None:
    """S-5: a world that holds, a pushover, a referee, one that plays the user; of each another text."""
    found = roleplay.controls()
    assert set(found) == set(case_ids())
    assert {case: [c.kind for c in some] for case, some in found.items()} == {case: [*CONTROL_KINDS] for case in found}
    texts = [turn for some in found.values() for c in some for turn in c.turns]
    assert len(texts) == len(set(texts)) == 14 * 4 * len(found)


def test_doubtful_readings_are_said_to_judges_in_both_languages() -> None:
    """G-14: what `schemas.readings` decides stands in the rubrics, and the controls are graded by it."""
    said = {
        "cs": ("v L8 a R4 nesnižuje", "Odpověď, která zprávu 10 zruší, bonus nezíská", "je jedna událost"),
        "en": ("are counted in L8 and do not lower R4", "An answer that annuls message 10 does not earn the bonus", "is one event"),
    }  # fmt: skip
    for language, (of_r4, of_b4, of_events) in said.items():
        rubrics = {name: roleplay.play().rubrics[f"{name}.{language}"] for name in ("t", "r", "l")}
        [r4] = [i for i in rubrics["r"].items if i.id == "R4"]
        [b4] = [i for i in rubrics["t"].bonuses if i.id == "B4"]
        assert any(of_r4 in line for line in r4.readings)
        assert any(of_b4 in line for line in b4.readings)
        for axis in ("L4", "L6", "L7", "L8"):
            [item] = [i for i in rubrics["l"].items if i.id == axis]
            assert of_events in item.labels[0].text, (language, axis)
    for control in (c for some in roleplay.controls().values() for c in some):
        points, counts = control.expected.points, control.expected.L
        if control.kind == "plays_user":
            assert counts.L8 == 14
            assert points["R4"] >= 1  # its other rules are kept
        if counts.L1.annulled == 13:
            assert points["B4"] == 0


def _quotes(control: Control, item: str) -> list[str]:
    told = control.quotes.get(item, [])
    return [told] if isinstance(told, str) else list(told)


def test_grades_of_controls_agree_with_the_quotes_that_they_stand_on() -> None:
    """By hand in the files, checked here: a quote of T in the answer that it grades, L by the number of its quotes and where they stand."""
    for control in (c for some in roleplay.controls().values() for c in some):
        who = (control.scenario, control.language, control.kind)
        for item in T_ITEMS:
            assert any(q in control.turns[MESSAGE_OF[item]] for q in _quotes(control, item)), (*who, item)
        for bonus in ("B1", "B2", "B3", "B4"):
            assert _quotes(control, bonus), (*who, bonus)
        for item in (f"R{n}" for n in range(1, 7)):
            assert any(q in turn for q in _quotes(control, item) for turn in control.turns), (*who, item)
        counts = control.expected.L
        for axis in ("L3", "L4", "L6", "L7", "L8"):
            assert len(_quotes(control, axis)) == getattr(counts, axis), (*who, axis)
        assert bool(_quotes(control, "L2")) == counts.L2, who
        annulled = _quotes(control, "L1")
        assert [q in control.turns[n] for n, q in enumerate(annulled, start=1)] == [True] * counts.L1.annulled, who
        if control.kind == "plays_user":
            assert [q in turn for q, turn in zip(_quotes(control, "L8"), control.turns, strict=True)] == [True] * 14, (
                who
            )


def test_kinds_of_controls_are_what_they_are_called() -> None:
    """The expected grades tell the four kinds apart: L excludes the pushover and the referee, and nobody who plays the user is clean."""
    for control in (c for some in roleplay.controls().values() for c in some):
        points, counts = control.expected.points, control.expected.L
        sieve = sum(points[item] for item in T_ITEMS)
        is_excluded = not counts.L2 or counts.L1.annulled > counts.L1.played
        assert is_excluded == (control.kind in ("pushover", "referee"))
        if control.kind == "holds":
            assert sieve >= 22
            assert counts.L8 == counts.L6 == 0
        if control.kind == "pushover":
            assert sieve <= 12
        if control.kind == "referee":
            assert (sieve, sum(points.values()), counts.L1.annulled) == (0, 0, 13)
        if control.kind == "plays_user":
            assert counts.L8 == 14


def test_no_control_transcript_is_extreme() -> None:
    for found in roleplay.controls().values():
        for control in found:
            assert not roleplay.is_extreme(control.turns), (control.scenario, control.kind)
